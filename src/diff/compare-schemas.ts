import { canonicalJson } from "../documents/canonical-json.ts";
import { inlinedSchema } from "../documents/inlined-schema.ts";
import { isGiven, isPattern } from "../documents/key-patterns.ts";
import {
  byCodeUnit,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
} from "../workspace/json.ts";
import { compareNames, compareShapes } from "./compare-shapes.ts";
import type { SchemaFinding, SchemaPlace } from "./schema-change.ts";

export interface FoundAt {
  readonly at: SchemaPlace;
  readonly finding: SchemaFinding;
  /** D5. */
  readonly migrations?: readonly string[];
}

/** D2: what changed between two schema documents of a project, for code generated from the first. */
export function compareSchemas(was: JsonObject, is: JsonObject): FoundAt[] {
  const [before, after] = [inlinedSchema(was), inlinedSchema(is)];
  const definitions = (name: string) =>
    [before, after].map((schema) => member(member(schema, "$defs"), name)) as [
      JsonObject,
      JsonObject,
    ];
  return [
    ...compareFormats(before, after),
    ...byKey(definitions("contentModels"), "model", compareData),
    ...byKey(definitions("contentBlocks"), "block", compareBlocks),
    ...compareData(...definitions("fields"), { kind: "project-fields" }),
    ...compareKeys(definitions("featureKeys"), "feature"),
    ...compareKeys(definitions("experienceKeys"), "experience"),
    ...compareKeys(definitions("stepKeys"), "step"),
    ...compareStepModels(before, after),
    ...compareFeatureValues(before, after),
  ];
}

/** The changes of each key by `compare`; keys of one side only are removed or added. */
function byKey(
  [before, after]: readonly [JsonObject, JsonObject],
  kind: SchemaPlace["kind"],
  compare: (before: JsonObject, after: JsonObject, at: SchemaPlace) => FoundAt[],
): FoundAt[] {
  return keysOf(before, after).flatMap((key) => {
    const at = { kind, key };
    if (!Object.hasOwn(after, key)) return { at, finding: { code: "removed" } };
    if (!Object.hasOwn(before, key)) return { at, finding: { code: "added" } };
    return compare(member(before, key), member(after, key), at);
  });
}

function compareData(before: JsonObject, after: JsonObject, at: SchemaPlace): FoundAt[] {
  const [olds, news] = [member(before, "properties"), member(after, "properties")];
  const fields = keysOf(olds, news).flatMap((field): FoundAt[] => {
    const here = { ...at, field };
    if (!Object.hasOwn(news, field)) {
      const migrations = renamesOf(field, olds, news, at);
      const removed = { at: here, finding: { code: "field-removed" } } as const;
      return [migrations.length === 0 ? removed : { ...removed, migrations }];
    }
    if (!Object.hasOwn(olds, field)) return [{ at: here, finding: { code: "field-added" } }];
    const [was, is] = [before, after].map((data) => strings(data.required).includes(field));
    const presence: SchemaFinding[] =
      was === is ? [] : [{ code: is ? "field-required" : "field-optional" }];
    const shapes = compareShapes(member(olds, field), member(news, field));
    return [...presence, ...shapes].map((finding) => ({ at: here, finding }));
  });
  const rest = ["title", "properties", "required"];
  return [...compareRest(before, after, rest, at), ...fields];
}

/** D5: for each new field with values of the same type as the one that is gone. */
function renamesOf(field: string, olds: JsonObject, news: JsonObject, at: SchemaPlace): string[] {
  if (at.kind !== "model" && at.kind !== "block") return [];
  const isSame = (key: string) =>
    compareShapes(member(olds, field), member(news, key)).every(({ code }) =>
      ["name-changed", "description-changed", "constraint-changed"].includes(code),
    );
  const owner = at.kind === "block" ? `block:${at.key}` : at.key;
  return Object.keys(news)
    .filter((key) => !Object.hasOwn(olds, key) && isSame(key))
    .sort(byCodeUnit)
    .map((key) => `svc migrate <folder> rename-field ${owner} ${field} ${key}`);
}

function compareBlocks(before: JsonObject, after: JsonObject, at: SchemaPlace): FoundAt[] {
  const data = [before, after].map((block) => member(member(block, "properties"), "data"));
  const around = [before, after].map((block) => ({
    ...block,
    properties: { ...member(block, "properties"), data: null },
  }));
  return [
    ...compareRest(around[0] as JsonObject, around[1] as JsonObject, ["title"], at),
    ...compareData(data[0] as JsonObject, data[1] as JsonObject, at),
  ];
}

