import type { ConfigChange } from "../../diff/compare-configs.ts";
import type { EntryChange } from "../../diff/compare-contents.ts";
import type { Diff, DocumentChange } from "../../diff/diff.ts";
import { projectIdsOf } from "../../diff/published-documents.ts";
import type { SchemaChange, SchemaPlace } from "../../diff/schema-change.ts";
import { type Address, addressOfFilePath } from "../../documents/address.ts";
import { counted, grouped } from "./counted.ts";
import { mark, shortened, valueLines, widest } from "./diff-values.ts";
import { printable } from "./printable.ts";
import { styled } from "./styled.ts";

/** How many items of a group are listed. */
export const MAX_ITEMS = 50;
/** The longest label or message, in characters. */
const MAX_LENGTH = 160;

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

/** All changes as lines of text, in groups. */
export function diffLines(diff: Diff, stream: NodeJS.WriteStream): string[] {
  const group = <T>(
    title: string,
    items: readonly T[],
    lines: (item: T) => string[],
    limit = MAX_ITEMS,
  ): string[] => {
    if (items.length === 0) return [];
    const left = items.length - limit;
    const rest = left > 0 ? [`  … and ${grouped(left)} more (--json lists all)`] : [];
    return ["", styled("bold", title, stream), ...items.slice(0, limit).flatMap(lines), ...rest];
  };
  const width = widest(diff.schema.map(({ at }) => placeLabel(at)));
  const schemaLine = ({
    verdict,
    at,
    message,
    projects,
    migrations = [],
  }: SchemaChange): string[] => {
    const colour = verdict === "breaking" ? "red" : "green";
    const where = placeLabel(at).padEnd(width);
    const isAll = projects.length === diff.projects.length;
    const projectIds = isAll ? "" : styled("dim", ` (in ${listed(projects)})`, stream);
    const what = `${where}  ${shortened(printable(message), MAX_LENGTH)}${projectIds}`;
    const kept = migrations.map((one) => `  ${" ".repeat(8)}    to keep its values: ${one}`);
    return [`  ${styled(colour, verdict.padEnd(8), stream)}  ${what}`, ...kept];
  };
  const places = entryPlaces(diff.entries);
  return [
    // Never truncated: readers must see every breaking change before publishing.
    ...group("Schema", diff.schema, schemaLine, Number.POSITIVE_INFINITY),
    ...group("Configs", byRecord(diff.config), (changes) => configItem(changes, stream)),
    ...group("Entries", diff.entries, (entry) => entryItem(entry, places(entry), stream)),
    ...group("Documents", diff.documents, (document) => [documentLine(document, stream)]),
  ];
}

function placeLabel(at: SchemaPlace): string {
  return shortened(printable(placeOf(at)), MAX_LENGTH);
}

/** A step, an experience or the project fields, followed by its changes. */
function configItem(changes: readonly ConfigChange[], stream: NodeJS.WriteStream): string[] {
  const [first] = changes as readonly [ConfigChange];
  const label = shortened(printable(configLabel(first)), MAX_LENGTH);
  const isRecord = first.path === "" && first.at.kind !== "project-fields";
  if (isRecord) return [`  ${mark(first, stream)} ${label}`];
  return [
    `  ${mark({ change: "changed" }, stream)} ${label}`,
    ...valueLines(changes, "    ", stream),
  ];
}

/** "step home (Home), id s1, of site" */
export function configLabel({ projectId, at }: ConfigChange): string {
  const { kind, id, key, name } = at;
  const what = kind === "project-fields" ? "project fields" : kind;
  const named = `${key ?? id}${name === undefined ? "" : ` (${name})`}`;
  const of = key === undefined ? "" : `, id ${id}, of ${projectId}`;
  return `${what} ${named}${of}`;
}

/** The changes grouped by record. */
export function byRecord(changes: readonly ConfigChange[]): ConfigChange[][] {
  const records = Map.groupBy(changes, ({ projectId, at }) => `${projectId} ${at.kind} ${at.id}`);
  return [...records.values()];
}

function entryItem(entry: EntryChange, places: string, stream: NodeJS.WriteStream): string[] {
  const { id, fields } = entry;
  const label = printable(`${id} (${modelLabel(entry)})  in ${places}`);
  return [
    `  ${mark({ change: "changed" }, stream)} ${label}`,
    ...valueLines(fields, "    ", stream),
  ];
}

/**
 * "site/home and 2 more": where the change of an entry is. Before it the projects, if the entry is
 * listed once for each way in which its languages changed: "projects de, at: de/home and 2 more".
 */
export function entryPlaces(all: readonly EntryChange[]): (entry: EntryChange) => string {
  const items = Map.groupBy(all, ({ id }) => id);
  return ({ id, documents }) => {
    const places = listed(documents.map(labelOf));
    if (items.get(id)?.length === 1) return places;
    const projectIds = projectIdsOf(documents);
    return `${projectIds.length === 1 ? "project" : "projects"} ${listed(projectIds)}: ${places}`;
  };
}

/** "page", or "page → post" */
export function modelLabel({ contentModelKey, contentModelKeyBefore }: EntryChange): string {
  const now = contentModelKey ?? "no model";
  return contentModelKeyBefore === undefined
    ? now
    : `${contentModelKeyBefore ?? "no model"} → ${now}`;
}

function documentLine(document: DocumentChange, stream: NodeJS.WriteStream): string {
  const { path, content } = document;
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
  return `  ${mark(document, stream)} ${printable(`${path}${notes ? `  ${notes.join("; ")}` : ""}`)}`;
}

export function placeOf({ kind, key, field }: SchemaPlace): string {
  const names: Partial<Record<SchemaPlace["kind"], string>> = {
    "project-fields": "project fields",
    document: "schema document",
  };
  const what = [names[kind] ?? kind, ...(key === undefined ? [] : [key])].join(" ");
  return field === undefined ? what : `${what}, field ${field}`;
}

/** "site/home" for the content document of an experience, else the path. */
export function labelOf(path: string): string {
  const address: Address | undefined = addressOfFilePath(path);
  return address?.kind === "content" ? `${address.projectId}/${address.experienceId}` : path;
}

/** The first three names. */
export function listed(names: readonly string[]): string {
  const [first, second, third, ...rest] = names;
  const shown = [first, second, third].filter((name) => name !== undefined).join(", ");
  return rest.length === 0 ? shown : `${shown} and ${grouped(rest.length)} more`;
}
