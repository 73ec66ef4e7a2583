import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ObjectStore } from "../../../src/deploy/object-store.ts";
import { fakeClock } from "../../support/deploy/fake-clock.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { endOf } from "../model/processes.ts";
import {
  CONTENT,
  expectedTexts,
  MANIFEST,
  MemoryInPlaceBed,
  MOVED,
  PROJECT,
  SITE,
} from "./memory-in-place-bed.ts";

let bed: MemoryInPlaceBed;
beforeEach(async () => {
  bed = new MemoryInPlaceBed();
  await bed.deploy();
});

describe("L10: an object that is not the one of the plan", () => {
  it("of another program is replaced only with --overwrite", async () => {
    for (const isKnown of [true, false]) {
      bed = new MemoryInPlaceBed();
      if (isKnown) await bed.deploy();
      bed.bucket.put(CONTENT, "someone's");
      await expect(bed.deploy(LATEST)).rejects.toMatchObject({ code: "object-in-the-way" });
      expect(bed.bucket.text(CONTENT)).toBe("someone's");
      await bed.deploy(LATEST, { overwrite: true });
      expect(bed.texts()).toEqual(expectedTexts(LATEST));
    }
  });

  it("of another program is not removed, also where a deploy that failed may have written it", async () => {
    const hello = `${PROJECT}/experiences/hello/content`;
    bed.bucket.put(CONTENT, "someone's");
    await expect(bed.deploy(MOVED)).rejects.toMatchObject({ code: "deploy-superseded" });
    bed.bucket.put(hello, "someone's");
    await bed.deploy(LATEST, { overwrite: true });
    expect(bed.texts()).toEqual({ ...expectedTexts(LATEST), [hello]: "someone's" });
  });

  it("and changes again and again ends the deploy; the next one completes it", async () => {
    let count = 0;
    bed.bucket.before = ({ name, keys }) => {
      if (name !== "put" || keys[0] !== CONTENT || ++count % 2 === 0) return;
      return bed.bucket.open().put(CONTENT, bodyOf(`late ${count}`), {});
    };
    await expect(bed.deploy(LATEST)).rejects.toMatchObject({
      code: "deploy-superseded",
      message: `another deploy to s3://memory has changed ${CONTENT} meanwhile`,
    });
    bed.bucket.before = () => {};
    await bed.deploy(LATEST);
    expect(bed.texts()).toEqual(expectedTexts(LATEST));
  });
});

it("L10: a removal whose response was lost is done", async () => {
  const store = bed.bucket.open();
  const objects: ObjectStore = {
    ...store,
    async delete(keys, etags) {
      await store.delete(keys, etags);
      return keys.map((key) => ({ key, reason: "PreconditionFailed" }));
    },
  };
  await bed.deploy(MOVED, { objects });
  expect(bed.texts()).toEqual(expectedTexts(MOVED));
});

it.each([
  ["writes nothing when another has taken over", "deploy-superseded"],
  ["continues when it was not taken over", "done"],
])("L10a: a deploy that was suspended %s", async (_what, code) => {
  fakeClock();
  bed.bucket.after = ({ name, keys }) => {
    if (name !== "put" || keys[0] !== `${PROJECT}/schema`) return;
    // No timer fires, as in a suspended process.
    vi.setSystemTime(Date.now() + 60_000);
    if (code === "done") return;
    const deploy = { ...bed.manifest().deploy, id: "d", host: "ci-7" };
    bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), deploy }));
  };
  expect(await endOf(bed.deploy(LATEST))).toBe(code);
  expect(bed.bucket.text(PROJECT)).toBe(code === "done" ? "config 3" : "config");
  expect(bed.manifest().deploy?.host).toBe(code === "done" ? undefined : "ci-7");
});

