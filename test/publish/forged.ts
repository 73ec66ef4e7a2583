import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Manifest } from "../../src/publish/manifest.ts";
import { pathsBelow } from "../support/file-tree.ts";
import type { TestBed } from "../support/test-bed.ts";

// Manipulations of out/ with a consistent manifest, for a workspace `w` with the project `site`.

/** Not the id of any version. */
export const FORGED = "0123456789abcdef0123456789abcdef";

export function readText(bed: TestBed, path: string): string {
  return readFileSync(join(bed.out, path), "utf8");
}

export function putText(bed: TestBed, path: string, text: string): void {
  writeFileSync(join(bed.out, path), text);
}

export function versionOf(bed: TestBed): string {
  return bed.file("manifest.json").workspaces.w.versionId;
}

/** The documents of the project `site`, in order of the paths. */
export function documentsOf(bed: TestBed): string[] {
  return pathsBelow(bed.out).filter((path) => path.includes("/projects/site/"));
}

/** Replaces the version id in a document. */
export function renameVersion(bed: TestBed, path: string, versionId: string): void {
  putText(bed, path, readText(bed, path).replaceAll(versionOf(bed), versionId));
}

/** Makes the manifest match the current files. */
export function sealManifest(bed: TestBed, versionId: string): void {
  const assets = pathsBelow(bed.out).filter((path) => path.startsWith("assets/"));
  const facts = [...documentsOf(bed), ...assets].map((path) => {
    const bytes = readFileSync(join(bed.out, path));
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    return [path, { sha256, size: bytes.length }];
  });
  const manifest = bed.file("manifest.json");
  manifest.workspaces.w = { versionId, files: Object.fromEntries(facts) };
  putText(bed, "manifest.json", `${JSON.stringify(manifest satisfies Manifest, null, 2)}\n`);
}
