import { PREVIEW, RETRY } from "../constants.ts";
import { readRequest } from "./read-request.js";
import { fetchFrom, problem } from "./respond.js";

/**
 * Without a KeyValueStore: the bucket's keys are the URL paths, and there are no previews.
 *
 * @param {import("cloudfront").RequestEvent} event
 */
export function handler(event) {
  const request = event.request;
  try {
    const target = readRequest(request);
    if ("response" in target) return target.response;
    if ("asset" in target) return fetchFrom(request, target.asset);
    // The bucket ignores the query: it would answer with published content.
    if (target.tokens.length > 0) return problem(request, "preview-token-invalid", PREVIEW);
    return fetchFrom(request, target.path);
  } catch (_error) {
    return problem(request, "service-unavailable", RETRY);
  }
}
