import { heldText } from "../../documents/held-bytes.ts";
import type { ReferenceField } from "../../fields/reference.ts";
import { mapTree } from "../../fields/rich-text-tree.ts";
import { refused } from "../../folder/edit/entry-texts.ts";
import { FolderEditor } from "../../folder/edit/folder-editor.ts";
import type { FolderDraft } from "../../folder/folder-draft.ts";
import { parseJsonText } from "../../folder/json-text.ts";
import type { Action } from "../../page/actions.ts";
import type { DraftState, DraftStates } from "../../page/draft-state.ts";
import type {
  EDITS,
  Edited,
  EntryNames,
  OpenedAsset,
  OpenedField,
  PageNames,
} from "../../page/edited.ts";
import { summaryOf } from "../../page/entry-summary.ts";
import { fileView } from "../../page/file-view.ts";
import type { TeamAnswer } from "../../page/team.ts";
import { type EntryHead, entryOf } from "../../workspace/draft.ts";
import {
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
  pathIn,
} from "../../workspace/json.ts";
import { quoted } from "../../workspace/listed.ts";
import { changeAssetTexts, openAsset, putAsset, removeAsset } from "./asset-edits.ts";
import { editProblems } from "./edit-problems.ts";
import { type EditedField, editedField, withValueAt } from "./edited-field.ts";
import type { FolderDrafts } from "./folder-drafts.ts";
import { GitActions } from "./git-actions.ts";
import { assertFree, newEntry, takenIn } from "./new-entry.ts";
import { newPage } from "./new-page.ts";

type Answer = OpenedField | OpenedAsset | EntryNames | PageNames | Partial<Edited> | TeamAnswer;

/**
 * H42 to H45: the actions of `svc dev --edit`.
 *
 * @param read reads these files of the folder again, relative to it, so that the drafts have them.
 */
