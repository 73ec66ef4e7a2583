import type { FieldDefinition } from "../../../src/workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/workspace/json.ts";
import type { Block, Model } from "../../../src/workspace/records.ts";
import type { Records } from "../read-export.ts";

/** A field as definitions of any kind have it. */
export interface Field extends FieldDefinition {
  readonly format?: string;
  readonly query?: object;
  readonly models?: readonly string[];
  readonly category?: string;
  readonly maxLength?: number;
}

/** A field of a model, or of a block in one, or in a block of that. */
export interface Part {
  readonly field: Field;
  /** The blocks that it is in, the outermost one first, each with the field that has it. */
  readonly inside: readonly { readonly field: Field; readonly block: Block }[];
}

export const nameOf = ({ key, name = key }: FieldDefinition) => name;

export const isRich = ({ type, format }: Field) => type === "rich-text" || format === "markdown";
const isText = ({ type, title, maxLength = 1000 }: Field) =>
  type === "text" && !title && maxLength > 200;

/** How deep blocks are looked into. */
const DEEPEST = 3;

/** The first field that is of a kind; else one of a block, of those the one in the fewest. */
function partOf(
  { blocks }: Records,
  own: readonly Field[],
  is: (field: Field) => boolean,
): Part | undefined {
  let level: { fields: readonly Field[]; inside: Part["inside"] }[] = [{ fields: own, inside: [] }];
  for (let depth = 0; depth <= DEEPEST; depth += 1) {
    for (const { fields, inside } of level) {
      const field = fields.find(is);
      if (field) return { field, inside };
    }
    level = level.flatMap(({ fields, inside }) =>
      fields
        .filter(({ type }) => type === "content-block")
        .flatMap((field) =>
          blocks
            .filter(({ category }) => field.category === undefined || field.category === category)
            .map((block) => ({ fields: block.fields, inside: [...inside, { field, block }] })),
        ),
    );
  }
  return undefined;
}

/** What an article is made of, as far as the workspace has it. */
export interface Article {
  readonly model: Model;
  readonly reference: Part | undefined;
  readonly picture: Part | undefined;
  readonly words: Part | undefined;
}

/** How many clicks less it takes, and whether it has an address. */
function worth({ model, reference, picture, words }: Article): number {
  const of = (part: Part | undefined) => (part === undefined ? 0 : 4 - part.inside.length);
  const hasSlug = model.fields.some(({ key }) => /slug$/i.test(key));
  return (
    of(reference) +
    of(picture) +
    of(words) +
    (words && isRich(words.field) ? 3 : 0) +
    (hasSlug ? 1 : 0)
  );
}

/** The model whose entries are most of an article. */
export function articleOf(records: Records): Article & { readonly worth: number } {
  const keys = new Map(records.models.map(({ id, key }) => [id, key]));
  const counts = new Map<string, number>();
  for (const { modelId } of records.entries) {
    const key = keys.get(modelId) ?? "";
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const isFound = ({ type, query, models = [...counts.keys()] }: Field) =>
    type === "reference" && !query && models.some((key) => counts.has(key));
  const read = wordsOf(records)?.field;
  const all = records.models.map((model) => {
    const fields = model.fields as readonly Field[];
    const article = {
      model,
      reference: partOf(records, fields, isFound),
      picture: partOf(records, fields, ({ type }) => type === "asset"),
      words:
        partOf(records, fields, isRich) ?? (read && partOf(records, fields, (one) => one === read)),
    };
    return { ...article, worth: worth(article), count: counts.get(model.key) ?? 0 };
  });
  const [best] = all.sort((a, b) => b.worth - a.worth || b.count - a.count);
  if (best === undefined) throw new Error("no model");
  return best;
}

/** What a part of an entry has; of a list the first, of languages the one that it has. */
export function storedIn(data: JsonObject, { field, inside }: Part): JsonValue | undefined {
  const first = (value: JsonValue | undefined) => (Array.isArray(value) ? value[0] : value);
  const around = inside.reduce<JsonObject | undefined>(
    (one, outer) => (first(one?.[outer.field.key]) as { data?: JsonObject } | undefined)?.data,
    data,
  );
  const value = around?.[field.key];
  const own = field.localized ? Object.values((value ?? {}) as JsonObject)[0] : value;
  return field.repeatable ? first(own) : own;
}

/** The texts of a rich text, in their order; of Markdown, and of another text, that. */
export function textsOf(value: JsonValue | undefined): string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsOf);
  if (!isJsonObject(value ?? null)) return [];
  const { text, value: own, children, content } = value as JsonObject;
  return [text ?? own, children ?? content].flatMap((one) =>
    one === undefined ? [] : textsOf(one),
  );
}

