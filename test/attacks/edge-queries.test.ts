import { describe, expect, it } from "vitest";
import { printRequestFunction } from "../../src/deploy/edge/functions.ts";
import { runInNjs, slowInNjs } from "../support/requests/edge-engines.ts";
import { edgeAnswer, edgeRequest } from "../support/requests/hosts.ts";
import { RequestedSite } from "../support/requests/requested-site.ts";
import { ENDPOINTS, refusal } from "../support/server/serving.ts";

/** About what CloudFront accepts of a URL. */
const LONGEST = 8_000;

const names = (count: number, name = (at: number) => `n${at}`) =>
  Array.from({ length: count }, (_, at) => name(at)).join("&");

/** Queries that are short for a client to write, and long for a function to read. */
const QUERIES: readonly [name: string, query: string][] = [
  ["2,500 names", names(2500, (at) => at.toString(36))],
  ["2,500 names, and the token at last", `${names(1300)}&preview_token=$VALID`],
  ["51 names, and the token at last, encoded", `${names(50)}&preview%5Ftoken=$VALID`],
  ["a token before them", `preview_token=$VALID&${names(50)}`],
];
const READ: readonly [name: string, query: string][] = [
  ["500 tokens", names(500, () => "preview_token")],
  ["50 names of escapes", names(50, (at) => `%70%72${at}${"%41".repeat(50)}`)],
  ["50 names, each as long as preview_token", names(50, (at) => `${"%70".repeat(12)}${at}`)],
  ["a token of escapes", `preview_token=${"%41a".repeat(LONGEST / 4)}%`],
];

function edgeEvents(kvs: boolean) {
  const site = new RequestedSite();
  const keys = site.keyValues();
  const event = (target: string) => ({ request: edgeRequest({ target }, site), keys });
  const outcome = async (target: string) => {
    const [result] = await runInNjs(printRequestFunction({ kvs }), [event(target)]);
    const answer = result && edgeAnswer(result);
    return answer === undefined ? (result?.origin ?? "bucket") : refusal(answer);
  };
  return { event, outcome };
}

describe.each([true, false])("H3b: the edge function, with a KeyValueStore: %s", (kvs) => {
  it("refuses a query of more than 50 names, wherever a token may be in it", async () => {
    const { outcome } = edgeEvents(kvs);
    for (const path of ENDPOINTS) {
      for (const [name, query] of QUERIES) {
        expect(query.length, name).toBeLessThan(LONGEST + 2_000);
        expect(await outcome(`${path}?${query}`), name).toBe("400 bad-request");
      }
    }
    expect(await outcome(`${ENDPOINTS[0]}?${names(50)}`)).toBe("bucket");
    const valid = kvs ? "preview" : "401 preview-token-invalid";
    expect(await outcome(`${ENDPOINTS[0]}?${names(49)}&preview%5Ftoken=$VALID`)).toBe(valid);
    expect(await outcome(`${ENDPOINTS[0]}?${names(500, () => "preview_token")}`)).toBe(
      "401 preview-token-invalid",
    );
  });

  it("takes no request long", () => {
    const { event } = edgeEvents(kvs);
    const queries = [...QUERIES, ...READ].map(([, query]) => `${ENDPOINTS[0]}?${query}`);
    const paths = ["/".repeat(LONGEST), "/%41".repeat(LONGEST / 4), `/assets${"/a".repeat(3_000)}`];
    const all = [...queries, ...paths, ...paths.map((path) => ENDPOINTS[0] + path)];
    const events = [ENDPOINTS[0], ...all].map(event);
    // CloudFront's budget is a millisecond; 2,500 names once took 8.8.
    const slow = slowInNjs(printRequestFunction({ kvs }), events, 5);
    expect(slow.map(({ request }) => request.uri.slice(0, 60))).toEqual([]);
  });
});
