import { compareFields, compareValues } from "../diff/compare-values.ts";
import { placeOf } from "../diff/names.ts";
import type { ServedChange } from "../diff/shown-values.ts";
import { assetUrl } from "../workspace/asset.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../workspace/json.ts";
import { type ChangedEntry, type ChangedValue, comparedValue } from "./changes.ts";
import type { DraftState } from "./draft-state.ts";
import { fileOf } from "./file-view.ts";

/** H76: how an entry differs, as it is stored. */
export interface StoredChange {
  readonly change: ChangedEntry["change"];
  readonly values: readonly ChangedValue[];
}

/** How many values are shown. */
const VALUES = 100;

/** Of a record, beside its data. */
const OF_RECORD: Readonly<Record<string, string>> = {
  modelId: "Model",
  draft: "Draft",
  publishAt: "Published from",
  unpublishAt: "Published until",
};

/**
 * H76: two states of an entry compared, with the names of the draft's definitions; undefined: it is not there.
 * Undefined as result: they say the same.
 */
export function storedChange(
  state: DraftState,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): StoredChange | undefined {
  const values = changesOf(state, before, after).slice(0, VALUES);
  if (before !== undefined && after !== undefined && values.length === 0) return undefined;
  const change = before === undefined ? "added" : after === undefined ? "removed" : "changed";
  return { change, values: values.map((one) => comparedValue(state, one)) };
}

/** The names of the fields of a change, each once. */
export function fieldsOf({ values }: StoredChange): string[] {
  return [...new Set(values.map(({ place: [name = ""] }) => name))];
}

/** H79: a value at a path of a record, on two sides. */
export function storedValue(
  state: DraftState,
  { modelId, data }: JsonObject,
  path: readonly (string | number)[],
  before: JsonValue | undefined,
  after: JsonValue | undefined,
): ChangedValue {
  const [first = "", ...below] = path;
  const { fields = [] } = state.models.get(String(modelId)) ?? {};
  const isData = first === "data" && data !== undefined;
  const place = isData
    ? placeOf(state.draft, fields, namedValue(state, data) as JsonObject, jsonPointer(below))
    : [OF_RECORD[first] ?? first, ...below].map(String);
  const [was, is] = [before, after].map((one) => one && namedValue(state, one));
  return comparedValue(state, { place, before: was, after: is });
}

function changesOf(
  state: DraftState,
  before: JsonObject | undefined,
  after: JsonObject | undefined,
): ServedChange[] {
  const { fields = [] } = state.models.get(String((after ?? before)?.modelId)) ?? {};
  const data = [before, after].map((record) => namedValue(state, record?.data ?? {}) as JsonObject);
  const [was, is] = data as [JsonObject, JsonObject];
  const own = before === undefined || after === undefined ? [] : recordChanges(before, after);
  return [...own, ...compareFields(state.draft, fields, was, is)];
}

function recordChanges(before: JsonObject, after: JsonObject): ServedChange[] {
  const members = (record: JsonObject) =>
    Object.fromEntries(
      Object.entries(OF_RECORD).flatMap(([member, name]) => {
        const value = ownMember(record, member);
        // A1: without it an entry is none.
        return value === undefined || value === false ? [] : [[name, value] as const];
      }),
    );
  return compareValues(members(before), members(after)).map(({ path, before, after }) => {
    return { place: [path.split("/")[1] ?? ""], before, after };
  });
}

/** A stored value with what it points at as documents name it. */
export function namedValue(state: DraftState, value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map((one: JsonValue) => namedValue(state, one));
  if (!isJsonObject(value)) return value;
  const { assetId, contentBlockId } = value;
  if (typeof assetId === "string") return assetNamed(state, assetId, value);
  const members = Object.entries(value).map(
    ([name, one]) => [name, namedValue(state, one)] as const,
  );
  const block = typeof contentBlockId === "string" && state.blocks.get(contentBlockId);
  return { ...Object.fromEntries(members), ...(block && { contentBlockKey: block.key }) };
}

/** Of one that is gone from here its id. */
function assetNamed({ draft }: DraftState, assetId: string, stored: JsonObject): JsonValue {
  const versionId = typeof stored.versionId === "string" ? stored.versionId : undefined;
  const file = fileOf(draft, { assetId, ...(versionId !== undefined && { versionId }) });
  const { fileName = assetId, mimeType = "", sha256, url = "" } = file ?? {};
  const address = sha256 === undefined ? url : assetUrl("", { sha256, fileName });
  return { id: `${assetId} ${versionId ?? ""}`, fileName, mimeType, url: address };
}
