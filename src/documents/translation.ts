import { valueIn } from "../fields/localized.ts";
import { fieldType } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Block } from "../workspace/records.ts";

/** In ascending order of weight: the heaviest of an entry's values is the state of the entry. */
const [NONE, COMPLETE, FALLBACK, MISSING] = [0, 1, 2, 3] as const;
type State = typeof NONE | typeof COMPLETE | typeof FALLBACK | typeof MISSING;

/** Whether one or more of its values is missing. */
export function isMissing(...record: Parameters<typeof translationOf>): boolean {
  return translationOf(...record) === MISSING;
}

interface Context {
  readonly language: Language;
  readonly blocks: ReadonlyMap<string, Block>;
}

/** P14: how far the localized values of a record are translated. One that no locale has is neither translated nor missing. */
export function translationOf(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  context: Context,
): State {
  let state: State = NONE;
  for (const { key, type, localized } of fields) {
    let value = ownMember(data, key) ?? null;
    if (localized) {
      if (!isJsonObject(value) || Object.values(value).every((one) => one === null)) continue;
      const found = valueIn(value, context.language);
      if (found === undefined) return MISSING;
      state = heavier(state, found.locale === context.language[0] ? COMPLETE : FALLBACK);
      value = found.value;
    }
    if (fieldType(type).holdsBlocks) state = heavier(state, stateOfBlocks(value, context));
  }
  return state;
}

/** Of the blocks in a list or in rich text, at any depth. */
function stateOfBlocks(value: JsonValue, context: Context): State {
  if (typeof value !== "object" || value === null) return NONE;
  if (isJsonObject(value) && typeof value.contentBlockId === "string") {
    const { data = null } = value;
    const fields = context.blocks.get(value.contentBlockId)?.fields ?? [];
    return isJsonObject(data) ? translationOf(fields, data, context) : NONE;
  }
  let state: State = NONE;
  for (const member of Object.values(value)) state = heavier(state, stateOfBlocks(member, context));
  return state;
}

function heavier(a: State, b: State): State {
  return a > b ? a : b;
}
