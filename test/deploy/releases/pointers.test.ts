import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { bucketPointers } from "../../../src/deploy/releases/bucket-pointers.ts";
import { liveLog, planPointerUpdate } from "../../../src/deploy/releases/pointers.ts";
import { type Release, releaseOf } from "../../../src/deploy/releases/release.ts";
import { MemoryBucket } from "../../support/deploy/memory-object-store.ts";

const file = { md5: "0".repeat(32), sha256: "0".repeat(64), size: 1 };

/** A release of workspace w with these projects. */
function release(version: string, ...projects: readonly string[]): Release {
  const files = projects.map((id) => [`api/v1/projects/${id}/index.json`, file]);
  return releaseOf({
    formatVersion: 1,
    workspaceId: "w",
    versionId: version.repeat(32),
    files: Object.fromEntries(files),
  });
}

const siteOnly = { "api/v1/projects/site/index.json": file };
const [a, b] = [release("a", "site", "shop"), release("b", "site", "shop")];

/** The state in which these keys have these values. */
const state = (values: Readonly<Record<string, string>>) => ({
  etag: "1",
  values: new Map(Object.entries(values)),
});

/** The state after a release has become live. */
function whenLive(given: ReturnType<typeof state>, live: Release) {
  const values = new Map(given.values);
  for (const { key, after } of planPointerUpdate(given, [live])) {
    if (after === undefined) values.delete(key);
    else values.set(key, after);
  }
  return { etag: "2", values };
}

describe("L1: the name of a release", () => {
  it("is the workspace, the version id, and 12 digits of its manifest's hash", () => {
    expect(a.name).toMatch(/^w\/a{32}-[0-9a-f]{12}$/);
  });

  it("differs when an asset differs, for the same version id", () => {
    expect(release("a", "site").name).not.toBe(a.name);
  });
});

describe("L2: making a release live", () => {
  it("moves a project from one workspace to another in one update, when both are deployed", () => {
    const moved = releaseOf({ ...a.manifest, workspaceId: "v" });
    const left = release("c", "shop");
    const there = whenLive(state({}), release("b", "site", "shop"));
    const pointerUpdate = planPointerUpdate(there, [
      left,
      releaseOf({ ...moved.manifest, files: siteOnly }),
    ]);
    expect(pointerUpdate.filter(({ key }) => key === "p:site")).toEqual([
      { key: "p:site", before: b.name, after: expect.stringMatching(/^v\//) },
    ]);
  });

  it("writes the log first, even when only the log is missing", () => {
    const pointerUpdate = planPointerUpdate(state({}), [a]);
    expect(pointerUpdate[0]?.key).toBe("l:w");
    const { values } = whenLive(state({}), a);
    values.delete("l:w");
    expect(planPointerUpdate({ etag: "3", values }, [a]).map(({ key }) => key)).toEqual(["l:w"]);
  });

  it("limits the log to the newest entries that fit in a value of 1 KB", () => {
    let now = state({});
    const names: string[] = [];
    for (let n = 0; n < 40; n += 1) {
      const next = release((n % 16).toString(16), "site", `p${n}`);
      now = whenLive(now, next);
      names.unshift(next.name);
    }
    expect(liveLog(now, "w")).toEqual(names.slice(0, 12));
    const log = now.values.get("l:w") ?? "";
    expect(log.length).toBeLessThan(1024);
  });

  it("treats an invalid log as empty", () => {
    for (const log of ["", "{", "null", "{}", "[1]"]) {
      expect(liveLog(state({ "l:w": log }), "w")).toEqual([]);
    }
  });
});

it.each(["ifMatch", "ifAbsent"])(
  "L2a: a store that ignores %s is refused, and has what it had before",
  async (ignored) => {
    const bucket = new MemoryBucket();
    bucket.tagOf = () => randomUUID();
    const store = bucket.open();
    const pointers = bucketPointers({
      ...store,
      put: (key, body, headers, condition) =>
        store.put(key, body, headers, condition && ignored in condition ? undefined : condition),
    });
    for (const before of [undefined, '{"values":{"p:a":"1"}}']) {
      if (before !== undefined) bucket.put(".svc-pointers.json", before);
      const { etag } = await pointers.read();
      await expect(pointers.update(etag, { puts: new Map([["p:a", "2"]]) })).rejects.toMatchObject({
        code: "conditional-writes-unsupported",
      });
      expect(bucket.text(".svc-pointers.json")).toBe(before);
    }
  },
);
