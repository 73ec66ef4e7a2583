import type { EntryChange } from "../../diff/compare-contents.ts";
import type { FieldChange } from "../../diff/compare-values.ts";
import type { Diff, DocumentChange } from "../../diff/diff.ts";
import { type Definitions, modelNamed } from "../../diff/names.ts";
import { projectIdsOf } from "../../diff/published-documents.ts";
import type { RenamedEntry } from "../../diff/renamed-entries.ts";
import type { SchemaChange, SchemaPlace } from "../../diff/schema-change.ts";
import { type Shown, type ShownNames, shownChange, textOf } from "../../diff/shown-values.ts";
import { type RecordChanges, type ToldConfig, toldConfigs } from "../../diff/told-configs.ts";
import { addressOfFilePath } from "../../documents/address.ts";
import type { JsonValue } from "../../workspace/json.ts";
import { andMore, listed } from "../../workspace/listed.ts";
import { printable } from "../../workspace/printable.ts";
import { part, shortened } from "../../workspace/shortened.ts";
import { markdownCode, markdownTable, markdownText } from "./formats.ts";
import { styled } from "./print.ts";
import { counted, shellWord } from "./words.ts";

const MAX_ITEMS = 50;
const MAX_CHANGES = 20;
/** The longest label or message, in characters. */
const MAX_LENGTH = 160;
/** Values in a cell of a table. */
const MAX_CELL = 5;
/** The longest value, in characters; twice as much where there is only one. */
const MAX_VALUE = 60;

const MARKS = {
  added: ["+", "green"],
  removed: ["-", "red"],
  changed: ["~", "yellow"],
  breaking: ["breaking", "red"],
  safe: ["safe    ", "green"],
} as const;

interface Item {
  readonly change: keyof typeof MARKS;
  /** Behind its mark in text. */
  readonly text: string;
  /** Behind that in fainter letters. */
  readonly note?: string;
  /** Below it in text. */
  readonly values?: readonly ValueLine[];
  readonly below?: readonly string[];
  /** Its row of a Markdown table. */
  readonly cells: readonly string[];
}

/** A value that differs: where, and what it was and is. */
interface ValueLine {
  readonly change: FieldChange["change"];
  readonly place: string;
  readonly text: string;
}

interface Section {
  readonly title: string;
  /** Of its Markdown table. */
  readonly head: readonly string[];
  readonly items: readonly Item[];
  readonly limit: number;
}

/** "1 entry added, 2 documents changed, 1 config changed; schema: 1 breaking, 2 safe" */
export function diffSummary({ summary, config }: Diff): string {
  const { documents, entriesAdded, entriesChanged, entriesRemoved, breaking, safe } = summary;
  const entries = { added: entriesAdded, changed: entriesChanged, removed: entriesRemoved };
  const parts = [
    [entries, "entry", "entries"] as const,
    [documents, "document", "documents"] as const,
  ].flatMap(([counts, one, many]) =>
    (["added", "changed", "removed"] as const).flatMap((change) =>
      counts[change] === 0 ? [] : `${counted(counts[change], one, many)} ${change}`,
    ),
  );
  if (parts.length === 0) return "nothing differs";
  const configs = toldConfigs(config).length;
  if (configs > 0) parts.push(`${counted(configs, "config")} changed`);
  return `${parts.join(", ")}; schema: ${breaking} breaking, ${safe} safe`;
}

/** All changes in groups (D7): as lines of text, or as tables of GitHub Flavored Markdown. */
export function diffLines(
  diff: Diff,
  definitions: Definitions,
  format: "text" | "github" | "markdown",
  stream: NodeJS.WriteStream,
): string[] {
  return sectionsOf(diff, definitions).flatMap(({ title, head, items, limit }) => {
    if (items.length === 0) return [];
    const shown = items.slice(0, limit);
    const left = items.length - shown.length;
    if (format === "markdown") {
      const table = markdownTable(
        head,
        shown.map(({ cells }) => cells),
      );
      return left > 0 ? [...table, "", `…${andMore(left)}`] : table;
    }
    const rest = left > 0 ? [`  …${andMore(left, "--json lists all")}`] : [];
    return [
      "",
      styled("bold", title, stream),
      ...shown.flatMap((one) => lines(one, stream)),
      ...rest,
    ];
  });
}

function lines(
  { change, text, note = "", values = [], below = [] }: Item,
  stream: NodeJS.WriteStream,
) {
  const faint = note === "" ? "" : styled("dim", note, stream);
  return [`  ${mark(change, stream)} ${text}${faint}`, ...valueLines(values, stream), ...below];
}

/** D6. */
function renamedItem({ from, to }: RenamedEntry): Item {
  const command = `svc migrate <folder> rename-entry ${from} ${to}`;
  const text = `${from} → ${to}`;
  const cells = [markdownCode(from), markdownCode(to), markdownCode(command)];
  return { change: "changed", text, note: `  ${command} changes what points at it`, cells };
}

