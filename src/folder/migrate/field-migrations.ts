import { mapLocales, valueIn } from "../../fields/localized.ts";
import { queryOf } from "../../fields/reference.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import { isKey, isSchemaKeyword, KEY_RULE } from "../../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { type Block, byParts } from "../../workspace/records.ts";
import {
  type Change,
  type Definitions,
  findField,
  findOwner,
  type MigratedKind,
  type Migration,
  type Owner,
  refusal,
  removeMember,
  renameMember,
  withData,
  withField,
  withFields,
} from "./migration.ts";
import { isUsed, type UseChanges, withUses } from "./uses.ts";

export function renameField(
  definitions: Definitions,
  named: string,
  from: string,
  to: string,
): Migration {
  const owner = findOwner(definitions, named);
  findField(owner, from);
  if (!isKey(to)) throw refusal(`"${to}" cannot be the key of a field`, KEY_RULE);
  if (owner.definition.fields.some(({ key }) => key === to)) {
    throw refusal(`"${owner.definition.key}" already has a field "${to}"`, "choose another key");
  }
  const ofField = (field: JsonObject) => ({ ...field, key: to });
  const key: UseChanges["key"] = (...use) => (isUsed(owner.definition, from, ...use) ? to : use[1]);
  const ofData: Change = (data, id) => {
    if (!Object.hasOwn(data, from)) return data;
    if (Object.hasOwn(data, to)) {
      throw refusal(
        `"${id}" already has data under "${to}", which no field serves`,
        "remove that data, or choose another key",
      );
    }
    return renameMember(data, from, to);
  };
  return changed(definitions, owner, from, ofField, ofData, { key });
}

/** M5a: `remove-field <model> <field>`: with its values. */
export function removeField(definitions: Definitions, named: string, key: string): Migration {
  const owner = findOwner(definitions, named);
  findField(owner, key);
  return (kind, record) => {
    const kept = withoutField(definitions, owner, kind, record, key);
    return withData(definitions, owner, kind, kept, (data) => removeMember(data, key));
  };
}

/** @throws SvcError `migration-refused` when a query or a collection uses it (Q25), but for its own. */
function withoutField(
  definitions: Definitions,
  owner: Owner,
  kind: MigratedKind,
  record: JsonObject,
  named: string,
): JsonObject {
  const kept = withFields(owner, kind, record, (fields) =>
    fields.filter((one) => one.key !== named),
  );
  return withUses(definitions, kind, kept, {
    key(owners, key, use) {
      if (key !== named || !owners.includes(owner.definition)) return key;
      throw refusal(`${use} uses the field "${key}"`, "change or remove that first");
    },
  });
}

/** M5a: `rename-option <model> <field> <from> <to>`: of a `select` field. */
export function renameOption(
  definitions: Definitions,
  named: string,
  key: string,
  from: string,
  to: string,
): Migration {
  const owner = findOwner(definitions, named);
  const field = findField(owner, key);
  const options = optionsOf(field as unknown as JsonObject);
  if (!options.includes(from)) {
    const hint = options.length === 0 ? "it is no select field" : `one of ${options.join(", ")}`;
    throw refusal(`the field "${key}" has no option "${from}"`, hint);
  }
  if (options.includes(to)) {
    throw refusal(`the field "${key}" already has the option "${to}"`, "choose another name");
  }
  const rename = (value: JsonValue) => (value === from ? to : value);
  const ofField = (one: JsonObject) => ({ ...one, options: optionsOf(one).map(rename) });
  const constant: UseChanges["constant"] = (value, ...use) =>
    value === from && isUsed(owner.definition, key, ...use) ? to : value;
  const ofData: Change = (data) => {
    const value = ownMember(data, key);
    if (value === undefined) return data;
    const inOneOrMany = (one: JsonValue) => (Array.isArray(one) ? one.map(rename) : rename(one));
    return { ...data, [key]: mapLocales(field, value, inOneOrMany) };
  };
  return changed(definitions, owner, key, ofField, ofData, { constant });
}

function optionsOf({ type, options }: JsonObject): readonly string[] {
  return type === "select" ? (options as readonly string[]) : [];
}

/**
 * M5b: `rename-model <from> <to>`: the key, in the `models` of fields, in layout names and
 * in collections too. Entries name their model by its id, which stays.
 */
