import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import { compareFields, type FieldChange } from "./compare-values.ts";
import type { Definitions } from "./names.ts";

/** A difference of two project configs. */
export interface ConfigChange extends FieldChange {
  readonly projectId: string;
  /** The record that changed, to which paths are relative; key and name after, else before. */
  readonly at: {
    readonly kind: "project-fields" | "step" | "experience" | "project";
    readonly id: string;
    readonly key?: string;
    readonly name?: string;
  };
}

type Change = Omit<ConfigChange, "projectId">;

export function compareConfigs(
  projectId: string,
  before: JsonObject,
  after: JsonObject,
  definitions: Definitions,
): ConfigChange[] {
  const at = { kind: "project-fields", id: projectId } as const;
  const [was, is] = [before, after].map(({ fields }) => (isJsonObject(fields) ? fields : {})) as [
    JsonObject,
    JsonObject,
  ];
  const fields = compareFields(definitions, definitions?.workspace.fields ?? [], was, is);
  const found: Change[] = [
    ...fields.map((change) => ({ at, ...change })),
    ...compareRecords(projectId, "step", before.steps, after.steps),
    ...compareRecords(projectId, "experience", before.experiences, after.experiences),
  ];
  return found.map((change) => ({ projectId, ...change }));
}

/** Steps or experiences: by id; a new order is one change. */
function compareRecords(
  projectId: string,
  kind: "step" | "experience",
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): Change[] {
  const [had, has] = [byId(before), byId(after)];
  const changes = [...new Set([...had.keys(), ...has.keys()])].flatMap((id): Change[] => {
    const [was, is] = [had.get(id), has.get(id)];
    const at = { kind, id, ...labels(is ?? was ?? {}) };
    const whole = { at, path: "", place: [] };
    if (was === undefined) return [{ ...whole, change: "added", after: is as JsonValue }];
    if (is === undefined) return [{ ...whole, change: "removed", before: was }];
    return compareFields(undefined, [], was, is).map((change) => ({ at, ...change }));
  });
  const olds = [...had.keys()].filter((id) => has.has(id));
  const news = [...has.keys()].filter((id) => had.has(id));
  if (olds.join(" ") === news.join(" ")) return changes;
  const at = { kind: "project", id: projectId } as const;
  const order = { path: `/${kind}s`, place: [`${kind}s`], change: "changed" } as const;
  return [...changes, { at, ...order, before: olds, after: news }];
}

function byId(records: JsonValue | undefined): Map<string, JsonObject> {
  const all = (Array.isArray(records) ? records : []).filter(isJsonObject);
  return new Map(all.map((record) => [String(record.id), record]));
}

function labels({ key, name }: JsonObject): { key?: string; name?: string } {
  return { ...(typeof key === "string" && { key }), ...(typeof name === "string" && { name }) };
}
