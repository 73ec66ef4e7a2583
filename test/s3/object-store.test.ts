import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/deploy/object-store.ts";
import { allOf, bodyOf, hash, JSON_HEADERS, ObjectStoreBed, streamed } from "./object-store-bed.ts";

let bed: ObjectStoreBed;
let store: ObjectStore;
beforeEach(async () => {
  bed = await ObjectStoreBed.make();
  store = bed.open();
});

const put = (key: string, text = key, to = store) => to.put(key, bodyOf(text), JSON_HEADERS);
const keys = async (prefix = "", of = store) =>
  (await allOf(of.list(prefix))).map(({ key }) => key);

/** More at a time than the store has connections would only wait. */
async function putMany(names: readonly string[]): Promise<void> {
  for (let at = 0; at < names.length; at += 200) {
    await Promise.all(names.slice(at, at + 200).map((name) => put(name, "x")));
  }
}

const inUtf8 = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));

describe("an object", () => {
  it("is got as it was put, with its size, MD5 and time", async () => {
    const body = bodyOf('{"name":"Über"}\n');
    const etag = await store.put("a/b.json", body, JSON_HEADERS);
    expect(etag).toBe(hash("md5", body.bytes));
    const stored = await store.get("a/b.json");
    expect(stored).toMatchObject({ key: "a/b.json", size: body.size, etag });
    expect(stored?.bytes.equals(body.bytes)).toBe(true);
    expect(Math.abs(Date.now() - Number(stored?.lastModified))).toBeLessThan(60_000);
  });

  it("has the headers it was put with, and the SHA-256 of its bytes", async () => {
    const body = bodyOf("{}");
    await store.put("a", body, JSON_HEADERS);
    expect(await bed.bucket.object("a")).toEqual({
      text: "{}",
      contentType: "application/json; charset=utf-8",
      cacheControl: "public, max-age=30",
      sha256: body.sha256,
    });
    const { size, sha256, etag } = (await store.head("a")) ?? {};
    expect({ size, sha256, etag }).toEqual({
      size: 2,
      sha256: body.sha256,
      etag: hash("md5", body.bytes),
    });
  });

  it("may be empty", async () => {
    await put("empty", "");
    expect((await store.get("empty"))?.bytes).toHaveLength(0);
    expect(await store.head("empty")).toMatchObject({ size: 0, etag: hash("md5", Buffer.of()) });
  });

  it("is replaced as a whole: bytes, headers and SHA-256", async () => {
    await put("a", "old");
    await store.put("a", bodyOf("new"), { "Content-Type": "text/plain" });
    expect(await bed.bucket.object("a")).toEqual({
      text: "new",
      contentType: "text/plain",
      cacheControl: undefined,
      sha256: bodyOf("new").sha256,
    });
  });

  it("of somebody else has no SHA-256", async () => {
    await bed.bucket.put("theirs", "text");
    expect(await store.head("theirs")).toMatchObject({ size: 4, sha256: undefined });
  });

  it("that is not there is undefined, and costs one request", async () => {
    expect(await store.get("none")).toBeUndefined();
    expect(await store.head("none")).toBeUndefined();
    expect(bed.methods()).toEqual(["GET", "HEAD"]);
  });

  it("comes from a stream as from a buffer, which is read once", async () => {
    const bytes = Buffer.alloc(300_000, "stream ");
    const { body, streams } = streamed(bytes);
    expect(await store.put("a", body, JSON_HEADERS)).toBe(hash("md5", bytes));
    expect((await store.get("a"))?.bytes.equals(bytes)).toBe(true);
    expect(streams()).toBe(1);
  });
});

describe("a key", () => {
  const ODD = [
    "with space/ and more ",
    "ümläut/ß/e\u0301",
    "plus+plus",
    "100%/%2F%20%zz",
    "hash#frag",
    "why?versions=1&x",
    "emoji/😀.json",
    "日本語",
    '<tag attr="1">&amp;\'',
    "all;of:@,$!*()=~`^|{}[]",
    "two//slashes/",
    "back\\slash",
    "dot/./and/../dots",
  ];

  it.each(ODD)("may be %j", async (key) => {
    for (const prefix of ["", "some where/ü+/"]) {
      const own = bed.open({ prefix });
      await put(key, "odd", own);
      expect((await own.get(key))?.bytes.toString()).toBe("odd");
      expect(await own.head(key)).toMatchObject({ key, size: 3 });
      expect(await bed.bucket.keys(prefix)).toContain(`${prefix}${key}`);
      expect(await allOf(own.list(key))).toMatchObject([{ key, size: 3 }]);
      expect(await own.delete([key])).toEqual([]);
      expect(await own.head(key)).toBeUndefined();
    }
  });

  it("stands behind the prefix of the target, which nobody sees", async () => {
    const [a, ab] = [bed.open({ prefix: "a/" }), bed.open({ prefix: "ab/" })];
    await put("b/x", "in a", a);
    await put("x", "in ab", ab);
    await put("a", "beside");
    expect(await bed.bucket.keys()).toEqual(["a", "a/b/x", "ab/x"]);
    expect(await keys("", a)).toEqual(["b/x"]);
    expect(await keys("", ab)).toEqual(["x"]);
    expect((await a.get("b/x"))?.bytes.toString()).toBe("in a");
    expect(await a.get("x")).toBeUndefined();
    expect(await a.delete(["x", "b/x"])).toEqual([]);
    expect(await bed.bucket.keys()).toEqual(["a", "ab/x"]);
    expect(a.name).toBe(`s3://${bed.bucket.name}/a`);
    expect(store.name).toBe(`s3://${bed.bucket.name}`);
  });
});

