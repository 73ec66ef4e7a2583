import { addressOfFilePath } from "../documents/address.ts";
import { type FileFact, publishedHashes, sha256, versionIdOf } from "../documents/version-id.ts";
import type { FileDifference } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { MANIFEST, type Manifest } from "./manifest.ts";

/** Compares files with the manifest, one by one. */
export class PublishedComparison {
  /** All files of the manifest. */
  readonly facts: ReadonlyMap<string, FileFact>;
  readonly #manifest: Manifest;
  readonly #differs: FileDifference[] = [];
  /** SHA-256 with version id null of the documents without differences. */
  readonly #unversioned = new Map<string, string>();
  readonly #versionIds = new Map<string, string>();

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
    const facts = new Map(Object.entries(manifest.files));
    for (const { versionId, files } of Object.values(manifest.workspaces)) {
      for (const [path, fact] of Object.entries(files)) {
        if (facts.has(path) && addressOfFilePath(path) !== undefined) {
          this.addDifference(MANIFEST, "changed", `lists "${path}" twice`);
        }
        facts.set(path, fact);
        this.#versionIds.set(path, versionId);
      }
    }
    this.facts = facts;
  }

  /** Compares the bytes found for a file of the manifest. */
  compare(path: string, bytes: Uint8Array): void {
    const fact = this.facts.get(path) as FileFact;
    if (addressOfFilePath(path) === undefined) {
      const found = sha256(bytes);
      if (found !== fact.sha256)
        this.addDifference(path, "changed", sizes(bytes.byteLength, fact.size));
      else if (!isAddressedBy(path, found)) {
        this.addDifference(path, "changed", "has bytes that do not match the hash in its path");
      }
      return;
    }
    const expected = this.#versionIds.get(path);
    const { file, unversioned, versionId } = publishedHashes(bytes);
    if (file !== fact.sha256) {
      const detail =
        versionId === undefined || versionId === expected
          ? sizes(bytes.byteLength, fact.size)
          : `has version ${versionId}, not ${expected}`;
      this.addDifference(path, "changed", detail);
    } else if (unversioned === undefined || versionId !== expected) {
      this.addDifference(path, "changed", `does not have version ${expected}`);
    } else this.#unversioned.set(path, unversioned);
  }

  addDifference(path: string, reason: FileDifference["reason"], detail: string): void {
    this.#differs.push({ path, reason, detail });
  }

  /** Call it after all files. Returns the differences, sorted by path. */
  finish(): FileDifference[] {
    for (const [id, { versionId, files }] of Object.entries(this.#manifest.workspaces)) {
      const documents = Object.keys(files).filter((path) => addressOfFilePath(path) !== undefined);
      if (!documents.every((path) => this.#unversioned.has(path))) continue;
      const derived = versionIdOf(
        Object.fromEntries(documents.map((path) => [path, this.#unversioned.get(path) as string])),
      );
      if (derived === versionId) continue;
      const detail = `has version ${versionId} for "${id}", but its documents are version ${derived}`;
      this.addDifference(MANIFEST, "changed", detail);
    }
    return this.#differs.sort((a, b) => byCodeUnit(a.path, b.path));
  }
}

/** F1: the path of an asset has the first 16 digits of the hash of its bytes. */
function isAddressedBy(path: string, sha256: string): boolean {
  const [folder, hash] = path.split("/");
  return folder !== "assets" || hash === sha256.slice(0, 16);
}

function sizes(found: number, expected: number): string {
  return found === expected
    ? `has other bytes of the same size (${expected})`
    : `has ${found} bytes, published were ${expected}`;
}
