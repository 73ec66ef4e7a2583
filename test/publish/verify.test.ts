import { execFileSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Verified, verify } from "../../src/publish/verify.ts";
import type { FileDifference } from "../../src/workspace/errors.ts";
import { bytesBelow, statesBelow } from "../support/file-tree.ts";
import {
  HOME,
  INDEX,
  NEWS,
  PHOTO,
  publishedPagesBed,
  SCHEMA,
} from "../support/publish/published-pages-bed.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import {
  documentsOf,
  FORGED,
  putText,
  readText,
  renameVersion,
  sealManifest,
  versionOf,
} from "./forged.ts";

/** Puts something else in place of the file. */
function replace(bed: TestBed, path: string, make: (path: string) => void): void {
  rmSync(join(bed.out, path), { recursive: true });
  make(join(bed.out, path));
}

describe("F6: verify reports each file that is not as published", () => {
  type Case = [what: string, damage: (bed: TestBed) => void, finds: Partial<FileDifference>];
  const CASES: readonly Case[] = [
    [
      "an asset of other bytes of the same size",
      ({ out }) => writeFileSync(join(out, PHOTO.path), "b photo"),
      { path: PHOTO.path, reason: "changed", detail: expect.stringContaining("other bytes") },
    ],
    [
      "a truncated asset",
      ({ out }) => truncateSync(join(out, PHOTO.path), 3),
      { path: PHOTO.path, reason: "changed", detail: "has 3 bytes, published were 7" },
    ],
    [
      "a missing asset",
      ({ out }) => rmSync(join(out, PHOTO.path)),
      { path: PHOTO.path, reason: "missing", detail: "is not there" },
    ],
    [
      "an empty document",
      ({ out }) => truncateSync(join(out, HOME), 0),
      { path: HOME, reason: "changed", detail: expect.stringMatching(/^has 0 bytes, publ/) },
    ],
    [
      "a document with one changed bit",
      (bed) => {
        const bytes = Buffer.from(bytesBelow(bed.out)[SCHEMA] ?? "", "latin1");
        bytes[100] = (bytes[100] ?? 0) ^ 1;
        writeFileSync(join(bed.out, SCHEMA), bytes);
      },
      { path: SCHEMA, reason: "changed", detail: expect.stringContaining("other bytes") },
    ],
    [
      "a folder in place of a file",
      (bed) => replace(bed, INDEX, mkdirSync),
      { path: INDEX, reason: "changed", detail: expect.stringMatching(/^is a folder/) },
    ],
    [
      "a link to the same bytes in place of a file",
      ({ out, folder }) => {
        renameSync(join(out, INDEX), join(folder, "moved.json"));
        symlinkSync(join(folder, "moved.json"), join(out, INDEX));
      },
      { path: INDEX, reason: "changed", detail: expect.stringMatching(/^is a link/) },
    ],
    [
      "a pipe in place of a file",
      (bed) => replace(bed, INDEX, (path) => execFileSync("mkfifo", [path])),
      { path: INDEX, reason: "changed", detail: expect.not.stringContaining("link") },
    ],
    [
      "a file in place of a folder",
      (bed) =>
        replace(bed, `assets/${PHOTO.path.split("/")[1]}`, (path) => writeFileSync(path, "")),
      { path: PHOTO.path, reason: "missing" },
    ],
    [
      "a document of an unpublished project",
      ({ out }) => {
        mkdirSync(join(out, "api/v1/projects/old"));
        writeFileSync(join(out, "api/v1/projects/old/index.json"), "{}\n");
      },
      {
        path: "api/v1/projects/old/index.json",
        reason: "unexpected",
        detail: "not in the manifest",
      },
    ],
    [
      "a file beside an asset",
      ({ out }) => writeFileSync(join(out, `${PHOTO.path}.bak`), "a photo"),
      { path: `${PHOTO.path}.bak`, reason: "unexpected", detail: "not in the manifest" },
    ],
  ];

  it.each(CASES)("%s", (_what, damage, finds) => {
    const bed = publishedPagesBed();
    damage(bed);
    const { ok, files, differs } = bed.verify();
    expect({ ok, files }).toEqual({ ok: false, files: 6 });
    const [found, ...others] = differs.filter(({ reason }) => reason === finds.reason);
    expect({ found, others }).toMatchObject({ found: finds, others: [] });
  });

  it("all of them, sorted by path, each once", () => {
    const bed = publishedPagesBed();
    rmSync(join(bed.out, "api"), { recursive: true });
    truncateSync(join(bed.out, PHOTO.path), 1);
    const { differs, interrupted } = bed.verify();
    expect(interrupted).toBeUndefined();
    const paths = differs.map(({ path }) => path);
    const manifest = bed.file("manifest.json");
    expect(paths).toEqual(Object.keys(manifest.workspaces.w.files).toSorted());
  });

  it("and touches nothing", () => {
    const bed = publishedPagesBed();
    const touch = [HOME, PHOTO.path];
    for (const path of touch) writeFileSync(join(bed.out, path), "damageed");
    rmSync(join(bed.out, INDEX));
    const states = statesBelow(bed.folder);
    expect(bed.verify().differs).toHaveLength(3);
    expect(statesBelow(bed.folder)).toEqual(states);
  });
});

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

