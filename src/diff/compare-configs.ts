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

export function compareConfigs(
  projectId: string,
  before: JsonObject,
  after: JsonObject,
): ConfigChange[] {
  const fields = compareValues(before.fields ?? {}, after.fields ?? {});
  return [
    ...fields.map((change) => ({
      projectId,
      at: { kind: "project-fields" as const, id: projectId },
      ...change,
    })),
    ...compareRecords(projectId, "step", "steps", before, after),
    ...compareRecords(projectId, "experience", "experiences", before, after),
  ];
}

/** Steps or experiences: by id; a new order is one change. */
function compareRecords(
  projectId: string,
  kind: "step" | "experience",
  member: string,
  before: JsonObject,
  after: JsonObject,
): ConfigChange[] {
  const [had, has] = [byId(before[member]), byId(after[member])];
  const changes = [...new Set([...had.keys(), ...has.keys()])].flatMap((id) => {
    const [was, is] = [had.get(id), has.get(id)];
    const at = { kind, id, ...labels(is ?? was ?? {}) };
    if (was === undefined) {
      return { projectId, at, path: "", change: "added" as const, after: is as JsonValue };
    }
    if (is === undefined) {
      return { projectId, at, path: "", change: "removed" as const, before: was };
    }
    return compareValues(was, is).map((change) => ({ projectId, at, ...change }));
  });
  const olds = [...had.keys()].filter((id) => has.has(id));
  const news = [...has.keys()].filter((id) => had.has(id));
  if (olds.join(" ") === news.join(" ")) return changes;
  const at = { kind: "project" as const, id: projectId };
  const order = { path: `/${member}`, change: "changed" as const, before: olds, after: news };
  return [...changes, { projectId, at, ...order }];
}

function byId(records: JsonValue | undefined): Map<string, JsonObject> {
  const all = (Array.isArray(records) ? records : []).filter(isJsonObject);
  return new Map(all.map((record) => [String(record.id), record]));
}

function labels({ key, name }: JsonObject): { key?: string; name?: string } {
  return { ...(typeof key === "string" && { key }), ...(typeof name === "string" && { name }) };
}
