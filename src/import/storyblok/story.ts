import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";

/** A page or a record; a folder has no component. */
export interface Story extends JsonObject {
  readonly uuid: string;
  readonly content: JsonObject;
}

/** Whether a member of a record has a value that differs from that of a new one. */
export function saysSomething(value: JsonValue | undefined): boolean {
  if (typeof value === "object" && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** X18: what the app for translated slugs keeps of the languages; `localized_paths` have those of folders too. */
export function translationsOf({ translated_slugs, localized_paths }: Story): JsonObject[] {
  return [translated_slugs, localized_paths].flatMap((list) =>
    Array.isArray(list) ? (list as readonly JsonValue[]).filter((one) => isJsonObject(one)) : [],
  );
}
