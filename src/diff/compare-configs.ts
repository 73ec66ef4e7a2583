import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import { compareValues, type ValueChange } from "./compare-values.ts";

/** A difference of two project configs. */
export interface ConfigChange extends ValueChange {
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
): ConfigChange[] {
  const at = { kind: "project-fields", id: projectId } as const;
  const fields = compareValues(before.fields ?? {}, after.fields ?? {});
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
    if (was === undefined) return [{ at, path: "", change: "added", after: is as JsonValue }];
    if (is === undefined) return [{ at, path: "", change: "removed", before: was }];
    return compareValues(was, is).map((change) => ({ at, ...change }));
  });
  const olds = [...had.keys()].filter((id) => has.has(id));
  const news = [...has.keys()].filter((id) => had.has(id));
  if (olds.join(" ") === news.join(" ")) return changes;
  const at = { kind: "project", id: projectId } as const;
  return [...changes, { at, path: `/${kind}s`, change: "changed", before: olds, after: news }];
}

function byId(records: JsonValue | undefined): Map<string, JsonObject> {
  const all = (Array.isArray(records) ? records : []).filter(isJsonObject);
  return new Map(all.map((record) => [String(record.id), record]));
}

function labels({ key, name }: JsonObject): { key?: string; name?: string } {
  return { ...(typeof key === "string" && { key }), ...(typeof name === "string" && { name }) };
}
