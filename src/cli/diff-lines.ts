import { stripVTControlCharacters } from "node:util";
import type { ConfigChange } from "../diff/compare-configs.ts";
import type { EntryChange } from "../diff/compare-contents.ts";
import type { ValueChange } from "../diff/compare-values.ts";
import type { Diff, DocumentChange } from "../diff/diff.ts";
import type { SchemaPlace } from "../diff/schema-change.ts";
import { type Address, addressOfFilePath } from "../documents/address.ts";
import type { JsonValue } from "../workspace/json.ts";
import { counted, styled } from "./output.ts";

/** How many of each sort are listed. */
const SHOWN = 50;
/** How many characters of a value are shown. */
const LONGEST = 60;

const MARKS = { added: "+", removed: "-", changed: "~" } as const;
const COLOURS = { added: "green", removed: "red", changed: "yellow" } as const;

/** "2 documents changed, 1 added; 1 entry changed; schema: 1 breaking, 2 safe" */
export function diffSummary({ summary, config }: Diff): string {
  const { documents, entriesChanged, breaking, safe } = summary;
  const parts = (["changed", "added", "removed"] as const).flatMap((change) =>
    documents[change] === 0 ? [] : `${counted(documents[change], "document")} ${change}`,
  );
  if (parts.length === 0) return "nothing differs";
  if (entriesChanged > 0) parts.push(`${counted(entriesChanged, "entry", "entries")} changed`);
  if (config.length > 0) parts.push(`${counted(config.length, "change")} of configs`);
  return `${parts.join(", ")}; schema: ${breaking} breaking, ${safe} safe`;
}

/** All that differs, as lines of text in groups. */
export function diffLines(diff: Diff, stream: NodeJS.WriteStream): string[] {
  const group = (title: string, items: readonly string[][], more = SHOWN): string[] => {
    if (items.length === 0) return [];
    const left = items.length - more;
    const rest = left > 0 ? [`  … and ${left.toLocaleString("en")} more (--json lists all)`] : [];
    return ["", styled("bold", title, stream), ...items.slice(0, more).flat(), ...rest];
  };
  const places = diff.schema.map(({ at }) => placeOf(at));
  const width = widest(places);
  const schema = diff.schema.map(({ verdict, message, projects }, index) => {
    const colour = verdict === "breaking" ? "red" : "green";
    const where = (places[index] ?? "").padEnd(width);
    const projectIds = styled("dim", `(in ${listed(projects)})`, stream);
    return [`  ${styled(colour, verdict.padEnd(8), stream)}  ${where}  ${message} ${projectIds}`];
  });
  return [
    // Never cut short: it is what a reader must know before publishing.
    ...group("Schema", schema, Number.POSITIVE_INFINITY),
    ...group(
      "Configs",
      diff.config.map((change) => [configLine(change, stream)]),
    ),
    ...group(
      "Entries",
      diff.entries.map((entry) => entryLines(entry, stream)),
    ),
    ...group(
      "Documents",
      diff.documents.map((document) => [documentLine(document, stream)]),
    ),
  ];
}

function configLine(change: ConfigChange, stream: NodeJS.WriteStream): string {
  const { kind, id, name } = change.at;
  const what = kind === "project-fields" ? "project fields" : kind;
  const of = kind === "step" || kind === "experience" ? ` of ${change.projectId}` : "";
  const place = `${what} ${id}${name === undefined ? "" : ` (${name})`}${of}`;
  return `  ${mark(change, stream)} ${place}${change.path && ` ${change.path}`}  ${values(change)}`;
}

function entryLines(entry: EntryChange, stream: NodeJS.WriteStream): string[] {
  const { id, contentModelKey, contentModelKeyBefore, fields, documents } = entry;
  const model =
    contentModelKeyBefore === undefined
      ? (contentModelKey ?? "no model")
      : `${contentModelKeyBefore ?? "no model"} → ${contentModelKey ?? "no model"}`;
  const paths = fields.map(({ path }) => path);
  const width = widest(paths);
  return [
    `  ${id} (${model})  in ${listed(documents.map(labelOf))}`,
    ...fields.map(
      (field) => `    ${mark(field, stream)} ${field.path.padEnd(width)}  ${values(field)}`,
    ),
  ];
}

function documentLine(document: DocumentChange, stream: NodeJS.WriteStream): string {
  const { path, content } = document;
  const notes = content && [
    ...[
      [content.entriesChanged, "changed"] as const,
      [content.entriesAdded, "added"] as const,
      [content.entriesRemoved, "removed"] as const,
    ].flatMap(([ids, what]) =>
      ids.length === 0 ? [] : `${counted(ids.length, "entry", "entries")} ${what}: ${listed(ids)}`,
    ),
    ...(content.reordered ? ["entries in another order"] : []),
  ];
  return `  ${mark(document, stream)} ${path}${notes ? `  ${notes.join("; ")}` : ""}`;
}

function placeOf({ kind, key, field }: SchemaPlace): string {
  const names: Partial<Record<SchemaPlace["kind"], string>> = {
    "project-fields": "project fields",
    document: "schema document",
  };
  const what = [names[kind] ?? kind, ...(key === undefined ? [] : [key])].join(" ");
  return field === undefined ? what : `${what}, field ${field}`;
}

/** "site/home" for the content of an experience. */
function labelOf(path: string): string {
  const address: Address | undefined = addressOfFilePath(path);
  return address?.kind === "content" ? `${address.projectId}/${address.experienceId}` : path;
}

/** The first few. */
function listed(names: readonly string[]): string {
  const [first, second, third, ...rest] = names;
  const shown = [first, second, third].filter((name) => name !== undefined).join(", ");
  return rest.length === 0 ? shown : `${shown} and ${rest.length.toLocaleString("en")} more`;
}

function values({ change, before, after }: ValueChange): string {
  if (change === "added") return short(after as JsonValue);
  if (change === "removed") return short(before as JsonValue);
  if (typeof before === "string" && typeof after === "string") {
    // Long texts are shown from a little before the place where they part.
    const from = Math.max(0, Math.min(parting(before, after) - 20, before.length, after.length));
    return `${short(before, from)} → ${short(after, from)}`;
  }
  return `${short(before as JsonValue)} → ${short(after as JsonValue)}`;
}

function short(value: JsonValue, from = 0): string {
  const isCut = typeof value === "string" && value.length > LONGEST && from > 0;
  const text = JSON.stringify(isCut ? value.slice(from) : value);
  const shown = isCut ? `"…${text.slice(1)}` : text;
  const clean = stripVTControlCharacters(shown);
  return clean.length <= LONGEST ? clean : `${clean.slice(0, LONGEST - 1)}…`;
}

/** Where two texts begin to differ. */
function parting(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  return at;
}

function mark({ change }: { change: keyof typeof MARKS }, stream: NodeJS.WriteStream): string {
  return styled(COLOURS[change], MARKS[change], stream);
}

function widest(texts: readonly string[]): number {
  return texts.reduce((width, text) => Math.max(width, Math.min(text.length, LONGEST)), 0);
}