export function renameModel(definitions: Definitions, from: string, to: string): Migration {
  const { definition } = findOwner(definitions, `model:${from}`);
  if (!isKey(to)) throw refusal(`"${to}" cannot be the key of a model`, KEY_RULE);
  if (isSchemaKeyword(to)) {
    throw refusal(`the key "${to}" is a JSON Schema keyword`, "choose another key");
  }
  if (definitions.models.some(({ key }) => key === to)) {
    throw refusal(`there is already a model with the key "${to}"`, "choose another key");
  }
  const inField = (field: JsonObject) => {
    const hasModels = field.type === "reference" || field.type === "rich-text";
    if (!hasModels || !Array.isArray(field.models)) return field;
    return { ...field, models: field.models.map((key) => (key === from ? to : key)) };
  };
  const inStep = (step: JsonObject) =>
    step.layoutName === from ? { ...step, layoutName: to } : step;
  const inCollection = (one: JsonObject) => {
    if (one.model === from) return inStep({ ...one, model: to });
    // Q17.
    const [by, field] = byParts(String(one.by ?? ""));
    return by === from ? { ...one, by: `${to}.${field}` } : inStep(one);
  };
  return (kind, record) => {
    const list = (name: string, change: (one: JsonObject) => JsonObject) => {
      const values = record[name];
      return Array.isArray(values) && { [name]: (values as JsonObject[]).map(change) };
    };
    if (kind === "entries") return record;
    if (kind === "projects") {
      return { ...record, ...list("steps", inStep), ...list("collections", inCollection) };
    }
    const isRenamed = kind === "models" && record.id === definition.id;
    return { ...record, ...(isRenamed && { key: to }), ...list("fields", inField) };
  };
}

/** M5d: `localize-field <model> <field> [<locale>]`: each value becomes the one of this locale. */
export function localizeField(
  definitions: Definitions,
  named: string,
  key: string,
  locale?: string,
): Migration {
  const owner = findOwner(definitions, named);
  const field = findField(owner, key);
  if (field.localized) {
    throw refusal(`the field "${key}" is localized already`, "name another field");
  }
  if (queryOf(field) !== undefined) {
    const hint = "it finds what fits in each project's language as it is";
    throw refusal(`the field "${key}" has a query, so nothing of it is stored`, hint);
  }
  const chosen = chosenLocale(definitions, locale);
  const ofField = (field: JsonObject) => ({ ...field, localized: true });
  return changed(definitions, owner, key, ofField, (data) => {
    const value = ownMember(data, key);
    if (value === undefined || value === null) return data;
    return { ...data, [key]: { [chosen]: value } };
  });
}

/** M5d: `delocalize-field <model> <field> [<locale>]`: each value becomes what it is in this locale. */
export function delocalizeField(
  definitions: Definitions,
  named: string,
  key: string,
  locale?: string,
): Migration {
  const owner = findOwner(definitions, named);
  if (!findField(owner, key).localized) {
    throw refusal(`the field "${key}" is not localized`, "name another field");
  }
  const chosen = chosenLocale(definitions, locale);
  const ofField = (field: JsonObject) => removeMember(field, "localized");
  return changed(definitions, owner, key, ofField, (data, id) => {
    const stored = ownMember(data, key);
    if (!isJsonObject(stored)) return data;
    const others = Object.keys(stored).filter((one) => one !== chosen);
    const lost = valueIn(stored, others)?.locale;
    if (lost !== undefined) {
      throw refusal(
        `"${id}" has a value in "${lost}" under "${key}", which would be lost`,
        "remove it first, or name its locale as the last argument",
      );
    }
    const kept = valueIn(stored, [chosen]);
    return kept ? { ...data, [key]: kept.value } : removeMember(data, key);
  });
}

/** Changes the definition of a field, and the data that it defines. */
function changed(
  definitions: Definitions,
  owner: Owner,
  key: string,
  ofField: (field: JsonObject) => JsonObject,
  ofData: Change,
  uses: UseChanges = {},
): Migration {
  return (kind, before) => {
    const record = withUses(definitions, kind, before, uses);
    return withData(definitions, owner, kind, withField(owner, kind, record, key, ofField), ofData);
  };
}

