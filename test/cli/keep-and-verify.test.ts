import { rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { statesBelow } from "../support/file-tree.ts";
import type { Parts } from "../support/test-bed.ts";
import { draftBed, publishedBed } from "./published-bed.ts";

describe("R8: svc publish --keep", () => {
  it("keeps 20 versions by default, and lists those that were pruned", () => {
    const drafts = Array.from({ length: 22 }, (_, index) => ({
      projects: [{ id: `site-${index}`, name: "Site", steps: [], experiences: [] }],
    }));
    const { bed, versions } = publishedBed(...drafts);
    expect(bed.json(0, "publish").pruned).toEqual([versions[1], versions[0]]);
    expect(bed.json(0, "publish", "--keep", "2").pruned).toEqual(
      versions.slice(2, 20).toReversed(),
    );
    expect(bed.json(0, "versions").versions).toHaveLength(2);
    const { error } = bed.json(4, "rollback", versions[5] ?? "");
    expect([error.code, error.message]).toEqual([
      "version-pruned",
      expect.stringContaining(versions[5] ?? "none"),
    ]);
  });

  it.each(["0", "-1", "x", "1e1"])("refuses %j as wrong usage, and publishes nothing", (keep) => {
    const bed = new CliBed();
    const [error] = bed.failure(2, "publish", `--keep=${keep}`);
    expect(error).toContain("--keep");
    expect(statesBelow(bed.folder)).toEqual({});
  });
});

describe("R12: svc publish --max-removals", () => {
  it("refuses more than 20% by default, with the count and a hint", () => {
    const { bed } = draftBed(site(8), site(2));
    const { error } = bed.json(4, "publish");
    expect(error).toEqual({
      code: "too-many-removals",
      message: "6 of 10 documents would be removed from what is published; the limit is 3",
      hint: "--dry-run lists them; --max-removals 6 allows them",
    });
    const dry = bed.run("publish", "--dry-run", "--max-removals", "50%");
    expect(dry.status).toBe(4);
    expect(dry.stdout).toContain(
      "svc publish would refuse to remove 6 of 10 documents: the limit is 5 (--max-removals 6 allows them)",
    );
    expect(bed.json(4, "publish", "--dry-run").removals).toEqual({ count: 6, of: 10, limit: 3 });
    expect(bed.json(0, "publish", "--max-removals", "60%").published).toBe(true);
  });

  it.each(["-1", "x", "1e1", "0%", "101%", "20 %", ""])("refuses %j as wrong usage", (limit) => {
    const [error] = new CliBed().failure(2, "publish", `--max-removals=${limit}`);
    expect(error).toContain("--max-removals");
  });
});

describe("R12b: svc publish --max-size", () => {
  it("refuses more, says what allows it, and the size of what is published", () => {
    const { bed } = draftBed(site(1, "x".repeat(1.2e6)));
    const { error } = bed.json(4, "publish", "--max-size", "1MB");
    expect(error).toMatchObject({
      code: "publish-too-large",
      hint: "svc stats shows what is large; --max-size 2MB allows it; nothing was changed",
    });
    expect(bed.ok("publish", "--max-size", "2MB").stdout).toMatch(/ 0 removed, 1\.2 MB in all; /);
  });

  it.each(["-1", "0MB", "1", "1 GB", "1kB", ""])("refuses %j as wrong usage", (size) => {
    const [error] = new CliBed().failure(2, "publish", `--max-size=${size}`);
    expect(error).toContain("--max-size");
  });
});

/** A project of so many experiences. */
function site(experiences: number, name?: string): Parts {
  const steps = [{ id: "s", key: "s", name: "S", layoutName: "L", layoutContentId: "home" }];
  const ids = Array.from({ length: experiences }, (_, index) => `x${index}`);
  return {
    models: [{ id: "page", key: "page", name: "Page", fields: [] }],
    entries: [{ id: "home", modelId: "page", data: {} }],
    projects: [
      {
        id: "site",
        name: "Site",
        steps,
        experiences: ids.map((id) => ({ id, key: id, name: name ?? id, stepIds: ["s"] })),
      },
    ],
  };
}

describe("cli.md: svc verify", () => {
  it("--url with a port that HTTP clients block is wrong usage", () => {
    const { bed } = publishedBed("One");
    expect(bed.failure(2, "verify", "--url", "http://127.0.0.1:9/api/v1")[0]).toBe(
      'error: "http://127.0.0.1:9/api/v1" has a port that HTTP clients block, so nothing was requested',
    );
  });

  it("lists what differs and why, with exit status 1 and a hint", () => {
    const { bed, versions } = publishedBed("One");
    const path = "api/v1/projects/site/index.json";
    rmSync(bed.path("out", path));
    const note = { w: { versionId: versions[0], files: [] } };
    writeFileSync(bed.path("out", ".svc-writing.json"), `${JSON.stringify(note)}\n`);
    expect(bed.json(1, "verify")).toEqual({
      ok: false,
      files: 4,
      differs: [{ code: "file-missing", path, reason: "missing", detail: "is not there" }],
      counts: { errors: 1, warnings: 0, byCode: { "file-missing": 1 } },
      interrupted: [{ workspaceId: "w", versionId: versions[0] }],
    });
    const { status, stdout, stderr } = bed.run("verify");
    expect(status).toBe(1);
    expect(stdout).toMatch(new RegExp(`^missing +${path}: is not there\n`));
    expect(stdout).toContain(`interrupted a write of version ${versions[0]} of "w"\n`);
    expect(stdout).toMatch(/\nout: 1 file differs, because a write was interrupted\n$/);
    expect(stderr).toBe("hint: svc publish <folder> completes it; with a store, svc write\n");
    bed.ok("write");
    expect(bed.ok("verify")).toEqual({
      status: 0,
      stdout: "out: 4 files, all as published\n",
      stderr: "",
    });
  });
});
