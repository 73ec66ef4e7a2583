import type { FieldDefinition } from "../../src/workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/workspace/json.ts";
import type { Model, Publishing } from "../../src/workspace/records.ts";
import type { Parts } from "../support/test-bed.ts";
import type { Random } from "../support/workspaces/random.ts";

const NOW = "2026-06-01T00:00:00Z";

/** What entries say about whether they are published at that time; the first five hide them. */
export const PUBLISHING: readonly Publishing[] = [
  { draft: true },
  { draft: true, publishAt: "2026-01-01T00:00:00Z" },
  { publishAt: "2026-06-01T00:00:00.001Z" },
  { unpublishAt: NOW },
  { publishAt: "2026-01-01T00:00:00Z", unpublishAt: "2026-06-01T01:00:00+01:00" },
  { draft: false },
  { publishAt: NOW },
  { unpublishAt: "2026-06-01T00:00:00.001Z" },
  { publishAt: "2026-01-01T00:00:00Z", unpublishAt: "2027-01-01T00:00:00Z" },
];

/** Changes a workspace by random choices. */
export type Decorate = (parts: Parts, random: Random) => Parts;

/** Some entries are hidden. */
export const withHidden: Decorate = (parts, random) => ({
  ...parts,
  entries: (parts.entries ?? []).map((entry) => ({
    ...entry,
    ...(random.chance(0.4) && random.pick(PUBLISHING)),
  })),
});

/** V10. */
const UNIQUE = ["text", "select", "number", "integer", "date", "date-time", "url", "email"];

/** Some fields of models are unique, with values of which some are the same. */
export const withUnique: Decorate = (parts, random) => {
  const unique = (field: FieldDefinition): FieldDefinition => {
    const isPossible = UNIQUE.includes(field.type) && !field.repeatable;
    return isPossible && random.chance(0.7) ? { ...field, unique: true } : field;
  };
  const models = (parts.models ?? []).map((model) => ({
    ...model,
    fields: model.fields.map(unique),
  }));
  return { ...parts, models };
};

/** Urls, titles of assets, and which field has the titles of entries. */
export const withSettings: Decorate = (parts, random) => ({
  ...parts,
  ...(random.chance(0.5) && { assetBaseUrl: "https://cdn.example/a" }),
  ...(random.chance(0.5) && { assetTexts: true }),
  assets: (parts.assets ?? []).map((asset) => ({
    ...asset,
    ...(random.chance(0.5) && { title: "Ein Bild", description: "" }),
  })),
  models: (parts.models ?? []).map((model) => withTitle(model)),
});

function withTitle(model: Model): Model {
  const title = model.fields.find(({ type, repeatable }) => type === "text" && !repeatable);
  return {
    ...model,
    fields: model.fields.map((field) => (field === title ? { ...field, title: true } : field)),
  };
}

/** Projects without a locale, blocks of another category than a field accepts, a slow pattern. */
export const withOddities: Decorate = (parts, random) => ({
  ...parts,
  projects: (parts.projects ?? []).map((project) => {
    const { locale: _locale, fallbackLocales: _fallbacks, ...without } = project;
    return random.chance(0.6) ? project : without;
  }),
  blocks: (parts.blocks ?? []).map((block) =>
    random.chance(0.5) ? { ...block, category: "narrow" } : block,
  ),
  models: (parts.models ?? []).map((model) => ({
    ...model,
    fields: model.fields.map((field) =>
      field.type === "text" && random.chance(0.3) ? { ...field, pattern: "^(a+)+$" } : field,
    ),
  })),
});

/** Some names in stored data and in the options of fields are misspelt. */
export const withMisspelt: Decorate = (parts, random) => {
  const chance = random.chance(0.5) ? 0.1 : 0.02;
  const name = (text: string) => (random.chance(chance) ? misspelt(text) : text);
  const value = (stored: JsonValue): JsonValue => {
    if (Array.isArray(stored)) return stored.map(value);
    if (!isJsonObject(stored)) return stored;
    return data(stored);
  };
  const data = (stored: JsonObject): JsonObject =>
    Object.fromEntries(
      Object.entries(stored).map(([key, member]) => {
        const isId = /^(?:contentEntryId|contentBlockId|assetId)$/.test(key);
        if (isId) return [key, typeof member === "string" ? name(member) : member];
        return [key === "data" ? key : name(key), value(member)];
      }),
    );
  const field = (one: FieldDefinition & { models?: readonly string[]; category?: string }) => ({
    ...one,
    ...(one.models && { models: one.models.map(name) }),
    ...(one.category && { category: name(one.category) }),
  });
  const record = <M extends Model>(one: M): M => ({ ...one, fields: one.fields.map(field) });
  return {
    ...parts,
    models: (parts.models ?? []).map(record),
    blocks: (parts.blocks ?? []).map(record),
    entries: (parts.entries ?? []).map((entry) => ({
      ...entry,
      modelId: name(entry.modelId),
      data: data(entry.data),
    })),
  };
};

function misspelt(text: string): string {
  return text.length < 4 ? text : `${text.slice(0, -2)}${text.at(-1)}`;
}
