import { lookup } from "mime-types";
import { idFrom } from "../../documents/to-id.ts";
import { sha256 } from "../../documents/version-id.ts";
import { assetByBytes } from "../../folder/asset-records.ts";
import { refused } from "../../folder/edit/entry-texts.ts";
import type { FolderEditor } from "../../folder/edit/folder-editor.ts";
import { isContentPath } from "../../folder/export/export-list.ts";
import type { DraftState } from "../../page/draft-state.ts";
import type { Edited, OpenedAsset } from "../../page/edited.ts";
import { assetTitle, fileView } from "../../page/file-view.ts";
import type { AssetFile, AssetText } from "../../workspace/asset.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { freeName, takenIn } from "./new-entry.ts";
import { uploadedName } from "./uploaded-file.ts";

/** What a record says of a file, which another one has not. */
const OF_FILE: ReadonlySet<string> = new Set(["url", "mimeType", "sizeBytes", "width", "height"]);

/** H60, H61: adds a file as an asset, or puts it in place of that of one. */
export function putAsset(
  editor: FolderEditor,
  state: DraftState,
  { name, replaces, again }: { name: string; replaces: string; again: boolean },
  bytes: Uint8Array,
): Partial<Edited> {
  const fileName = uploadedName(name, bytes);
  const hash = sha256(bytes);
  const put = { file: `files/${hash.slice(0, 16)}/${fileName}`, bytes };
  const { assets } = state.draft;
  const shown = (id: string, file: AssetFile) => {
    return { id, title: assetTitle(state, id) || fileName, file: fileView(state, file) };
  };
  if (replaces !== "") {
    const { record, hash: mark } = editor.find(replaces, "assets");
    const before = assets.get(replaces);
    if (before?.sha256 === hash) throw refused("it is this very file", "choose another one");
    if (before !== undefined && kindOf(before.mimeType) !== kindOf(lookup(fileName) || "")) {
      throw refused(
        `"${fileName}" is of another kind than what it would replace`,
        "add it as an asset of its own",
      );
    }
    const what = `the replacement of “${assetTitle(state, replaces)}”`;
    const kept = Object.entries(record).filter(([member]) => !OF_FILE.has(member));
    const after = { ...Object.fromEntries(kept), fileName, file: put.file };
    const files = { put, left: leftFiles(state, record, [before]) };
    editor.change(what, { kind: "assets", id: replaces, hash: mark }, () => after, files);
    return { id: replaces };
  }
  const equal = again ? undefined : [...assets.values()].find((one) => one.sha256 === hash);
  if (equal !== undefined) return { equal: shown(equal.id, equal) };
  const id = newId(fileName, assets.keys());
  const record = { id, fileName, file: put.file };
  editor.addAsset(`the new asset “${fileName}”`, record, { put });
  return { id, added: { ...shown(id, assetByBytes(record, bytes)), title: fileName } };
}

/** H61a: with the files that only it has. */
export function removeAsset(editor: FolderEditor, state: DraftState, id: string): void {
  const { record, hash } = editor.find(id, "assets");
  const asset = state.draft.assets.get(id);
  const left = leftFiles(state, record, [asset, ...(asset?.versions ?? [])]);
  const what = `the removal of “${assetTitle(state, id)}”`;
  editor.change(what, { kind: "assets", id, hash }, () => undefined, { left });
}

/** H62. */
export function openAsset(editor: FolderEditor, state: DraftState, id: string): OpenedAsset {
  const { record, file, hash } = editor.find(id, "assets");
  const locales = [...state.rendering.lookup.locales];
  const texts = { title: textOf(record, "title"), description: textOf(record, "description") };
  return { mark: hash, file, locales, ...texts };
}

/** H62. */
export function changeAssetTexts(editor: FolderEditor, state: DraftState, body: JsonObject): void {
  if (state.draft.workspace.assetTexts !== true) {
    throw refused("titles and descriptions of assets are not served", TEXTS_HINT);
  }
  const [id, hash] = [String(ownMember(body, "id")), String(ownMember(body, "mark"))];
  const what = `the texts of “${assetTitle(state, id)}”`;
  editor.change(what, { kind: "assets", id, hash }, ({ id: own = "", fileName = "", ...rest }) => {
    const { title: _, description: __, ...others } = rest;
    const texts = ["title", "description"].flatMap((member) => {
      const text = storedText(state, ownMember(body, member), ownMember(rest, member));
      return text === undefined ? [] : [[member, text] as const];
    });
    return { id: own, fileName, ...Object.fromEntries(texts), ...others };
  });
}

const TEXTS_HINT = 'set "assetTexts": true in workspace.json, if your site reads them';

const kindOf = (mimeType: string) => mimeType.split("/", 1)[0];

function textOf(record: JsonObject, member: string): AssetText | null {
  return (ownMember(record, member) as AssetText | undefined) ?? null;
}

/** V4d: without the languages that have none; undefined: none at all. */
function storedText(
  state: DraftState,
  given: JsonValue | undefined,
  before: JsonValue | undefined,
): JsonValue | undefined {
  if (given === null || given === undefined || given === "") return undefined;
  if (!isJsonObject(given)) return given;
  const known = [...state.rendering.lookup.locales, ...Object.keys(Object(before))];
  const unknown = Object.keys(given).find((locale) => !known.includes(locale));
  if (unknown !== undefined)
    throw refused(`no project has the locale "${unknown}"`, "leave it out");
  const [one, ...others] = new Set(Object.values(given));
  // H62: the same in all languages, as it was.
  if (typeof before === "string" && others.length === 0) return one === "" ? undefined : one;
  const texts = Object.entries(given).filter(([, text]) => text !== "" && text !== null);
  return texts.length === 0 ? undefined : Object.fromEntries(texts);
}

/**
 * H61a: the files of these of an asset, in `files/`, that no other asset and no version has.
 *
 * @param own as the draft has them, in the order of the record: first its own file, then its versions.
 */
function leftFiles(
  { draft }: DraftState,
  record: JsonObject,
  own: readonly (AssetFile | undefined)[],
): string[] {
  const all = [...draft.assets.values()].flatMap((one) => [one, ...(one.versions ?? [])]);
  const isOthers = (hash: string) => all.some((one) => one.sha256 === hash && !own.includes(one));
  const versions = Array.isArray(record.versions) ? (record.versions as JsonObject[]) : [];
  const paths = [record, ...versions].map(({ file }) => String(file));
  const left = own.flatMap((one, at) => {
    const path = paths[at] ?? "";
    const isHere = path.startsWith("files/") && isContentPath(path);
    return isHere && one?.sha256 !== undefined && !isOthers(one.sha256) ? [path] : [];
  });
  return [...new Set(left)];
}

/** H60c. */
function newId(fileName: string, taken: Iterable<string>): string {
  const base = idFrom(fileName.toLowerCase().replace(/\.\w+$/, ""), "file").slice(0, 100);
  return freeName(base, takenIn(taken));
}