export function folderEdits(
  folder: string,
  drafts: FolderDrafts,
  states: DraftStates,
  read: (files: readonly string[]) => void,
): Record<(typeof EDITS)[number], Action> {
  const editor = new FolderEditor(folder);
  const git = new GitActions(folder, editor, read);

  const action = (
    run: (state: DraftState, body: JsonObject, bytes: Uint8Array) => Answer | Promise<Answer>,
    { isChange = true, isOfEntry = true } = {},
  ): Action => ({
    isLoopbackOnly: true,
    async run(workspaceId, body, _, bytes = new Uint8Array()) {
      if (isOfEntry) await editor.locate(text(body, "id"));
      const state = states.of(workspaceId);
      if (state === undefined) return undefined;
      const result = await run(state, body, bytes);
      if (!isChange) return result;
      // So that the page, which asks again at each change, has it when the form is closed.
      const written = editor.takeWritten();
      if (written.length > 0) read(written);
      return { warnings: [], undo: editor.last ?? null, ...result };
    },
  });

  /** H67, H68: a new entry, or the copy `of` one. */
  const added = async (state: DraftState, body: JsonObject) => {
    const of = text(body, "of");
    if (of !== "") await editor.locate(of);
    return newEntry(state, drafts.draft(), body, of === "" ? undefined : editor.find(of).record);
  };

  return {
    "edit-open": action(
      (state, body) => {
        const { record, file, hash } = editor.find(text(body, "id"));
        const { field, path, locale, value } = fieldOf(state, record, body);
        const { models: keys, category } = field as ReferenceField & { category?: string };
        const models = state.draft.models.filter(({ key }) => keys?.includes(key) ?? true);
        const blocks = state.draft.blocks.filter(
          (block) => category === undefined || block.category === category,
        );
        return {
          mark: hash,
          file,
          field,
          path: jsonPointer(path),
          locale: locale ?? null,
          locales: locale === undefined ? [] : [...state.rendering.lookup.locales],
          value: field.type === "json" ? textOf(value) : value,
          ...(field.type === "rich-text" && { sample: sampleTree(drafts.draft()) }),
          shown: shownIn(state, value),
          models: models.map(({ id, name }) => ({ id, name })),
          blocks: blocks.map(({ id, name }) => ({ id, name })),
        };
      },
      { isChange: false },
    ),

    edit: action((state, body) => {
      const [id, hash] = [text(body, "id"), text(body, "mark")];
      let warnings: readonly string[] = [];
      editor.change(`the change of “${titleOf(state, id)}”`, { id, hash }, (record) => {
        const given = ownMember(body, "value") ?? null;
        const of = fieldOf(state, record, body);
        const value = of.field.type === "json" ? jsonOf(given, of.value) : given;
        const edited = { ...of, value };
        const before = record.data as JsonObject;
        const data = withValueAt(before, edited);
        const head = state.draft.entries.get(id) ?? headOf(record);
        const found = editProblems(state.rendering, drafts.draft(), head, [before, data], edited);
        const { errors, fitting } = found;
        const hint = fitting === undefined ? "nothing was written" : `write ${quoted([fitting])}`;
        if (errors.length > 0) throw refused(errors.join("; "), hint);
        ({ warnings } = found);
        return { ...record, data };
      });
      return { warnings };
    }),

    "edit-publishing": action((state, body) => {
      const id = text(body, "id");
      const { hash } = editor.find(id);
      const what = `when “${titleOf(state, id)}” is published`;
      editor.change(what, { id, hash }, ({ id: own = "", modelId = "", ...record }) => {
        const { draft, publishAt, unpublishAt, ...rest } = record;
        const all = { draft, publishAt, unpublishAt, ...publishingIn(body) };
        const kept = Object.entries(all).filter(([, value]) => value !== undefined);
        return { id: own, modelId, ...Object.fromEntries(kept), ...rest };
      });
      return {};
    }),

    "edit-names": action(async (state, body) => (await added(state, body)).names, {
      isChange: false,
      isOfEntry: false,
    }),

    "edit-add": action(
      async (state, body) => {
        const { names, record, modelId } = await added(state, body);
        const { id, title } = names;
        const of = text(body, "of");
        const all = [...state.draft.entries.values()];
        const beside = of || all.find((one) => one.modelId === modelId)?.id;
        if (beside !== undefined) await editor.locate(beside);
        const what = of === "" ? `new entry “${title || id}”` : `copy of “${titleOf(state, of)}”`;
        editor.add(`the ${what}`, record(), beside, of !== "");
        return { id };
      },
      { isOfEntry: false },
    ),

    "edit-rename": action(async (state, body) => {
      const [id, newId] = [text(body, "id"), text(body, "newId")];
      const { workspace, models, blocks, entries } = state.draft;
      const others = [...entries.keys()].filter((one) => one !== id);
      assertFree(newId, takenIn(others));
      const ids = new Set(entries.keys());
      const definitions = { folder, workspace, models, blocks, entries: ids, locales: [] };
      await editor.rename(`the new id of “${titleOf(state, id)}”`, definitions, id, newId);
      return { id: newId };
    }),

    "page-names": action((state, body) => newPage(state, text(body, "project"), body).names, {
      isChange: false,
      isOfEntry: false,
    }),

    "page-add": action(
      (state, body) => {
        const id = text(body, "project");
        const { names, addedTo } = newPage(state, id, body);
        const { hash } = editor.find(id, "projects");
        const what = `the new page “${names.title || names.id}”`;
        editor.change(what, { kind: "projects", id, hash }, addedTo);
        return { id: names.id };
      },
      { isOfEntry: false },
    ),

    "edit-remove": action((state, body) => {
      const id = text(body, "id");
      const { hash } = editor.find(id);
      editor.change(`the deletion of “${titleOf(state, id)}”`, { id, hash }, () => undefined);
      return {};
    }),

    "asset-open": action((state, body) => openAsset(editor, state, text(body, "id")), {
      isChange: false,
      isOfEntry: false,
    }),

    "asset-edit": action(
      (state, body) => {
        changeAssetTexts(editor, state, body);
        return {};
      },
      { isOfEntry: false },
    ),

    "asset-put": action(
      (state, body, bytes) => {
        const [name, replaces] = [text(body, "name"), text(body, "replaces")];
        return putAsset(
          editor,
          state,
          { name, replaces, again: text(body, "again") !== "" },
          bytes,
        );
      },
      { isOfEntry: false },
    ),

    "asset-remove": action(
      (state, body) => {
        removeAsset(editor, state, text(body, "id"));
        return {};
      },
      { isOfEntry: false },
    ),

    "git-state": action(() => git.state(), { isChange: false, isOfEntry: false }),
    "git-plan": action((state) => git.plan(state), { isChange: false, isOfEntry: false }),
    "git-save": action((state, body) => git.save(state, body), {
      isChange: false,
      isOfEntry: false,
    }),
    "git-history": action((state, body) => git.history(state, body), { isChange: false }),
    "git-compare": action((state, body) => git.compare(state, body), { isChange: false }),
    "git-restore": action((state, body) =>
      git.restore(`bringing back “${titleOf(state, text(body, "id"))}”`, body),
    ),

    undo: action(() => ({ undone: editor.undo() }), { isOfEntry: false }),
  };
}