/** D6: the same for those who have not asked for differences. */
export function renamedLines(renamed: readonly RenamedEntry[], given?: string): string[] {
  const folder = given === undefined ? "<folder>" : shellWord(given);
  return renamed.slice(0, MAX_ITEMS).map(({ from, to }) => {
    const command = `svc migrate ${folder} rename-entry ${from} ${to}`;
    return `the entry "${from}" went and "${to}" came, with the same content: renamed? ${command} changes what points at it`;
  });
}

function mark(change: keyof typeof MARKS, stream: NodeJS.WriteStream): string {
  const [text, colour] = MARKS[change];
  return styled(colour, text, stream);
}

/** What breaks is first, then what authors changed. */
function sectionsOf(diff: Diff, definitions: Definitions): Section[] {
  const { config, entries, documents, summary } = diff;
  const places = entryPlaces(entries);
  const told = new ValueLines(diff, definitions);
  const schema = schemaSection(diff);
  return [
    ...(summary.breaking > 0 ? [schema] : []),
    {
      title: "Entries",
      head: ["entry", "model", "changes", "shown in"],
      items: entries.map((entry) => entryItem(entry, places(entry), told)),
      limit: MAX_ITEMS,
    },
    {
      title: "Renamed?",
      head: ["entry", "now", "change what points at it"],
      items: diff.renamed.map(renamedItem),
      limit: MAX_ITEMS,
    },
    {
      title: "Configs",
      head: ["config", "changes"],
      items: toldConfigs(config).flatMap((one) => configItems(one, told)),
      limit: MAX_ITEMS,
    },
    ...(summary.breaking > 0 ? [] : [schema]),
    {
      title: "Documents",
      head: ["document", "change"],
      items: documents.map(documentItem),
      limit: MAX_ITEMS,
    },
  ];
}

function schemaSection({ schema, projects }: Diff): Section {
  const width = widest(schema.map(({ at }) => label(placeOf(at))));
  return {
    title: "Schema",
    head: ["schema", "place", "change"],
    items: schema.map((one) => schemaItem(one, width, one.projects.length === projects.length)),
    // Readers must see every breaking change before publishing.
    limit: Number.POSITIVE_INFINITY,
  };
}

function schemaItem(change: SchemaChange, width: number, isOfAll: boolean): Item {
  const { verdict, at, message, projects, migrations = [] } = change;
  const place = placeOf(at);
  return {
    change: verdict,
    text: ` ${label(place).padEnd(width)}  ${label(message)}`,
    note: isOfAll ? "" : ` (in ${listed(projects)})`,
    below: migrations.map((one) => `  ${" ".repeat(8)}    to keep its values: ${one}`),
    cells: [
      verdict === "breaking" ? "**breaking**" : verdict,
      markdownCode(place),
      markdownText(message),
    ],
  };
}

/** What differs of pages in one sentence, then each other record. */
function configItems({ projectId, sentence, others }: ToldConfig, told: ValueLines): Item[] {
  const records = others.map((changes) => configItem(changes, told));
  if (sentence === "") return records;
  const cells = [markdownCode(projectId), markdownText(sentence)];
  return [{ change: "changed", text: printable(`${projectId}: ${sentence}`), cells }, ...records];
}

/** A step, an experience or the project fields, with their changes. */
function configItem(changes: RecordChanges, told: ValueLines): Item {
  const [{ at, projectId, path, change }] = changes;
  const { kind, id, key, name } = at;
  const what = kind === "project-fields" ? "project fields" : kind;
  const of = key === undefined ? "" : `, id ${id}, of ${projectId}`;
  // "step home (Home), id s1, of site"
  const text = `${what} ${key ?? id}${name === undefined ? "" : ` (${name})`}${of}`;
  const values = path === "" ? [] : told.of(changes);
  return {
    change: path === "" ? change : "changed",
    text: label(text),
    values,
    cells: [markdownText(text), path === "" ? change : valuesCell(values)],
  };
}

function entryItem(entry: EntryChange, places: string, told: ValueLines): Item {
  const { id, title, change, fields, contentModelKey, contentModelKeyBefore } = entry;
  const now = told.modelName(contentModelKey);
  const model =
    contentModelKeyBefore === undefined ? now : `${told.modelName(contentModelKeyBefore)} → ${now}`;
  const values = told.of(fields);
  const named = title === id ? `${id} (${model})` : `${title} (${model}, ${id})`;
  const head = title === id ? [] : [markdownText(shortened(title, MAX_VALUE))];
  return {
    change,
    text: printable(`${named}  in ${places}`),
    values,
    cells: [
      [...head, markdownCode(id)].join("<br>"),
      markdownText(model),
      change === "changed"
        ? valuesCell(values)
        : [`**${change}**`, valuesCell(values)].join("<br>"),
      markdownText(places),
    ],
  };
}

/** Of a Markdown table. */
function valuesCell(values: readonly ValueLine[]): string {
  const shown = values.slice(0, MAX_CELL).map(({ place, text }) => `${place}: ${text}`);
  const left = values.length - shown.length;
  return [...shown, ...(left > 0 ? [`…${andMore(left)}`] : [])].map(markdownText).join("<br>");
}

