import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/deploy/object-store.ts";
import { bodyOf, failure, hash, JSON_HEADERS } from "../support/deploy/object-bodies.ts";
import { ObjectStoreBed } from "./object-store-bed.ts";
import { first, isConditional, isPut } from "./s3-faults.ts";

let bed: ObjectStoreBed;
let store: ObjectStore;
beforeEach(async () => {
  bed = await ObjectStoreBed.make();
  store = bed.open();
});

const tagOf = (text: string) => hash("md5", Buffer.from(text));
const textOf = async (key: string) => (await store.get(key))?.bytes.toString();
const putIfAbsent = (key: string, text: string, by = store) =>
  by.put(key, bodyOf(text), JSON_HEADERS, { ifAbsent: true });
const putIfMatch = (key: string, text: string, ifMatch: string, by = store) =>
  by.put(key, bodyOf(text), JSON_HEADERS, { ifMatch });

describe("L6: a write with If-None-Match", () => {
  it("is one request, accepted or not", async () => {
    await putIfAbsent("a", "first");
    await putIfAbsent("a", "second");
    expect(bed.methods()).toEqual(["PUT", "PUT"]);
  });
});

describe("L6: a write with If-Match", () => {
  it("that the store rejected sends no second write", async () => {
    await store.put("a", bodyOf("1"), JSON_HEADERS);
    expect(await putIfMatch("a", "2", tagOf("0"))).toBeUndefined();
    expect(bed.methods()).toEqual(["PUT", "PUT", "HEAD"]);
  });

  it("is not done when the store responds 404 because the object was removed", async () => {
    bed.proxy.fault = first(1, { status: 404, code: "NoSuchKey" }, isConditional);
    expect(await putIfMatch("a", "2", tagOf("1"))).toBeUndefined();
  });

  it("remembers that this store requires tags without quotes", async () => {
    const tag = (await store.put("a", bodyOf("1"), JSON_HEADERS)) as string;
    const next = (await putIfMatch("a", "2", tag)) as string;
    const from = bed.proxy.log.length;
    expect(await putIfMatch("a", "3", next)).toBe(tagOf("3"));
    expect(bed.proxy.log.slice(from).map(({ headers }) => headers["if-match"])).toEqual([next]);
  });

  it("is one request where quotes are understood", async () => {
    const tag = (await store.put("a", bodyOf("1"), JSON_HEADERS)) as string;
    // The proxy responds as a store that follows the standard.
    bed.proxy.fault = first(1, 200, isConditional);
    await putIfMatch("a", "2", tag);
    expect(bed.methods()).toEqual(["PUT", "PUT"]);
    expect(bed.proxy.log[1]?.headers["if-match"]).toBe(`"${tag}"`);
  });
});

describe("L6: a conditional write whose response is lost", () => {
  it("succeeds when the object has these bytes", async () => {
    bed.proxy.fault = first(1, "cut-late", isPut);
    expect(await putIfAbsent("a", "mine")).toBe(tagOf("mine"));
    expect(bed.methods()).toEqual(["PUT", "PUT", "HEAD"]);

    bed.proxy.fault = first(2, "cut-late", isPut);
    expect(await putIfMatch("a", "mine too", tagOf("mine"))).toBe(tagOf("mine too"));
    expect(await textOf("a")).toBe("mine too");
  });

  it("is rejected when the object has another writer's bytes", async () => {
    await bed.bucket.put("a", "theirs");
    bed.proxy.fault = first(1, "cut", isPut);
    expect(await putIfAbsent("a", "mine")).toBeUndefined();
    bed.proxy.fault = first(1, "cut", isPut);
    expect(await putIfMatch("a", "mine", tagOf("old"))).toBeUndefined();
    expect(await textOf("a")).toBe("theirs");
  });

  it("is repeated when the request was lost", async () => {
    bed.proxy.fault = first(2, "cut", isPut);
    expect(await putIfAbsent("a", "mine")).toBe(tagOf("mine"));
    bed.proxy.fault = first(2, "cut", isPut);
    expect(await putIfMatch("a", "next", tagOf("mine"))).toBe(tagOf("next"));
  });
});

describe("a store", () => {
  it("that responds 409 to a concurrent write gets the request again", async () => {
    bed.proxy.fault = first(1, 409, isConditional);
    expect(await putIfAbsent("a", "x")).toBe(tagOf("x"));
    expect(bed.methods()).toEqual(["PUT", "PUT"]);
  });

  it("that responds 501 to conditions is named at the first request", async () => {
    bed.proxy.fault = (request) => (isConditional(request) ? 501 : undefined);
    const writes = [() => putIfAbsent("a", "x"), () => putIfMatch("a", "x", tagOf("y"))];
    for (const write of writes) {
      const { code, message } = await failure(write());
      expect(code).toBe("conditional-writes-unsupported");
      expect(message).toContain(`s3://${bed.bucket.name}`);
    }
    expect(bed.methods()).toEqual(["PUT", "PUT"]);
    expect(await store.head("a")).toBeUndefined();
  });
});