it("L10: ETags that the manifest does not have are read", async () => {
  // As one of an earlier svc.
  const { objects, conditional: _new, touched: _none, ...manifest } = bed.manifest();
  const without = Object.entries(objects).map(([key, { etag: _etag, ...one }]) => [key, one]);
  bed.bucket.put(MANIFEST, JSON.stringify({ ...manifest, objects: Object.fromEntries(without) }));
  const heads: string[] = [];
  bed.bucket.before = ({ name, keys }) => void (name === "head" && heads.push(...keys));
  await bed.deploy(MOVED);
  expect(heads).toEqual(Object.keys(objects));
  expect(bed.texts()).toEqual(expectedTexts(MOVED));
});

describe("L10: a store", () => {
  /** A store that ignores one of the two conditions. */
  function ignoring(ignored: "ifMatch" | "ifAbsent"): ObjectStore {
    const store = bed.bucket.open();
    return {
      ...store,
      put: (key, body, headers, condition) =>
        store.put(key, body, headers, condition && ignored in condition ? undefined : condition),
    };
  }

  it.each(["ifMatch", "ifAbsent"] as const)(
    "that ignores %s is refused, and has what it had before",
    async (ignored) => {
      bed = new MemoryInPlaceBed();
      bed.bucket.tagOf = () => randomUUID();
      const refused = {
        code: "conditional-writes-unsupported",
        message: expect.stringMatching(/^s3:\/\/memory ignores .*If-Match/),
      };
      const objects = ignoring(ignored);
      await expect(bed.deploy(SITE, { objects })).rejects.toMatchObject(refused);
      expect(bed.bucket.keys()).toEqual([]);
      await bed.deploy();
      const { conditional: _new, ...old } = bed.manifest();
      bed.bucket.put(MANIFEST, JSON.stringify(old));
      await expect(bed.deploy(MOVED, { objects })).rejects.toMatchObject(refused);
      expect(bed.texts()).toEqual(expectedTexts(SITE));
      expect(bed.manifest()).toEqual(old);
    },
  );

  it("is tried once, with two writes, and again where the objects were copied to", async () => {
    let puts = 0;
    bed.bucket.before = ({ name, keys }) => {
      if (name === "put" && keys[0]?.endsWith(MANIFEST)) puts += 1;
    };
    const putsOf = async (workspaces: typeof SITE) => {
      puts = 0;
      await bed.deploy(workspaces);
      return puts;
    };
    expect([await putsOf(MOVED), await putsOf(SITE)]).toEqual([2, 2]);
    bed.prefix = "copy/";
    for (const [key, stored] of [...bed.bucket.objects]) {
      bed.bucket.objects.set(`copy/${key}`, stored);
    }
    expect([await putsOf(MOVED), await putsOf(SITE)]).toEqual([4, 2]);
  });
});

it.each([4, 100])(
  "L6: a manifest that others change %i times is updated at the fifth attempt, or not at all",
  async (times) => {
    let [changes, puts] = [0, 0];
    bed.bucket.before = ({ name, keys }) => {
      if (name !== "put" || keys[0] !== MANIFEST || bed.manifest().deploy === undefined) return;
      puts += 1;
      if (changes === times) return;
      changes += 1;
      const touched = { [`${PROJECT}-${changes}`]: ["w"] };
      bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), touched }));
    };
    const deployed = bed.deploy(MOVED);
    if (times === 4) await deployed;
    else {
      await expect(deployed).rejects.toMatchObject({
        code: "deploy-manifest-changing",
        message: expect.stringContaining("at each of 5 attempts"),
      });
      expect(puts).toBeLessThan(20);
      bed.bucket.before = () => {};
      await bed.deploy(MOVED, { force: true });
    }
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  },
);

/** A version that differs from the others in every document. */
const LATEST = {
  w: {
    ...SITE.w,
    [`${PROJECT}/index.json`]: "config 3",
    [`${PROJECT}/schema.json`]: "schema 3",
    [`${CONTENT}.json`]: "content 3",
  },
};