/** Verifies as a user without root rights, and prints the result. */
const VERIFY_AS_USER = `
  import { verify } from ${JSON.stringify(new URL("../../src/publish/verify.ts", import.meta.url))};
  if (process.getuid?.() === 0) {
    process.setegid(65534);
    process.seteuid(65534);
  }
  console.log(JSON.stringify(verify(process.argv[1], () => {})));`;

function verifyAsUser(out: string): Verified {
  const args = ["--input-type=module", "--eval", VERIFY_AS_USER, out];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

describe("F6: verify and unreadable files", () => {
  it.each([
    ["a document", INDEX, INDEX],
    ["each file of a folder that has documents", "api/v1/projects/site/experiences/news", NEWS],
  ])("reports %s without read permission, and compares the rest", (_what, closed, path) => {
    const bed = publishedPagesBed();
    chmodSync(bed.folder, 0o755);
    rmSync(join(bed.out, HOME));
    chmodSync(join(bed.out, closed), 0o000);
    onTestFinished(() => chmodSync(join(bed.out, closed), 0o755));
    const { ok, files, differs } = verifyAsUser(bed.out);
    expect({ ok, files }).toEqual({ ok: false, files: 6 });
    const detail = "cannot be read (EACCES)";
    expect(differs).toContainEqual({ path: HOME, reason: "missing", detail: "is not there" });
    expect(differs).toContainEqual({ path, reason: "unreadable", detail });
  });

  it("reports each file below a folder that is a link to itself", () => {
    const bed = publishedPagesBed();
    const experiences = join(bed.out, "api/v1/projects/site/experiences");
    rmSync(experiences, { recursive: true });
    symlinkSync(experiences, experiences);
    const unreadable = bed.verify().differs.filter(({ reason }) => reason === "unreadable");
    const detail = "cannot be read (ELOOP)";
    expect(unreadable).toEqual(
      [HOME, NEWS].map((path) => ({ path, reason: "unreadable", detail })),
    );
  });

  it("compares the files when .svc-lock is a folder", () => {
    const bed = publishedPagesBed();
    rmSync(join(bed.out, HOME));
    mkdirSync(join(bed.out, ".svc-lock"));
    expect(bed.verify().differs).toContainEqual(
      expect.objectContaining({ path: HOME, reason: "missing" }),
    );
  });
});

const MORE = "api/v1/projects/site/experiences/more/content.json";

function versionBed(): TestBed {
  const workspace = smallWorkspace({
    entries: [page("home", "Home", { picture: { assetId: "photo" } })],
    assets: [PHOTO.asset],
    files: new Map([PHOTO.file]),
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
    const bed = versionBed();
    sealManifest(bed, versionOf(bed));
    expect(bed.verify()).toEqual({ ok: true, files: 8, differs: [] });
  });

  it("R1: reports a version id that is not derived from the documents, though all files agree", () => {
    const bed = versionBed();
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
    const bed = versionBed();
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
    const bed = versionBed();
    sealManifest(bed, FORGED);
    const { differs } = bed.verify();
    const named = differs.filter(({ path }) => path !== "manifest.json");
    expect(named.map(({ path }) => path)).toEqual(documentsOf(bed));
    for (const { reason, detail } of named) {
      expect([reason, detail]).toEqual(["changed", expect.stringContaining(FORGED)]);
    }
  });

  it("R1: reports a document with another version id, with a matching manifest", () => {
    const bed = versionBed();
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
    const bed = versionBed();
    putText(bed, HOME, text);
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toMatchObject([{ path: HOME, reason: "changed" }]);
  });

  it("reports the version of a document of an earlier version", () => {
    const bed = versionBed();
    const before = { text: readText(bed, HOME), versionId: versionOf(bed) };
    bed.import(smallWorkspace({ entries: [page("home", "New")] }));
    bed.publish({ workspace: "w" });
    putText(bed, HOME, before.text);
    const detail = `has version ${before.versionId}, not ${versionOf(bed)}`;
    expect(bed.verify().differs).toEqual([{ path: HOME, reason: "changed", detail }]);
  });

  it("F1: reports an asset whose bytes do not match its path, with a matching manifest", () => {
    const bed = versionBed();
    putText(bed, PHOTO.path, "b photo");
    sealManifest(bed, versionOf(bed));
    expect(bed.verify().differs).toMatchObject([{ path: PHOTO.path, reason: "changed" }]);
  });
});
