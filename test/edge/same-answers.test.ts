import { basename } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";
import { filePath } from "../../src/documents/address.ts";
import { type HostAnswer, startHost } from "./edge-hosts.ts";
import { EDGE_REQUESTS, type Expected, HOSTS } from "./edge-requests.ts";
import { DRAWN, EdgeSite } from "./edge-site.ts";
import {
  assetResponse,
  COMMON,
  documentResponse,
  draftResponse,
  type PlainResponse,
  PREFLIGHT,
  problemResponse,
} from "./expected-responses.ts";

function responseFor(expected: Expected, site: EdgeSite): PlainResponse {
  if (expected === "preflight") return PREFLIGHT;
  if ("file" in expected) {
    const { file } = expected;
    const text = site.file(file);
    return file.startsWith("api/") ? documentResponse(text) : assetResponse(basename(file), text);
  }
  if ("draftAsset" in expected) {
    return assetResponse(DRAWN.asset.fileName, String(DRAWN.file[1]), true);
  }
  if ("draft" in expected) return draftResponse(site.draft(expected.draft));
  return problemResponse(expected.refused, expected.preview);
}

/** The response, with only the headers that the expected one has. */
function actualOf(answer: HostAnswer, { headers }: PlainResponse): PlainResponse {
  const names = Object.keys({ ...COMMON, ...headers });
  const found = names.map((name) => [name, answer.headers.get(name)]);
  return { ...answer, headers: answer.ofBucket ? {} : Object.fromEntries(found) };
}

/** The response that was expected. */
function expectedOf(
  answer: HostAnswer,
  { status, headers, text }: PlainResponse,
  method = "GET",
): PlainResponse {
  return {
    ...answer,
    status,
    headers: answer.ofBucket ? {} : { ...COMMON, ...headers },
    text: method === "HEAD" ? "" : text,
  };
}

describe("the same responses from every host", { timeout: 120_000 }, () => {
  it.each(HOSTS)("H1, H3, H4, I1: %s answers every request of the table", async (name) => {
    const site = new EdgeSite();
    const send = await startHost(name, site);
    const requests = EDGE_REQUESTS.flatMap((row) => {
      const expected = row.but?.[name] ?? row.expected;
      return expected === "skipped" ? [] : [{ ...row, expected }];
    });
    const answers = await send(requests);
    expect(answers.length).toBe(requests.length);
    expect(answers.length).toBeGreaterThan(250);
    const differing = answers.flatMap((answer, index) => {
      const { rule, method, target, ...row } = requests[index] as (typeof requests)[number];
      const wanted = responseFor(row.expected, site);
      const [actual, expected] = [actualOf(answer, wanted), expectedOf(answer, wanted, method)];
      return isDeepStrictEqual(actual, expected)
        ? []
        : [{ rule, method, target, actual, expected }];
    });
    expect(differing.slice(0, 5)).toEqual([]);
  });

  it("the documents of the table exist, and their drafts differ from the published ones", () => {
    const site = new EdgeSite();
    for (const { expected, but = {} } of EDGE_REQUESTS) {
      for (const one of [expected, ...Object.values(but)]) {
        if (typeof one === "string" || !("draft" in one)) continue;
        if (one.draft.kind !== "content") continue;
        expect(site.draft(one.draft)).not.toBe(site.file(filePath(one.draft)));
      }
    }
    expect(site.file("404.json")).toBe(problemResponse("not-found").text);
  });
});
