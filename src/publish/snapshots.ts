import { entryReader, isOfEntries, shownBy } from "../diff/recipe-entries.ts";
import { shownIn } from "../diff/shown-entries.ts";
import { parsedSnapshot, type Snapshot } from "../diff/snapshot.ts";
import { addressOfFilePath } from "../documents/address.ts";
import type { FrozenDocument } from "../documents/frozen-version.ts";
import { leftOutOf } from "../documents/hidden-entries.ts";
import { assemble, parseRecipe } from "../documents/recipe.ts";
import type { Rendering } from "../documents/rendering.ts";
import type { ServeOptions } from "../documents/serve-stale.ts";
import type { Texts } from "../documents/texts.ts";
import { sha256 } from "../documents/version-id.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import { frozenBytes } from "./file-content.ts";
import { cacheRendering, openRendering, type RenderingHow } from "./open-rendering.ts";
import { renderDraft } from "./render-draft.ts";
import type { VersionStore } from "./version-store.ts";

/** The frozen documents of a version. Use it within one transaction. */
export function versionSnapshot(
  store: VersionStore,
  { number }: WorkspaceRow,
  versionId: string,
): Snapshot {
  const { documents } = store.versions.contents(number, versionId);
  const byPath = new Map(documents.map((document) => [document.path, document]));
  const find = (path: string) => {
    const document = byPath.get(path);
    if (document === undefined) throw new TypeError(`the version has no document "${path}"`);
    return document;
  };
  const texts = store.openTexts();
  const hashes = new Map(documents.map(({ path, frozen }) => [path, frozen]));
  const document = (path: string) => parse(frozenBytes(find(path), texts));
  const isOneText = ({ path, recipe }: FrozenDocument) =>
    !isOfEntries(recipe) && addressOfFilePath(path)?.kind === "content";
  // Documents frozen by an older program have no numbers of entries.
  if (documents.some(isOneText)) return parsedSnapshot(hashes, document);
  return {
    documents: hashes,
    sha256: (path) => find(path).frozen,
    document,
    shown(path) {
      const { recipe } = find(path);
      try {
        return shownBy(recipe);
      } catch {
        // Reading the document reports the damage.
        return shownIn(document(path));
      }
    },
    entry: entryReader((text) => texts.read(text)),
  };
}

export interface DraftSnapshot extends Snapshot {
  /** Whether errors prevent publishing (R4). */
  readonly hasErrors: boolean;
  readonly problems: readonly Problem[];
}

export interface DraftSnapshotOptions extends ServeOptions, RenderingHow {
  /** Whether it runs in a write transaction, so that the rendering can be cached. */
  readonly canWrite?: boolean;
}

/** The documents that publishing the draft would freeze. Use it within one transaction. */
export function draftSnapshot(
  store: VersionStore,
  workspace: WorkspaceRow,
  options: DraftSnapshotOptions = {},
): DraftSnapshot {
  const rendering = openRendering(store, workspace, options, options.canWrite);
  const snapshot = renderingSnapshot(store, workspace, rendering, options);
  const { problems } = snapshot;
  const leftOut = leftOutOf(rendering.table.hidden);
  if (options.canWrite) cacheRendering(store, workspace, options, rendering, { problems, leftOut });
  return snapshot;
}

/** As `draftSnapshot`, of a rendering that has a text store. */
export function renderingSnapshot(
  store: VersionStore,
  { number }: WorkspaceRow,
  rendering: Rendering,
  options: ServeOptions = {},
): DraftSnapshot {
  const { problems, recipes } = renderDraft(rendering, options);
  const current = store.history.current(number);
  const frozen = current === undefined ? [] : store.versions.contents(number, current).documents;
  const known = new Map(frozen.map((document) => [document.path, document]));
  const find = (path: string) => {
    const recipe = recipes.get(path);
    if (recipe === undefined) throw new TypeError(`the draft has no document "${path}"`);
    return recipe;
  };
  const textOf = (text: number) => (rendering.texts as Texts).read(text);
  const bytesOf = (path: string) => assemble(parseRecipe(find(path)), rendering.texts as Texts);
  const hash = (path: string) => sha256(bytesOf(path));
  const keyOf = (path: string, recipe: string) => {
    const before = known.get(path);
    if (before?.recipe === recipe) return before.frozen;
    return isOfEntries(recipe) && isOfEntries(before?.recipe ?? recipe) ? recipe : hash(path);
  };
  return {
    documents: new Map([...recipes].map(([path, recipe]) => [path, keyOf(path, recipe)])),
    sha256: hash,
    problems,
    hasErrors: problems.some(({ level }) => level === "error"),
    document: (path) => parse(bytesOf(path)),
    shown: (path) => shownBy(find(path)),
    entry: entryReader(textOf),
  };
}

function parse(bytes: Uint8Array): JsonObject {
  return JSON.parse(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString());
}