function documentItem({ path, change, content }: DocumentChange): Item {
  const notes = content && [
    ...[
      [content.entriesChanged, "changed"] as const,
      [content.entriesAdded, "added"] as const,
      [content.entriesRemoved, "removed"] as const,
      [content.entriesMoved, "moved between content and references"] as const,
    ].flatMap(([ids, what]) =>
      ids.length === 0 ? [] : `${counted(ids.length, "entry", "entries")} ${what}: ${listed(ids)}`,
    ),
    ...(content.reordered ? ["entries in another order"] : []),
  ];
  const text = printable(`${path}${notes ? `  ${notes.join("; ")}` : ""}`);
  return { change, text, cells: [markdownCode(path), change] };
}

/**
 * "site/home and 2 more": where the change of an entry is. Before it the projects, if the entry is
 * listed once for each way in which its languages changed: "projects de, at: de/home and 2 more".
 */
function entryPlaces(all: readonly EntryChange[]): (entry: EntryChange) => string {
  const items = Map.groupBy(all, ({ id }) => id);
  return ({ id, documents }) => {
    const places = listed(documents.map(documentLabel));
    if (items.get(id)?.length === 1) return places;
    const projectIds = projectIdsOf(documents);
    return `${projectIds.length === 1 ? "project" : "projects"} ${listed(projectIds)}: ${places}`;
  };
}

function placeOf({ kind, key, field }: SchemaPlace): string {
  const names: Partial<Record<SchemaPlace["kind"], string>> = {
    "project-fields": "project fields",
    document: "schema document",
  };
  const what = [names[kind] ?? kind, ...(key === undefined ? [] : [key])].join(" ");
  return field === undefined ? what : `${what}, field ${field}`;
}

/** "site/home" for the content document of an experience, else the path. */
function documentLabel(path: string): string {
  const address = addressOfFilePath(path);
  return address?.kind === "content" ? `${address.projectId}/${address.experienceId}` : path;
}

function label(text: string): string {
  return shortened(printable(text), MAX_LENGTH);
}

/** Changes as lines: mark, place, values. Long values and long lists are shortened. */
function valueLines(changes: readonly ValueLine[], stream: NodeJS.WriteStream): string[] {
  const shown = changes.slice(0, MAX_CHANGES);
  const width = widest(shown.map(({ place }) => place));
  const lines = shown.map(
    ({ change, place, text }) => `    ${mark(change, stream)} ${place.padEnd(width)}  ${text}`,
  );
  const left = changes.length - shown.length;
  return left === 0 ? lines : [...lines, `    …${andMore(left)}`];
}

/** The width of a column of texts, at most MAX_VALUE. */
function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, Math.min(text.length, MAX_VALUE)), 0);
}

/** What differs of records, as it is printed. */
class ValueLines {
  readonly #names: ShownNames<never>;

  constructor({ entries }: Diff, definitions: Definitions) {
    const titles = new Map(entries.map(({ id, title }) => [id, title]));
    // What leads nowhere has no title.
    const target = (id: string, wasThere: boolean) => ({
      text: (wasThere ? titles.get(id) : undefined) ?? id,
    });
    this.#names = { definitions, target };
  }

  modelName(key: string | null): string {
    return key === null ? "no model" : (modelNamed(this.#names.definitions, key)?.name ?? key);
  }

  of(changes: readonly FieldChange[]): ValueLine[] {
    return changes.map((one) => {
      const place = shortened(printable(one.place.join(" › ")), 2 * MAX_VALUE);
      return { change: one.change, place, text: this.#text(one) };
    });
  }

  #text(change: FieldChange): string {
    const { before, after, only } = shownChange(this.#names, change);
    if (only === "formatting") return "formatting or links";
    const [was, is] = [lineOf(change.before, before), lineOf(change.after, after)];
    if (before === null) return short(change.after, is, 0, 2 * MAX_VALUE);
    if (after === null) return short(change.before, was, 0, 2 * MAX_VALUE);
    // Long texts are shown from shortly before their first difference.
    const from = Math.max(0, firstDifference(was, is) - 20);
    return `${short(change.before, was, from)} → ${short(change.after, is, from)}`;
  }
}

/** What a reader sees of a value; of a text all, as it is. */
function lineOf(value: JsonValue | undefined, shown: Shown<never> | null): string {
  if (Array.isArray(value) && value.length === 0) return "empty list";
  return typeof value === "string" ? value : textOf(shown).replace(/\s+/g, " ");
}

/** @param text what a reader sees of the value */
function short(value: JsonValue | undefined, text: string, from: number, length = MAX_VALUE) {
  const isCut = text.length > length && from > 0;
  // Truncated before it is escaped: values may be megabytes.
  const some = part(isCut ? part(text, Math.min(from, text.length)) : text, 0, 2 * length);
  const json =
    typeof value === "number" || typeof value === "boolean" ? some : JSON.stringify(some);
  return shortened(printable(isCut ? `"…${json.slice(1)}` : json), length);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
