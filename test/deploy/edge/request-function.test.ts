import { beforeEach, describe, expect, it } from "vitest";
import { printRequestFunction } from "../../../src/deploy/edge/functions.ts";
import { pointerKey, tokenKey } from "../../../src/deploy/releases/keys.ts";
import type { EdgeEvent } from "../../support/requests/edge-engines.ts";
import { edgeAnswer, edgeRequest, runEdgeFunction } from "../../support/requests/hosts.ts";
import { OTHER_ADDRESSES, REQUESTS } from "../../support/requests/request-table.ts";
import { RELEASE, RequestedSite } from "../../support/requests/requested-site.ts";
import { refusal } from "../../support/server/serving.ts";

const P = "/api/v1/projects";
const DOCUMENTS = [`${P}/site`, `${P}/site/schema`, `${P}/site/experiences/home/content`];
const LIVE = { [pointerKey("site")]: RELEASE };

type State = Omit<EdgeEvent, "request">;

let site: RequestedSite;
beforeEach(() => {
  site = new RequestedSite();
});

/** The results of GET requests for the targets, in one state of the KeyValueStore. */
function results(
  targets: readonly string[],
  state: State,
  text = printRequestFunction({ kvs: true }),
) {
  const requests = targets.map((target) => edgeRequest({ target }, site));
  return runEdgeFunction(
    text,
    requests.map((request) => ({ request, ...state })),
  );
}

/** What the function answers, or where it sends the request. */
async function outcomes(...given: Parameters<typeof results>): Promise<string[]> {
  return (await results(...given)).map((result) => {
    const answer = edgeAnswer(result);
    if (answer !== undefined) return refusal(answer);
    const { uri, querystring = {} } = result.returned;
    return `${result.origin ?? "bucket"}: ${uri} ${Object.keys(querystring).join()}`.trimEnd();
  });
}

describe("the edge function of releases", () => {
  it("H1: requests the file in the live release from the bucket, without a query", async () => {
    const targets = [...DOCUMENTS, `${P}/s%69te?a=1&b=2`];
    const files = ["index.json", "schema.json", "experiences/home/content.json", "index.json"];
    expect(await outcomes(targets, { keys: LIVE })).toEqual(
      files.map((file) => `bucket: /r/${RELEASE}${P}/site/${file}`),
    );
  });

  it.each(["exists", "get"] as const)(
    "H4: answers 503 when the store's %s fails: it may be published",
    async (failing) => {
      const withToken = DOCUMENTS.map((target) => `${target}?preview_token=$VALID`);
      const keys = failing === "get" ? site.keyValues() : {};
      for (const result of await results([...DOCUMENTS, ...withToken], { keys, failing })) {
        const answer = edgeAnswer(result);
        expect(answer && refusal(answer)).toBe("503 service-unavailable");
        expect(answer?.headers.get("retry-after")).toMatch(/^\d+$/);
        expect([answer?.headers.get("cache-control"), result.origin]).toEqual(["no-store", null]);
      }
    },
  );

  it("answers requests that do not need the store while it fails", async () => {
    const asset = "/assets/0123456789abcdef/a.png";
    const targets = [asset, "/manifest.json", "/%ZZ", `${P}/site?preview_token=`];
    const expected = ["404 not-found", "400 bad-request", "401 preview-token-invalid"];
    for (const failing of ["exists", "get"] as const) {
      expect(await outcomes(targets, { keys: {}, failing })).toEqual([
        `bucket: ${asset}`,
        ...expected,
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
  ])("answers 503 when a pointer is not the name of a release: %s", async (_what, pointer) => {
    const keys = { [pointerKey("site")]: pointer };
    const unavailable = DOCUMENTS.map(() => "503 service-unavailable");
    expect(await outcomes(DOCUMENTS, { keys })).toEqual(unavailable);
  });

  it("L8, H3: a token is valid for the project and until the time in the store", async () => {
    const soon = Date.now() + 60_000;
    const outcomeOf = async (value: string, project = "site") => {
      const keys = { ...LIVE, [tokenKey(site.tokens.$HASH ?? "", project)]: value };
      return (await outcomes([`${P}/site?preview_token=$VALID`], { keys }))[0];
    };
    for (const valid of ["never", `${soon}`]) {
      expect(await outcomeOf(valid)).toBe(`preview: ${P}/site preview_token`);
    }
    const invalid = ["0", "1000", `${Date.now() - 1}`, "", "-1", "1e99", "never\n", "Never"];
    const malformed = ["2099-01-01T00:00:00Z", ` ${soon}`, `${soon}\n`, "0x9999999999999"];
    for (const value of [...invalid, ...malformed]) {
      expect(await outcomeOf(value), value).toBe("401 preview-token-invalid");
    }
    expect(await outcomeOf("never", "other")).toBe("401 preview-token-invalid");
  });

  it("H3b: sends the valid token to the chosen origin under its plain name, and no other query", async () => {
    const text = printRequestFunction({ kvs: true, preview: "drafts" });
    const plain = edgeRequest({ target: `${P}/%73ite?preview_token=$VALID` }, site);
    for (const query of ["preview_token=$VALID", "a=1&preview%5Ftoken=$VALID&b"]) {
      expect(await results([`${P}/%73ite?${query}`], { keys: site.keyValues() }, text)).toEqual([
        { origin: "drafts", returned: plain },
      ]);
    }
  });
});

describe.each([true, false])("the edge function, with a KeyValueStore: %s", (kvs) => {
  it("H1: answers 404 for all other paths: manifests and listings cannot be reached", async () => {
    const asset = "/assets/0123456789abcdef";
    const targets = [
      ...REQUESTS.filter(({ rule }) => rule === OTHER_ADDRESSES).map(({ target }) => target),
      ...["", ".", "..", "a/b", "a%2Fb", "a%5Cb", "a%00"].map((name) => `${asset}/${name}`),
      "/assets/0123456789abcdeF/a",
      "/assets/0123456789abcde%0a/a",
      "/assets/01234567/a",
    ];
    const given = await outcomes(targets, { keys: {} }, printRequestFunction({ kvs }));
    expect(given).toEqual(targets.map(() => "404 not-found"));
    expect(targets.length).toBeGreaterThan(60);
  });

  it("V4b: an asset has one spelling", async () => {
    const targets = ["/%61ssets/0123456789abcdef/%61+%C3%a4!.png?x"];
    expect(await outcomes(targets, { keys: {} }, printRequestFunction({ kvs }))).toEqual([
      "bucket: /assets/0123456789abcdef/a%2B%C3%A4!.png",
    ]);
  });
});

it("H1: in place, the edge function requests the key of the path, without a query", async () => {
  const text = printRequestFunction({ kvs: false });
  expect(await outcomes([...DOCUMENTS, `${P}/s%69te?a=1`], { keys: {} }, text)).toEqual(
    [...DOCUMENTS, `${P}/site`].map((uri) => `bucket: ${uri}`),
  );
});
