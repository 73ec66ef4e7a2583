import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/deploy/object-store.ts";
import { allOf, bodyOf, JSON_HEADERS } from "../support/deploy/object-bodies.ts";
import { objectStoreContract } from "../support/deploy/object-store-contract.ts";
import { ObjectStoreBed } from "./object-store-bed.ts";
import { first } from "./s3-faults.ts";

let bed: ObjectStoreBed;
let store: ObjectStore;
beforeEach(async () => {
  bed = await ObjectStoreBed.make();
  store = bed.open();
});

const put = (key: string, text = key, to = store) => to.put(key, bodyOf(text), JSON_HEADERS);
const keys = async (prefix = "", of = store) =>
  (await allOf(of.list(prefix))).map(({ key }) => key);

/** In batches: the store has a limited number of connections. */
async function putMany(names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += 200) {
    await Promise.all(names.slice(at, at + 200).map((name) => put(name, "x")));
  }
}

const inUtf8 = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

objectStoreContract("S3", async () => {
  const own = await ObjectStoreBed.make();
  return {
    open: (options) => own.open(options),
    put: (key, text) => own.bucket.put(key, text),
    denyDelete: (key) => own.bucket.policy("Deny", "s3:DeleteObject", key),
    // As of Ceph 16.
    checksDeletes: false,
  };
});

describe("an object", () => {
  it("is seen by other clients with its headers, and the SHA-256 of its bytes", async () => {
    await put("a", "{}");
    expect(await bed.bucket.object("a")).toEqual({
      text: "{}",
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=30",
      sha256: bodyOf("{}").sha256,
    });
  });

  it("that does not exist takes one request", async () => {
    await store.get("none");
    await store.head("none");
    expect(bed.methods()).toEqual(["GET", "HEAD"]);
  });
});

describe("more than 1,000 objects", () => {
  it("are listed in pages, and removed in batches", async () => {
    const folders = Array.from({ length: 1_020 }, (_, index) => `w/ü ${index}/`).sort(inUtf8);
    const names = folders.map((folder) => `${folder}a`);
    await putMany(names);
    const from = bed.proxy.log.length;
    bed.proxy.fault = first(2, 500, ({ query }) => query.includes("continuation-token"));
    expect(await keys("w/")).toEqual(names);
    expect(bed.methods(from)).toEqual(Array(4).fill("GET"));
    expect(await allOf(store.folders("w/"))).toEqual(folders);
    // Left after its first page, or stopped.
    const stop = new AbortController();
    const reason = new Error("stopped by the test");
    const listed = (async () => {
      for await (const _ of bed.open({ signal: stop.signal }).list("")) stop.abort(reason);
    })();
    await expect(listed).rejects.toBe(reason);
    for await (const { key } of store.list("")) if (key !== "") break;
    expect(bed.methods(from)).toEqual(Array(8).fill("GET"));
    expect(await store.delete([...names.slice(1_000), "never there"])).toEqual([]);
    const before = bed.proxy.log.length;
    // A full page is not followed by another one.
    expect(await keys()).toEqual(names.slice(0, 1_000));
    expect(bed.methods(before)).toEqual(["GET"]);
    expect(await store.delete(names)).toEqual([]);
    expect(bed.methods(before)).toEqual(["GET", "POST", "POST"]);
    // Optional for Ceph, required by other stores.
    for (const { headers } of bed.proxy.log.slice(before + 1)) {
      expect(headers["content-md5"]).toMatch(/^[\w+/]{22}==$/);
    }
    expect(await bed.bucket.keys()).toEqual([]);
  });

  it("of which none is removed cost no request, and a listed space is decoded as S3 encodes it", async () => {
    expect(await store.delete([])).toEqual([]);
    expect(bed.methods()).toEqual([]);
    const at = "<LastModified>2026-01-01T00:00:00Z</LastModified>";
    const object = `<Contents><Key>a+b%2Bc%20d</Key><Size>1</Size>${at}</Contents>`;
    bed.proxy.fault = () => ({
      status: 200,
      body: `<ListBucketResult><EncodingType>url</EncodingType>${object}</ListBucketResult>`,
    });
    expect(await keys()).toEqual(["a b+c d"]);
  });
});

describe("concurrent requests", () => {
  it("are limited to `concurrency`", async () => {
    const own = bed.open({ concurrency: 3 });
    bed.proxy.fault = () => ({ hold: 20 });
    await Promise.all(Array.from({ length: 20 }, (_, index) => put(`k${index}`, "x", own)));
    expect(bed.proxy.maxConcurrent).toBe(3);
  });
});
