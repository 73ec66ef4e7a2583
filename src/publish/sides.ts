import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { nothingPublished, type PublishedSide } from "../diff/snapshot.ts";
import type { Store } from "../store/store.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import { MANIFEST, WRITE_JOURNAL } from "./manifest.ts";
import { findVersion, snapshotOf, storedVersion } from "./version.ts";

/** D4: what a side of a comparison is, and what it is called. */
export type SideName =
  /** `published`, `draft`, or a version id or its beginning. */
  | { readonly kind: "store"; readonly name: string }
  | { readonly kind: "folder" | "out" | "url" | "target"; readonly name: string };

export const PUBLISHED: SideName = { kind: "store", name: "published" };
export const DRAFT: SideName = { kind: "store", name: "draft" };

/** A name of hex digits is a version id: a folder of such a name is `./<name>`. */
const OF_STORE = /^(?:published|draft|[0-9a-f]{1,32})$/i;

export function sideNamed(name: string): SideName {
  if (OF_STORE.test(name)) return { kind: "store", name };
  if (/^https?:/i.test(name)) return { kind: "url", name };
  if (name.startsWith("s3:")) return { kind: "target", name };
  // With a journal only, the first write of published files was interrupted: nothing is published.
  if ([MANIFEST, WRITE_JOURNAL].some((file) => existsSync(join(name, file)))) {
    return { kind: "out", name };
  }
  if (statSync(name, { throwIfNoEntry: false })?.isDirectory()) return { kind: "folder", name };
  throw new SvcError("side-not-found", `"${name}" is neither a version nor a folder`, {
    hint: "give a version (svc versions lists them), a workspace folder, published files, an address of an API, or a deploy target",
  });
}

/** D4d: as `storedSide`, with all of its documents read first: those of equal hashes are not compared. */
export function provenSide(store: Store, workspace: WorkspaceRow, name: string): PublishedSide {
  const side = storedSide(store, workspace, name);
  if (side.versionId === null) return side;
  const { documents, frozenBytes } = storedVersion(store, workspace, side.versionId);
  for (const { path } of documents) frozenBytes(path);
  return side;
}

/**
 * A version of a store. Use it within one transaction.
 *
 * @param name `published` (the current one, if there is one), or an id or its beginning.
 * @param before what was read before: the same version is the same side.
 * @throws SvcError as `findVersion`.
 */
export function storedSide(
  store: Store,
  workspace: WorkspaceRow,
  name: string,
  before?: PublishedSide,
): PublishedSide {
  const { number, id: workspaceId } = workspace;
  const { history, file } = store;
  const isCurrent = name === PUBLISHED.name;
  const versionId = isCurrent ? history.current(number) : findVersion(store, workspace, name);
  const nothing = nothingPublished("store", file);
  if (versionId === undefined) return nothing;
  const listed = history.list(number).find((one) => one.versionId === versionId);
  const at = listed?.publishedAt ?? null;
  if (before?.kind === "store" && before.versionId === versionId && before.at === at) return before;
  const snapshot = snapshotOf(storedVersion(store, workspace, versionId));
  return { ...nothing, workspaceId, versionId, at, snapshot };
}
