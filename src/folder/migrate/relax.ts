import { DuplicateValues } from "../../documents/check-draft.ts";
import { renderProjectFields } from "../../documents/project-config.ts";
import { Rendering } from "../../documents/rendering.ts";
import { pointerKind } from "../../fields/rich-text-tree.ts";
import type { Draft } from "../../workspace/draft.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  pathIn,
} from "../../workspace/json.ts";
import type { Problem } from "../../workspace/problem.ts";
import type { Model } from "../../workspace/records.ts";
import { folderDraft, readRecords } from "../folder-draft.ts";
import { readFolder } from "../read-folder.ts";
import type { Definitions, MigratedKind, Migration, RelaxedConstraint } from "./migration.ts";

interface Place extends Pick<RelaxedConstraint, "kind" | "key"> {
  readonly id: string;
  readonly field: FieldDefinition;
}

/** The constraints of a field that values break, each with the ids of their records. */
interface BrokenField extends Place {
  readonly broken: Map<string, Set<string>>;
}

/** `relax`: M8, B6. */
export function relax({ folder }: Definitions): Migration {
  return relaxation(folderDraft(readRecords(readFolder(folder))));
}

/** The migration of the models, blocks and project fields of this draft. */
export function relaxation(read: Draft): Migration {
  const fields = new Map<string, BrokenField>();
  const migration = (kind: MigratedKind, record: JsonObject): JsonObject => {
    if (kind === "entries" || kind === "projects" || record.fields === undefined) return record;
    const relaxed = (record.fields as readonly JsonObject[]).map((field) => {
      const known = fields.get(nameOf({ kind, id: record.id, field }));
      return known === undefined ? field : withoutConstraints(field, known.broken.keys());
    });
    return { ...record, fields: relaxed };
  };
  const draft = withoutTimes(read);
  // Of the constraints that a value breaks, each is found when those before it are dropped.
  while (noteBroken(withDefinitions(draft, migration), fields));
  const inOrder = [...fields].sort(([a], [b]) => byCodeUnit(a, b));
  return Object.assign(migration, { relaxed: inOrder.flatMap(([, field]) => reported(field)) });
}

/** A3: a draft breaks nothing, and what is published at some time counts as published. */
function withoutTimes(read: Draft): Draft {
  const entries = [...read.entries.values()].map((entry) => {
    const draft = entry.publishing?.draft;
    return { ...entry, publishing: draft === undefined ? undefined : { draft } };
  });
  return { ...read, entries: new Map(entries.map((entry) => [entry.id, entry])) };
}

function withDefinitions(
  draft: Draft,
  migration: (kind: MigratedKind, record: JsonObject) => JsonObject,
): Draft {
  const changed = <R>(kind: MigratedKind, record: R) =>
    migration(kind, record as unknown as JsonObject) as unknown as R;
  return {
    ...draft,
    workspace: changed("workspace", draft.workspace),
    models: draft.models.map((model) => changed("models", model)),
    blocks: draft.blocks.map((block) => changed("blocks", block)),
  };
}

/** Adds the constraints that content breaks. Returns whether there are further ones. */
function noteBroken(draft: Draft, fields: Map<string, BrokenField>): boolean {
  let isMore = false;
  for (const { problem, id } of errorsIn(draft)) {
    const place = placeOf(draft, problem);
    const constraint = place && constraintOf(problem, place.field);
    if (place === undefined || constraint === undefined) continue;
    const known = fields.get(nameOf(place)) ?? { ...place, broken: new Map() };
    fields.set(nameOf(place), known);
    const ids = known.broken.get(constraint);
    isMore ||= ids === undefined;
    known.broken.set(constraint, (ids ?? new Set()).add(id));
  }
  return isMore;
}

/** The errors of all stored values, each with the id of its entry or project. */
function* errorsIn(draft: Draft): Generator<{ readonly problem: Problem; readonly id: string }> {
  const rendering = new Rendering(draft);
  const duplicates = new DuplicateValues();
  const errors = (found: readonly Problem[], id?: string) =>
    found
      .filter(({ level }) => level === "error")
      .map((problem) => ({ problem, id: id ?? problem.at.id }));
  for (const one of rendering.all()) {
    // P11: one of a definition is not at the entry.
    yield* errors(rendering.problemsOf(one), one.entry.head.id);
    duplicates.add(one.entry);
  }
  yield* errors(duplicates.problems(rendering));
  for (const project of draft.projects) {
    yield* errors(renderProjectFields(rendering, project).renderer.problems, project.id);
  }
}

