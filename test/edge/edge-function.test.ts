import { describe, expect, it } from "vitest";
import { printRequestFunction } from "../../src/deploy/edge/functions.ts";
import { pointerKey, tokenKey } from "../../src/deploy/releases/keys.ts";
import { refusal } from "../support/server/serving.ts";
import { edgeAnswer, edgeRequest } from "./edge-hosts.ts";
import { EDGE_REQUESTS, OTHER_ADDRESSES } from "./edge-requests.ts";
import { EdgeSite, RELEASE } from "./edge-site.ts";
import { type EdgeEvent, type EdgeResult, runInNjs } from "./njs.ts";

const P = "/api/v1/projects";
const DOCUMENTS = [`${P}/site`, `${P}/site/schema`, `${P}/site/experiences/home/content`];

type State = Omit<EdgeEvent, "request">;

/** The results of GET requests for the targets, in one state of the KeyValueStore. */
function results(
  targets: readonly string[],
  state: State,
  text = printRequestFunction({ kvs: true }),
) {
  const site = new EdgeSite();
  const requests = targets.map((target) =>
    edgeRequest({ rule: "", target, expected: "preflight" }, site),
  );
  return runInNjs(
    text,
    requests.map((request) => ({ request, ...state })),
  );
}

function refusals(given: readonly EdgeResult[]): string[] {
  return given.map((result) => {
    const answer = edgeAnswer(result);
    return answer === undefined ? `forwarded: ${result.returned.uri}` : refusal(answer);
  });
}

const UNAVAILABLE = "503 service-unavailable";

describe("the edge function of releases", { timeout: 60_000 }, () => {
  it("H1: requests the file in the live release from the bucket, without a query", () => {
    const keys = { [pointerKey("site")]: RELEASE };
    const targets = [...DOCUMENTS, `${P}/s%69te?a=1&b=2`];
    expect(results(targets, { keys }).map(({ returned }) => returned)).toMatchObject([
      { uri: `/r/${RELEASE}${P}/site/index.json`, querystring: {} },
      { uri: `/r/${RELEASE}${P}/site/schema.json`, querystring: {} },
      { uri: `/r/${RELEASE}${P}/site/experiences/home/content.json`, querystring: {} },
      { uri: `/r/${RELEASE}${P}/site/index.json`, querystring: {} },
    ]);
  });

  it.each(["exists", "get"] as const)("answers 503 when the store's %s fails", (failing) => {
    const site = new EdgeSite();
    const withToken = DOCUMENTS.map((target) => `${target}?preview_token=$VALID`);
    const keys = { ...site.keyValues() };
    const given = results([...DOCUMENTS, ...withToken], { keys, failing });
    expect(refusals(given)).toEqual(Array(6).fill(UNAVAILABLE));
    for (const { returned, origin } of given) {
      expect(returned.headers?.["retry-after"]?.value).toMatch(/^\d+$/);
      expect(returned.headers?.["cache-control"]?.value).toBe("no-store");
      expect(origin).toBeNull();
    }
  });

  it("answers requests that do not need the store while it fails", () => {
    const asset = "/assets/0123456789abcdef/a.png";
    const targets = [asset, "/manifest.json", "/%ZZ", `${P}/site?preview_token=`];
    for (const failing of ["exists", "get"] as const) {
      expect(refusals(results(targets, { keys: {}, failing }))).toEqual([
        `forwarded: ${asset}`,
        "404 not-found",
        "400 bad-request",
        "401 preview-token-invalid",
      ]);
    }
  });

  it.each([
    ["nothing", ""],
    ["an extra folder", `x/${RELEASE}`],
    ["a missing folder", RELEASE.slice(2)],
    ["a path with ..", `../${RELEASE.slice(2)}`],
    ["a slash at its end", `${RELEASE}/`],
    ["a newline at its end", `${RELEASE}\n`],
    ["a short hash", RELEASE.slice(0, -1)],
    ["other letters", RELEASE.toUpperCase()],
  ])("answers 503 when a pointer is not the name of a release: %s", (_what, pointer) => {
    const keys = { [pointerKey("site")]: pointer };
    expect(refusals(results(DOCUMENTS, { keys }))).toEqual(Array(3).fill(UNAVAILABLE));
  });

  it("H4: a project without a pointer is not published", () => {
    expect(refusals(results(DOCUMENTS, { keys: {} }))).toEqual([
      "404 project-not-found",
      "404 schema-not-published",
      "404 experience-content-not-published",
    ]);
  });

  it("H3: a token is valid for the project and until the time in the store", () => {
    const site = new EdgeSite();
    const sha256 = Object.keys(site.keyValues())
      .map((key) => /^t:([0-9a-f]{64}):site$/.exec(key)?.[1])
      .find((hash) => hash !== undefined);
    const soon = String(Date.now() + 60_000);
    const outcomeOf = (value: string, project = "site") => {
      const keys = { [tokenKey(sha256 ?? "", project)]: value, [pointerKey("site")]: RELEASE };
      const [result] = results([`${P}/site?preview_token=$VALID`], { keys });
      return result?.origin ?? refusals(result ? [result] : [])[0];
    };
    for (const valid of ["never", soon]) expect(outcomeOf(valid)).toBe("preview");
    for (const invalid of ["0", "1000", String(Date.now() - 1), "", "-1", "1e99", "never\n"]) {
      expect(outcomeOf(invalid), invalid).toBe("401 preview-token-invalid");
    }
    for (const malformed of [
      "2099-01-01T00:00:00Z",
      "Never",
      ` ${soon}`,
      `${soon}\n`,
      "0x9999999999999",
    ]) {
      expect(outcomeOf(malformed), malformed).toBe("401 preview-token-invalid");
    }
    expect(outcomeOf("never", "other")).toBe("401 preview-token-invalid");
  });

  it("H3: an invalid token never reaches the preview, nor does one of several", () => {
    const queries = [
      ...[
        "$VALID&preview_token=$VALID",
        "$VALID&preview_token=",
        "&preview_token=$VALID",
        "$EXPIRED",
      ],
      ...["$VALID&preview%5ftoken=$VALID", "$OTHER", "$VALID%00", "%24VALID", "$VALID%ff", "%ff"],
    ];
    const targets = queries.map((query) => `${P}/site?preview_token=${query}`);
    const given = results(targets, { keys: new EdgeSite().keyValues() });
    expect(given.map(({ origin }) => origin)).toEqual(queries.map(() => null));
    expect(refusals(given)).toEqual(queries.map(() => "401 preview-token-invalid"));
  });

  it("H3: sends a request with a valid token unchanged to the chosen origin", () => {
    const site = new EdgeSite();
    const target = `${P}/%73ite?a=1&preview%5Ftoken=$VALID`;
    const text = printRequestFunction({ kvs: true, preview: "drafts" });
    const request = edgeRequest({ rule: "", target, expected: "preflight" }, site);
    expect(results([target], { keys: site.keyValues() }, text)).toEqual([
      { origin: "drafts", returned: request },
    ]);
  });
});

