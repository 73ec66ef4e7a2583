import { titleBy, titleFields, titleMembers } from "../fields/entry-title.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownMember,
  pathIn,
} from "../workspace/json.ts";
import type { Block, Model } from "../workspace/records.ts";

/** What models, blocks and fields are called: by a draft. Undefined: by their keys. */
export type Definitions = Pick<Draft, "workspace" | "models" | "blocks"> | undefined;

export function modelNamed(definitions: Definitions, key: unknown): Model | undefined {
  return definitions?.models.find((model) => model.key === key);
}

export function blockNamed(definitions: Definitions, key: string): Block | undefined {
  return definitions?.blocks.find((block) => block.key === key);
}

/** W6c, D6a: what an entry is called, as it is served; undefined: by its id. */
export function servedTitle(
  definitions: Definitions,
  modelKey: unknown,
  data: JsonObject,
): string | undefined {
  const model = modelNamed(definitions, modelKey);
  const fields = model ? titleFields(model.fields) : titleMembers(data);
  return titleBy(fields, ({ key }) => [ownMember(data, key)]);
}

/** A block as it is served. */
export function blockOf(
  value: JsonValue | undefined,
): { key: string; data: JsonObject } | undefined {
  if (!isJsonObject(value) || !isJsonObject(value.data ?? null)) return undefined;
  const { contentBlockKey: key, data } = value;
  return typeof key === "string" ? { key, data: data as JsonObject } : undefined;
}

/** D1b: where a path of served data leads, in names that authors know; elements of lists count from 1. */
export function placeOf(
  definitions: Definitions,
  fields: readonly FieldDefinition[],
  data: JsonObject,
  path: string,
): string[] {
  let [at, known]: [JsonValue | undefined, readonly FieldDefinition[]] = [data, fields];
  return pathIn(path).map((step) => {
    const block = step === "data" ? blockOf(at) : undefined;
    if (Array.isArray(at)) {
      at = at[Number(step)];
      return String(Number(step) + 1);
    }
    at = isJsonObject(at) ? ownMember(at, step) : undefined;
    if (block !== undefined) {
      const { name = block.key, fields: own = [] } = blockNamed(definitions, block.key) ?? {};
      known = own;
      return name;
    }
    const { name = step } = known.find(({ key }) => key === step) ?? {};
    known = [];
    return name;
  });
}
