import type { DraftState } from "./draft-state.ts";
import { type FileView, fileView } from "./file-view.ts";
import { folded, wordsOf } from "./search-text.ts";
import type { UseIndex } from "./where-used.ts";

/** Assets in one answer: few, as what is asked of them names them in an address. */
const PAGE = 50;

export interface AssetLine {
  readonly id: string;
  /** Its title, else the name of its file, else its id. */
  readonly title: string;
  /** Absent: it is named, but the draft does not have it. */
  readonly file?: FileView;
}

export type AssetView = NonNullable<ReturnType<typeof assetView>>;

export function assetView(state: DraftState, id: string) {
  const asset = state.draft.assets.get(id);
  if (asset === undefined) return undefined;
  const versions = asset.versions ?? [];
  return {
    id,
    title: assetTitle(state, id),
    file: fileView(state, asset),
    versions: versions.map((one) => ({ id: one.id, file: fileView(state, one) })),
  };
}

export interface AssetList {
  readonly total: number;
  readonly rows: readonly AssetLine[];
}

/**
 * H36: the assets of a draft by title.
 *
 * @param only `unused`, `missing`, `images` or `files`; else all
 */
export function assetList(
  state: DraftState,
  { q, only, offset }: { q: string; only: string; offset: number },
  uses: () => UseIndex,
): AssetList {
  const all =
    only === "missing" ? uses().missingAssets.map((id) => ({ id, title: id })) : linesOf(state);
  const words = wordsOf(q);
  const found = all.filter(({ id, title, file }: AssetLine) => {
    const isImage = file?.mimeType.startsWith("image/") === true;
    if (only === "unused" && !uses().isUnused("assets", id)) return false;
    if ((only === "images" && !isImage) || (only === "files" && isImage)) return false;
    const text = folded(`${title} ${file?.fileName ?? ""} ${id}`);
    return words.every((word) => text.includes(word));
  });
  return { total: found.length, rows: found.slice(offset, offset + PAGE) };
}

export function assetTitle(state: DraftState, id: string): string {
  const asset = state.draft.assets.get(id);
  return asset === undefined ? id : fileView(state, asset).title?.trim() || asset.fileName;
}

const lines = new WeakMap<DraftState, readonly AssetLine[]>();

function linesOf(state: DraftState): readonly AssetLine[] {
  let known = lines.get(state);
  if (known === undefined) {
    const all = Array.from(state.draft.assets.values(), (asset) => {
      const title = assetTitle(state, asset.id);
      const line = { id: asset.id, title, file: fileView(state, asset) };
      return { line, key: `${folded(title)} ${asset.id}` };
    });
    known = all.sort((a, b) => (a.key < b.key ? -1 : 1)).map(({ line }) => line);
    lines.set(state, known);
  }
  return known;
}
