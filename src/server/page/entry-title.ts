import { valueIn } from "../../fields/localized.ts";
import { isJsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Entry, Model } from "../../workspace/records.ts";

const TITLE_KEYS = /^(?:title|name|headline|heading|label|question)$/i;
/** In characters. */
const MAXIMUM_LENGTH = 120;

/**
 * An entry's display title: the value of its model's title field (W6), else of a text field with a title-like key, else of its first text
 * field with a value, else its id. Of a localized field it is the value of the first of `languages` that has one, else of any locale.
 */
export function titleOf(
  { id, data }: Entry,
  model: Model | undefined,
  languages: readonly Language[],
): string {
  const fields = (model?.fields ?? []).filter(({ repeatable }) => !repeatable);
  const texts = fields.filter(({ type }) => type === "text");
  const inOrder = [
    ...fields.filter(({ title }) => title),
    ...texts.filter(({ key }) => TITLE_KEYS.test(key)),
    ...texts,
  ];
  for (const { key, localized } of inOrder) {
    const stored = ownMember(data, key);
    for (const value of localized ? valuesIn(stored, languages) : [stored]) {
      if (typeof value === "string" && value.trim() !== "") return shortened(value.trim());
    }
  }
  return id;
}

/** The values in the languages, then those of all locales. */
function* valuesIn(stored: JsonValue | undefined, languages: readonly Language[]) {
  if (stored === undefined || !isJsonObject(stored)) return;
  for (const language of languages) yield valueIn(stored, language)?.value;
  yield* Object.values(stored);
}

function shortened(text: string): string {
  const line = text.slice(0, 4 * MAXIMUM_LENGTH).replace(/\s+/g, " ");
  return line.length <= MAXIMUM_LENGTH
    ? line
    : `${[...line].slice(0, MAXIMUM_LENGTH - 1).join("")}…`;
}
