import { ownMember } from "../../workspace/json.ts";
import type { Entry, Model } from "../../workspace/records.ts";

const NAMING = /^(?:title|name|headline|heading|label|question)$/i;
/** A title is a line of a list. */
const LONGEST = 120;

/**
 * By what an author knows an entry: the text of the field that is called like a title, else of its
 * first text field, else its id.
 */
export function titleOf({ id, data }: Entry, model: Model | undefined): string {
  const texts = (model?.fields ?? []).filter(
    ({ type, repeatable }) => type === "text" && !repeatable,
  );
  const inOrder = [...texts.filter(({ key }) => NAMING.test(key)), ...texts];
  for (const { key } of inOrder) {
    const value = ownMember(data, key);
    if (typeof value === "string" && value.trim() !== "") return shortened(value.trim());
  }
  return id;
}

function shortened(text: string): string {
  const line = text.slice(0, 4 * LONGEST).replace(/\s+/g, " ");
  return line.length <= LONGEST ? line : `${[...line].slice(0, LONGEST - 1).join("")}…`;
}
