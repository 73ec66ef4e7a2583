import { ownMember } from "../../workspace/json.ts";
import type { Entry, Model } from "../../workspace/records.ts";

const TITLE_KEYS = /^(?:title|name|headline|heading|label|question)$/i;
/** In characters. */
const MAXIMUM_LENGTH = 120;

/**
 * An entry's display title: the value of its model's title field (W6), else of a text field with a title-like key, else of its first text
 * field with a value, else its id.
 */
export function titleOf({ id, data }: Entry, model: Model | undefined): string {
  const fields = (model?.fields ?? []).filter(({ repeatable }) => !repeatable);
  const texts = fields.filter(({ type }) => type === "text");
  const inOrder = [
    ...fields.filter(({ title }) => title),
    ...texts.filter(({ key }) => TITLE_KEYS.test(key)),
    ...texts,
  ];
  for (const { key } of inOrder) {
    const value = ownMember(data, key);
    if (typeof value === "string" && value.trim() !== "") return shortened(value.trim());
  }
  return id;
}

function shortened(text: string): string {
  const line = text.slice(0, 4 * MAXIMUM_LENGTH).replace(/\s+/g, " ");
  return line.length <= MAXIMUM_LENGTH
    ? line
    : `${[...line].slice(0, MAXIMUM_LENGTH - 1).join("")}…`;
}
