import { mapLocales, valueIn } from "../../fields/localized.ts";
import { isKey, isSchemaKeyword, KEY_RULE } from "../../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import {
  type Definitions,
  findField,
  findOwner,
  type Migration,
  type Owner,
  refusal,
  withField,
  withFields,
} from "./migration.ts";
import { type Change, removeMember, renameMember, withData } from "./stored-data.ts";

/** `rename-field <model> <from> <to>`. */
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
  return (kind, record) =>
    withData(
      definitions,
      owner,
      kind,
      withField(owner, kind, record, from, (field) => ({ ...field, key: to })),
      (data, id) => {
        if (!Object.hasOwn(data, from)) return data;
        if (Object.hasOwn(data, to)) {
          throw refusal(
            `"${id}" already has data under "${to}", which no field serves`,
            "remove that data, or choose another key",
          );
        }
        return renameMember(data, from, to);
      },
    );
}

/** `remove-field <model> <field>`: with its values. */
export function removeField(definitions: Definitions, named: string, key: string): Migration {
  const owner = findOwner(definitions, named);
  findField(owner, key);
  return (kind, record) =>
    withData(
      definitions,
      owner,
      kind,
      withFields(owner, kind, record, (fields) => fields.filter((field) => field.key !== key)),
      (data) => removeMember(data, key),
    );
}

/** `rename-option <model> <field> <from> <to>`: of a `select` field. */
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
  return (kind, record) =>
    withData(
      definitions,
      owner,
      kind,
      withField(owner, kind, record, key, (one) => ({
        ...one,
        options: optionsOf(one).map(rename),
      })),
      (data) => {
        const value = Object.hasOwn(data, key) ? data[key] : undefined;
        if (value === undefined) return data;
        const inOneOrMany = (one: JsonValue) =>
          Array.isArray(one) ? one.map(rename) : rename(one);
        return { ...data, [key]: mapLocales(field, value, inOneOrMany) };
      },
    );
}

function optionsOf({ type, options }: JsonObject): readonly string[] {
  return type === "select" ? (options as readonly string[]) : [];
}

/**
 * `rename-model <from> <to>`: the key, in the `models` of fields and in the layout names of
 * steps too. Entries name their model by its id, which stays.
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
  return (kind, record) => {
    const list = (name: string, change: (one: JsonObject) => JsonObject) => {
      const values = record[name];
      return Array.isArray(values) && { [name]: (values as JsonObject[]).map(change) };
    };
    if (kind === "entries") return record;
    if (kind === "projects") return { ...record, ...list("steps", inStep) };
    const isRenamed = kind === "models" && record.id === definition.id;
    return { ...record, ...(isRenamed && { key: to }), ...list("fields", inField) };
  };
}

/** `localize-field <model> <field> [<locale>]`: each value becomes the one of this locale. */
export function localizeField(
  definitions: Definitions,
  named: string,
  key: string,
  locale?: string,
): Migration {
  const owner = findOwner(definitions, named);
  if (findField(owner, key).localized) {
    throw refusal(`the field "${key}" is localized already`, "name another field");
  }
  const chosen = chosenLocale(definitions, locale);
  const ofField = (field: JsonObject) => ({ ...field, localized: true });
  return changed(definitions, { owner, key, ofField }, (data) => {
    const value = ownMember(data, key);
    if (value === undefined || value === null) return data;
    return { ...data, [key]: { [chosen]: value } };
  });
}

/** `delocalize-field <model> <field> [<locale>]`: each value becomes what it is in this locale. */
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
  return changed(definitions, { owner, key, ofField }, (data, id) => {
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

/** Changes the definition of a field, and the data that has it. */
function changed(
  definitions: Definitions,
  {
    owner,
    key,
    ofField,
  }: { owner: Owner; key: string; ofField: (field: JsonObject) => JsonObject },
  ofData: Change,
): Migration {
  return (kind, record) =>
    withData(definitions, owner, kind, withField(owner, kind, record, key, ofField), ofData);
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
