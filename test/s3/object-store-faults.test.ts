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

/** Each thing that can be asked of a store. */
const ASKED: Readonly<Record<string, (of: ObjectStore) => Promise<unknown>>> = {
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
const ALL = Object.keys(ASKED);
const ask = (name: string, of = store) =>
  (ASKED[name] as (of: ObjectStore) => Promise<unknown>)(of);

/** The last two come from what stands before a store. */
const PASSING: readonly Fault[] = [500, 503, "cut", { status: 408 }, { status: 520 }];

describe("a failure that passes", () => {
  it.each(ALL)("is not seen by who asks: %s", async (name) => {
    await put("a");
    for (const fault of PASSING) {
      const from = bed.proxy.log.length;
      bed.proxy.fault = first(1, fault);
      if (name === "conditional put") await store.delete(["b"]);
      bed.proxy.fault = first(1, fault);
      expect(await ask(name), JSON.stringify(fault)).toEqual(
        await ask(name, bed.open()).then(same(name)),
      );
      expect(bed.proxy.log.length - from).toBeGreaterThan(1);
    }
  });

  /** What the second of two puts tells is not what the first told. */
  const same = (name: string) => (value: unknown) =>
    name === "conditional put" ? hash("md5", Buffer.from("b")) : value;

  it("may come several times in a row", async () => {
    bed.proxy.fault = first(4, 500);
    expect(await put("a")).toBe(hash("md5", Buffer.from("a")));
    expect(bed.methods()).toEqual(["PUT", "PUT", "PUT", "PUT", "PUT"]);
  });

  it("among hundreds of requests loses none of them", async () => {
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

  it("in the middle of a listing leaves it whole", async () => {
    const names = Array.from({ length: 1_200 }, (_, index) => `k${index}`);
    await Promise.all(names.map((name) => put(name, "x")));
    bed.proxy.fault = first(2, 500, ({ query }) => query.includes("continuation-token"));
    expect((await allOf(store.list(""))).map(({ key }) => key)).toEqual(names.sort());
  });

  it("in the middle of an answer is one too", async () => {
    const bytes = Buffer.alloc(400_000, "answer ");
    await store.put("a", bodyOf(bytes), JSON_HEADERS);
    bed.proxy.fault = first(2, { cutAnswer: 150_000 }, ({ method }) => method === "GET");
    expect((await store.get("a"))?.bytes.equals(bytes)).toBe(true);
  });
});

describe("a failure that stays", () => {
  it("of the store ends in an error that names it, after some attempts", async () => {
    bed.proxy.fault = () => 500;
    const { code, message } = await failure(put("a"));
    expect(code).toBe("store-unreachable");
    expect(message).toMatch(new RegExp(`^s3://${bed.bucket.name} .*500`));
    expect(bed.methods()).toHaveLength(8);
  });

  it("of one request says nothing of the others", async () => {
    bed.proxy.fault = ({ path }) => (path.endsWith("/bad") ? 500 : undefined);
    const [bad, good] = await Promise.allSettled([put("bad"), put("good")]);
    expect([bad.status, good.status]).toEqual(["rejected", "fulfilled"]);
  });

  it.each(ALL)("of the network ends in an error that names the store: %s", async (name) => {
    const dead = bed.open({ endpoint: new URL(await deadUrl()).origin });
    const started = performance.now();
    const { code, message } = await failure(ask(name, dead));
    expect(code).toBe("store-unreachable");
    expect(message).toContain("ECONNREFUSED");
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});

describe("a refusal ends at the first request, and tells no secret", () => {
  it.each(ALL)("of a wrong secret: %s", async (name) => {
    useEnv({ AWS_SECRET_ACCESS_KEY: "wrong-secret-of-a-test" });
    const { code, message } = await failure(ask(name));
    expect(code).toBe("access-denied");
    // A 403 to HEAD does not say why.
    if (name !== "head") expect(message).toContain("does not accept the credentials");
    expect(bed.methods()).toHaveLength(1);
  });

  it.each(ALL)("of an unknown access key: %s", async (name) => {
    useEnv({ AWS_ACCESS_KEY_ID: "AKIAUNKNOWN" });
    expect((await failure(ask(name))).code).toBe("access-denied");
    expect(bed.methods()).toHaveLength(1);
  });

  // A 404 to HEAD has no body that could tell a missing bucket from a missing object.
  it.each(ALL.filter((name) => name !== "head"))(
    "of a bucket that is not there: %s",
    async (name) => {
      const { code, message } = await failure(ask(name, bed.open({ bucket: "nobody-made-this" })));
      expect(code).toBe("bucket-not-found");
      expect(message).toContain('"nobody-made-this"');
    },
  );

  it.each(ALL.filter((name) => !/conditional|state/.test(name)))(
    "of what the store cannot do: %s",
    async (name) => {
      bed.proxy.fault = () => 501;
      expect((await failure(ask(name))).code).toBe("store-refused");
      expect(bed.methods()).toHaveLength(1);
    },
  );

  it("of credentials that nobody gave", async () => {
    useEnv({ AWS_ACCESS_KEY_ID: undefined, AWS_SECRET_ACCESS_KEY: undefined });
    expect((await failure(put("a"))).code).toBe("credentials-missing");
    expect(bed.methods()).toEqual([]);
  });
});

describe("a big object", () => {
  const MIB = 2 ** 20;

  it("of 32 MiB that is cut in the middle is sent anew, and whole", async () => {
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

describe("a signal", () => {
  const reason = new Error("stopped by the test");

  it.each(ALL)(
    "ends what is under way, with its reason, and nothing more is asked: %s",
    async (name) => {
      const waiting = { status: 503, headers: { "Retry-After": "5" } };
      for (const fault of [{ hold: 3_000 }, waiting]) {
        const stop = new AbortController();
        const own = bed.open({ signal: stop.signal });
        const from = bed.proxy.log.length;
        bed.proxy.fault = () => fault;
        const asked = ask(name, own).catch((error) => error);
        await expect.poll(() => bed.proxy.log.length).toBeGreaterThan(from);
        const came = bed.proxy.log.length;
        const started = performance.now();
        stop.abort(reason);
        expect(await asked).toBe(reason);
        expect(performance.now() - started).toBeLessThan(500);
        expect(bed.proxy.log.length - came).toBeLessThan(2);
        const then = bed.proxy.log.length;
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(bed.proxy.log.length).toBe(then);
      }
    },
  );

  it.each(ALL)("that was given before ends it before anything is asked: %s", async (name) => {
    const own = bed.open({ signal: AbortSignal.abort(reason) });
    expect(await ask(name, own).catch((error) => error)).toBe(reason);
    expect(bed.methods()).toEqual([]);
  });

  it("ends a listing between its pages", async () => {
    const names = Array.from({ length: 1_001 }, (_, index) => `k${index}`);
    await Promise.all(names.map((name) => put(name, "x")));
    const stop = new AbortController();
    const from = bed.proxy.log.length;
    const listed = (async () => {
      for await (const _ of bed.open({ signal: stop.signal }).list("")) stop.abort(reason);
    })();
    expect(await listed.catch((error) => error)).toBe(reason);
    expect(bed.methods(from)).toEqual(["GET"]);
  });
});
