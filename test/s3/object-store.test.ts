import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/deploy/object-store.ts";
import { allOf, bodyOf, JSON_HEADERS } from "../support/deploy/object-bodies.ts";
import { objectStoreContract } from "../support/deploy/object-store-contract.ts";
import { ObjectStoreBed } from "./object-store-bed.ts";

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
    denyDelete: (key) => own.bucket.deny("s3:DeleteObject", key),
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
    const folders = Array.from({ length: 1_100 }, (_, index) => `w/ü ${index}/`).sort(inUtf8);
    const names = folders.map((folder) => `${folder}a`);
    await putMany(names);
    const from = bed.proxy.log.length;
    expect(await keys("w/")).toEqual(names);
    expect(await allOf(store.folders("w/"))).toEqual(folders);
    for await (const { key } of store.list("")) if (key !== "") break;
    // The last one is left after its first page.
    expect(bed.methods(from)).toEqual(Array(5).fill("GET"));
    expect(await store.delete([...names.slice(1_000), "never there"])).toEqual([]);
    // A full page is not followed by another one.
    expect(await keys()).toEqual(names.slice(0, 1_000));
    await putMany(names.slice(1_000));
    const before = bed.proxy.log.length;
    expect(await store.delete(names)).toEqual([]);
    expect(bed.methods(before)).toEqual(["POST", "POST"]);
    // Optional for Ceph, required by other stores.
    for (const { headers } of bed.proxy.log.slice(before)) {
      expect(headers["content-md5"]).toMatch(/^[\w+/]{22}==$/);
    }
    expect(await bed.bucket.keys()).toEqual([]);
  });

  it("of which none is removed cost no request, and a listed space is decoded as S3 encodes it", async () => {
    expect(await store.delete([])).toEqual([]);
    expect(bed.methods()).toEqual([]);
    const object = "<Contents><Key>a+b%2Bc%20d</Key><Size>1</Size></Contents>";
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
