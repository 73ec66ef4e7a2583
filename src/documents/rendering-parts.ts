import type { Language } from "../workspace/language.ts";
import type { Hidden, Problem } from "../workspace/problem.ts";
import { EntryForms } from "./entry-forms.ts";
import { type EntryNumber, GONE } from "./entry-lookup.ts";
import { EntryTable } from "./entry-table.ts";
import { IdIndex } from "./id-index.ts";
import { Names, UsedNames } from "./names.ts";
import { NumberLists } from "./number-lists.ts";
import { bytes, copy, json, parse } from "./part-bytes.ts";
import type { ProjectOutline } from "./project-outline.ts";
import { parseRecipe, textsOf } from "./recipe.ts";
import type { EarlierRendering, Rendering } from "./rendering.ts";

/** The version of the format of the stored parts. Other versions are ignored. */
export const FORM = 5;

interface Head {
  readonly form: number;
  readonly revision: number;
  readonly rules: readonly (readonly [modelId: string, rules: string])[];
  readonly missing: readonly string[];
  readonly foreign: readonly string[];
  readonly paths: readonly string[];
  readonly assetIds: readonly string[];
  readonly assetRevisions: readonly number[];
  readonly heldFiles: readonly string[];
  readonly projectRules: string;
  readonly languages: readonly string[];
  readonly projectLanguages: readonly (readonly [projectId: string, Language])[];
}

/** The parts of a rendering that differ from the stored ones, without removed entries. */
export function* toParts(rendering: Rendering): Generator<readonly [string, Uint8Array]> {
  const { table, draft } = rendering;
  if (!table.isDirty) {
    yield headOf(rendering, table, table.assetRevisions);
    yield ["texts", bytes(table.texts)];
    yield ["sizes", bytes(table.sizes)];
    return;
  }
  const which = new Uint32Array(table.size - countGone(table));
  const numbers = new Int32Array(table.size);
  let count = 0;
  for (let entry = 0; entry < table.size; entry += 1) {
    if (!table.exists(entry)) continue;
    numbers[entry] = count;
    which[count] = entry;
    count += 1;
  }
  const [missing, paths] = [new UsedNames(table.missing), new UsedNames(table.paths)];
  const [assetIds, heldFiles] = [new UsedNames(table.assetIds), new UsedNames(table.heldFiles)];
  const pointers = table.pointers.columns(which);
  for (let at = 0; at < pointers.numbers.length; at += 2) {
    const target = pointers.numbers[at] as number;
    pointers.numbers[at] =
      target < 0 ? -1 - missing.number(-1 - target) : (numbers[target] as number);
    pointers.numbers[at + 1] = paths.number(pointers.numbers[at + 1] as number);
  }
  yield ["pointerCounts", bytes(pointers.counts)];
  yield ["pointers", bytes(pointers.numbers)];
  for (const [name, lists, names] of [
    ["asset", table.assets, assetIds],
    ["file", table.files, heldFiles],
  ] as const) {
    const column = lists.columns(which);
    for (let at = 0; at < column.numbers.length; at += 1) {
      column.numbers[at] = names.number(column.numbers[at] as number);
    }
    yield [`${name}Counts`, bytes(column.counts)];
    yield [`${name}s`, bytes(column.numbers)];
  }
  const uniques = table.uniques.columns(which);
  yield ["uniqueCounts", bytes(uniques.counts)];
  yield ["uniques", bytes(uniques.numbers)];
  for (const outline of table.outlines.values()) {
    for (const id of outline.missing) missing.number(table.missing.number(id));
    for (const id of outline.assets) assetIds.number(table.assetIds.number(id));
  }
  const revisions = draft.changes.assetRevisions();
  const ofAssets = assetIds.list.map((id) => revisions.get(id) ?? 0);
  yield headOf(rendering, { missing, paths, assetIds, heldFiles }, ofAssets);
  const outlines = [...table.outlines.values()].map((outline) => ({
    ...outline,
    experiences: outline.experiences.map(({ id, content }) => [
      id,
      ...content.map((entry) => numbers[entry]),
    ]),
    entries: outline.entries.map((entry) => numbers[entry]),
  }));
  yield ["outlines", json(outlines)];
  yield ["outlineTexts", bytes(Float64Array.from(outlineTexts(table)))];
  const ids = count === table.size ? table.ids : idsOf(table.ids, which);
  yield ["ids", ids.columns.bytes];
  yield ["ends", bytes(ids.columns.ends)];
  yield ["models", bytes(pick(table.models, which, new Int32Array(count)))];
  yield ["rows", bytes(pick(table.rows, which, new Float64Array(count)))];
  yield ["texts", bytes(pick(table.texts, which, new Float64Array(count)))];
  yield ["sizes", bytes(pick(table.sizes, which, new Int32Array(count)))];
  yield ["ranks", bytes(pick(table.ranks ?? [], which, new Int32Array(count)))];
  yield* formParts(table, which, numbers);
  yield ["hidden", json([...table.hidden].map(([entry, why]) => [numbers[entry], why]))];
  const entries = [...table.problems.keys()];
  yield ["problemEntries", bytes(Int32Array.from(entries, (entry) => numbers[entry] as number))];
  yield ["problems", json(entries.map((entry) => table.problems.get(entry)))];
  yield [
    "unproven",
    json([...table.schemaFaults].map(([entry, fault]) => [numbers[entry], fault])),
  ];
}

