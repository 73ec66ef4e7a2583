import type { ConfigChange } from "../../diff/compare-configs.ts";
import type { EntryChange } from "../../diff/compare-contents.ts";
import type { ValueChange } from "../../diff/compare-values.ts";
import type { Diff, DocumentChange } from "../../diff/diff.ts";
import { projectIdsOf } from "../../diff/published-documents.ts";
import type { RenamedEntry } from "../../diff/renamed-entries.ts";
import type { SchemaChange, SchemaPlace } from "../../diff/schema-change.ts";
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
  readonly values?: readonly ValueChange[];
  readonly below?: readonly string[];
  /** Its row of a Markdown table. */
  readonly cells: readonly string[];
}

interface Section {
  readonly title: string;
  /** Of its Markdown table. */
  readonly head: readonly string[];
  readonly items: readonly Item[];
  readonly limit: number;
}

/** "2 documents changed, 1 added; 1 entry changed; schema: 1 breaking, 2 safe" */
export function diffSummary({ summary, config }: Diff): string {
  const { documents, entriesChanged, breaking, safe } = summary;
  const parts = (["changed", "added", "removed"] as const).flatMap((change) =>
    documents[change] === 0 ? [] : `${counted(documents[change], "document")} ${change}`,
  );
  if (parts.length === 0) return "nothing differs";
  if (entriesChanged > 0) parts.push(`${counted(entriesChanged, "entry", "entries")} changed`);
  const items = byRecord(config).length;
  if (items > 0) parts.push(`${counted(items, "config item")} changed`);
  return `${parts.join(", ")}; schema: ${breaking} breaking, ${safe} safe`;
}

/** All changes in groups: as lines of text, or as tables of GitHub Flavored Markdown. */
export function diffLines(
  diff: Diff,
  format: "text" | "github" | "markdown",
  stream: NodeJS.WriteStream,
): string[] {
  return sectionsOf(diff).flatMap(({ title, head, items, limit }) => {
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

function sectionsOf(diff: Diff): Section[] {
  const { schema, config, entries, documents, projects } = diff;
  const width = widest(schema.map(({ at }) => label(placeOf(at))));
  const places = entryPlaces(entries);
  return [
    {
      title: "Schema",
      head: ["schema", "place", "change"],
      items: schema.map((one) => schemaItem(one, width, one.projects.length === projects.length)),
      // Readers must see every breaking change before publishing.
      limit: Number.POSITIVE_INFINITY,
    },
    {
      title: "Configs",
      head: ["config", "changes"],
      items: byRecord(config).map(configItem),
      limit: MAX_ITEMS,
    },
    {
      title: "Entries",
      head: ["entry", "model", "changes", "shown in"],
      items: entries.map((entry) => entryItem(entry, places(entry))),
      limit: MAX_ITEMS,
    },
    {
      title: "Renamed?",
      head: ["entry", "now", "change what points at it"],
      items: diff.renamed.map(renamedItem),
      limit: MAX_ITEMS,
    },
    {
      title: "Documents",
      head: ["document", "change"],
      items: documents.map(documentItem),
      limit: MAX_ITEMS,
    },
  ];
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

/** A step, an experience or the project fields, with their changes. */
function configItem(changes: readonly ConfigChange[]): Item {
  const [first] = changes as readonly [ConfigChange];
  const { kind, id, key, name } = first.at;
  const what = kind === "project-fields" ? "project fields" : kind;
  const of = key === undefined ? "" : `, id ${id}, of ${first.projectId}`;
  // "step home (Home), id s1, of site"
  const text = `${what} ${key ?? id}${name === undefined ? "" : ` (${name})`}${of}`;
  const isRecord = first.path === "" && kind !== "project-fields";
  const paths = changes.map(({ path, change }) => (path === "" ? change : path));
  return {
    change: isRecord ? first.change : "changed",
    text: label(text),
    values: isRecord ? [] : changes,
    cells: [markdownText(text), markdownText(listed(paths))],
  };
}

function entryItem(entry: EntryChange, places: string): Item {
  const { id, fields, contentModelKey, contentModelKeyBefore } = entry;
  const now = contentModelKey ?? "no model";
  const changed = contentModelKeyBefore !== undefined;
  const model = changed ? `${contentModelKeyBefore ?? "no model"} → ${now}` : now;
  const paths = listed(fields.map(({ path }) => path));
  return {
    change: "changed",
    text: printable(`${id} (${model})  in ${places}`),
    values: fields,
    cells: [markdownCode(id), ...[model, paths, places].map(markdownText)],
  };
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

function byRecord(changes: readonly ConfigChange[]): ConfigChange[][] {
  const records = Map.groupBy(changes, ({ projectId, at }) => `${projectId} ${at.kind} ${at.id}`);
  return [...records.values()];
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

/** Changes as lines: mark, path, values. Long values and long lists are shortened. */
function valueLines(changes: readonly ValueChange[], stream: NodeJS.WriteStream): string[] {
  const shown = changes.slice(0, MAX_CHANGES);
  const paths = shown.map(({ path }) => shortened(printable(path), 2 * MAX_VALUE));
  const width = widest(paths);
  const lines = shown.map((one, index) => {
    const path = (paths[index] ?? "").padEnd(width);
    return `    ${mark(one.change, stream)} ${path}${width > 0 ? "  " : ""}${values(one)}`;
  });
  const left = changes.length - shown.length;
  return left === 0 ? lines : [...lines, `    …${andMore(left)}`];
}

/** The width of a column of texts, at most MAX_VALUE. */
function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, Math.min(text.length, MAX_VALUE)), 0);
}

function values({ change, before, after }: ValueChange): string {
  if (change === "added") return short(after as JsonValue, 0, 2 * MAX_VALUE);
  if (change === "removed") return short(before as JsonValue, 0, 2 * MAX_VALUE);
  if (typeof before === "string" && typeof after === "string") {
    // Long texts are shown from shortly before their first difference.
    const from = Math.max(
      0,
      Math.min(firstDifference(before, after) - 20, before.length, after.length),
    );
    return `${short(before, from)} → ${short(after, from)}`;
  }
  return `${short(before as JsonValue)} → ${short(after as JsonValue)}`;
}

function short(value: JsonValue, from = 0, length = MAX_VALUE): string {
  const isCut = typeof value === "string" && value.length > length && from > 0;
  // Truncated before it is escaped: values may be megabytes.
  const text = isCut ? part(value, from) : value;
  const json = JSON.stringify(typeof text === "string" ? part(text, 0, 2 * length) : text);
  const shown = printable(isCut ? `"…${json.slice(1)}` : json);
  return shortened(shown, length);
}

function firstDifference(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}
