import { describe, expect, it } from "vitest";
import type { KeyValueStore } from "../../../src/deploy/key-value-store.ts";
import { Random } from "../workspaces/random.ts";

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
    it("is as a map, whatever is written under which tag, and its snapshots stay", async () => {
      const random = new Random(1);
      const { store, write } = await make(numbered(120));
      const stored = new Map(numbered(120));
      const tags: string[] = ["never given"];
      for (let step = 0; step < 60; step += 1) {
        const { etag, values } = await store.read();
        expect(new Map(values)).toEqual(stored);
        tags.unshift(etag);
        const snapshot = new Map(stored);
        const keys = ["p:new", "p:project-1", "p:project-2"];
        if (random.chance(0.2)) {
          write("p:a", `another's ${step}`);
          stored.set("p:a", `another's ${step}`);
        }
        const isCurrent = stored.get("p:a") === values.get("p:a");
        const tag = random.pick(tags.slice(0, 2).concat("never given"));
        const [one = "", other = ""] = random.chance(0.5) ? keys : keys.toReversed();
        const change = { ...put(one, `${step}`), deletes: [other, "p:never-there"] };
        const updated = await store.update(tag, change);
        if (isCurrent && tag === etag) {
          stored.set(one, `${step}`);
          stored.delete(other);
          expect(updated).toEqual({ etag: (await store.read()).etag });
        } else expect(updated).toBe("stale");
        expect(new Map(values)).toEqual(snapshot);
      }
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
