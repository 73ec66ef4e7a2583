import { ALLOW, HASH, ID, PREFLIGHT, ROOT } from "../constants.ts";
import { problem, respond } from "./respond.js";

/**
 * What a request is for, checked in the order of svc serve: a response, an asset or a document.
 *
 * @param {import("cloudfront").ViewerRequest} request
 */
export function readRequest(request) {
  if (request.method === "OPTIONS") {
    return { response: respond(204, "No Content", PREFLIGHT) };
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return { response: problem(request, "method-not-allowed", ALLOW) };
  }
  let parts;
  try {
    // Split before decoding: an encoded slash does not separate parts.
    parts = request.uri.split("/").map((part) => decodeURIComponent(part));
  } catch (_error) {
    return { response: problem(request, "bad-request") };
  }
  const asset = assetOf(parts);
  if (asset) return { asset: asset };
  const kind = kindOf(parts);
  if (!kind) return { response: problem(request, "not-found") };
  return {
    kind: kind,
    projectId: parts[ROOT.length],
    path: parts.join("/"),
    tokens: tokensOf(request.querystring),
  };
}

/**
 * @param {readonly string[]} parts
 * @returns {import("../../../../documents/address.ts").Address["kind"] | undefined}
 */
function kindOf(parts) {
  const rest = parts.slice(ROOT.length);
  if (parts.slice(0, ROOT.length).join("\n") !== ROOT.join("\n")) return undefined;
  if (rest.length === 0 || !ID.test(rest[0])) return undefined;
  if (rest.length === 1) return "project";
  if (rest.length === 2 && rest[1] === "schema") return "schema";
  if (rest.length !== 4 || rest[1] !== "experiences" || rest[3] !== "content") return undefined;
  return ID.test(rest[2]) ? "content" : undefined;
}

/** @param {readonly string[]} parts */
function assetOf(parts) {
  if (parts.length !== 4 || parts[0] !== "" || parts[1] !== "assets") return undefined;
  if (!HASH.test(parts[2]) || /[/\\\0]/.test(parts[3])) return undefined;
  if (parts[3] === "" || parts[3] === "." || parts[3] === "..") return undefined;
  // Re-encoded: one cache entry for all spellings, and S3 reads a bare + as a space.
  return parts.map((part) => encodeURIComponent(part)).join("/");
}

/**
 * All values of preview_token.
 *
 * @param {import("cloudfront").ViewerRequest["querystring"]} query
 */
function tokensOf(query) {
  /** @type {string[]} */
  const tokens = [];
  Object.keys(query).forEach((name) => {
    // CloudFront passes names and values still encoded.
    if (decode(name) !== "preview_token") return;
    (query[name].multiValue || [query[name]]).forEach((one) => {
      tokens.push(decode(one.value));
    });
  });
  return tokens;
}

/** @param {string} text */
function decode(text) {
  try {
    return text
      .replace(/\+/g, " ")
      .replace(/(%[0-9A-Fa-f]{2})+/g, (bytes) => decodeURIComponent(bytes));
  } catch (_error) {
    return "";
  }
}
