import { valueIn } from "../../fields/localized.ts";
import { isJsonObject, type JsonObject, ownMember } from "../../workspace/json.ts";
import {
  type Definitions,
  findField,
  findOwner,
  type Migration,
  type Owner,
  refusal,
  withField,
} from "./migration.ts";
import { type Change, removeMember, withData } from "./stored-data.ts";

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