/** The name, and whether any member differs that is not compared elsewhere. */
function compareRest(
  before: JsonObject,
  after: JsonObject,
  elsewhere: readonly string[],
  at: SchemaPlace,
): FoundAt[] {
  const findings: SchemaFinding[] = compareNames(before, after);
  if (without(before, elsewhere) !== without(after, elsewhere)) {
    findings.push({ code: "shape-changed" });
  }
  return findings.map((finding) => ({ at, finding }));
}

function compareFormats(before: JsonObject, after: JsonObject): FoundAt[] {
  const name = "x-svc-schema-version";
  return before[name] === after[name]
    ? []
    : [{ at: { kind: "document" }, finding: { code: "shape-changed" } }];
}

function compareKeys(
  [before, after]: readonly [JsonObject, JsonObject],
  kind: SchemaPlace["kind"],
): FoundAt[] {
  const [had, has] = [patternsOf(before), patternsOf(after)];
  // S12: code was generated from the pattern, and is the same with a key more or less.
  const common = had.filter((pattern) => has.includes(pattern));
  const keyed = ({ enum: keys }: JsonObject) => {
    const own = strings(keys).filter((key) => !common.some((pattern) => isGiven(pattern, key)));
    return Object.fromEntries(own.map((key) => [key, null]));
  };
  return byKey([keyed(before), keyed(after)], kind, () => []);
}

function patternsOf({ "x-svc-patterns": patterns }: JsonObject): string[] {
  const listed = Array.isArray(patterns) ? (patterns as readonly JsonValue[]) : [];
  const keys = listed.map((one) => (isJsonObject(one) && ownMember(one, "key")) || null);
  return strings(keys).filter(isPattern);
}

/** Of steps that both documents have: `compareKeys` reports the others. */
function compareStepModels(before: JsonObject, after: JsonObject): FoundAt[] {
  const [had, has] = [before, after].map((schema) => member(schema, "x-svc-step-content-models"));
  const steps = commonKeys(before, after, "stepKeys");
  return steps.flatMap((key): FoundAt[] => {
    const at = { kind: "step" as const, key };
    const [was, is] = [had, has].map((map) => ownMember(map as JsonObject, key));
    if (was === is) return [];
    if (typeof was !== "string") {
      return [{ at, finding: { code: "step-model-added", value: String(is) } }];
    }
    if (typeof is !== "string")
      return [{ at, finding: { code: "step-model-removed", value: was } }];
    return [{ at, finding: { code: "step-model-changed", before: was, after: is } }];
  });
}

/** Of features that both documents have. One without a list of values serves true or false. */
function compareFeatureValues(before: JsonObject, after: JsonObject): FoundAt[] {
  const valuesOf = (schema: JsonObject, key: string) => {
    const values = ownMember(member(schema, "x-svc-feature-values"), key);
    return Array.isArray(values) ? values.map((value) => JSON.stringify(value)) : undefined;
  };
  return commonKeys(before, after, "featureKeys").flatMap((key): FoundAt[] => {
    const at = { kind: "feature" as const, key };
    const [was, is] = [valuesOf(before, key), valuesOf(after, key)];
    if (was === undefined || is === undefined) {
      if (was === is) return [];
      const listed = (values: string[] | undefined) => values?.join(", ") ?? "true or false";
      return [{ at, finding: { code: "type-changed", before: listed(was), after: listed(is) } }];
    }
    const removed = was.filter((value) => !is.includes(value));
    const added = is.filter((value) => !was.includes(value));
    return [
      ...removed.map((value): FoundAt => ({ at, finding: { code: "value-removed", value } })),
      ...added.map((value): FoundAt => ({ at, finding: { code: "value-added", value } })),
    ];
  });
}

function commonKeys(before: JsonObject, after: JsonObject, name: string): string[] {
  const [had, has] = [before, after].map((schema) =>
    strings(member(member(schema, "$defs"), name).enum),
  );
  const inBoth = new Set(has);
  return (had ?? []).filter((key) => inBoth.has(key));
}

function keysOf(before: JsonObject, after: JsonObject): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].sort(byCodeUnit);
}

/** A member that is an object; an empty object when it is absent or not one. */
function member(object: JsonObject, name: string): JsonObject {
  const value = ownMember(object, name);
  return isJsonObject(value) ? value : {};
}

function strings(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : [];
}

function without(object: JsonObject, names: readonly string[]): string {
  return canonicalJson(
    Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name))),
  );
}