/** The field in whose definition the constraint is. */
function placeOf(draft: Draft, { at }: Problem): Place | undefined {
  const path = pathIn(at.path);
  const { workspace, models, blocks } = draft;
  const settings = { ...workspace, key: workspace.id, fields: workspace.fields ?? [] };
  const inDefinition = (kind: Place["kind"], owner: Owner | undefined) => {
    const field = owner?.fields[Number(path[1])];
    return owner && field && { kind, id: owner.id, key: owner.key, field };
  };
  switch (at.kind) {
    case "entry": {
      const entry = draft.entries.get(at.id);
      const model = models.find(({ id }) => id === entry?.modelId);
      return entry && model && inData(draft, "models", model, draft.dataOf(entry), path);
    }
    case "project": {
      const project = draft.projects.find(({ id }) => id === at.id);
      return inData(draft, "workspace", settings, project?.fields ?? {}, path.slice(1));
    }
    case "model":
      return inDefinition(
        "models",
        models.find(({ id }) => id === at.id),
      );
    case "block":
      return inDefinition(
        "blocks",
        blocks.find(({ id }) => id === at.id),
      );
    case "workspace":
      return inDefinition("workspace", settings);
    case "asset":
      return undefined;
  }
}

type Owner = Pick<Model, "id" | "key" | "fields">;

/** The field of the value at a path in stored data, in the innermost block there. */
function inData(
  draft: Draft,
  kind: Place["kind"],
  { id, key, fields }: Owner,
  data: JsonObject,
  [name = "", ...path]: readonly string[],
): Place | undefined {
  const field = fields.find((one) => one.key === name);
  if (field === undefined) return undefined;
  let value: JsonValue | undefined = data[name];
  for (const [at, segment] of path.entries()) {
    const isBlock = field.type === "content-block" || pointerKind(value ?? null) === "block";
    if (isBlock && segment === "data" && isJsonObject(value) && isJsonObject(value.data)) {
      const block = draft.blocks.find((one) => one.id === (value as JsonObject).contentBlockId);
      return block && inData(draft, "blocks", block, value.data, path.slice(at + 1));
    }
    value = (value as Readonly<Record<string, JsonValue>> | null | undefined)?.[segment];
  }
  return { kind, id, key, field };
}

function nameOf({
  kind,
  id,
  field,
}: {
  kind: string;
  id: unknown;
  field: { key?: unknown };
}): string {
  return `${kind} ${id} ${field.key}`;
}

/** The constraint that is broken; undefined when none of the definition is. */
function constraintOf(
  problem: Problem,
  { type, minItems = 0 }: FieldDefinition,
): string | undefined {
  switch (problem.code) {
    case "value-missing":
      return "required";
    case "value-duplicate":
      return "unique";
    case "value-type": {
      const { expected } = problem.args;
      if (expected === "localized") return expected;
      // Of a list of `json` only null is none of its elements.
      return expected === "list" || type === "json" ? "repeatable" : "type";
    }
    case "value-constraint":
      return problem.args.constraint === "pointer" ? "type" : problem.args.constraint;
    case "block-not-accepted":
      return "category" in problem.args ? "category" : "blocks";
    case "reference-model-not-accepted":
      return "models";
    case "reference-deleted":
    case "reference-draft":
    case "reference-other-workspace":
    case "asset-missing":
    case "html-unreadable":
      return minItems >= (problem.args.lacks?.least ?? 1) ? "minItems" : "required";
    case "option-unknown":
      return problem.args.option;
    default:
      return undefined;
  }
}

/** M8a: what is dropped by another type, those last that leave the least. */
const CHANGES_TYPE = ["options", "format", "type", "repeatable", "localized"];
/** The members that `json` has, without those of lists. */
const OF_JSON = ["key", "name", "description", "required"];
const OF_JSON_LISTS = ["repeatable", "minItems", "maxItems"];

/** The definition of a field without these constraints, and with another type where they require it. */
function withoutConstraints(field: JsonObject, constraints: Iterable<string>): JsonObject {
  const broken = new Set(constraints);
  const type = CHANGES_TYPE.findLast((one) => broken.has(one));
  const isKept = (name: string) => {
    if (broken.has(name)) return false;
    if (type === undefined || type === "options" || type === "format") return true;
    if (name === "localized" || OF_JSON.includes(name)) return true;
    return type === "type" && OF_JSON_LISTS.includes(name);
  };
  const kept = Object.entries(field).filter(([name]) => name === "type" || isKept(name));
  const isText = type === "options" || type === "format";
  return { ...Object.fromEntries(kept), ...(type && { type: isText ? "text" : "json" }) };
}

function reported({ kind, key, field, broken }: BrokenField): RelaxedConstraint[] {
  const definition = field as unknown as JsonObject;
  const loose = withoutConstraints(definition, broken.keys());
  const lost = Object.keys(definition).filter((name) => !(name in loose) && !broken.has(name));
  return [...broken].map(([constraint, ids]) => ({
    kind,
    key,
    field: field.key,
    constraint,
    ...(CHANGES_TYPE.includes(constraint) && {
      now: String(loose.type),
      ...(lost.length > 0 && { with: lost }),
    }),
    entries: ids.size,
    example: [...ids][0] as string,
  }));
}
