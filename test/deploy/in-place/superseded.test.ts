import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore } from "../../../src/deploy/object-store.ts";
import { fakeClock } from "../../support/deploy/fake-clock.ts";
import { bodyOf, hash } from "../../support/deploy/object-bodies.ts";
import { siteTexts, type Workspaces } from "../published-texts.ts";
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
beforeEach(() => {
  bed = new MemoryInPlaceBed();
  fakeClock();
});

/** A version that differs from the others in every document. */
const LATEST: Workspaces = {
  w: siteTexts({
    [`${PROJECT}/index.json`]: "config 3",
    [`${PROJECT}/schema.json`]: "schema 3",
    [`${CONTENT}.json`]: "content 3",
  }),
};

/** The writes of documents by a deploy of MOVED over SITE. */
const WRITES = [`${PROJECT}/experiences/hello/content`, `${PROJECT}/schema`, PROJECT, CONTENT];

/**
 * The store of a process that is stopped at a write, when the request is on its way: it sends
 * nothing more until it is woken.
 */
function stoppedAt(key: string) {
  const store = bed.bucket.open();
  const stopped = Promise.withResolvers<void>();
  const woken = Promise.withResolvers<void>();
  let isStopped = false;
  const send = async (keys: readonly string[]) => {
    if (keys.includes(key)) {
      isStopped = true;
      stopped.resolve();
    }
    if (isStopped) await woken.promise;
  };
  const objects: ObjectStore = {
    ...store,
    async put(to, body, headers, given) {
      if (given === undefined) return store.put(to, body, headers);
      const { beforeAttempt, ...condition } = given;
      await beforeAttempt?.();
      await send([to]);
      return store.put(to, body, headers, condition);
    },
    async delete(keys, etags) {
      await send(keys);
      return store.delete(keys, etags);
    },
  };
  return { objects, stopped: stopped.promise, wake: woken.resolve };
}

/** Deploys MOVED over SITE, stopped at a write; `meanwhile` runs before it is woken. */
async function sleeping(key: string, meanwhile: () => Promise<unknown>) {
  await bed.deploy();
  const { objects, stopped, wake } = stoppedAt(key);
  const ended = bed.deploy(MOVED, { objects }).catch((error) => error);
  await stopped;
  await meanwhile();
  wake();
  return ended;
}

describe("L10a: a deploy that slept while another deploy took over", () => {
  it.each(WRITES)("at %s, does not overwrite or remove what the other wrote", async (key) => {
    expect(await sleeping(key, () => bed.deploy(LATEST, { force: true }))).toMatchObject({
      code: "deploy-superseded",
      hint: expect.stringMatching(/again/),
    });
    expect(bed.texts()).toMatchObject(expectedTexts(LATEST));
    await bed.deploy(LATEST);
    expect(bed.texts()).toEqual(expectedTexts(LATEST));
  });

  it("and wakes while that one is still writing: both keep the other's changes of the manifest", async () => {
    await bed.deploy();
    const [first, second] = [stoppedAt(PROJECT), stoppedAt(CONTENT)];
    const slept = bed.deploy(MOVED, { objects: first.objects }).catch((error) => error);
    await first.stopped;
    const latest = { w: siteTexts({ [`${CONTENT}.json`]: "latest" }) };
    const successor = bed.deploy(latest, { objects: second.objects, force: true });
    await second.stopped;
    first.wake();
    expect(await slept).toMatchObject({ code: "deploy-superseded" });
    second.wake();
    await successor;
    expect(bed.manifest().deploy).toBeUndefined();
    expect(Object.keys(bed.manifest().touched)).toContain(PROJECT);
    await bed.deploy(latest);
    expect(bed.texts()).toEqual(expectedTexts(latest));
  });
});

describe("L10: an object that is not the one of the plan", () => {
  /** Runs once, before the first write of CONTENT. */
  function beforeContent(act: () => unknown): void {
    let isDone = false;
    bed.bucket.before = async ({ name, keys }) => {
      if (name !== "put" || keys[0] !== CONTENT || isDone) return;
      isDone = true;
      await act();
    };
  }

  it("of another program is replaced only with --overwrite", async () => {
    await bed.deploy();
    bed.bucket.put(CONTENT, "someone's");
    await expect(bed.deploy(LATEST)).rejects.toMatchObject({ code: "object-in-the-way" });
    expect(bed.bucket.text(CONTENT)).toBe("someone's");
    await bed.deploy(LATEST, { overwrite: true });
    expect(bed.texts()).toEqual(expectedTexts(LATEST));
  });

  it("of another program is not removed", async () => {
    await bed.deploy();
    bed.bucket.put(CONTENT, "someone's");
    await expect(bed.deploy(MOVED)).rejects.toMatchObject({ code: "deploy-superseded" });
    await bed.deploy(MOVED);
    expect(bed.texts()).toEqual({ ...expectedTexts(MOVED), [CONTENT]: "someone's" });
  });

  it.each([
    ["known", SITE],
    ["new", { w: { [`${PROJECT}/index.json`]: "config" } }],
  ])("and was written by a deploy that was taken over is replaced: a %s one", async (_, first) => {
    await bed.deploy(first);
    const touches = { [CONTENT]: ["w"] };
    const deploy = { id: "d", host: "ci-7", pid: 12, since: "2026", touches };
    bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), deploy }));
    beforeContent(() => bed.bucket.open().put(CONTENT, bodyOf("late"), {}));
    await bed.deploy(LATEST, { force: true });
    expect(bed.texts()).toEqual(expectedTexts(LATEST));
  });

  it("and changes again and again ends the deploy; the next one completes it", async () => {
    await bed.deploy();
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

  it("but already has the wanted bytes is left: the response to the write was lost", async () => {
    await bed.deploy();
    const objects = bed.losingResponses(CONTENT);
    await bed.deploy(LATEST, { objects });
    expect(bed.texts()).toEqual(expectedTexts(LATEST));
    expect((await bed.deploy(LATEST)).objects.uploaded).toBe(0);
  });
});