function text(body: JsonObject, name: string): string {
  const value = ownMember(body, name);
  return typeof value === "string" ? value : "";
}

/** A1, A4, A7: the members that are given; null or false: there shall be none. */
function publishingIn(body: JsonObject): Record<string, JsonValue | undefined> {
  const names = ["draft", "publishAt", "unpublishAt"].filter((name) => Object.hasOwn(body, name));
  return Object.fromEntries(names.map((name) => [name, body[name] || undefined]));
}

function titleOf(state: DraftState, id: string): string {
  const entry = entryOf(state.draft, id);
  return entry === undefined ? id : summaryOf(state, entry).title;
}

/** @throws SvcError `edit-refused` with the reason why it is not edited here. */
function fieldOf(state: DraftState, record: JsonObject, body: JsonObject): EditedField {
  const fields = state.models.get(String(record.modelId))?.fields ?? [];
  const path = pathIn(text(body, "path"));
  const { language } = state.languages.ofProject(text(body, "project")) ?? {};
  const [locale] = language ?? state.languages.titles()[0] ?? [];
  const found = editedField(fields, record.data as JsonObject, path, state.blocks, locale);
  if (found !== undefined) return found;
  throw refused("this value is not edited here", "change it in the file");
}

/** Of an entry whose file has not been read by the preview. */
function headOf({ id, modelId }: JsonObject): EntryHead {
  return { id: String(id), modelId: String(modelId), publishing: undefined };
}

/** H59: a value as a text that an author changes; "": none. */
const textOf = (value: JsonValue) => (value === null ? "" : JSON.stringify(value, null, 2));

/** @throws SvcError `edit-refused` with the faults of a text that is no JSON, each with its place. */
function jsonOf(given: JsonValue, stored: JsonValue): JsonValue {
  const text = String(given ?? "");
  if (text === textOf(stored)) return stored;
  if (text.trim() === "") return null;
  const parsed = parseJsonText(text);
  if ("value" in parsed) return parsed.value;
  const said = parsed.faults.map(({ message, line, column }) =>
    line ? `line ${line}, column ${column}: ${message}` : message,
  );
  throw refused(said.join("; "), "nothing was written");
}

/** How many entries are looked at for a text of the workspace's dialect. */
const LOOKED_AT = 2000;
const SAMPLES: readonly (readonly [RegExp, JsonValue])[] = [
  [/"nodeType":\s*"document"/, { nodeType: "document" }],
  [
    /"type":\s*"(?:bulletList|orderedList|listItem|hardBreak)"/,
    { type: "doc", content: [{ type: "bulletList" }] },
  ],
  [/"type":\s*"doc"/, { type: "doc" }],
  [/"_type":\s*"block"/, [{ _type: "block", _key: "" }]],
];

/** H57: a tree of the dialect in which this workspace has rich text. */
function sampleTree({ entries }: FolderDraft): JsonValue {
  let looked = 0;
  for (const entry of entries.values()) {
    const text = heldText(entry);
    const [, sample] = SAMPLES.find(([pattern]) => pattern.test(text)) ?? [];
    if (sample !== undefined) return sample;
    looked += 1;
    if (looked === LOOKED_AT) break;
  }
  return null;
}

/** The entries and assets that a value points at, as far as there are some. */
function shownIn(state: DraftState, value: JsonValue): OpenedField["shown"] {
  const all: JsonObject[] = [];
  mapTree(value, {
    pointer(_, stored) {
      all.push(stored);
      return stored;
    },
  });
  return Object.fromEntries(
    all.flatMap(({ contentEntryId, assetId }) => {
      const entry = entryOf(state.draft, String(contentEntryId));
      const asset = state.draft.assets.get(String(assetId));
      if (entry !== undefined) {
        const model = state.models.get(entry.modelId)?.name;
        return [[entry.id, { title: summaryOf(state, entry).title, ...(model && { model }) }]];
      }
      if (asset === undefined) return [];
      const file = fileView(state, asset);
      return [[asset.id, { title: file.title || file.fileName, file }]];
    }),
  );
}
