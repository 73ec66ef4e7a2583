import { describe, expect, it } from "vitest";
import type { ListedRelease } from "../../../src/deploy/releases/list-releases.ts";
import { retentionVerdicts } from "../../../src/deploy/releases/plan-prune.ts";

const HOUR = 3_600_000;
const NOW = new Date("2026-06-01T12:00:00Z");

/** A release that was deployed this number of hours ago. */
function release(name: string, hours: number | null, more: Partial<ListedRelease> = {}) {
  return {
    release: `w/${name}`,
    workspaceId: "w",
    versionId: name,
    deployedAt: hours === null ? null : new Date(+NOW - hours * HOUR),
    ...{ live: [], isPinned: false },
    ...more,
  };
}

/** The newest first: r1 is 100 hours old, r2 200, … */
const many = Array.from({ length: 8 }, (_, n) => release(`r${n + 1}`, 100 * (n + 1)));

function kept(releases: readonly ListedRelease[], log: readonly string[] = []): string[] {
  const values = new Map([["l:w", JSON.stringify(log)]]);
  return retentionVerdicts(releases, { etag: "", values }, NOW).flatMap(
    ({ release, keep, reason }) => (keep ? `${release}: ${reason}` : []),
  );
}

describe("L4: prune", () => {
  it("keeps the last five", () => {
    expect(kept(many)).toEqual(["1", "2", "3", "4", "5"].map((n) => `w/r${n}: one of the last 5`));
  });

  it("keeps live releases of any age", () => {
    const old = release("old", 9_000, { live: ["shop", "site"] });
    expect(kept([...many, old])).toContain("w/old: live for shop, site");
  });

  it("keeps pinned releases", () => {
    expect(kept([...many, release("old", 9_000, { isPinned: true })])).toContain("w/old: pinned");
  });

  it("keeps everything younger than 24 hours", () => {
    const hours = [0, 1, 2, 3, 4, 5, 6, 7, 24 - 1 / 3_600_000];
    const young = hours.map((age, n) => release(`y${n}`, age));
    expect(kept([...young, ...many]).slice(0, 9)).toEqual(
      young.map(({ release }) => `${release}: younger than 24 hours`),
    );
    expect(kept([release("edge", 24), ...many.slice(0, 5)])).not.toContain(
      "w/edge: younger than 24 hours",
    );
  });

  it("orders releases by when they were last live, so that a rollback stays possible", () => {
    expect(kept(many, ["r8", "r7"])).toEqual(
      ["1", "2", "3", "7", "8"].map((n) => `w/r${n}: one of the last 5`),
    );
  });

  it("counts each workspace separately", () => {
    const other = many.map((one) => ({
      ...one,
      workspaceId: "v",
      release: one.release.replace("w", "v"),
    }));
    expect(kept([...other, ...many])).toHaveLength(10);
  });

  it("removes incomplete releases", () => {
    const [verdict] = retentionVerdicts(
      [release("half", null)],
      { etag: "", values: new Map() },
      NOW,
    );
    expect(verdict).toEqual({ release: "w/half", keep: false, reason: "incomplete" });
  });
});