it("L10: a removal whose response was lost is done", async () => {
  await bed.deploy();
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

describe("L10: ETags", () => {
  /** The requests of a deploy, in order. */
  async function requests(workspaces: Workspaces): Promise<string[]> {
    const seen: string[] = [];
    bed.bucket.before = ({ name, keys }) => void seen.push(`${name} ${keys.join()}`);
    await bed.deploy(workspaces);
    bed.bucket.before = () => {};
    return seen;
  }

  it("of every object are in the manifest: a deploy reads no object before it writes", async () => {
    await bed.deploy();
    for (const [key, { etag }] of Object.entries(bed.manifest().objects)) {
      expect(etag, key).toBe(hash("md5", bed.bucket.objects.get(key)?.bytes as Buffer));
    }
    expect(await requests(MOVED)).toEqual([
      `get ${MANIFEST}`,
      `put ${MANIFEST}`,
      ...WRITES.slice(0, 3).map((key) => `put ${key}`),
      `delete ${CONTENT}`,
      `put ${MANIFEST}`,
    ]);
  });

  it("that the manifest does not have are read", async () => {
    await bed.deploy();
    const { objects, conditional: _new, ...manifest } = bed.manifest();
    const without = Object.entries(objects).map(([key, { etag: _none, ...one }]) => [key, one]);
    bed.bucket.put(MANIFEST, JSON.stringify({ ...manifest, objects: Object.fromEntries(without) }));
    const heads = (await requests(MOVED)).filter((request) => request.startsWith("head"));
    expect(heads).toEqual(Object.keys(objects).map((key) => `head ${key}`));
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });
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
      bed.bucket.tagOf = () => randomUUID();
      const objects = ignoring(ignored);
      await expect(bed.deploy(SITE, { objects })).rejects.toMatchObject({
        code: "conditional-writes-unsupported",
        message: expect.stringMatching(/^s3:\/\/memory ignores .*If-Match/),
      });
      expect(bed.bucket.keys()).toEqual([]);
      await bed.deploy();
      const { conditional: _new, ...old } = bed.manifest();
      bed.bucket.put(MANIFEST, JSON.stringify(old));
      await expect(bed.deploy(MOVED, { objects })).rejects.toMatchObject({
        code: "conditional-writes-unsupported",
      });
      expect(bed.texts()).toEqual(expectedTexts(SITE));
      expect(bed.manifest()).toEqual(old);
    },
  );

  it("is tried once, with two writes, and again where the objects were copied to", async () => {
    let puts = 0;
    bed.bucket.before = ({ name, keys }) => {
      if (name === "put" && keys[0]?.endsWith(MANIFEST)) puts += 1;
    };
    const putsOf = async (workspaces: Workspaces) => {
      puts = 0;
      await bed.deploy(workspaces);
      return puts;
    };
    expect([await putsOf(SITE), await putsOf(MOVED), await putsOf(SITE)]).toEqual([4, 2, 2]);
    bed.prefix = "copy/";
    for (const [key, stored] of [...bed.bucket.objects]) {
      bed.bucket.objects.set(`copy/${key}`, stored);
    }
    expect([await putsOf(MOVED), await putsOf(SITE)]).toEqual([4, 2]);
  });
});

describe("L6: a manifest that others change", () => {
  /** Before each of the first `count` updates that follow the mark, another deploy reports a write. */
  function changedBefore(count: number) {
    let changes = 0;
    let puts = 0;
    bed.bucket.before = ({ name, keys }) => {
      if (name !== "put" || keys[0] !== MANIFEST || bed.manifest().deploy === undefined) return;
      puts += 1;
      if (changes === count) return;
      changes += 1;
      const touched = { [`${PROJECT}-${changes}`]: ["w"] };
      bed.bucket.put(MANIFEST, JSON.stringify({ ...bed.manifest(), touched }));
    };
    return () => puts;
  }

  it("L6: is updated at the fifth attempt", async () => {
    await bed.deploy();
    changedBefore(4);
    await bed.deploy(MOVED);
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });

  it("L6: is given up after five attempts, and the next deploy completes what was begun", async () => {
    await bed.deploy();
    const puts = changedBefore(Number.POSITIVE_INFINITY);
    await expect(bed.deploy(MOVED)).rejects.toMatchObject({
      code: "deploy-manifest-changing",
      message: expect.stringContaining("at each of 5 attempts"),
    });
    expect(puts()).toBeLessThan(20);
    bed.bucket.before = () => {};
    await bed.deploy(MOVED, { force: true });
    expect(bed.texts()).toEqual(expectedTexts(MOVED));
  });
});
