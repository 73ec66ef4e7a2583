import { urlPath } from "../../../documents/address.ts";
import { JSON_TYPE, PUBLISHED_HEADERS } from "../../../http/published-headers.ts";
import { type Check, type Finding, failed, skipped, verdict } from "./doctor-check.ts";
import { probe, told, type UrlSource } from "./probe.ts";

/** A check of a published project's config. */
function ofProject(
  id: string,
  title: string,
  run: (url: string) => Promise<Finding>,
): Check<UrlSource> {
  return {
    id,
    title,
    run: async ({ host, projectId }) =>
      projectId === undefined
        ? skipped("no project is known: give --project, or --kvs with pointers")
        : run(host + urlPath({ kind: "project", projectId })),
  };
}

const CACHING = PUBLISHED_HEADERS["Cache-Control"];

const SERVED = ofProject(
  "url-document",
  "H2: a project is served with H2's headers",
  async (url) => {
    const answer = await probe(url);
    if (answer.status !== 200) return failed(told(answer), "deploy the project, or name another");
    const kept = answer.headers.get("cache-control");
    const type = answer.headers.get("content-type");
    const faults = [
      ...(kept === CACHING ? [] : [`Cache-Control is "${kept}"`]),
      ...(type === JSON_TYPE ? [] : [`Content-Type is "${type}"`]),
      ...(answer.headers.get("etag") ? [] : ["there is no ETag"]),
    ];
    return verdict(faults, CACHING, "look at the check response-function; deploy again");
  },
);

const UNCHANGED = ofProject(
  "url-not-modified",
  "H2: an unchanged document is a 304",
  async (url) => {
    const first = await probe(url);
    const headers = { "If-None-Match": first.headers.get("etag") ?? '"none"' };
    const { status, headers: again } = await probe(url, { headers });
    const kept = again.get("cache-control");
    const faults = [
      ...(status === 304 ? [] : [`status ${status}`]),
      // A 304 brings the header of what the viewer holds up to date.
      ...(kept === null || kept === CACHING ? [] : [`Cache-Control is "${kept}"`]),
    ];
    return verdict(faults, "304", "look at the check response-function");
  },
);

/** CloudFront compresses nothing shorter, in bytes. */
const COMPRESSED_FROM = 1000;

const COMPRESSED = ofProject("url-compression", "answers are compressed", async (url) => {
  const faults: string[] = [];
  for (const encoding of ["gzip", "br"]) {
    const { headers, text } = await probe(`${url}/schema`, {
      headers: { "Accept-Encoding": encoding },
    });
    if (Buffer.byteLength(text) < COMPRESSED_FROM) return skipped("the schema is too short for it");
    const given = headers.get("content-encoding") ?? "none";
    if (given !== encoding) faults.push(`asked for ${encoding}, the encoding is ${given}`);
  }
  return verdict(faults, "gzip and br", "look at the check compression of the distribution");
});

export const DOCUMENT_CHECKS: readonly Check<UrlSource>[] = [SERVED, UNCHANGED, COMPRESSED];
