/** biome-ignore lint/correctness/noUnusedImports: the function below uses it. */
import crypto from "node:crypto";
import { COMMON, FRESH, POINTERS, PREVIEW, PUBLISHED, SANDBOXED } from "../constants.ts";

/** The bucket of the releases, and the prefix that they are deployed to. */
let bucket;
let prefix = "";

/** What is live, and when it was read, in milliseconds. Of the isolate: a promise would be of one request. */
let values = {};
let readAt = Number.NEGATIVE_INFINITY;

async function liveValue(key) {
  if (Date.now() - readAt >= FRESH) {
    const at = Date.now();
    const stored = await bucket.get(prefix + POINTERS);
    values = stored === null ? {} : (await stored.json()).values;
    readAt = at;
  }
  return Object.hasOwn(values, key) ? values[key] : undefined;
}

/** biome-ignore lint/correctness/noUnusedVariables: the module of CloudFront's runtime, for the function below. */
const cf = {
  kvs: () => ({
    exists: async (key) => (await liveValue(key)) !== undefined,
    get: async (key) => {
      const value = await liveValue(key);
      if (value === undefined) throw new Error(`there is no key ${key}`);
      return value;
    },
  }),
};

export default {
  async fetch(request, env) {
    bucket = env.BUCKET;
    prefix = env.PREFIX ?? "";
    // As it was sent: URL resolves dots.
    const [, pathname, search] = /^[^/]*\/\/[^/?#]*([^?]*)\??(.*)$/s.exec(request.url);
    const { method } = request;
    const asked = { method, uri: pathname, querystring: queryOf(search) };
    const result = await handler({ request: asked });
    if ("statusCode" in result) return responseOf(result);
    try {
      const object = await bucket.get(prefix + decodeURIComponent(result.uri.slice(1)));
      if (object === null) {
        const kind = kindOf(pathname.split("/").map(decodeURIComponent));
        return responseOf(problem(asked, NOT_PUBLISHED[kind] ?? "not-found"));
      }
      return found(object, request, pathname, "preview_token" in result.querystring);
    } catch {
      return responseOf(problem(asked, "service-unavailable", RETRY));
    }
  },
};

/** The query as CloudFront passes it on: nothing in it is decoded. */
function queryOf(search) {
  const query = {};
  for (const pair of search.split("&").filter(Boolean)) {
    const [, name, value] = /^([^=]*)=?(.*)$/s.exec(pair);
    if (!Object.hasOwn(query, name)) query[name] = { value, multiValue: [] };
    query[name].multiValue.push({ value });
  }
  return query;
}

function responseOf({ statusCode, statusDescription, headers, body }) {
  const plain = Object.entries(headers).map(([name, { value }]) => [name, value]);
  const how = { status: statusCode, statusText: statusDescription, headers: plain };
  return new Response(body?.data ?? null, how);
}

function found(object, request, pathname, isPreview) {
  const headers = new Headers(Object.entries(COMMON).map(([name, { value }]) => [name, value]));
  object.writeHttpMetadata(headers);
  headers.set("etag", object.httpEtag);
  if (isPreview) {
    for (const [name, { value }] of Object.entries(PREVIEW)) headers.set(name, value);
  } else if (!pathname.startsWith("/assets/")) headers.set("cache-control", PUBLISHED.value);
  else if (SANDBOXED.test(headers.get("content-type") ?? "")) {
    headers.set("content-security-policy", "sandbox");
  }
  const tags = (request.headers.get("if-none-match") ?? "").split(",");
  const isSame = tags.some((tag) =>
    ["*", object.httpEtag].includes(tag.trim().replace(/^W\//, "")),
  );
  if (!isSame && request.method !== "HEAD") return new Response(object.body, { headers });
  object.body.cancel();
  return new Response(null, { status: isSame ? 304 : 200, headers });
}
