import { describe, expect, it } from "vitest";
import { liveLog, livePointers, planFlip } from "../../../src/deploy/releases/pointers.ts";
import { type Release, releaseOf } from "../../../src/deploy/releases/release.ts";

const file = { md5: "0".repeat(32), sha256: "0".repeat(64), size: 1 };

/** A release of workspace w with these projects. */
function release(version: string, ...projects: readonly string[]): Release {
  const files = projects.map((id) => [`api/v1/projects/${id}/index.json`, file]);
  return releaseOf({
    ...{ formatVersion: 1, workspaceId: "w", versionId: version.repeat(32) },
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
  for (const { key, after } of planFlip(given, [live])) {
    if (after === undefined) values.delete(key);
    else values.set(key, after);
  }
  return { etag: "2", values };
}

describe("L1: the name of a release", () => {
  it("is the workspace, the version id, and 12 digits of its manifest's hash", () => {
    expect(a.name).toMatch(/^w\/a{32}-[0-9a-f]{12}$/);
  });

  it("is another when an asset is another, though the version id is the same", () => {
    expect(release("a", "site").name).not.toBe(a.name);
  });
});

describe("L2: making a release live", () => {
  it("points each of its projects to it", () => {
    const live = livePointers(whenLive(state({}), a));
    expect([...live]).toEqual([
      ["shop", a.name],
      ["site", a.name],
    ]);
  });

  it("changes nothing when it is live", () => {
    expect(planFlip(whenLive(state({}), a), [a])).toEqual([]);
  });

  it("removes the pointer of a project that the workspace has no more", () => {
    const fewer = release("c", "site");
    const live = livePointers(whenLive(whenLive(state({}), a), fewer));
    expect([...live]).toEqual([["site", fewer.name]]);
  });

  it("leaves other workspaces and preview tokens alone", () => {
    const others = { "p:blog": `other/${"d".repeat(32)}-0123456789ab`, "t:00:blog": "never" };
    const { values } = whenLive(state(others), a);
    expect(Object.fromEntries(values)).toMatchObject(others);
  });

  it("is refused when a project is live from another workspace", () => {
    const others = { "p:site": `other/${"d".repeat(32)}-0123456789ab` };
    expect(() => planFlip(state(others), [a])).toThrow(
      expect.objectContaining({ code: "project-of-another-workspace" }),
    );
  });

  it("moves a project from one workspace to another in one change, when both are deployed", () => {
    const moved = releaseOf({ ...a.manifest, workspaceId: "v" });
    const left = release("c", "shop");
    const there = whenLive(state({}), release("b", "site", "shop"));
    const flip = planFlip(there, [left, releaseOf({ ...moved.manifest, files: siteOnly })]);
    expect(flip.filter(({ key }) => key === "p:site")).toEqual([
      { key: "p:site", before: b.name, after: expect.stringMatching(/^v\//) },
    ]);
  });

  it("writes the log first, and again where a flip was cut off behind it or before it", () => {
    const flip = planFlip(state({}), [a]);
    expect(flip[0]?.key).toBe("l:w");
    const { values } = whenLive(state({}), a);
    values.delete("l:w");
    expect(planFlip({ etag: "3", values }, [a]).map(({ key }) => key)).toEqual(["l:w"]);
  });

  it("L3: is logged: the release that was live before stands behind the one that is", () => {
    const twice = whenLive(whenLive(state({}), a), b);
    expect(liveLog(twice, "w")).toEqual([b.name, a.name]);
    expect(liveLog(whenLive(twice, a), "w")).toEqual([a.name, b.name]);
  });

  it("keeps a log of the newest that fits in a value of 1 KB", () => {
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

  it("takes a log that is none for empty", () => {
    for (const log of ["", "{", "null", "{}", "[1]"]) {
      expect(liveLog(state({ "l:w": log }), "w")).toEqual([]);
    }
  });
});
