import { mkdirSync, rmSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import {
  documentsOf,
  FORGED,
  putText,
  readText,
  renameVersion,
  sealManifest,
  versionOf,
} from "./forged.ts";

const photo = heldAsset("photo", "photo.png", "a photo");
const HOME = "api/v1/projects/site/experiences/home/content.json";
const MORE = "api/v1/projects/site/experiences/more/content.json";
const INDEX = "api/v1/projects/site/index.json";
const SCHEMA = "api/v1/projects/site/schema.json";

function publishedBed(): TestBed {
  const workspace = smallWorkspace({
    entries: [page("home", "Home", { picture: { assetId: "photo" } })],
    assets: [photo.asset],
    files: new Map([photo.file]),
  });
  const bed = new TestBed(
    workspace,
    smallWorkspace({ id: "neighbour", projects: [projectOf("other", "home")] }),
  );
  for (const workspace of ["w", "neighbour"]) bed.publish({ workspace });
  return bed;
}

describe("R1: verify derives each version id from the documents", () => {
  it("R1: accepts a manifest with other formatting", () => {
    const bed = publishedBed();
    sealManifest(bed, versionOf(bed));
    expect(bed.verify()).toEqual({ ok: true, files: 8, differs: [] });
  });

  it("R1: reports a version id that is not derived from the documents, though all files agree", () => {
    const bed = publishedBed();
    const versionId = versionOf(bed);
    for (const path of documentsOf(bed)) renameVersion(bed, path, FORGED);
    sealManifest(bed, FORGED);
    const { ok, differs } = bed.verify();
    expect(ok).toBe(false);
    expect(differs).toEqual([
      { path: "manifest.json", reason: "changed", detail: expect.anything() },
    ]);
    const [{ detail } = { detail: "" }] = differs;
    for (const named of [FORGED, versionId, '"w"']) expect(detail).toContain(named);
    expect(detail).not.toContain("neighbour");
  });

  it.each<[what: string, forge: (bed: TestBed) => void]>([
    [
      "a document changed",
      (bed) => putText(bed, HOME, readText(bed, HOME).replace('"Home"', '"Evil"')),
    ],
    ["a document removed", (bed) => rmSync(join(bed.out, HOME))],
    [
      "a document added",
      (bed) => {
        mkdirSync(join(bed.out, dirname(MORE)));
        putText(bed, MORE, readText(bed, HOME));
      },
    ],
    [
      "two documents exchanged",
      (bed) => {
        const [index, schema] = [readText(bed, INDEX), readText(bed, SCHEMA)];
        putText(bed, INDEX, schema);
        putText(bed, SCHEMA, index);
      },
    ],
  ])("R1: reports %s, with a matching manifest", (_what, forge) => {
    const bed = publishedBed();
    forge(bed);
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toEqual([
      {
        path: "manifest.json",
        reason: "changed",
        detail: expect.stringContaining(`has version ${versionOf(bed)} for "w"`),
      },
    ]);
  });

  it("R1: reports a manifest with another version id than the documents", () => {
    const bed = publishedBed();
    sealManifest(bed, FORGED);
    const { differs } = bed.verify();
    const named = differs.filter(({ path }) => path !== "manifest.json");
    expect(named.map(({ path }) => path)).toEqual(documentsOf(bed));
    for (const { reason, detail } of named) {
      expect([reason, detail]).toEqual(["changed", expect.stringContaining(FORGED)]);
    }
  });

  it("R1: reports a document with another version id, with a matching manifest", () => {
    const bed = publishedBed();
    renameVersion(bed, HOME, FORGED);
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toEqual([
      { path: HOME, reason: "changed", detail: expect.stringContaining(versionOf(bed)) },
    ]);
  });

  it.each([
    ["no version", "{}\n"],
    ["null as its version", '{"versionId":null}\n'],
    ["nothing at all", ""],
  ])("R1: reports a document with %s, with a matching manifest", (_what, text) => {
    const bed = publishedBed();
    putText(bed, HOME, text);
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toMatchObject([{ path: HOME, reason: "changed" }]);
  });

  it("reports the version of a document of an earlier version", () => {
    const bed = publishedBed();
    const before = { text: readText(bed, HOME), versionId: versionOf(bed) };
    bed.import(smallWorkspace({ entries: [page("home", "New")] }));
    bed.publish({ workspace: "w" });
    putText(bed, HOME, before.text);
    const detail = `has version ${before.versionId}, not ${versionOf(bed)}`;
    expect(bed.verify().differs).toEqual([{ path: HOME, reason: "changed", detail }]);
  });

  it("F1: reports an asset whose bytes do not match its path, with a matching manifest", () => {
    const bed = publishedBed();
    putText(bed, photo.path, "b photo");
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toMatchObject([{ path: photo.path, reason: "changed" }]);
  });
});