/** A text of an entry that is read on its page. */
export interface Words {
  readonly entry: string;
  /** Of the field, or of the block that has it; as the page names places. */
  readonly path: string;
  readonly field: Field;
  /** Some of them, which follow each other. */
  readonly some: string;
}

/** The language that others fall back to; absent where there is none. */
function mainLocale({ projects }: Records): string | undefined {
  const [first] = projects;
  return (
    projects.find(({ locale, fallbackLocales = [] }) => locale && fallbackLocales.length === 0) ??
    first
  )?.locale;
}

/** The first words in rich text; where there is none, in another text. */
export function wordsOf(records: Records): Words | undefined {
  for (const is of [isRich, isText]) {
    for (const { id: entry, modelId, data } of records.entries) {
      const model = records.models.find(({ id }) => id === modelId);
      const found = model && wordsIn(records, model.fields, data, "", is);
      if (found) return { entry, ...found };
    }
  }
  return undefined;
}

type Placed = { readonly contentBlockId: string; readonly data?: JsonObject };

function wordsIn(
  records: Records,
  fields: readonly Field[],
  data: JsonObject,
  path: string,
  is: (field: Field) => boolean,
): Omit<Words, "entry"> | undefined {
  for (const field of fields) {
    const value = data[field.key];
    const here = `${path}/${field.key}`;
    // What is told by language is shown in one; that of a block by the block's pencil.
    if (is(field) && value !== undefined && !field.repeatable) {
      const own = field.localized ? (value as JsonObject)[mainLocale(records) ?? ""] : value;
      const some = textsOf(own).map((text) => /[A-Za-z][A-Za-z ]{20,}/.exec(text)?.[0].trim());
      const [found] = some.filter((one) => one !== undefined);
      if (found) return { path: path ? path.replace(/\/data$/, "") : here, field, some: found };
    }
    // One alone is what belongs to an entry, such as its texts for search engines.
    if (field.type !== "content-block" || !Array.isArray(value)) continue;
    for (const [index, one] of (value as Placed[]).entries()) {
      const block = records.blocks.find(({ id }) => id === one.contentBlockId);
      const inner = `${here}/${index}/data`;
      const found = block && wordsIn(records, block.fields, one.data ?? {}, inner, is);
      if (found) return found;
    }
  }
  return undefined;
}

/** An entry to translate: the first of the model, else of any, that lacks in a language what it has in another. */
export function untranslatedOf(records: Records, { model }: Article): string | undefined {
  const locales = new Set(records.projects.flatMap(({ locale }) => locale ?? []));
  const lacks = ({ modelId, data }: Records["entries"][number]) =>
    records.models
      .find(({ id }) => id === modelId)
      ?.fields.some(({ key, type, localized }) => {
        const has = localized && /text$/.test(type) && Object.keys((data[key] ?? {}) as JsonObject);
        return has && has.length > 0 && [...locales].some((locale) => !has.includes(locale));
      });
  if (locales.size < 2) return undefined;
  const own = records.entries.filter(({ modelId }) => modelId === model.id);
  return (own.find(lacks) ?? records.entries.find(lacks))?.id;
}
