import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { verify } from "../../src/publish/verify.ts";
import { statesBelow } from "../support/file-tree.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const INDEX = "api/v1/projects/site/index.json";
const UNLISTED = "not in the manifest";
const SCHEMA = "api/v1/projects/site/schema.json";

function publishedBed(): TestBed {
  const bed = new TestBed(
    smallWorkspace(),
    smallWorkspace({ id: "neighbour", projects: [projectOf("other", "home")] }),
  );
  for (const workspace of ["w", "neighbour"]) bed.publish({ workspace });
  return bed;
}

function put(bed: TestBed, path: string, text: string): void {
  mkdirSync(dirname(join(bed.out, path)), { recursive: true });
  writeFileSync(join(bed.out, path), text);
}

const verified = (bed: TestBed) => verify(bed.out, () => {});

describe("cli.md: verify checks out/ against its manifest", () => {
  it("finds all files of all workspaces unchanged, and touches none", () => {
    const bed = publishedBed();
    const states = statesBelow(bed.out);
    expect(verified(bed)).toEqual({ ok: true, files: 7, differs: [] });
    expect(statesBelow(bed.out)).toEqual(states);
  });

  it("reports every file that is missing, changed or unexpected, sorted by path", () => {
    const bed = publishedBed();
    rmSync(join(bed.out, INDEX));
    put(bed, SCHEMA, "{}\n");
    put(bed, "404.json", `${JSON.stringify(bed.file("404.json"))} \n`);
    put(bed, "api/v1/projects/site/experiences/old/content.json", "{}\n");
    put(bed, ".htaccess", "");
    symlinkSync("404.json", join(bed.out, "link.json"));
    expect(verified(bed)).toEqual({
      ok: false,
      files: 7,
      differs: [
        { path: ".htaccess", reason: "unexpected", detail: UNLISTED },
        { path: "404.json", reason: "changed", detail: "has 135 bytes, published were 134" },
        {
          path: "api/v1/projects/site/experiences/old/content.json",
          reason: "unexpected",
          detail: UNLISTED,
        },
        { path: INDEX, reason: "missing", detail: "is not there" },
        { path: SCHEMA, reason: "changed", detail: expect.stringMatching(/^has 3 bytes/) },
        { path: "link.json", reason: "unexpected", detail: UNLISTED },
      ],
    });
  });

  it("finds a changed file of the same size", () => {
    const bed = publishedBed();
    const { versionId } = bed.file(INDEX);
    put(bed, INDEX, JSON.stringify(bed.file(INDEX)).replace(versionId, "0".repeat(32)));
    put(bed, INDEX, `${JSON.stringify(bed.file(INDEX))}\n`);
    expect(verified(bed).differs).toEqual([
      {
        path: INDEX,
        reason: "changed",
        detail: `has version ${"0".repeat(32)}, not ${versionId}`,
      },
    ]);
  });

  it("succeeds again after svc write", () => {
    const bed = publishedBed();
    rmSync(join(bed.out, INDEX));
    put(bed, SCHEMA, "{}\n");
    bed.write("w");
    expect(verified(bed)).toEqual({ ok: true, files: 7, differs: [] });
  });

  it("fails when there is no manifest", () => {
    const bed = publishedBed();
    rmSync(join(bed.out, "manifest.json"));
    expect(() => verified(bed)).toThrow(expect.objectContaining({ code: "manifest-missing" }));
    rmSync(bed.out, { recursive: true });
    expect(() => verified(bed)).toThrow(expect.objectContaining({ code: "manifest-missing" }));
  });

  it.each([
    ["garbage", "{"],
    ["no manifest", '{"files":[]}'],
    [
      "a path that leaves out/",
      '{"files":{"../../etc/passwd":{"sha256":"","size":0}},"workspaces":{}}',
    ],
    [
      "a path that leaves out/ on Windows",
      '{"files":{"..\\\\etc\\\\passwd":{"sha256":"","size":0}},"workspaces":{}}',
    ],
    ["an absolute path", '{"files":{"/etc/passwd":{"sha256":"","size":0}},"workspaces":{}}'],
  ])("refuses a manifest that is %s, and so do publish and write", (_what, text) => {
    const bed = publishedBed();
    put(bed, "manifest.json", text);
    const states = statesBelow(bed.out);
    const refused = expect.objectContaining({ code: "manifest-invalid" });
    expect(() => verified(bed)).toThrow(refused);
    expect(() => bed.publish({ workspace: "w" })).toThrow(refused);
    expect(() => bed.write("w")).toThrow(refused);
    expect(statesBelow(bed.out)).toEqual(states);
  });
});
