import pMap from "p-map";
import { beforeEach, describe, expect, it } from "vitest";
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
import { ObjectStoreBed } from "./object-store-bed.ts";
import { type Fault, first, isPut, sometimes } from "./s3-faults.ts";

let bed: ObjectStoreBed;
let store: ObjectStore;
beforeEach(async () => {
  bed = await ObjectStoreBed.make();
  store = bed.open();
});

const put = (key: string, text = key, to = store) => to.put(key, bodyOf(text), JSON_HEADERS);

/** Every operation of a store. */
const OPERATIONS: Readonly<Record<string, (of: ObjectStore) => Promise<unknown>>> = {
  get: (of) => of.get("a"),
  head: (of) => of.head("a"),
  list: (of) => allOf(of.list("")),
  folders: (of) => allOf(of.folders("")),
  put: (of) => put("a", "a", of),
  "conditional put": (of) => of.put("b", bodyOf("b"), JSON_HEADERS, { ifAbsent: true }),
  "put over a state": (of) =>
    of.put("a", bodyOf("a"), JSON_HEADERS, { ifMatch: hash("md5", Buffer.from("a")) }),
  delete: (of) => of.delete(["c"]),
};
const ALL = Object.keys(OPERATIONS);
const run = (name: string, of = store) =>
  (OPERATIONS[name] as (of: ObjectStore) => Promise<unknown>)(of);

/** The last two come from proxies in front of a store. */
const TRANSIENT: readonly Fault[] = [500, 503, "cut", { status: 408 }, { status: 520 }];

describe("a transient failure", () => {
  it.each(ALL)("is hidden from callers: %s", async (name) => {
    await put("a");
    for (const fault of TRANSIENT) {
      const from = bed.proxy.log.length;
      bed.proxy.fault = first(1, fault);
      if (name === "conditional put") await store.delete(["b"]);
      bed.proxy.fault = first(1, fault);
      expect(await run(name), JSON.stringify(fault)).toEqual(
        await run(name, bed.open()).then(same(name)),
      );
      expect(bed.proxy.log.length - from).toBeGreaterThan(1);
    }
  });

  /** A second conditional put has another result than the first. */
  const same = (name: string) => (value: unknown) =>
    name === "conditional put" ? hash("md5", Buffer.from("b")) : value;

  it("among hundreds of requests loses none", async () => {
    bed.proxy.fault = sometimes(0.25, 7, [500, 503, "cut", "cut-late", { hold: 30 }]);
    const names = Array.from({ length: 300 }, (_, index) => `k/${String(index).padStart(3, "0")}`);
    const tags = await Promise.all(
      names.map((name) => store.put(name, bodyOf(name), JSON_HEADERS, { ifAbsent: true })),
    );
    expect(tags).toEqual(names.map((name) => hash("md5", Buffer.from(name))));
    expect((await allOf(store.list("k/"))).map(({ key }) => key)).toEqual(names);
    expect(await store.delete(names)).toEqual([]);
    bed.proxy.fault = () => undefined;
    expect(await bed.bucket.keys()).toEqual([]);
  });

  it("in the middle of a response is retried too", async () => {
    const bytes = Buffer.alloc(400_000, "response ");
    await store.put("a", bodyOf(bytes), JSON_HEADERS);
    bed.proxy.fault = first(2, { cutResponse: 150_000 }, ({ method }) => method === "GET");
    expect((await store.get("a"))?.bytes.equals(bytes)).toBe(true);
  });
});

describe("a permanent failure", () => {
  it("of the store is reported with its name after 8 attempts", async () => {
    bed.proxy.fault = () => 500;
    const { code, message } = await failure(put("a"));
    expect(code).toBe("store-unreachable");
    expect(message).toMatch(new RegExp(`^s3://${bed.bucket.name} .*500`));
    expect(bed.methods()).toHaveLength(8);
  });

  it.each(ALL)("of the network is reported with the store's name: %s", async (name) => {
    const dead = bed.open({ endpoint: new URL(await deadUrl()).origin });
    const { code, message } = await failure(run(name, dead));
    expect(code).toBe("store-unreachable");
    expect(message).toContain("ECONNREFUSED");
  });
});

