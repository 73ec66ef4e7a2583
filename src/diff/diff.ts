import { isDeepStrictEqual } from "node:util";
import { type Address, addressOfFilePath } from "../documents/address.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { doneAtOnce } from "../workspace/work.ts";
import { type ConfigChange, compareConfigs } from "./compare-configs.ts";
import { type ContentChange, ContentComparison, type EntryChange } from "./compare-contents.ts";
import { compareSchemas } from "./compare-schemas.ts";
import type { RenamedEntry } from "./renamed-entries.ts";
import { mergedChanges, type SchemaChange, schemaChange } from "./schema-change.ts";
import { idsIn, type Snapshot } from "./snapshot.ts";

/** A document that differs. */
export interface DocumentChange {
  /** Below `out/`. */
  readonly path: string;
  readonly change: "added" | "removed" | "changed";
  readonly address: Address;
  /** Present for content documents that changed. */
  readonly content?: ContentChange;
}

/** How two snapshots differ, by meaning (D1). */
export interface Diff {
  readonly summary: {
    readonly documents: Readonly<Record<"added" | "removed" | "changed" | "unchanged", number>>;
    /** D1c: before the first publish, all that documents show. */
    readonly entriesAdded: number;
    readonly entriesRemoved: number;
    readonly entriesChanged: number;
    readonly breaking: number;
    readonly safe: number;
  };
  /** The ids of the projects of both, in order. */
  readonly projects: readonly string[];
  /** Their effect on code generated from the schema before; breaking changes first. */
  readonly schema: readonly SchemaChange[];
  readonly config: readonly ConfigChange[];
  /** Those that came, then that changed, each once for each way in which it did (B1), then that went. */
  readonly entries: readonly EntryChange[];
  /** D6: entries that seem to have another id now. */
  readonly renamed: readonly RenamedEntry[];
  /** Those whose bytes differ (D3), in order of the paths. */
  readonly documents: readonly DocumentChange[];
}

export function diffSnapshots(before: Snapshot, after: Snapshot): Diff {
  return doneAtOnce(diffInParts(before, after));
}

/** The same, in parts of a document. */
export function* diffInParts(before: Snapshot, after: Snapshot): Generator<void, Diff> {
  const paths = [...new Set([...before.documents.keys(), ...after.documents.keys()])];
  const schema: SchemaChange[] = [];
  const config: ConfigChange[] = [];
  const contents = new ContentComparison(before, after);
  const documents: DocumentChange[] = [];
  // D1c: before the first publish.
  const isAllOfOne = [before, after].some((side) => side.documents.size === 0);
  for (const path of paths.sort(byCodeUnit)) {
    const [was, is] = [before.documents.get(path), after.documents.get(path)];
    const address = addressOfFilePath(path);
    if (was === is || address === undefined) continue;
    yield;
    const { kind, projectId } = address;
    if (was === undefined || is === undefined) {
      const change = is === undefined ? "removed" : "added";
      documents.push({ path, change, address });
      if (kind === "content" && !isAllOfOne) contents.read(path, projectId, change);
      // A project is added and removed with its config.
      if (kind !== "project") continue;
      schema.push(schemaChange({ kind, key: projectId }, { code: change }, projectId));
      continue;
    }
    const change = { path, change: "changed", address } as const;
    if (kind === "content") {
      documents.push({ ...change, content: contents.compare(path, projectId) });
      continue;
    }
    documents.push(change);
    const [old, now] = [before.document(path), after.document(path)];
    if (kind === "project") {
      const { definitions } = after.definitions ? after : before;
      config.push(...compareConfigs(projectId, old, now, definitions));
    } else {
      for (const { at, finding, migrations } of compareSchemas(old, now)) {
        schema.push(schemaChange(at, finding, projectId, migrations));
      }
    }
  }
  const entries = yield* contents.changes();
  const merged = withoutMadeMigrations(mergedChanges(schema), entries);
  const renamed = contents.renamed(entries);
  const made = summarised(merged, config, entries, documents, paths);
  if (!isAllOfOne) return { ...made, renamed };
  const [went, came] = [yield* idsIn(before).rest(), yield* idsIn(after).rest()];
  const counts = { entriesAdded: came.size, entriesRemoved: went.size };
  return { ...made, summary: { ...made.summary, ...counts }, renamed };
}

/** What one of its documents shows of it. */
export function diffOfDocument(diff: Diff, path: string): Diff {
  const documents = diff.documents.filter((one) => one.path === path);
  const entries = diff.entries.filter((one) => one.documents.includes(path));
  return { ...summarised([], [], entries, documents, [path]), renamed: [] };
}

function summarised(
  schema: readonly SchemaChange[],
  config: readonly ConfigChange[],
  entries: readonly EntryChange[],
  documents: readonly DocumentChange[],
  paths: readonly string[],
): Omit<Diff, "renamed"> {
  const count = (change: DocumentChange["change"]) =>
    documents.filter((document) => document.change === change).length;
  const ids = (change: EntryChange["change"]) =>
    new Set(entries.flatMap((one) => (one.change === change ? one.id : []))).size;
  const breaking = schema.filter(({ verdict }) => verdict === "breaking").length;
  return {
    summary: {
      documents: {
        added: count("added"),
        removed: count("removed"),
        changed: count("changed"),
        unchanged: paths.length - documents.length,
      },
      entriesAdded: ids("added"),
      entriesRemoved: ids("removed"),
      entriesChanged: ids("changed"),
      breaking,
      safe: schema.length - breaking,
    },
    projects: [...new Set(paths.flatMap((path) => addressOfFilePath(path)?.projectId ?? []))],
    schema,
    config,
    entries,
    documents,
  };
}

/** D5: the changes without the migrations of fields whose served values were moved already. */
function withoutMadeMigrations(
  schema: readonly SchemaChange[],
  entries: readonly EntryChange[],
): SchemaChange[] {
  return schema.map((change) => {
    const { migrations = [], ...rest } = change;
    // The new field is the last word of the command.
    const isMade = migrations.some((command) =>
      hasMoved(change.at, command.slice(command.lastIndexOf(" ") + 1), entries),
    );
    return isMade ? rest : change;
  });
}

/** Whether each value of the field that entries served is under the new key now, and there is one. */
function hasMoved(
  { kind, key, field = "" }: SchemaChange["at"],
  to: string,
  entries: readonly EntryChange[],
): boolean {
  let moved = 0;
  for (const entry of entries) {
    const { fields, contentModelKey, contentModelKeyBefore = contentModelKey } = entry;
    if (entry.change !== "changed") continue;
    if (kind === "model" && contentModelKeyBefore !== key) continue;
    for (const { path, change, before = null } of fields) {
      const around = path.slice(0, -field.length);
      const isInBlock = around !== "/";
      if (change !== "removed" || before === null || path !== `${around}${field}`) continue;
      if (!around.endsWith("/") || isInBlock !== (kind === "block")) continue;
      const now = fields.find((one) => one.change === "added" && one.path === `${around}${to}`);
      if (!isDeepStrictEqual(now?.after, before)) return false;
      moved += 1;
    }
  }
  return moved > 0;
}
