import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore, PutCondition } from "../../src/deploy/object-store.ts";
import { bodyOf, failure, hash, JSON_HEADERS } from "../support/deploy/object-bodies.ts";
import { ObjectStoreBed } from "./object-store-bed.ts";
import { first, isConditional, isPut, type Rule } from "./s3-faults.ts";

let bed: ObjectStoreBed;
let store: ObjectStore;
beforeEach(async () => {
  bed = await ObjectStoreBed.make();
  store = bed.open();
});

const tagOf = (text: string) => hash("md5", Buffer.from(text));
const write = (condition: PutCondition, text = "mine") =>
  store.put("a", bodyOf(text), JSON_HEADERS, condition);

const ABSENT = { ifAbsent: true } as const;
const OVER = (text: string) => ({ ifMatch: tagOf(text) });
const GONE = { status: 404, code: "NoSuchKey" };

it.each<
  [what: string, there: string | undefined, PutCondition, Rule, ok: boolean, methods?: string]
>([
  ["is one request", undefined, ABSENT, first(0, 200), true, "PUT"],
  ["that is rejected is one request", "theirs", ABSENT, first(0, 200), false, "PUT"],
  [
    "that is rejected sends no second write",
    "theirs",
    OVER("old"),
    first(0, 200),
    false,
    "PUT HEAD",
  ],
  ["is not done where the object was removed", undefined, OVER("old"), first(1, GONE), false],
  ["is repeated after a 409", undefined, ABSENT, first(1, 409), true, "PUT PUT"],
  ["whose response is lost", undefined, ABSENT, first(1, "cut-late", isPut), true, "PUT PUT HEAD"],
  ["whose responses are lost", "theirs", OVER("theirs"), first(2, "cut-late", isPut), true],
  ["that is lost, over another's bytes", "theirs", ABSENT, first(1, "cut", isPut), false],
  ["that is lost, over other bytes", "theirs", OVER("old"), first(1, "cut", isPut), false],
  ["that is lost twice", undefined, ABSENT, first(2, "cut", isPut), true],
  ["that is lost twice, over a state", "theirs", OVER("theirs"), first(2, "cut", isPut), true],
])("L6: a conditional write %s", async (_what, there, condition, rule, ok, methods) => {
  if (there !== undefined) await bed.bucket.put("a", there);
  bed.proxy.fault = rule;
  expect(await write(condition)).toBe(ok ? tagOf("mine") : undefined);
  if (methods !== undefined) expect(bed.methods().join(" ")).toBe(methods);
  expect((await store.get("a"))?.bytes.toString()).toBe(ok ? "mine" : there);
});

describe("L6: a write with If-Match", () => {
  it("remembers that this store requires tags without quotes", async () => {
    for (const [before, text] of [
      ["1", "2"],
      ["2", "3"],
    ] as const) {
      if (text === "2") await bed.bucket.put("a", "1");
      const from = bed.proxy.log.length;
      expect(await write(OVER(before), text)).toBe(tagOf(text));
      const sent = bed.proxy.log.slice(from).flatMap(({ headers }) => headers["if-match"] ?? []);
      expect(sent.at(-1)).toBe(tagOf(before));
      if (text === "3") expect(sent).toHaveLength(1);
    }
  });

  it("is one request where quotes are understood", async () => {
    await bed.bucket.put("a", "1");
    // The proxy responds as a store that follows the standard.
    bed.proxy.fault = first(1, 200, isConditional);
    await write(OVER("1"));
    expect(bed.methods()).toEqual(["PUT"]);
    expect(bed.proxy.log[0]?.headers["if-match"]).toBe(`"${tagOf("1")}"`);
  });
});

describe("a store", () => {
  it("that responds 501 to conditions is named at the first request", async () => {
    bed.proxy.fault = (request) => (isConditional(request) ? 501 : undefined);
    for (const condition of [ABSENT, OVER("y")]) {
      const { code, message } = await failure(write(condition));
      expect(code).toBe("conditional-writes-unsupported");
      expect(message).toContain(`s3://${bed.bucket.name}`);
    }
    expect(bed.methods()).toEqual(["PUT", "PUT"]);
    expect(await store.head("a")).toBeUndefined();
  });

  it.each([
    [400, "MalformedXML"],
    [501, "NotImplemented"],
  ])("that responds %i %s to a removal with ETags gets it without them", async (status, code) => {
    const etag = (await store.put("a", bodyOf("1"), JSON_HEADERS)) as string;
    const isDelete = ({ method }: { method: string }) => method === "POST";
    bed.proxy.fault = first(1, { status, code }, isDelete);
    expect(await store.delete(["a"], new Map([["a", etag]]))).toEqual([]);
    expect(bed.methods(1)).toEqual(["POST", "POST"]);
    expect(await store.head("a")).toBeUndefined();
    bed.proxy.fault = first(1, { status, code }, isDelete);
    await expect(store.delete(["a"])).rejects.toThrow();
  });

  it("gets no further attempt of a write when `beforeAttempt` throws", async () => {
    bed.proxy.fault = first(2, "cut", isPut);
    let asked = 0;
    const beforeAttempt = async () => {
      asked += 1;
      if (asked === 3) throw new Error("lost");
    };
    await expect(write({ ...ABSENT, beforeAttempt })).rejects.toThrow("lost");
    expect(bed.methods()).toEqual(["PUT", "PUT"]);
    expect(await store.head("a")).toBeUndefined();
  });
});
