import { titleFields, titleValues } from "../fields/entry-title.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import { andMore } from "../workspace/listed.ts";
import type { Model } from "../workspace/records.ts";
import type { DraftState } from "./draft-state.ts";
import { pointerTarget } from "./entry-summary.ts";
import { assetTitle } from "./file-view.ts";

/** Fields that are columns. */
const COLUMNS = 4;
/** Values of a list that a cell names. */
const NAMED = 3;

/** The types of the fields that tell most about an entry, the first most. */
const TELLING = [
  ["select"],
  ["boolean"],
  ["date", "date-time", "iso-date"],
  ["number", "integer"],
  ["reference"],
  ["content-block", "asset"],
  ["text", "email", "url"],
];

/** The most telling fields of a model but its title, in authored order. */
export function columnsOf(model: Model | undefined): readonly FieldDefinition[] {
  if (model === undefined) return [];
  const rank = ({ type }: FieldDefinition) => TELLING.findIndex((types) => types.includes(type));
  const [title] = titleFields(model.fields);
  const telling = model.fields.filter((field) => rank(field) >= 0 && field !== title);
  const chosen = new Set(telling.toSorted((a, b) => rank(a) - rank(b)).slice(0, COLUMNS));
  return telling.filter((field) => chosen.has(field));
}

/** H35: the stored value; of a localized field in the first language that has one. */
export function shownValue(
  { languages }: DraftState,
  field: FieldDefinition,
  data: JsonObject,
): JsonValue | undefined {
  const values = titleValues(field, ownMember(data, field.key), languages.titles());
  return values.find((value) => value !== undefined);
}

export function cellOf(state: DraftState, field: FieldDefinition, data: JsonObject): string {
  const value = shownValue(state, field, data) ?? null;
  const values = field.repeatable && Array.isArray(value) ? (value as JsonValue[]) : [value];
  const texts = values.slice(0, NAMED).map((one) => cellText(state, one));
  return texts.filter((text) => text !== "").join(", ") + andMore(values.length - NAMED);
}

const LONGEST = 80;

function cellText(state: DraftState, value: JsonValue): string {
  if (typeof value === "boolean") return value ? "Yes" : "No";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") {
    return value.length > LONGEST ? `${value.slice(0, LONGEST).toWellFormed()}…` : value;
  }
  if (value === null || !isJsonObject(value)) return "";
  const id = (name: string) => String(ownMember(value, name) ?? "");
  if (id("contentEntryId") !== "") return pointerTarget(state, id("contentEntryId")).title;
  if (id("contentBlockId") !== "") return state.blocks.get(id("contentBlockId"))?.name ?? "";
  return id("assetId") === "" ? "" : assetTitle(state, id("assetId"));
}
