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
import { fittingKey, Names } from "./name-map.ts";

/** An entry, for the project that shows it. */
export interface Shown {
  readonly id: string;
  /** The id of its content type, as Contentful has it. */
  readonly type: string;
  readonly layoutName: string;
  readonly name: string;
  /** The ids of the entries that it points at. */
  readonly targets: readonly string[];
}

/** The entries that stored data points at; what stands inside a json value is no pointer (V8). */
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
 * The one project: an experience with one step for each entry that is a root.
 *
 * @param onChange hears of an experience whose id cannot be that of its entry.
 */
export function projectOf(
  id: string,
  roots: readonly Shown[],
  onChange: (from: string, to: string) => void,
): Project {
  const names = roots.map((root) => root.id);
  const keys = new Names(fittingKey("entry_"), { names });
  // They become file names.
  const ids = new Names((text) => text, { names, ignoreCase: true, onChange });
  const shown = roots.map((root) => ({ ...root, key: keys.of(root.id), shownAs: ids.of(root.id) }));
  return {
    ...{ id, name: id },
    steps: shown.map(({ id, key, name, layoutName, shownAs }) => ({
      ...{ id: shownAs, key, name, layoutName, layoutContentId: id },
    })),
    experiences: shown.map(({ key, name, shownAs }) => ({
      ...{ id: shownAs, key, name, stepIds: [shownAs] },
    })),
  };
}

/**
 * The entries to make experiences of: those of the types, or those that no other entry points at.
 *
 * @throws UsageError for a type of which there is no entry.
 */
export function rootsOf(entries: readonly Shown[], types: readonly string[] | undefined): Shown[] {
  if (types === undefined) {
    const pointedAt = new Set(
      entries.flatMap(({ id, targets }) => targets.filter((target) => target !== id)),
    );
    return inOrder(entries.filter(({ id }) => !pointedAt.has(id)));
  }
  const known = [...new Set(entries.map(({ type }) => type))].sort();
  const missing = types.find((type) => !known.includes(type));
  if (missing === undefined) return inOrder(entries.filter(({ type }) => types.includes(type)));
  throw new UsageError(
    `no entry that is imported is of the type "${missing}"`,
    `--roots takes types that have entries: ${known.join(", ")}`,
  );
}

/** By id, whatever the order of the export is. */
function inOrder(entries: readonly Shown[]): Shown[] {
  return [...entries].sort((a, b) => byCodeUnit(a.id, b.id));
}

/** The ids of the entries to which no way of at most 5 references leads from a root (E2), sorted. */
export function unreachableIds(entries: readonly Shown[], roots: readonly Shown[]): string[] {
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
