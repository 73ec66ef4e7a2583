import { COMMON, PROBLEM, PROBLEMS } from "../constants.ts";

/**
 * Passes the request on without its query, which would split the cache and which no origin reads.
 *
 * @param {import("cloudfront").ViewerRequest} request
 * @param {string} uri
 */
export function fetchFrom(request, uri) {
  request.uri = uri;
  request.querystring = {};
  return request;
}

/**
 * @param {import("cloudfront").ViewerRequest} request
 * @param {import("../../../../http/problem-document.ts").RequestProblem} code
 * @param {import("cloudfront").Headers} [headers]
 */
export function problem(request, code, headers) {
  const found = PROBLEMS[code];
  const response = respond(found[0], found[1], Object.assign({}, PROBLEM, headers));
  if (request.method !== "HEAD") response.body = { encoding: "text", data: found[2] };
  return response;
}

/**
 * @param {number} status
 * @param {string} title
 * @param {import("cloudfront").Headers} headers
 * @returns {import("cloudfront").ViewerResponse}
 */
export function respond(status, title, headers) {
  return {
    statusCode: status,
    statusDescription: title,
    headers: Object.assign({}, COMMON, headers),
  };
}
