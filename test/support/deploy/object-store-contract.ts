import { createReadStream, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectHead, ObjectStore } from "../../../src/deploy/object-store.ts";
import { temporaryFolder } from "../test-bed.ts";
import { Random } from "../workspaces/random.ts";
import { allOf, bodyOf, failure, hash, JSON_HEADERS, streamed } from "./object-bodies.ts";

type Stored = Omit<ObjectHead, "lastModified">;

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
  const textOf = async (key: string, of = store) => (await of.get(key))?.bytes.toString();
  const keys = async (prefix = "", of = store) =>
    (await allOf(of.list(prefix))).map(({ key }) => key);

  describe(`${name}: an object`, () => {
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
  });

  describe(`${name}: a deletion`, () => {
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

  it(`${name}: L6: whatever is written, removed and read, is as in a map`, async () => {
    const random = new Random(1);
    const stored = new Map<string, Stored>();
    const put = (key: string, text: string, type: string): Stored => ({
      key,
      size: Buffer.byteLength(text),
      etag: tagOf(text),
      sha256: bodyOf(text).sha256,
      contentType: type,
      cacheControl: type === "text/plain" ? undefined : JSON_HEADERS["Cache-Control"],
    });
    for (let step = 0; step < 120; step += 1) {
      const prefix = random.pick(["", "a/", "ab/"]);
      const own = bed.open({ prefix });
      expect(own.name).toBe(`${store.name}/${prefix}`.replace(/\/$/, ""));
      // Those of the last two are the other way round in UTF-16.
      const key = random.pick(["a", "a/1", "a/2/c", "b/ü 1+/c", "b/file", "\uff5e", "😀"]);
      const [full, text] = [prefix + key, random.pick(["", "x", `Über ${step}`])];
      const before = stored.get(full);
      const headers = random.pick([JSON_HEADERS, { "Content-Type": "text/plain" }]);
      const after = put(full, text, headers["Content-Type"]);
      const act = random.weighted({ put: 3, ifAbsent: 2, ifMatch: 4, delete: 3, theirs: 1 });
      const ifMatch = random.pick([before?.etag ?? tagOf("x"), tagOf("other")]);
      const condition = { ifAbsent: { ifAbsent: true }, ifMatch: { ifMatch } } as const;
      if (act === "theirs") {
        await bed.put(full, text);
        stored.set(full, { ...after, sha256: undefined });
      } else if (act === "delete") {
        const gone = [key, "a/1", "never there"];
        expect(await own.delete(gone)).toEqual([]);
        for (const one of gone) stored.delete(prefix + one);
      } else {
        const given = act === "put" ? undefined : condition[act];
        const isAllowed = { put: true, ifAbsent: !before, ifMatch: before?.etag === ifMatch }[act];
        const etag = await own.put(key, bodyOf(text), headers, given);
        expect([step, act, etag]).toEqual([step, act, isAllowed ? after.etag : undefined]);
        if (isAllowed) stored.set(full, after);
      }
      const now = stored.get(full);
      const head = await own.head(key);
      const { lastModified: at, ...facts } = head ?? {};
      if (act === "theirs") Object.assign(now ?? {}, { ...head, key: full });
      expect(facts).toEqual(now === undefined ? {} : { ...now, key, lastModified: undefined });
      const found = await own.get(key);
      expect(found && [found.key, found.size, found.etag, tagOf(found.bytes.toString())]).toEqual(
        now && [key, now.size, now.etag, now.etag],
      );
      if (at !== undefined) expect(Math.abs(Date.now() - +at)).toBeLessThan(600_000);
      const under = random.pick(["", "a", "a/", "b/", "c/"]);
      const below = [...stored.keys()].filter((one) => one.startsWith(prefix + under)).sort(inUtf8);
      expect((await allOf(own.list(under))).map((one) => [one.key, one.size, one.etag])).toEqual(
        below.map((one) => [
          one.slice(prefix.length),
          stored.get(one)?.size,
          stored.get(one)?.etag,
        ]),
      );
      const rests = below.map((one) => one.slice(prefix.length + under.length));
      const folders = rests.flatMap((one) =>
        one.includes("/") ? `${under}${one.split("/")[0]}/` : [],
      );
      if (/^$|\/$/.test(under))
        expect(await allOf(own.folders(under))).toEqual([...new Set(folders)]);
    }
  });

  it.each(["ifAbsent", "ifMatch"])(
    `${name}: L6: a write with %s by two clients at once succeeds for exactly one, 20 times`,
    async (what) => {
      const other = bed.open();
      let ifMatch = (await put("a", "start")) as string;
      for (let round = 0; round < 20; round += 1) {
        const key = what === "ifMatch" ? "a" : `mark/${round}`;
        const condition = what === "ifMatch" ? { ifMatch } : ({ ifAbsent: true } as const);
        const tags = await Promise.all(
          [store, other].map((by, at) => by.put(key, bodyOf(`${at} ${round}`), {}, condition)),
        );
        const winner = `${tags[0] === undefined ? 1 : 0} ${round}`;
        expect(tags.filter((tag) => tag !== undefined)).toEqual([tagOf(winner)]);
        expect(await textOf(key)).toBe(winner);
        ifMatch = tagOf(winner);
      }
    },
  );

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
