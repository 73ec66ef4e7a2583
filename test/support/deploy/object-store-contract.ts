import { createReadStream, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../../src/deploy/object-store.ts";
import { temporaryFolder } from "../test-bed.ts";
import { allOf, bodyOf, failure, hash, JSON_HEADERS, streamed } from "./object-bodies.ts";

/** An empty bucket. */
export interface BucketBed {
  open(options?: { prefix?: string; signal?: AbortSignal }): ObjectStore;
  /** A write by another program. */
  put(key: string, text: string): Promise<void>;
  /** Denies the removal of an object. */
  denyDelete(key: string): Promise<void>;
  /** Whether a removal compares ETags. */
  readonly checksDeletes: boolean;
}

/** The contract of every object store. */
export function objectStoreContract(name: string, make: () => Promise<BucketBed>): void {
  let bed: BucketBed;
  let store: ObjectStore;
  beforeEach(async () => {
    bed = await make();
    store = bed.open();
  });

  const put = (key: string, text = key, to = store) => to.put(key, bodyOf(text), JSON_HEADERS);
  const putIfAbsent = (key: string, text: string, by = store) =>
    by.put(key, bodyOf(text), JSON_HEADERS, { ifAbsent: true });
  const putIfMatch = (key: string, text: string, ifMatch: string, by = store) =>
    by.put(key, bodyOf(text), JSON_HEADERS, { ifMatch });
  const textOf = async (key: string, of = store) => (await of.get(key))?.bytes.toString();
  const keys = async (prefix = "", of = store) =>
    (await allOf(of.list(prefix))).map(({ key }) => key);

  describe(`${name}: an object`, () => {
    it("is read as it was put, with its size, MD5 and time", async () => {
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
      expect(await store.head("a")).toEqual({
        key: "a",
        size: 2,
        etag: hash("md5", body.bytes),
        sha256: body.sha256,
        contentType: JSON_HEADERS["Content-Type"],
        cacheControl: JSON_HEADERS["Cache-Control"],
        lastModified: expect.any(Date),
      });
    });

    it("may be empty", async () => {
      await put("empty", "");
      expect((await store.get("empty"))?.bytes).toHaveLength(0);
      expect(await store.head("empty")).toMatchObject({ size: 0, etag: hash("md5", Buffer.of()) });
    });

    it("is replaced completely: bytes, headers and SHA-256", async () => {
      await put("a", "old");
      await store.put("a", bodyOf("new"), { "Content-Type": "text/plain" });
      expect(await textOf("a")).toBe("new");
      expect(await store.head("a")).toMatchObject({
        contentType: "text/plain",
        cacheControl: undefined,
        sha256: bodyOf("new").sha256,
      });
    });

    it("of another program has no SHA-256", async () => {
      await bed.put("theirs", "text");
      expect(await store.head("theirs")).toMatchObject({ size: 4, sha256: undefined });
    });

    it("that does not exist is undefined", async () => {
      expect(await store.get("none")).toBeUndefined();
      expect(await store.head("none")).toBeUndefined();
    });

    it("is downloaded to a file, which is replaced, with what `head` says of it", async () => {
      const file = join(temporaryFolder(), "file");
      writeFileSync(file, "longer than what comes");
      const progress: (readonly [done: number, total: number])[] = [];
      const download = (key: string) =>
        store.download(key, file, (...done) => void progress.push(done));
      expect(await download("a")).toBeUndefined();
      expect(readFileSync(file, "utf8")).toBe("longer than what comes");
      await put("a", "text");
      expect(await download("a")).toEqual(await store.head("a"));
      expect(readFileSync(file, "utf8")).toBe("text");
      expect(progress.at(-1)).toEqual([4, 4]);
      await put("a", "");
      expect(await download("a")).toMatchObject({ size: 0 });
      expect(readFileSync(file, "utf8")).toBe("");
    });

    it("is not downloaded to a file that cannot be written, which is no error of the store", async () => {
      await put("a", "text");
      const file = join(temporaryFolder(), "none", "file");
      await expect(store.download("a", file, () => {})).rejects.toMatchObject({
        code: "ENOENT",
        path: file,
      });
    });

    it("is stored from a stream, read once, as from a buffer", async () => {
      const bytes = Buffer.alloc(300_000, "stream ");
      const { body, streams } = streamed(bytes);
      expect(await store.put("a", body, JSON_HEADERS)).toBe(hash("md5", bytes));
      expect((await store.get("a"))?.bytes.equals(bytes)).toBe(true);
      expect(streams()).toBe(1);
    });

    it("whose bytes differ from the declared size or SHA-256 is refused, and not stored", async () => {
      const { body } = streamed(Buffer.alloc(100_000, "a"));
      const other = { ...body, sha256: bodyOf("other").sha256 };
      expect((await failure(store.put("big", other, JSON_HEADERS))).code).toBe("upload-changed");
      expect(await store.head("big")).toBeUndefined();
    });

    it.each([
      ["shorter", 0.5],
      ["longer", 2],
      ["nothing", undefined],
    ])("whose file has become %s is refused soon, and not stored", async (_, factor) => {
      const file = join(temporaryFolder(), "file");
      const body = { ...bodyOf(Buffer.alloc(100_000, "a")), bytes: () => createReadStream(file) };
      if (factor !== undefined) writeFileSync(file, Buffer.alloc(100_000 * factor, "b"));
      const { code, message } = await failure(store.put("big", body, JSON_HEADERS));
      expect(code).toBe("upload-changed");
      expect(message).toContain('"big"');
      expect(await store.head("big")).toBeUndefined();
    });
  });

  describe(`${name}: a key`, () => {
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

    it.each(["", "some where/ü+/"])("may be odd, below %j", async (prefix) => {
      const own = bed.open({ prefix });
      await Promise.all(ODD.map((key) => put(key, "odd", own)));
      expect(await keys("", own)).toEqual(ODD.toSorted(inUtf8));
      expect(await keys(prefix)).toEqual(ODD.map((key) => prefix + key).sort(inUtf8));
      for (const key of ODD) {
        expect(await textOf(key, own)).toBe("odd");
        expect(await own.head(key)).toMatchObject({ key, size: 3 });
        expect(await allOf(own.list(key))).toMatchObject([{ key, size: 3 }]);
      }
      expect(await own.delete(ODD)).toEqual([]);
      expect(await keys("", own)).toEqual([]);
    });

    it("is below the prefix of the target, which is not part of it", async () => {
      const [a, ab] = [bed.open({ prefix: "a/" }), bed.open({ prefix: "ab/" })];
      await put("b/x", "in a", a);
      await put("x", "in ab", ab);
      await put("a", "beside");
      expect(await keys()).toEqual(["a", "a/b/x", "ab/x"]);
      expect(await keys("", a)).toEqual(["b/x"]);
      expect(await keys("", ab)).toEqual(["x"]);
      expect(await textOf("b/x", a)).toBe("in a");
      expect(await a.get("x")).toBeUndefined();
      expect(await a.delete(["x", "b/x"])).toEqual([]);
      expect(await keys()).toEqual(["a", "ab/x"]);
      expect(a.name).toBe(`${store.name}/a`);
    });
  });

  describe(`${name}: a listing`, () => {
    const putMany = (names: readonly string[]) => Promise.all(names.map((name) => put(name, "x")));

    it("returns every object once, in the order of UTF-8", async () => {
      // The last two are the other way round in UTF-16.
      const odd = ["A", "Z/z", "a b", "a+b", "ä", "~", "\uff5e", "😀"];
      const many = Array.from({ length: 50 }, (_, index) => `k/${index % 7}/${index}`);
      await putMany([...odd, ...many]);
      const listed = await allOf(store.list(""));
      expect(listed.map(({ key }) => key)).toEqual([...odd, ...many].sort(inUtf8));
      expect(new Set(listed.map(({ size, etag }) => `${size} ${etag}`))).toEqual(
        new Set([`1 ${hash("md5", Buffer.from("x"))}`]),
      );
      const old = listed.filter(({ lastModified }) => Date.now() - Number(lastModified) > 600_000);
      expect(old).toEqual([]);
    });

    it("has the keys with a prefix, and none below an unused prefix", async () => {
      await putMany(["a", "a/1", "a/2", "ab/1", "b/a/1"]);
      expect(await keys("a/")).toEqual(["a/1", "a/2"]);
      expect(await keys("a")).toEqual(["a", "a/1", "a/2", "ab/1"]);
      expect(await keys("c/")).toEqual([]);
    });

    it("of folders returns those directly below a prefix, each once", async () => {
      const own = bed.open({ prefix: "r/" });
      for (const key of ["w/1 ü+/a", "w/1 ü+/b/c", "w/2/a", "w/file", "x/1/a"]) {
        await put(key, "x", own);
      }
      expect(await allOf(own.folders("w/"))).toEqual(["w/1 ü+/", "w/2/"]);
      expect(await allOf(own.folders(""))).toEqual(["w/", "x/"]);
      expect(await allOf(own.folders("y/"))).toEqual([]);
    });
  });

  describe(`${name}: a deletion`, () => {
    it("removes objects, and accepts missing ones", async () => {
      for (const key of ["a", "b/ü 1", "other"]) await put(key);
      expect(await store.delete(["a", "b/ü 1", "never there"])).toEqual([]);
      expect(await keys()).toEqual(["other"]);
      expect(await store.delete(["a"])).toEqual([]);
      expect(await store.delete([])).toEqual([]);
    });

    it("returns the keys that were not removed, relative to the prefix, with the reason", async () => {
      const own = bed.open({ prefix: "p/" });
      for (const key of ["free", "undeletable ü"]) await put(key, "x", own);
      await bed.denyDelete("p/undeletable ü");
      expect(await own.delete(["free", "undeletable ü"])).toEqual([
        { key: "undeletable ü", reason: expect.stringMatching(/^AccessDenied/) },
      ]);
      expect(await keys()).toEqual(["p/undeletable ü"]);
    });

    it("L10: with ETags keeps an object that has another, if the store compares them", async () => {
      const own = bed.open({ prefix: "p/" });
      const etags = new Map<string, string>();
      for (const key of ["same", "changed"]) etags.set(key, (await put(key, "1", own)) as string);
      await put("changed", "2", own);
      etags.set("gone", tagOf("1"));
      const failed = await own.delete([...etags.keys(), "gone too"], etags);
      expect(failed).toEqual(
        bed.checksDeletes
          ? [{ key: "changed", reason: expect.stringMatching(/^PreconditionFailed/) }]
          : [],
      );
      expect(await keys()).toEqual(bed.checksDeletes ? ["p/changed"] : []);
    });
  });

  describe(`${name}: L6: a write with ifAbsent`, () => {
    it("stores an object, and never replaces one", async () => {
      expect(await putIfAbsent("a", "first")).toBe(tagOf("first"));
      expect(await putIfAbsent("a", "second")).toBeUndefined();
      expect(await putIfAbsent("a", "first")).toBeUndefined();
      expect(await textOf("a")).toBe("first");
    });

    it("succeeds again after the object was removed", async () => {
      await putIfAbsent("a", "first");
      await store.delete(["a"]);
      expect(await putIfAbsent("a", "second")).toBe(tagOf("second"));
    });

    it("by two clients at once succeeds for exactly one, 20 times", async () => {
      const other = bed.open();
      for (let round = 0; round < 20; round += 1) {
        const key = `mark/${round}`;
        const tags = await Promise.all([
          putIfAbsent(key, `one ${round}`),
          putIfAbsent(key, `two ${round}`, other),
        ]);
        const winner = tags[0] === undefined ? "two" : "one";
        expect(tags.filter((tag) => tag !== undefined)).toEqual([tagOf(`${winner} ${round}`)]);
        expect(await textOf(key)).toBe(`${winner} ${round}`);
      }
    });
  });

  describe(`${name}: L6: a write with ifMatch`, () => {
    it("succeeds only while the object has that tag", async () => {
      const one = (await put("a", "1")) as string;
      const two = await putIfMatch("a", "2", one);
      expect(two).toBe(tagOf("2"));
      expect(await putIfMatch("a", "3", one)).toBeUndefined();
      expect(await textOf("a")).toBe("2");
      expect(await putIfMatch("a", "3", two as string)).toBe(tagOf("3"));
    });

    it("accepts the tag of a put, a head, a read or a listing", async () => {
      await put("a", "0");
      const [listed] = await allOf(store.list("a"));
      const tags = [
        listed?.etag,
        (await store.head("a"))?.etag,
        (await store.get("a"))?.etag,
        await put("a", "0"),
      ];
      expect(new Set(tags)).toEqual(new Set([tagOf("0")]));
      expect(await putIfMatch("a", "1", tags[0] as string)).toBe(tagOf("1"));
    });

    it("fails when the object was removed", async () => {
      const tag = (await put("a", "1")) as string;
      await store.delete(["a"]);
      expect(await putIfMatch("a", "2", tag)).toBeUndefined();
      expect(await store.head("a")).toBeUndefined();
    });

    it("by two clients at once succeeds for exactly one, 20 times", async () => {
      const other = bed.open();
      let tag = (await put("a", "start")) as string;
      for (let round = 0; round < 20; round += 1) {
        const tags = await Promise.all([
          putIfMatch("a", `one ${round}`, tag),
          putIfMatch("a", `two ${round}`, tag, other),
        ]);
        const winner = tags[0] === undefined ? "two" : "one";
        expect(tags.filter((each) => each !== undefined)).toEqual([tagOf(`${winner} ${round}`)]);
        expect(await textOf("a")).toBe(`${winner} ${round}`);
        tag = tagOf(`${winner} ${round}`);
      }
    });
  });

  it(`${name}: an aborted signal stops every operation with its reason, and changes nothing`, async () => {
    await put("a");
    const reason = new Error("stopped by the test");
    const stopped = bed.open({ signal: AbortSignal.abort(reason) });
    const operations = [
      () => stopped.get("a"),
      () => stopped.head("a"),
      () => allOf(stopped.list("")),
      () => allOf(stopped.folders("")),
      () => put("b", "b", stopped),
      () => putIfAbsent("b", "b", stopped),
      () => stopped.delete(["a"]),
    ];
    for (const run of operations) await expect(run()).rejects.toBe(reason);
    expect(await keys()).toEqual(["a"]);
  });
}

const inUtf8 = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b));
const tagOf = (text: string) => hash("md5", Buffer.from(text));
