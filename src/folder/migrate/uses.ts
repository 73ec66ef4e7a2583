import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { byParts, type Model } from "../../workspace/records.ts";
import { type Definitions, type MigratedKind, refusal } from "./migration.ts";

/** A field that a query or a collection names: whose it may be, its key, and where, for a refusal. */
type Use = readonly [owners: readonly Model[], key: string, use: string];

export interface UseChanges {
  /** The key in place of the one that is used. */
  readonly key?: (...use: Use) => string;
  /** The value in place of one that the field is compared with. */
  readonly constant?: (value: JsonValue, ...use: Use) => JsonValue;
}

/** Q25: a definition with other names in its queries, or a project with others in its collections. */
export function withUses(
  { models, blocks }: Definitions,
  kind: MigratedKind,
  record: JsonObject,
  { key: keyOf = (_, key) => key, constant = (value) => value }: UseChanges,
): JsonObject {
  const asking = (one: JsonObject, asked: readonly Model[], use: string, own: Model[] = []) => {
    const conditions = Object.entries((one.where ?? {}) as JsonObject).map(([key, condition]) => [
      keyOf(asked, key, use),
      isJsonObject(condition) && typeof condition.same === "string"
        ? { ...condition, same: keyOf(own, condition.same, use) }
        : constant(condition, asked, key, use),
    ]);
    const where = Object.fromEntries(conditions);
    if (Object.keys(where).length < conditions.length) {
      throw refusal(`${use} has a condition of each key`, "remove one of them first");
    }
    const sorted = (by: JsonValue) =>
      String(by).replace(/[^-].*/s, (key) => keyOf(asked, key, use));
    const sort = Array.isArray(one.sort) ? one.sort.map(sorted) : sorted(one.sort ?? "");
    return { ...one, ...(one.where && { where }), ...(one.sort && { sort }) } as JsonObject;
  };
  if (kind === "models" || kind === "blocks") {
    const own = { models, blocks }[kind].filter(({ id }) => id === record.id);
    const fields = (record.fields as readonly JsonObject[]).map((field) => {
      if (!isJsonObject(field.query)) return field;
      const accepted = field.models as readonly string[] | undefined;
      const asked = models.filter(({ key }) => accepted?.includes(key) ?? true);
      return {
        ...field,
        query: asking(field.query, asked, `the query of "${own[0]?.key}.${field.key}"`, own),
      };
    });
    return { ...record, fields };
  }
  if (kind !== "projects" || record.collections === undefined) return record;
  const collections = (record.collections as readonly JsonObject[]).map((collection) => {
    // Q17: one by value has no patterns with fields.
    const [ofValue, by] = byParts(String(collection.by ?? ""));
    const asked = models.filter(({ key }) => key === (collection.model ?? ofValue));
    const use = `the collection "${collection.id}" of the project "${record.id}"`;
    if (ofValue) {
      return { ...asking(collection, asked, use), by: `${ofValue}.${keyOf(asked, by, use)}` };
    }
    const inPattern = (named: string, key: string) => {
      const now = key === "id" ? key : keyOf(asked, key, use);
      if (now === key || now !== "id") return `{${now}}`;
      throw refusal(`in ${use} ${named} would be the id of the entry`, "choose another key");
    };
    const list = isJsonObject(collection.list) && { list: asking(collection.list, asked, use) };
    const members = Object.entries({ ...asking(collection, asked, use), ...list });
    return Object.fromEntries(
      members.map(([name, value]) => [
        name,
        PATTERNS.has(name) ? String(value).replaceAll(/\{([^{}]*)\}/g, inPattern) : value,
      ]),
    );
  });
  return { ...record, collections };
}

const PATTERNS: ReadonlySet<string> = new Set(["id", "key", "name", "stepId", "stepKey"]);

/**
 * Q25: whether the field `named` of `model` is used; one key cannot become two.
 *
 * @throws SvcError `migration-refused` when the key may be that of another model's field too.
 */
export function isUsed(model: Model, named: string, ...[owners, key, use]: Use): boolean {
  if (key !== named || !owners.includes(model)) return false;
  const other = owners.find(
    (one) => one !== model && one.fields.some((field) => field.key === key),
  );
  if (other === undefined) return true;
  const hint = "give each model a field with a query of its own first";
  throw refusal(`${use} asks for "${key}" of "${other.key}" too`, hint);
}
