import type { FieldDefinition } from "../../src/workspace/field.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { Variant } from "../../src/workspace/records.ts";
import { documentOn, type Parts, TestBed } from "../support/test-bed.ts";

/** Field definitions without their keys, by key. */
export type Fields = Readonly<Record<string, Omit<FieldDefinition, "key"> & JsonObject>>;

/** The parts of a sample schema document. */
export interface Sample {
  /** Keys of models; with their fields, or with `fields`. */
  readonly models?: readonly string[] | Readonly<Record<string, Fields>>;
  readonly blocks?: readonly string[] | Readonly<Record<string, Fields>>;
  readonly fields?: Fields;
  readonly features?: readonly string[];
  readonly texts?: Readonly<Record<string, readonly Variant[]>>;
  /** Each with an entry of the model of the same key, if there is one. */
  readonly steps?: readonly string[];
  /** Each has all steps. */
  readonly experiences?: readonly string[];
  /** Names of models and blocks by key; the default is the key. */
  readonly names?: Readonly<Record<string, string>>;
  /** Categories of blocks, by key. */
  readonly categories?: Readonly<Record<string, string>>;
  /** V4c. */
  readonly assetTexts?: boolean;
  readonly projectId?: string;
  readonly surface?: "published" | "preview";
}

/** The schema document of a workspace with these parts. */
export function schemaDocument(sample: Sample): JsonObject {
  const { projectId = "site", surface = "published" } = sample;
  return documentOn(new TestBed(partsOf(sample)), surface, { kind: "schema", projectId });
}

export function partsOf(sample: Sample): Parts {
  const { fields = {}, features = [], texts = {}, steps = [], experiences = [] } = sample;
  const { names = {}, projectId = "site" } = sample;
  const definitions = (given: Sample["models"] = []) => {
    const entries = isKeys(given)
      ? given.map((key): [string, Fields] => [key, fields])
      : Object.entries(given);
    return entries.map(([key, own]) => ({
      id: key,
      key,
      name: Object.hasOwn(names, key) ? (names[key] ?? "") : key,
      fields: listed(own),
    }));
  };
  const models = definitions(sample.models);
  return {
    ...(sample.assetTexts !== undefined && { assetTexts: sample.assetTexts }),
    models,
    blocks: definitions(sample.blocks).map((block) => {
      const category = sample.categories?.[block.key];
      return { ...block, ...(category !== undefined && { category }) };
    }),
    fields: listed(fields),
    features: [
      ...features.map((key) => {
        return { id: key, key, name: key, type: "boolean" as const, variants: [] };
      }),
      ...Object.entries(texts).map(([key, variants]) => ({
        id: key,
        key,
        name: key,
        type: "text" as const,
        variants,
      })),
    ],
    entries: models.map(({ key }, index) => ({ id: `e${index}`, modelId: key, data: {} })),
    projects: [
      {
        id: projectId,
        name: "",
        steps: steps.map((key, index) => {
          const at = models.findIndex((model) => model.key === key);
          const content = at < 0 ? {} : { layoutContentId: `e${at}` };
          return { id: `s${index}`, key, name: "", layoutName: "", ...content };
        }),
        experiences: experiences.map((key, index) => {
          return { id: `x${index}`, key, name: "", stepIds: steps.map((_, step) => `s${step}`) };
        }),
      },
    ],
  };
}

function isKeys(given: NonNullable<Sample["models"]>): given is readonly string[] {
  return Array.isArray(given);
}

function listed(fields: Fields): FieldDefinition[] {
  return Object.entries(fields).map(([key, definition]) => ({ ...definition, key }));
}
