import { urlPath } from "../../../documents/address.ts";
import { JSON_TYPE, PUBLISHED_HEADERS } from "../../../http/published-headers.ts";
import { type Check, type CheckOutcome, failed, skipped, verdict } from "./check.ts";
import { probe, probeSummary, type UrlSource } from "./probe.ts";

/** A check of a published project's config. */
function ofProject(
  id: string,
  title: string,
  run: (url: string) => Promise<CheckOutcome>,
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
    if (answer.status !== 200)
      return failed(probeSummary(answer), "deploy the project, or name another");
    const caching = answer.headers.get("cache-control");
    const type = answer.headers.get("content-type");
    const faults = [
      ...(caching === CACHING ? [] : [`Cache-Control is "${caching}"`]),
      ...(type === JSON_TYPE ? [] : [`Content-Type is "${type}"`]),
      ...(answer.headers.get("etag") ? [] : ["no ETag"]),
    ];
    return verdict(faults, CACHING, "see the check response-function, and deploy again");
  },
);

const UNCHANGED = ofProject(
  "url-not-modified",
  "H2: an unchanged document is a 304",
  async (url) => {
    const first = await probe(url);
    const headers = { "If-None-Match": first.headers.get("etag") ?? '"none"' };
    const { status, headers: again } = await probe(url, { headers });
    const caching = again.get("cache-control");
    const faults = [
      ...(status === 304 ? [] : [`status ${status}`]),
      // A 304 updates the headers of the viewer's cached response.
      ...(caching === null || caching === CACHING ? [] : [`Cache-Control is "${caching}"`]),
    ];
    return verdict(faults, "304", "see the check response-function");
  },
);

/** CloudFront compresses no shorter responses, in bytes. */
const MIN_COMPRESSED_BYTES = 1000;

const COMPRESSED = ofProject("url-compression", "responses are compressed", async (url) => {
  const faults: string[] = [];
  for (const encoding of ["gzip", "br"]) {
    const { headers, text } = await probe(`${url}/schema`, {
      headers: { "Accept-Encoding": encoding },
    });
    if (Buffer.byteLength(text) < MIN_COMPRESSED_BYTES)
      return skipped("the schema is too short to be compressed");
    const given = headers.get("content-encoding") ?? "none";
    if (given !== encoding)
      faults.push(`for Accept-Encoding ${encoding}, the encoding is ${given}`);
  }
  return verdict(faults, "gzip and br", "see the check compression of the distribution");
});

export const DOCUMENT_CHECKS: readonly Check<UrlSource>[] = [SERVED, UNCHANGED, COMPRESSED];