/** @throws SvcError `migration-refused` when no project has it, or when it has to be named. */
function chosenLocale({ locales }: Definitions, named: string | undefined): string {
  const [only, another] = locales;
  if (only === undefined) {
    throw refusal("no project has a locale", 'give the projects one first: "locale": "en"');
  }
  if (named === undefined && another === undefined) return only;
  const known = `one of ${locales.join(", ")}`;
  if (named === undefined) {
    throw refusal("projects have several locales", `name one as the last argument: ${known}`);
  }
  if (locales.includes(named)) return named;
  throw refusal(`no project has the locale "${named}", so its values would not be served`, known);
}

/**
 * M5c: `move-field-into-block <model> <field> <blocks> <block> [<as>]`: each value becomes a block of this
 * definition, the last one in the content-block field `blocks`, with the value under the key `as`.
 * The definition moves too, without `required`, as blocks that exist have no value,
 * and without `title`.
 */
export function moveFieldIntoBlock(
  definitions: Definitions,
  named: string,
  key: string,
  blocks: string,
  blockKey: string,
  as = key,
): Migration {
  const owner = findOwner(definitions, named);
  const field = findField(owner, key);
  const into = findField(owner, blocks) as FieldDefinition & { readonly category?: string };
  const target = findOwner(definitions, `block:${blockKey}`);
  assertMovable(owner, field, into, target, as);
  const { required: _required, title: _title, ...rest } = field;
  const moved = { ...rest, key: as };
  const hasField = target.definition.fields.some((one) => one.key === as);
  return (kind, record) => {
    const left = withoutField(definitions, owner, kind, record, key);
    const defined = withFields(target, kind, left, (fields) =>
      hasField ? fields : [...fields, moved as unknown as JsonObject],
    );
    return withData(definitions, owner, kind, defined, (data, id) => {
      const value = ownMember(data, key) ?? null;
      const others = removeMember(data, key);
      if (value === null) return others;
      const block = { contentBlockId: target.definition.id, data: { [as]: value } };
      const known = ownMember(data, blocks) ?? null;
      if (into.repeatable && (known === null || Array.isArray(known))) {
        return { ...others, [blocks]: [...((known as readonly JsonValue[] | null) ?? []), block] };
      }
      if (known === null) return { ...others, [blocks]: block };
      throw refusal(
        `"${id}" already has a value in "${blocks}", which would be lost`,
        `make "${blocks}" repeatable, or empty it there first`,
      );
    });
  };
}

function assertMovable(
  owner: Owner,
  field: FieldDefinition,
  into: FieldDefinition & { readonly category?: string },
  target: Owner,
  as: string,
): void {
  const block = target.definition as Block;
  if (into.type !== "content-block") {
    throw refusal(`the field "${into.key}" is no content-block field`, "name one that is");
  }
  if (into.localized) {
    throw refusal(
      `the field "${into.key}" is localized, so it has blocks of its own in each locale`,
      "name a content-block field that is not localized: the block keeps the locales of the value",
    );
  }
  if (into.key === field.key || block === owner.definition) {
    throw refusal(`"${field.key}" cannot be moved into itself`, "name another field or block");
  }
  if (into.category !== undefined && block.category !== into.category) {
    throw refusal(
      `the field "${into.key}" accepts only blocks of the category "${into.category}"`,
      `"${block.key}" is not one; name another block`,
    );
  }
  if (field.unique) {
    throw refusal(`"${field.key}" is unique, which fields of blocks cannot be`, "remove unique");
  }
  if (!isKey(as)) throw refusal(`"${as}" cannot be the key of a field`, KEY_RULE);
  const there = block.fields.find(({ key }) => key === as);
  if (there !== undefined && shapeOf(there) !== shapeOf(field)) {
    throw refusal(
      `the block "${block.key}" has another field "${as}"`,
      "name the key that the field gets, as the last argument",
    );
  }
}

/** What two definitions must have in common so that the values of one fit the other. */
function shapeOf(field: FieldDefinition): string {
  const {
    key: _key,
    name: _name,
    required: _required,
    unique: _unique,
    title: _title,
    ...rest
  } = field;
  return JSON.stringify(Object.entries(rest).sort());
}
