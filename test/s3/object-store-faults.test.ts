import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import type { ObjectStore } from "../../src/deploy/object-store.ts";
import { useEnv } from "../support/deploy/aws-stand-in.ts";
import {
  allOf,
  bodyOf,
  failure,
  hash,
  JSON_HEADERS,
  streamed,
} from "../support/deploy/object-bodies.ts";
import { deadUrl } from "../support/server/hosts.ts";
import { ObjectStoreBed, type OpenOptions } from "./object-store-bed.ts";
import { type Fault, first, isPut } from "./s3-faults.ts";

let bed: ObjectStoreBed;
let store: ObjectStore;
beforeEach(async () => {
  bed = await ObjectStoreBed.make();
  store = bed.open();
  // No wait between attempts.
  vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => void vi.restoreAllMocks());
  await put("a");
});

const put = (key: string, text = "a", to = store) => to.put(key, bodyOf(text), JSON_HEADERS);
const IF_SAME = { ifMatch: hash("md5", Buffer.from("a")) };
let made = 0;

/** Every operation of a store. */
const OPERATIONS: Readonly<Record<string, (of: ObjectStore) => Promise<unknown>>> = {
  get: (of) => of.get("a"),
  head: (of) => of.head("a"),
  list: (of) => allOf(of.list("a")),
  folders: (of) => allOf(of.folders("")),
  put: (of) => put("a", "a", of),
  "conditional put": (of) => of.put(`b${++made}`, bodyOf("b"), JSON_HEADERS, { ifAbsent: true }),
  "put over a state": (of) => of.put("a", bodyOf("a"), JSON_HEADERS, IF_SAME),
  delete: (of) => of.delete(["c"]),
};

/** The last two come from proxies in front of a store. */
const TRANSIENT: readonly Fault[] = [500, 503, "cut", { status: 408 }, { status: 520 }];

describe("a transient failure", () => {
  it.each(Object.entries(OPERATIONS))("is hidden from callers: %s", async (_name, run) => {
    const expected = await run(store);
    for (const fault of TRANSIENT) {
      const from = bed.proxy.log.length;
      bed.proxy.fault = first(1, fault);
      const result = await run(store);
      // The times are those of the answer.
      const { lastModified, age } = (result ?? {}) as { lastModified?: Date; age?: number };
      expect(result, JSON.stringify(fault)).toEqual(
        lastModified ? { ...(expected as object), lastModified, age } : expected,
      );
      expect(bed.proxy.log.length - from).toBeGreaterThan(1);
    }
  });

  it("in the middle of a response or of a request is retried too", async () => {
    const bytes = Buffer.alloc(2 ** 22, "response ");
    const { body, streams } = streamed(bytes);
    bed.proxy.fault = first(1, { cutBody: 2 ** 21 }, isPut);
    expect(await store.put("big", body, JSON_HEADERS)).toBe(hash("md5", bytes));
    expect(streams()).toBe(2);
    bed.proxy.fault = first(2, { cutResponse: 150_000 }, ({ method }) => method === "GET");
    expect((await store.get("big"))?.bytes.equals(bytes)).toBe(true);
  });
});

describe("a failure of every operation is reported without secrets", () => {
  const env = (name: string, value?: string) => async () => {
    useEnv({ [name]: value });
    return {};
  };
  const answers = (status: number) => async () => {
    bed.proxy.fault = () => status;
    return {};
  };

  // A 403 and a 404 to HEAD have no body: a missing bucket looks like a missing object.
  it.each<
    [
      what: string,
      begin: () => Promise<OpenOptions>,
      code: string,
      message: RegExp,
      requests: number,
      except?: RegExp,
    ]
  >([
    ["an error of the server", answers(500), "store-unreachable", /^s3:\/\/svc-.*500/, 8],
    [
      "a dead address",
      async () => ({ endpoint: new URL(await deadUrl()).origin }),
      "store-unreachable",
      /ECONNREFUSED/,
      0,
    ],
    [
      "a wrong secret",
      env("AWS_SECRET_ACCESS_KEY", "wrong-secret-of-a-test"),
      "access-denied",
      /denies access \(403\)|does not accept the credentials/,
      1,
    ],
    [
      "an unknown key",
      env("AWS_ACCESS_KEY_ID", "AKIAUNKNOWN"),
      "access-denied",
      /denies access \(403\)|does not accept the credentials/,
      1,
    ],
    [
      "a missing bucket",
      async () => ({ bucket: "missing-bucket" }),
      "bucket-not-found",
      /"missing-bucket"/,
      1,
      /head/,
    ],
    ["no support", answers(501), "store-refused", /501/, 1, /conditional|state/],
    ["no credentials", env("AWS_ACCESS_KEY_ID"), "credentials-missing", /./, 0],
  ])("%s", async (_what, begin, code, message, requests, except = /^$/) => {
    const options = await begin();
    for (const [name, run] of Object.entries(OPERATIONS)) {
      if (except.test(name)) continue;
      const from = bed.methods().length;
      const error = await failure(run(bed.open(options)));
      expect([name, error.code]).toEqual([name, code]);
      expect(error.message, name).toMatch(message);
      expect(bed.methods(from), name).toHaveLength(requests);
    }
  });
});

it.each<[what: string, fault: Fault]>([
  ["an answer", { hold: new Promise<void>(() => {}) }],
  ["a further attempt", { status: 503, headers: { "Retry-After": "600" } }],
])(
  "an aborted signal ends operations that wait for %s, and no request follows",
  async (_what, fault) => {
    const reason = new Error("stopped by the test");
    const stop = new AbortController();
    const own = bed.open({ signal: stop.signal });
    const from = bed.proxy.log.length;
    bed.proxy.fault = () => fault;
    const all = Object.values(OPERATIONS);
    const results = Promise.all(all.map((run) => run(own).catch((error) => error)));
    await expect.poll(() => bed.proxy.log.length - from).toBe(all.length);
    stop.abort(reason);
    expect(await results).toEqual(all.map(() => reason));
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(bed.proxy.log.length - from).toBe(all.length);
  },
);