interface NameLists {
  readonly missing: { readonly list: readonly string[] };
  readonly paths: { readonly list: readonly string[] };
  readonly assetIds: { readonly list: readonly string[] };
  readonly heldFiles: { readonly list: readonly string[] };
}

function headOf(
  { table, state }: Rendering,
  { missing, paths, assetIds, heldFiles }: NameLists,
  assetRevisions: readonly number[],
): readonly [string, Uint8Array] {
  const { rules, revision, projectRules } = state;
  const head: Head = {
    form: FORM,
    revision,
    rules: table.modelIds.list.map((modelId) => [modelId, rules.get(modelId) as string]),
    missing: missing.list,
    foreign: missing.list.filter((id) => table.foreign.has(id)),
    paths: paths.list,
    assetIds: assetIds.list,
    assetRevisions,
    heldFiles: heldFiles.list,
    projectRules,
    languages: table.languages,
    projectLanguages: [...table.projectLanguages],
  };
  return ["head", json(head)];
}

/** @throws Error when the parts are damaged; undefined when they are of another version. */
export function fromParts(read: (part: string) => Uint8Array): EarlierRendering | undefined {
  const head: Head = parse(read("head"));
  if (head.form !== FORM) return undefined;
  const table = new EntryTable();
  table.ids = IdIndex.of(read("ids"), new Uint32Array(copy(read("ends"))));
  const models = new Int32Array(copy(read("models")));
  table.models = new Int32Array(new SharedArrayBuffer(models.byteLength));
  table.models.set(models);
  table.rows = new Float64Array(copy(read("rows")));
  table.texts = new Float64Array(copy(read("texts")));
  table.sizes = new Int32Array(copy(read("sizes")));
  table.fresh = new Uint8Array(table.rows.length).fill(1);
  const lists = (name: string) =>
    new NumberLists(
      new Uint32Array(copy(read(`${name}Counts`))),
      new Int32Array(copy(read(`${name}s`))),
    );
  table.pointers = lists("pointer");
  table.assets = lists("asset");
  table.files = lists("file");
  table.uniques = lists("unique");
  for (const [modelId] of head.rules) table.modelIds.number(modelId);
  table.missing = new Names(head.missing);
  table.foreign = new Set(head.foreign);
  table.paths = new Names(head.paths);
  table.assetIds = new Names(head.assetIds);
  table.assetRevisions = [...head.assetRevisions];
  table.heldFiles = new Names(head.heldFiles);
  const entries = new Int32Array(copy(read("problemEntries")));
  const problems = parse<(readonly Problem[])[]>(read("problems"));
  problems.forEach((found, at) => {
    table.problems.set(entries[at] as number, found);
  });
  for (const [entry, fault] of parse<[number, string][]>(read("unproven"))) {
    table.schemaFaults.set(entry, fault);
  }
  table.languages = head.languages;
  table.projectLanguages = new Map(head.projectLanguages);
  table.forms = new EntryForms(
    new Int32Array(copy(read("formEntries"))),
    new Uint16Array(copy(read("formLanguages"))),
  );
  table.hidden = new Map(parse<[number, Hidden][]>(read("hidden")));
  for (const outline of parse<StoredOutline[]>(read("outlines"))) {
    const experiences = outline.experiences.map(([id, ...content]) => ({ id, content }));
    table.outlines.set(outline.id, { ...outline, experiences });
  }
  table.ranks = new Int32Array(copy(read("ranks")));
  table.isDirty = false;
  const { revision, projectRules } = head;
  return { table, revision, rules: new Map(head.rules), projectRules };
}

/** An experience is a list: its id, then the entries of its steps. */
type StoredOutline = Omit<ProjectOutline, "experiences"> & {
  readonly experiences: readonly (readonly [id: string, ...content: EntryNumber[]])[];
};

/** The numbers of the texts that outlines use. */
function outlineTexts({ outlines }: EntryTable): number[] {
  return [...outlines.values()].flatMap(({ config = "[]", schema = "[]" }) =>
    [config, schema].flatMap((recipe) => textsOf(parseRecipe(recipe))),
  );
}

/** Empty without forms. */
function* formParts(
  { forms }: EntryTable,
  which: Uint32Array,
  numbers: Int32Array,
): Generator<readonly [string, Uint8Array]> {
  const count = forms.isEmpty ? 0 : which.length;
  const entries = new Int32Array(count);
  const languages = new Uint16Array(count);
  for (let at = 0; at < count; at += 1) {
    const form = which[at] as number;
    if (!forms.isForm(form)) continue;
    entries[at] = (numbers[forms.entryOf(form)] as number) + 1;
    languages[at] = forms.languageOf(form);
  }
  yield ["formEntries", bytes(entries)];
  yield ["formLanguages", bytes(languages)];
}

function countGone(table: EntryTable): number {
  let count = 0;
  for (let entry = 0; entry < table.size; entry += 1) if (table.models[entry] === GONE) count += 1;
  return count;
}

function idsOf(ids: IdIndex, which: Uint32Array): IdIndex {
  const kept = new IdIndex();
  for (const entry of which) kept.add(ids.id(entry));
  return kept;
}

function pick<C extends Int32Array | Float64Array>(
  column: ArrayLike<number>,
  which: Uint32Array,
  picked: C,
): C {
  for (let at = 0; at < which.length; at += 1) picked[at] = column[which[at] as number] ?? 0;
  return picked;
}
