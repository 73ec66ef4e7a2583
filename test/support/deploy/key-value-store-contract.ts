import { describe, expect, it } from "vitest";
import type { KeyValueStore } from "../../../src/deploy/key-value-store.ts";

/** A store with these values, and a write by another program. */
export interface KeyValueBed {
  readonly store: KeyValueStore;
  write(key: string, value: string): void;
}

const numbered = (count: number, value = "r") =>
  Array.from({ length: count }, (_, n): [string, string] => [`p:project-${n}`, `${value}${n}`]);

const put = (key: string, value: string) => ({ puts: new Map([[key, value]]) });

/** The contract of every KeyValueStore. */
export function keyValueStoreContract(
  name: string,
  make: (values: Iterable<[string, string]>) => Promise<KeyValueBed>,
): void {
  describe(`${name}, as a KeyValueStore`, () => {
    it("reads every key with its value, and the tag of that state", async () => {
      const { store } = await make(numbered(120));
      const { etag, values } = await store.read();
      expect(new Map(values)).toEqual(new Map(numbered(120)));
      expect(await store.update(etag, put("p:a", "two"))).toEqual({ etag: expect.any(String) });
    });

    it("returns a snapshot that later changes do not affect", async () => {
      const { store } = await make([["p:a", "one"]]);
      const { etag, values } = await store.read();
      await store.update(etag, { ...put("p:b", "two"), deletes: ["p:a"] });
      expect([...values]).toEqual([["p:a", "one"]]);
    });

    it("applies puts and deletes atomically, and returns the tag of the new state", async () => {
      const { store } = await make(numbered(3));
      const { etag } = await store.read();
      const change = { ...put("p:new", "x"), deletes: ["p:project-1", "p:never-there"] };
      const updated = await store.update(etag, change);
      const read = await store.read();
      expect(updated).toEqual({ etag: read.etag });
      expect(Object.fromEntries(read.values)).toEqual({
        "p:new": "x",
        "p:project-0": "r0",
        "p:project-2": "r2",
      });
    });

    it("changes nothing under the tag of an earlier state", async () => {
      const { store, write } = await make([["p:a", "one"]]);
      const { etag } = await store.read();
      write("p:b", "another's");
      expect(await store.update(etag, put("p:a", "mine"))).toBe("stale");
      expect(await store.update("never given", put("p:a", "mine"))).toBe("stale");
      const { values } = await store.read();
      expect(Object.fromEntries(values)).toEqual({ "p:a": "one", "p:b": "another's" });
    });

    it("accepts one of several concurrent updates", async () => {
      const { store } = await make([["p:a", "none"]]);
      const { etag } = await store.read();
      const names = ["one", "two", "three"];
      const answers = await Promise.all(names.map((by) => store.update(etag, put("p:a", by))));
      expect(answers.filter((answer) => answer === "stale")).toHaveLength(2);
      const winner = names[answers.findIndex((answer) => answer !== "stale")];
      expect((await store.read()).values.get("p:a")).toBe(winner);
    });

    it("accepts at most 50 keys at once", async () => {
      const { store } = await make([["p:a", "one"]]);
      const { etag } = await store.read();
      const updated = await store.update(etag, { puts: new Map(numbered(50)) });
      if (updated === "stale") expect.fail("the tag is the current one");
      const change = { puts: new Map(numbered(50, "other")), deletes: ["p:a"] };
      await expect(store.update(updated.etag, change)).rejects.toThrow(RangeError);
      const { values } = await store.read();
      expect([values.get("p:a"), values.get("p:project-0")]).toEqual(["one", "r0"]);
    });
  });
}
