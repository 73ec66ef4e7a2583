//#if runtime
import cf from "cloudfront";
//#end
import {
  ALLOW,
  COMMON,
  ENDINGS,
  HASH,
  ID,
  MAX_NAMES,
  MAX_PARTS,
  MAX_TOKEN,
  NOT_PUBLISHED,
  POINTER,
  PREFLIGHT,
  PREVIEW,
  PREVIEW_ORIGIN,
  PROBLEM,
  PROBLEMS,
  RELEASE,
  RELEASES_PATH,
  RETRY,
  ROOT,
  TIME,
  TOKEN,
} from "../constants.ts";

//#if runtime
/** biome-ignore lint/style/useNodejsImportProtocol: the name in CloudFront's runtime. */
const crypto = require("crypto");

//#end
//#if kvs
const kvs = cf.kvs();

/** What holders of a token see where its key names no release. */
const DRAFT = "draft";

//#end
/**
 * Answers what svc serve refuses, and passes on the rest. With a KeyValueStore, a project is served
 * from the release that its pointer names; in place, the bucket's keys are the URL paths.
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
      //#if kvs
      const shown = await shownTo(target.tokens, target.projectId);
      if (shown !== undefined) {
        if (shown === DRAFT) cf.selectRequestOriginById(PREVIEW_ORIGIN);
        else request.uri = releasePath(shown, target);
        // As the cache policy and the origin know it, however it was spelled.
        request.querystring = { preview_token: { value: encodeURIComponent(target.tokens[0]) } };
        return request;
      }
      //#end
      // The bucket ignores the query: it would answer with published content.
      return problem(request, "preview-token-invalid", PREVIEW);
    }
    let path = target.path;
    //#if kvs
    const key = POINTER + target.projectId;
    const release = await keyValue(key);
    if (release === undefined) return problem(request, NOT_PUBLISHED[target.kind]);
    // Rewritten before the cache lookup: each release has its own cache entries.
    path = releasePath(release, target);
    //#end
    return fetchFrom(request, path);
  } catch (_error) {
    // Never pass it on: the bucket could serve an unpublished object, or ignore a preview_token.
    return problem(request, "service-unavailable", RETRY);
  }
}

//#if kvs
/**
 * The value of a key, in one read: each costs. Where that fails, there may be none.
 *
 * @param {string} key
 */
async function keyValue(key) {
  try {
    const value = await kvs.get(key);
    return value;
  } catch (error) {
    const exists = await kvs.exists(key);
    if (exists) throw error;
    return undefined;
  }
}

/**
 * What the holder of a token sees: the draft, a release, or undefined for no valid token.
 *
 * @param {readonly string[]} tokens
 * @param {string} projectId
 */
async function shownTo(tokens, projectId) {
  if (tokens.length !== 1 || !tokens[0]) return undefined;
  const sha256 = crypto.createHash("sha256").update(tokens[0]).digest("hex");
  const value = await keyValue(`${TOKEN}${sha256}:${projectId}`);
  if (value === undefined || value === "never") return value && DRAFT;
  const parts = value.split(" ");
  const isValid = TIME.test(parts[0]) && Number(parts[0]) > Date.now();
  return isValid ? parts[1] || DRAFT : undefined;
}

/**
 * Throws where there is no such name of a release.
 *
 * @param {string} release
 * @param {{ path: string, kind: import("../../../documents/address.ts").Address["kind"] }} target
 */
function releasePath(release, target) {
  if (!RELEASE.test(release)) throw new Error("not the name of a release");
  return RELEASES_PATH + release + target.path + ENDINGS[target.kind];
}

//#end
/**
 * What a request is for, checked in the order of svc serve: a response, an asset or a document.
 *
 * @param {import("cloudfront").ViewerRequest} request
 */
function readRequest(request) {
  if (request.method === "OPTIONS") {
    return { response: respond(204, "No Content", PREFLIGHT) };
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return { response: problem(request, "method-not-allowed", ALLOW) };
  }
  let parts;
  try {
    decodeURIComponent(request.uri);
    // Split before decoding: an encoded slash does not separate parts. No address has as many parts.
    parts = request.uri.split("/", MAX_PARTS).map((part) => decodeURIComponent(part));
  } catch (_error) {
    return { response: problem(request, "bad-request") };
  }
  const asset = assetOf(parts);
  if (asset) return { asset: asset };
  const kind = kindOf(parts);
  if (!kind) return { response: problem(request, "not-found") };
  const names = Object.keys(request.querystring);
  // H3b: one of the names that are not read could be preview_token.
  if (names.length > MAX_NAMES) return { response: problem(request, "bad-request") };
  return {
    kind: kind,
    projectId: parts[ROOT.length],
    path: parts.join("/"),
    tokens: tokensOf(request.querystring, names),
  };
}

/**
 * @param {readonly string[]} parts
 * @returns {import("../../../documents/address.ts").Address["kind"] | undefined}
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
 * The values of preview_token; of several two, as none of them counts.
 *
 * @param {import("cloudfront").ViewerRequest["querystring"]} query
 * @param {readonly string[]} names
 */
function tokensOf(query, names) {
  /** @type {string[]} */
  const tokens = [];
  names.forEach((name) => {
    // CloudFront passes names and values still encoded: at most three characters for each.
    if (name.length < 13 || name.length > 39 || decode(name) !== "preview_token") return;
    (query[name].multiValue || [query[name]]).slice(0, 2).forEach((one) => {
      tokens.push(one.value.length > MAX_TOKEN ? "" : decode(one.value));
    });
  });
  return tokens;
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text.replace(/\+/g, " "));
  } catch (_error) {
    return "";
  }
}

/**
 * Passes the request on without its query, which would split the cache and which no origin reads.
 *
 * @param {import("cloudfront").ViewerRequest} request
 * @param {string} uri
 */
function fetchFrom(request, uri) {
  request.uri = uri;
  request.querystring = {};
  return request;
}

/**
 * @param {import("cloudfront").ViewerRequest} request
 * @param {import("../../../http/problem-document.ts").RequestProblem} code
 * @param {import("cloudfront").Headers} [headers]
 */
function problem(request, code, headers) {
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
function respond(status, title, headers) {
  return {
    statusCode: status,
    statusDescription: title,
    headers: Object.assign({}, COMMON, headers),
  };
}
