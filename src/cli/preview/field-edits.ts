import { heldText } from "../../documents/held-bytes.ts";
import { titleFields } from "../../fields/entry-title.ts";
import { mapTree } from "../../fields/rich-text-tree.ts";
import { refused } from "../../folder/edit/entry-texts.ts";
import { conflict } from "../../folder/edit/file-lines.ts";
import type { FolderEditor } from "../../folder/edit/folder-editor.ts";
import type { FolderDraft } from "../../folder/folder-draft.ts";
import type { DraftState } from "../../page/draft-state.ts";
import { type Checked, type Edited, type OpenedForm, withValueAt } from "../../page/edited.ts";
import { summaryOf } from "../../page/entry-summary.ts";
import { fileView } from "../../page/file-view.ts";
import { type EntryHead, entryOf } from "../../workspace/draft.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
  pathIn,
} from "../../workspace/json.ts";
import { isLanguageTag } from "../../workspace/language.ts";
import { listed, quoted } from "../../workspace/listed.ts";
import {
  type DescribedProblem,
  describedProblem,
  problemMessage,
} from "../../workspace/problem-messages.ts";
import type { Block } from "../../workspace/records.ts";
import { conflictsIn, seenValues } from "./edit-conflicts.ts";
import { editProblems, isBelow, saidOf } from "./edit-problems.ts";
import { editedField, editedFields, editedOf } from "./edited-field.ts";
import { type JsonFault, storedValue, typedData } from "./typed-values.ts";

interface Context {
  readonly editor: FolderEditor;
  readonly state: DraftState;
  readonly draft: FolderDraft;
}

/** H42, H63: what a form is made of. */
export function openForm(context: Context, body: JsonObject): OpenedForm {
  const { editor, state, draft } = context;
  const model = text(body, "model");
  // H67b: of a new entry.
  const none = { record: { id: "", modelId: model, draft: true, data: {} }, file: "", hash: "" };
  const { record, file, hash } = model === "" ? editor.find(text(body, "id")) : none;
  const { fields, data, path } = fieldsAt(state, record, body);
  const { language } = state.languages.ofProject(text(body, "project")) ?? {};
  const asked = text(body, "locale");
  const [locale = null] = isLanguageTag(asked)
    ? [asked]
    : (language ?? state.languages.titles()[0] ?? []);
  const blocks = blocksIn(fields, state.draft.blocks);
  const all = [fields, ...blocks.map((block) => block.fields)].flat();
  const own = Object.fromEntries(
    fields.flatMap(({ key }) => {
      const value = ownMember(data, key);
      return value === undefined ? [] : [[key, value]];
    }),
  );
  const typed = typedData(fields, own, state.blocks);
  const [titled] = titleFields(fields);
  const isLocalized = all.some(({ localized }) => localized);
  return {
    mark: hash,
    file,
    path: jsonPointer(path),
    fields,
    title: path.length === 0 && titled ? jsonPointer([titled.key]) : null,
    data: typed,
    locale: isLocalized ? locale : null,
    locales: isLocalized ? [...state.rendering.lookup.locales] : [],
    ...(all.some(({ type }) => type === "rich-text") && { sample: sampleTree(draft) }),
    shown: shownIn(state, typed),
    models: state.draft.models.map(({ id, key, name }) => ({ id, key, name })),
    blocks,
    problems: problemsAt(context, record, body),
    was: seenValues(record.data as JsonObject, path),
    conflicts: "was" in body ? conflictsIn(state, record, body).map(({ shown }) => shown()) : [],
  };
}

/** H64: the problems that the fields of a form would have. */
export function checkFields(context: Context, body: JsonObject): Checked {
  const { record } = context.editor.find(text(body, "id"));
  return { problems: problemsAt(context, record, body) };
}

function problemsAt(context: Context, record: JsonObject, body: JsonObject): DescribedProblem[] {
  const { fields, path } = fieldsAt(context.state, record, body);
  const { found, faults } = changed(context, record, body);
  const places = fields.map(({ key }) => jsonPointer([...path, key]));
  const at = (place: string) => ({ kind: "entry", id: String(record.id), path: place }) as const;
  const unread = faults.map(({ path: place, message }): DescribedProblem => {
    return { level: "error", code: "value-type", at: at(place), message };
  });
  const described = found.all
    .filter((one) => places.some((place) => isBelow(one.at.path, place)))
    .map(describedProblem);
  const byPlace = [...unread, ...described].map((one) => [JSON.stringify(one), one] as const);
  // Those of all languages, each once.
  return [...new Map(byPlace).values()];
}