describe("an error that is not retried is reported without secrets", () => {
  it.each(ALL)("wrong secret: %s", async (name) => {
    useEnv({ AWS_SECRET_ACCESS_KEY: "wrong-secret-of-a-test" });
    const { code, message } = await failure(run(name));
    expect(code).toBe("access-denied");
    // A 403 to HEAD has no body with the reason.
    expect(message).toContain(
      name === "head" ? "denies access (403)" : "does not accept the credentials",
    );
    expect(bed.methods()).toHaveLength(1);
  });

  it("unknown access key", async () => {
    useEnv({ AWS_ACCESS_KEY_ID: "AKIAUNKNOWN" });
    expect((await failure(run("put"))).code).toBe("access-denied");
    expect(bed.methods()).toHaveLength(1);
  });

  // A 404 to HEAD has no body: a missing bucket looks like a missing object.
  it.each(ALL.filter((name) => name !== "head"))("missing bucket: %s", async (name) => {
    const { code, message } = await failure(run(name, bed.open({ bucket: "missing-bucket" })));
    expect(code).toBe("bucket-not-found");
    expect(message).toContain('"missing-bucket"');
  });

  it.each(ALL.filter((name) => !/conditional|state/.test(name)))(
    "operation that the store does not support: %s",
    async (name) => {
      bed.proxy.fault = () => 501;
      expect((await failure(run(name))).code).toBe("store-refused");
      expect(bed.methods()).toHaveLength(1);
    },
  );

  it("missing credentials", async () => {
    useEnv({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined });
    expect((await failure(put("a"))).code).toBe("credentials-missing");
    expect(bed.methods()).toEqual([]);
  });
});

describe("a large object", () => {
  const MIB = 2 ** 20;

  it("of 32 MiB that is cut in the middle is sent again completely", async () => {
    const bytes = Buffer.alloc(32 * MIB, "0123456789abcde");
    const { body, streams } = streamed(bytes);
    bed.proxy.fault = first(1, { cutBody: 16 * MIB }, isPut);
    expect(await store.put("big", body, JSON_HEADERS)).toBe(hash("md5", bytes));
    expect(streams()).toBe(2);
    expect(await store.head("big")).toMatchObject({ size: 32 * MIB, sha256: body.sha256 });
    const stored = await store.get("big");
    expect(stored?.bytes.equals(bytes)).toBe(true);
  });
});

describe("an aborted signal", () => {
  const reason = new Error("stopped by the test");

  it.each(ALL)(
    "ends a pending operation with its reason, and no request follows: %s",
    async (name) => {
      const waiting = { status: 503, headers: { "Retry-After": "600" } };
      for (const fault of [{ hold: new Promise<void>(() => {}) }, waiting]) {
        const stop = new AbortController();
        const own = bed.open({ signal: stop.signal });
        const from = bed.proxy.log.length;
        bed.proxy.fault = () => fault;
        const result = run(name, own).catch((error) => error);
        await expect.poll(() => bed.proxy.log.length).toBeGreaterThan(from);
        const received = bed.proxy.log.length;
        stop.abort(reason);
        expect(await result).toBe(reason);
        expect(bed.proxy.log.length - received).toBeLessThan(2);
        const after = bed.proxy.log.length;
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(bed.proxy.log.length).toBe(after);
      }
    },
  );

  it("ends a listing between its pages, where a failure does not", async () => {
    const names = Array.from({ length: 1_001 }, (_, index) => `k${index}`);
    await pMap(names, (name) => put(name, "x"), { concurrency: 50 });
    bed.proxy.fault = first(2, 500, ({ query }) => query.includes("continuation-token"));
    expect((await allOf(store.list(""))).map(({ key }) => key)).toEqual(names.sort());
    const stop = new AbortController();
    const from = bed.proxy.log.length;
    const listed = (async () => {
      for await (const _ of bed.open({ signal: stop.signal }).list("")) stop.abort(reason);
    })();
    expect(await listed.catch((error) => error)).toBe(reason);
    expect(bed.methods(from)).toEqual(["GET"]);
  });
});
