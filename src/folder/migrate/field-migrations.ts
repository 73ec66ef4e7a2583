import { mapLocales } from "../../fields/localized.ts";
import { isKey, KEY_RULE } from "../../workspace/ids.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import {
  type Definitions,
  findField,
  findOwner,
  type Migration,
  refusal,
  withField,
  withFields,
} from "./migration.ts";
import { removeMember, renameMember, withData } from "./stored-data.ts";

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