describe.each([true, false])(
  "the edge function, with a KeyValueStore: %s",
  { timeout: 60_000 },
  (kvs) => {
    it("H1: answers 404 for all other paths: manifests and listings cannot be reached", () => {
      const asset = "/assets/0123456789abcdef";
      const targets = [
        ...EDGE_REQUESTS.filter(({ rule }) => rule === OTHER_ADDRESSES).map(({ target }) => target),
        ...["", ".", "..", "a/b", "a%2Fb", "a%5Cb", "a%00"].map((name) => `${asset}/${name}`),
        ...["/assets/0123456789abcdeF/a", "/assets/0123456789abcde%0a/a", "/assets/01234567/a"],
      ];
      const given = results(targets, { keys: {} }, printRequestFunction({ kvs }));
      expect(refusals(given)).toEqual(targets.map(() => "404 not-found"));
      expect(targets.length).toBeGreaterThan(60);
    });
  },
);

describe("the edge function of a bucket in place", { timeout: 60_000 }, () => {
  it("H1: requests the key of the path from the bucket, in one spelling", () => {
    const text = printRequestFunction({ kvs: false });
    const targets = [
      ...DOCUMENTS,
      `${P}/s%69te?a=1`,
      "/%61ssets/0123456789abcdef/%61+%C3%a4!.png?x",
    ];
    expect(results(targets, { keys: {} }, text).map(({ returned }) => returned)).toMatchObject([
      ...DOCUMENTS.map((uri) => ({ uri, querystring: {} })),
      { uri: `${P}/site`, querystring: {} },
      { uri: "/assets/0123456789abcdef/a%2B%C3%A4!.png", querystring: {} },
    ]);
  });
});
