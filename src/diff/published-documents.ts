import { addressOfFilePath } from "../documents/address.ts";
import { ByteHolder, type HeldBytes, heldText } from "../documents/held-bytes.ts";
import { publishedHashes, versionIdOf, withoutVersionId } from "../documents/version-id.ts";
import { SvcError } from "../workspace/errors.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Snapshot } from "./snapshot.ts";

/** Collects the published documents of a version, from wherever they are. */
export class PublishedDocuments {
  readonly #bytes = new ByteHolder();
  readonly #documents = new Map<string, HeldBytes>();
  /** SHA-256 with version id null, by path. */
  readonly #hashes = new Map<string, string>();
  readonly #versionIds = new Map<string, string>();

  /**
   * Adds a document by its path below `out/`.
   *
   * @returns its version id; undefined when the bytes are not a published document.
   */
  add(path: string, bytes: Uint8Array): string | undefined {
    const { unversioned, versionId } = publishedHashes(bytes);
    if (unversioned === undefined || versionId === undefined) return undefined;
    this.#hashes.set(path, unversioned);
    this.#versionIds.set(path, versionId);
    this.#documents.set(path, this.#bytes.add(bytes));
    return versionId;
  }

  /** The version ids that the documents have: one, unless they are of several versions. */
  get versionIds(): string[] {
    return [...new Set(this.#versionIds.values())];
  }

  /** Whether these are all documents of this version (R1). */
  areAllOf(versionId: string): boolean {
    const isOne = this.versionIds.every((id) => id === versionId);
    return isOne && versionIdOf(this.#hashes) === versionId;
  }

  get projectIds(): string[] {
    return projectIdsOf(this.#hashes.keys());
  }

  snapshot(): Snapshot {
    const document = (path: string) => parse(path, this.#documents.get(path) as HeldBytes);
    return { documents: this.#hashes, document };
  }
}

/** The ids of the projects that have documents at these paths, in order. */
export function projectIdsOf(paths: Iterable<string>): string[] {
  const ids = [...paths].flatMap((path) => addressOfFilePath(path)?.projectId ?? []);
  return [...new Set(ids)].sort();
}

/**
 * The workspace that is meant.
 *
 * @param wanted undefined: the only one.
 * @throws SvcError `workspace-ambiguous`.
 */
export function chosenWorkspace(
  where: string,
  workspaceIds: readonly string[],
  wanted: string | undefined,
): string | undefined {
  if (wanted !== undefined || workspaceIds.length <= 1) return wanted ?? workspaceIds[0];
  throw new SvcError("workspace-ambiguous", `${where} has several workspaces`, {
    hint: `name one with --workspace: ${[...workspaceIds].sort().join(", ")}`,
  });
}

/** Documents of a version that passed R1 are JSON, unless another program has made them. */
function parse(path: string, bytes: HeldBytes): JsonObject {
  try {
    return JSON.parse(withoutVersionId(Buffer.from(heldText(bytes))).toString());
  } catch (cause) {
    throw new SvcError("published-invalid", `the published document "${path}" is not JSON`, {
      hint: "it was not written by svc: publish and deploy again",
      cause,
    });
  }
}
