import { addressOfFilePath } from "../documents/address.ts";
import { publishedHashes, sha256, versionIdOf } from "../documents/version-id.ts";
import type { FileDifference } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { type FileFact, MANIFEST, type Manifest } from "./manifest.ts";

/** What was published, as the manifest says, beside what is found, file by file. */
export class PublishedComparison {
  /** Every file that the manifest names. */
  readonly facts: ReadonlyMap<string, FileFact>;
  readonly #manifest: Manifest;
  readonly #differs: FileDifference[] = [];
  /** The SHA-256 of documents with version id null, for those that are as published. */
  readonly #unversioned = new Map<string, string>();
  readonly #versionIds = new Map<string, string>();

  constructor(manifest: Manifest) {
    this.#manifest = manifest;
    const facts = new Map(Object.entries(manifest.files));
    for (const { versionId, files } of Object.values(manifest.workspaces)) {
      for (const [path, fact] of Object.entries(files)) {
        if (facts.has(path) && addressOfFilePath(path) !== undefined) {
          this.differ(MANIFEST, "changed", `names "${path}" twice`);
        }
        facts.set(path, fact);
        this.#versionIds.set(path, versionId);
      }
    }
    this.facts = facts;
  }

  /** The bytes that were found for a file of the manifest. */
  see(path: string, bytes: Uint8Array): void {
    const fact = this.facts.get(path) as FileFact;
    if (addressOfFilePath(path) === undefined) {
      const found = sha256(bytes);
      if (found !== fact.sha256) this.differ(path, "changed", sizes(bytes.byteLength, fact.size));
      else if (!isAddressedBy(path, found)) {
        this.differ(path, "changed", "has other bytes than its address says");
      }
      return;
    }
    const wanted = this.#versionIds.get(path);
    const { file, unversioned, versionId } = publishedHashes(bytes);
    if (file !== fact.sha256) {
      const detail =
        versionId === undefined || versionId === wanted
          ? sizes(bytes.byteLength, fact.size)
          : `is of version ${versionId}, not ${wanted}`;
      this.differ(path, "changed", detail);
    } else if (unversioned === undefined || versionId !== wanted) {
      this.differ(path, "changed", `does not name the version ${wanted}`);
    } else this.#unversioned.set(path, unversioned);
  }

  differ(path: string, reason: FileDifference["reason"], detail: string): void {
    this.#differs.push({ path, reason, detail });
  }

  /** All differences in order of the paths, after every file was seen or found missing. */
  end(): FileDifference[] {
    for (const [id, { versionId, files }] of Object.entries(this.#manifest.workspaces)) {
      const documents = Object.keys(files).filter((path) => addressOfFilePath(path) !== undefined);
      if (!documents.every((path) => this.#unversioned.has(path))) continue;
      const derived = versionIdOf(
        Object.fromEntries(documents.map((path) => [path, this.#unversioned.get(path) as string])),
      );
      if (derived === versionId) continue;
      const detail = `says version ${versionId} of "${id}", whose documents are version ${derived}`;
      this.differ(MANIFEST, "changed", detail);
    }
    return this.#differs.sort((a, b) => byCodeUnit(a.path, b.path));
  }
}

/** F1: the path of an asset names the beginning of the hash of its bytes. */
function isAddressedBy(path: string, sha256: string): boolean {
  const [folder, hash] = path.split("/");
  return folder !== "assets" || hash === sha256.slice(0, 16);
}

function sizes(found: number, wanted: number): string {
  return found === wanted
    ? `has other bytes than were published, ${wanted} as before`
    : `has ${found} bytes, published were ${wanted}`;
}
