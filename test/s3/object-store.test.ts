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

describe("a listing", () => {
  it("is read in pages of 1,000", async () => {
    const many = Array.from({ length: 2_100 }, (_, index) => `k/${index % 7}/${index}`);
    await putMany(many);
    const from = bed.proxy.log.length;
    expect(await keys()).toEqual(many.sort(inUtf8));
    expect(bed.methods(from)).toEqual(["GET", "GET", "GET"]);
  });

  it("of exactly 1,000 objects ends", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `k${index}`);
    await putMany(many);
    expect(await keys()).toEqual(many.sort(inUtf8));
  });

  it("that is left early sends no further request", async () => {
    await putMany(Array.from({ length: 1_001 }, (_, index) => `k${index}`));
    const from = bed.proxy.log.length;
    for await (const { key } of store.list("")) if (key !== "") break;
    expect(bed.methods(from)).toEqual(["GET"]);
  });

  it("decodes a space as S3 encodes it", async () => {
    const object = "<Contents><Key>a+b%2Bc%20d</Key><Size>1</Size></Contents>";
    bed.proxy.fault = () => ({
      status: 200,
      body: `<ListBucketResult><EncodingType>url</EncodingType>${object}</ListBucketResult>`,
    });
    expect(await keys()).toEqual(["a b+c d"]);
  });

  it("of more than 1,000 folders returns them all", async () => {
    const many = Array.from({ length: 1_050 }, (_, index) => `w/${index}/`);
    await putMany(many.map((folder) => `${folder}a`));
    expect(await allOf(store.folders("w/"))).toEqual(many.sort(inUtf8));
  });
});

describe("a deletion", () => {
  it("removes 1,500 keys in two requests, and accepts missing ones", async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `k/ü ${index}`);
    await putMany([...many, "other"]);
    const from = bed.proxy.log.length;
    expect(await store.delete([...many, "never there"])).toEqual([]);
    expect(bed.methods(from)).toEqual(["POST", "POST"]);
    // Optional for Ceph, required by other stores.
    for (const { headers } of bed.proxy.log.slice(from)) {
      expect(headers["content-md5"]).toMatch(/^[\w+/]{22}==$/);
    }
    expect(await bed.bucket.keys()).toEqual(["other"]);
    expect(await store.delete(many)).toEqual([]);
  });

  it("of no keys sends no request", async () => {
    expect(await store.delete([])).toEqual([]);
    expect(bed.methods()).toEqual([]);
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
