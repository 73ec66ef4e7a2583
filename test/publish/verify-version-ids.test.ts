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

function published(): TestBed {
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
  it("R1: finds nothing wrong with a manifest that was only written in another form", () => {
    const bed = published();
    sealManifest(bed, versionOf(bed));
    expect(bed.verify()).toEqual({ ok: true, files: 8, differs: [] });
  });

  it("R1: finds a version id that files and manifest agree on, but that is not theirs", () => {
    const bed = published();
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
  ])("R1: finds %s, with the manifest made to agree", (_what, forge) => {
    const bed = published();
    forge(bed);
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toEqual([
      {
        path: "manifest.json",
        reason: "changed",
        detail: expect.stringContaining(`says version ${versionOf(bed)} of "w"`),
      },
    ]);
  });

  it("R1: finds a manifest in which only the version id is another: no document names it", () => {
    const bed = published();
    sealManifest(bed, FORGED);
    const { differs } = bed.verify();
    const named = differs.filter(({ path }) => path !== "manifest.json");
    expect(named.map(({ path }) => path)).toEqual(documentsOf(bed));
    for (const { reason, detail } of named) {
      expect([reason, detail]).toEqual(["changed", expect.stringContaining(FORGED)]);
    }
  });

  it("R1: finds a document that names another version, with the manifest made to agree", () => {
    const bed = published();
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
  ])("R1: finds a document that names %s, with the manifest made to agree", (_what, text) => {
    const bed = published();
    putText(bed, HOME, text);
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toMatchObject([{ path: HOME, reason: "changed" }]);
  });

  it("tells of a document of an earlier version which version it is of", () => {
    const bed = published();
    const before = { text: readText(bed, HOME), versionId: versionOf(bed) };
    bed.import(smallWorkspace({ entries: [page("home", "New")] }));
    bed.publish({ workspace: "w" });
    putText(bed, HOME, before.text);
    const detail = `is of version ${before.versionId}, not ${versionOf(bed)}`;
    expect(bed.verify().differs).toEqual([{ path: HOME, reason: "changed", detail }]);
  });

  it("F1: finds an asset whose bytes are not those of its path, with the manifest made to agree", () => {
    const bed = published();
    putText(bed, photo.path, "b photo");
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toMatchObject([{ path: photo.path, reason: "changed" }]);
  });
});