/** H42, H63: changes fields of an entry, all or none. */
export function changeFields(context: Context, body: JsonObject): Partial<Edited> {
  const { editor, state } = context;
  const id = text(body, "id");
  const { record: seen, hash, file } = editor.find(id);
  const names = new Set(conflictsIn(state, seen, body).map(({ name }) => name));
  if (names.size > 0) {
    throw conflict(file, `was changed meanwhile: ${listed([...names])} has another value now`);
  }
  let warnings: readonly string[] = [];
  editor.change(`the change of “${titleOf(state, id)}”`, { id, hash }, (record) => {
    const { data, ...found } = changedData(context, record, body);
    ({ warnings } = found);
    return { ...record, data };
  });
  return { warnings };
}

/**
 * The data of an entry as the changes of a request make it.
 *
 * @throws SvcError `edit-refused` with each reason (H43).
 */
export function changedData(
  context: Omit<Context, "editor">,
  record: JsonObject,
  body: JsonObject,
): { readonly data: JsonObject; readonly warnings: readonly string[] } {
  const { found, faults, data } = changed(context, record, body);
  const errors = [...faults.map(({ message }) => message), saidOf(found.errors)].filter(Boolean);
  const { fitting } = found;
  const hint = fitting === undefined ? "nothing was written" : `write ${quoted([fitting])}`;
  if (errors.length > 0) throw refused(errors.join("; "), hint);
  return { data, warnings: [...new Set(found.warnings.map(problemMessage))] };
}

export function titleOf(state: DraftState, id: string): string {
  const entry = entryOf(state.draft, id);
  return entry === undefined ? id : summaryOf(state, entry).title;
}

/** A member of a request that is a text; "": it has none. */
export function text(body: JsonObject, name: string): string {
  const value = ownMember(body, name);
  return typeof value === "string" ? value : "";
}

const notEdited = () => refused("this value is not edited here", "change it in the file");

function ofEntry({ models }: DraftState, record: JsonObject) {
  const fields = models.get(String(record.modelId))?.fields ?? [];
  return { fields, data: record.data as JsonObject, path: [] };
}

/** @throws SvcError `edit-refused` where nothing is edited. */
function fieldsAt(state: DraftState, record: JsonObject, body: JsonObject) {
  const found = editedFields(ofEntry(state, record), pathIn(text(body, "path")), state.blocks);
  if (found === undefined) throw notEdited();
  return found;
}

/** An entry as its changes make it, with what is to say of that. */
function changed({ state, draft }: Omit<Context, "editor">, record: JsonObject, body: JsonObject) {
  const before = record.data as JsonObject;
  const faults: JsonFault[] = [];
  let data = before;
  const changes = (ownMember(body, "changes") ?? []) as readonly JsonValue[];
  const edited = [changes].flat().map((change) => {
    const one = isJsonObject(change) ? change : {};
    const of = { ...ofEntry(state, record), data };
    const found = editedField(of, pathIn(text(one, "path")), state.blocks);
    if (found === undefined) throw notEdited();
    const { field, path, locale } = found;
    const given = ownMember(one, "value") ?? null;
    const value = storedValue(field, given, { blocks: state.blocks, path, faults });
    data = withValueAt(data, path, value, locale !== undefined);
    return { ...found, value };
  });
  // Its file may not have been read by the preview.
  const head: EntryHead = state.draft.entries.get(String(record.id)) ?? {
    id: String(record.id),
    modelId: String(record.modelId),
    publishing: record.draft === true ? { draft: true } : undefined,
  };
  const found = editProblems(state.rendering, draft, head, [before, data], edited);
  return { found, faults, data };
}

/** Those that fields may have, and blocks in them. */
function blocksIn(fields: readonly FieldDefinition[], all: readonly Block[]): Block[] {
  const found = new Map<Block, Block>();
  const add = (some: readonly FieldDefinition[]) => {
    for (const field of some.filter(({ type }) => type === "content-block")) {
      const { category } = field as { category?: string };
      for (const block of all) {
        if (found.has(block) || (category !== undefined && block.category !== category)) continue;
        const own = editedOf(block.fields);
        found.set(block, { ...block, fields: own });
        add(own);
      }
    }
  };
  add(fields);
  return all.flatMap((block) => found.get(block) ?? []);
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
function shownIn(state: DraftState, value: JsonValue): OpenedForm["shown"] {
  const all: JsonObject[] = [];
  const collect = (tree: JsonValue) =>
    mapTree(tree, {
      pointer(kind, stored) {
        if (kind === "block") collect(stored.data as JsonObject);
        else all.push(stored);
        return stored;
      },
    });
  collect(value);
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