describe("a listing", () => {
  it("gives every object once, in the order of UTF-8, from pages of 1,000", async () => {
    // UTF-16 has the last two the other way round.
    const odd = ["A", "Z/z", "a b", "a+b", "ä", "~", "\uff5e", "😀"];
    const many = Array.from({ length: 2_100 }, (_, index) => `k/${index % 7}/${index}`);
    await putMany([...odd, ...many]);
    const from = bed.proxy.log.length;
    const listed = await allOf(store.list(""));
    expect(listed.map(({ key }) => key)).toEqual([...odd, ...many].sort(inUtf8));
    expect(bed.methods(from)).toEqual(["GET", "GET", "GET"]);
    expect(new Set(listed.map(({ size, etag }) => `${size} ${etag}`))).toEqual(
      new Set([`1 ${hash("md5", Buffer.from("x"))}`]),
    );
    const recent = listed.filter(({ lastModified }) => Date.now() - Number(lastModified) < 600_000);
    expect(recent).toHaveLength(listed.length);
  });

  it("is of the keys that begin with a text, and of none in an empty place", async () => {
    await putMany(["a", "a/1", "a/2", "ab/1", "b/a/1"]);
    expect(await keys("a/")).toEqual(["a/1", "a/2"]);
    expect(await keys("a")).toEqual(["a", "a/1", "a/2", "ab/1"]);
    expect(await keys("c/")).toEqual([]);
  });

  it("of exactly 1,000 objects ends", async () => {
    const many = Array.from({ length: 1_000 }, (_, index) => `k${index}`);
    await putMany(many);
    expect(await keys()).toEqual(many.sort(inUtf8));
  });

  it("that is left early asks no further", async () => {
    await putMany(Array.from({ length: 1_001 }, (_, index) => `k${index}`));
    const from = bed.proxy.log.length;
    for await (const { key } of store.list("")) if (key !== "") break;
    expect(bed.methods(from)).toEqual(["GET"]);
  });

  it("takes a space as S3 writes it", async () => {
    const object = "<Contents><Key>a+b%2Bc%20d</Key><Size>1</Size></Contents>";
    bed.proxy.fault = () => ({
      status: 200,
      body: `<ListBucketResult><EncodingType>url</EncodingType>${object}</ListBucketResult>`,
    });
    expect(await keys()).toEqual(["a b+c d"]);
  });

  it("of folders gives those directly in a place, each once", async () => {
    const own = bed.open({ prefix: "r/" });
    for (const key of ["w/1 ü+/a", "w/1 ü+/b/c", "w/2/a", "w/file", "x/1/a"]) {
      await put(key, "x", own);
    }
    expect(await allOf(own.folders("w/"))).toEqual(["w/1 ü+/", "w/2/"]);
    expect(await allOf(own.folders(""))).toEqual(["w/", "x/"]);
    expect(await allOf(own.folders("y/"))).toEqual([]);
  });

  it("of more than 1,000 folders gives them all", async () => {
    const many = Array.from({ length: 1_050 }, (_, index) => `w/${index}/`);
    await putMany(many.map((folder) => `${folder}a`));
    expect(await allOf(store.folders("w/"))).toEqual(many.sort(inUtf8));
  });
});

describe("a deletion", () => {
  it("takes 1,500 keys in two requests, and those that are gone already", async () => {
    const many = Array.from({ length: 1_500 }, (_, index) => `k/ü ${index}`);
    await putMany([...many, "kept"]);
    const from = bed.proxy.log.length;
    expect(await store.delete([...many, "never there"])).toEqual([]);
    expect(bed.methods(from)).toEqual(["POST", "POST"]);
    // Ceph does without, other stores do not.
    for (const { headers } of bed.proxy.log.slice(from)) {
      expect(headers["content-md5"]).toMatch(/^[\w+/]{22}==$/);
    }
    expect(await bed.bucket.keys()).toEqual(["kept"]);
    expect(await store.delete(many)).toEqual([]);
  });

  it("of nothing asks nothing", async () => {
    expect(await store.delete([])).toEqual([]);
    expect(bed.methods()).toEqual([]);
  });

  it("tells which keys it could not remove, below the prefix, and why", async () => {
    const own = bed.open({ prefix: "p/" });
    for (const key of ["free", "held ü"]) await put(key, "x", own);
    await bed.bucket.deny("s3:DeleteObject", "p/held*");
    expect(await own.delete(["free", "held ü"])).toEqual([
      { key: "held ü", reason: expect.stringMatching(/^AccessDenied/) },
    ]);
    expect(await bed.bucket.keys()).toEqual(["p/held ü"]);
  });
});

describe("requests at once", () => {
  it("are as many as is allowed, at most", async () => {
    const own = bed.open({ concurrency: 3 });
    bed.proxy.fault = () => ({ hold: 20 });
    await Promise.all(Array.from({ length: 20 }, (_, index) => put(`k${index}`, "x", own)));
    expect(bed.proxy.busiest).toBe(3);
  });
});
