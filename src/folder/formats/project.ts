import { MAXIMUM_DEPTH } from "../../documents/references.ts";
import { UsageError } from "../../workspace/errors.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../../workspace/json.ts";
import type { Model, Project } from "../../workspace/records.ts";
import { NameMap, toKey } from "./name-map.ts";

/** An entry with its references, for the generated project. */
export interface LinkedEntry {
  readonly id: string;
  /** The id of its content type in Contentful. */
  readonly type: string;
  readonly layoutName: string;
  readonly name: string;
  /** The ids of the entries that it references. */
  readonly targets: readonly string[];
}

/** The ids of the entries that stored data references; a json value has no pointers (V8). */
export function targetsOf({ fields }: Model, data: JsonObject): string[] {
  return fields
    .filter(({ type }) => type === "reference")
    .flatMap(({ key }) => ownMember(data, key) ?? [])
    .flatMap((value: JsonValue) => {
      const id = isJsonObject(value) ? value.contentEntryId : undefined;
      return typeof id === "string" ? id : [];
    });
}

/**
 * Generates the project: for each root entry, an experience with one step.
 *
 * @param onChange called when an experience cannot have the id of its entry.
 */
export function projectOf(
  id: string,
  roots: readonly LinkedEntry[],
  onChange: (from: string, to: string) => void,
): Project {
  const names = roots.map((root) => root.id);
  const keys = new NameMap(toKey("entry_"), { names });
  // Experience ids become file names.
  const ids = new NameMap((text) => text, { names, ignoreCase: true, onChange });
  const pages = roots.map((root) => ({ ...root, key: keys.of(root.id), stepId: ids.of(root.id) }));
  return {
    ...{ id, name: id },
    steps: pages.map(({ id, key, name, layoutName, stepId }) => ({
      ...{ id: stepId, key, name, layoutName, layoutContentId: id },
    })),
    experiences: pages.map(({ key, name, stepId }) => ({
      ...{ id: stepId, key, name, stepIds: [stepId] },
    })),
  };
}

/**
 * The entries that become experiences: those of the types, or those that no other entry references.
 *
 * @throws UsageError for a type without entries.
 */
export function rootsOf(
  entries: readonly LinkedEntry[],
  types: readonly string[] | undefined,
): LinkedEntry[] {
  if (types === undefined) {
    const referenced = new Set(
      entries.flatMap(({ id, targets }) => targets.filter((target) => target !== id)),
    );
    return sortedById(entries.filter(({ id }) => !referenced.has(id)));
  }
  const known = [...new Set(entries.map(({ type }) => type))].sort();
  const missing = types.find((type) => !known.includes(type));
  if (missing === undefined) return sortedById(entries.filter(({ type }) => types.includes(type)));
  throw new UsageError(
    `no imported entry has the type "${missing}"`,
    `--roots takes types that have entries: ${known.join(", ")}`,
  );
}

/** Makes the result independent of the order in the export. */
function sortedById(entries: readonly LinkedEntry[]): LinkedEntry[] {
  return [...entries].sort((a, b) => byCodeUnit(a.id, b.id));
}

/** The sorted ids of the entries that are more than 5 references away from every root (E2). */
export function unreachableIds(
  entries: readonly LinkedEntry[],
  roots: readonly LinkedEntry[],
): string[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  const reached = new Set(roots.map(({ id }) => id));
  let level = [...reached];
  for (let depth = 1; depth <= MAXIMUM_DEPTH; depth += 1) {
    const targets = level.flatMap((id) => byId.get(id)?.targets ?? []);
    level = [...new Set(targets)].filter((id) => byId.has(id) && !reached.has(id));
    for (const id of level) reached.add(id);
  }
  return [...byId.keys()].filter((id) => !reached.has(id)).sort();
}
