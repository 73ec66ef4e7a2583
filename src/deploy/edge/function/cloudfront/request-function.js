import cf from "cloudfront";
import {
  ENDINGS,
  NOT_PUBLISHED,
  POINTER,
  PREVIEW,
  PREVIEW_ORIGIN,
  RELEASE,
  RELEASES_PATH,
  RETRY,
  TIME,
  TOKEN,
} from "../constants.ts";
import { readRequest } from "./read-request.js";
import { fetchFrom, problem } from "./respond.js";

/** biome-ignore lint/style/useNodejsImportProtocol: the name in CloudFront's runtime. */
const crypto = require("crypto");

const kvs = cf.kvs();

/**
 * With a KeyValueStore: serves a project from the release that its pointer names.
 *
 * @param {import("cloudfront").RequestEvent} event
 */
export async function handler(event) {
  const request = event.request;
  try {
    const target = readRequest(request);
    if ("response" in target) return target.response;
    if ("asset" in target) return fetchFrom(request, target.asset);
    if (target.tokens.length > 0) {
      const valid = await isValid(target.tokens, target.projectId);
      if (!valid) return problem(request, "preview-token-invalid", PREVIEW);
      cf.selectRequestOriginById(PREVIEW_ORIGIN);
      return request;
    }
    const key = POINTER + target.projectId;
    const isPublished = await kvs.exists(key);
    if (!isPublished) return problem(request, NOT_PUBLISHED[target.kind]);
    const release = await kvs.get(key);
    if (!RELEASE.test(release)) return problem(request, "service-unavailable", RETRY);
    // Rewritten before the cache lookup: each release has its own cache entries.
    return fetchFrom(request, RELEASES_PATH + release + target.path + ENDINGS[target.kind]);
  } catch (_error) {
    // Never pass it on: the bucket could serve an unpublished object, or ignore a preview_token.
    return problem(request, "service-unavailable", RETRY);
  }
}

/**
 * @param {readonly string[]} tokens
 * @param {string} projectId
 */
async function isValid(tokens, projectId) {
  if (tokens.length !== 1 || !tokens[0]) return false;
  const sha256 = crypto.createHash("sha256").update(tokens[0]).digest("hex");
  const key = `${TOKEN}${sha256}:${projectId}`;
  const exists = await kvs.exists(key);
  if (!exists) return false;
  const expires = await kvs.get(key);
  return expires === "never" || (TIME.test(expires) && Number(expires) > Date.now());
}
