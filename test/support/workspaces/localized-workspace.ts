import fc from "fast-check";
import type { Asset } from "../../../src/workspace/asset.ts";
import type { FieldDefinition } from "../../../src/workspace/field.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/workspace/json.ts";
import type {
  Block,
  Entry,
  Model,
  Project,
  ProjectLocales,
} from "../../../src/workspace/records.ts";
import { mostlyWithLists, plainWorkspace, type RandomWorkspace } from "./random-workspace.ts";

/** The languages of the projects of a workspace. */
const LANGUAGES: readonly ProjectLocales[] = [
  { locale: "de" },
  { locale: "en", fallbackLocales: [] },
  { locale: "de", fallbackLocales: ["en"] },
  { locale: "de", fallbackLocales: ["__proto__", "en"] },
  { locale: "fr-CH", fallbackLocales: ["fr", "de", "en"] },
  { locale: "constructor", fallbackLocales: ["en"] },
];
const LOCALES = ["de", "en", "fr-CH", "fr", "__proto__", "constructor", "not-in-use"];

/**
 * Maps the value of a field, and the data of blocks in it before; `isShown`: whether a project that
 * shows the entry has its values in a locale (A7a).
 */
type MapField = (
  field: FieldDefinition,
  value: JsonValue,
  isShown: (locale: string) => boolean,
) => JsonValue | undefined;

export function isDraftIn(draft: Entry["draft"], locale: string): boolean {
  if (typeof draft !== "object") return draft === true;
  return Object.entries(draft).some(([name, is]) => is && name === locale);
}

/** Random workspaces with localized fields, in several projects, without queries and collections. */
export const plainLocalizedWorkspace: fc.Arbitrary<RandomWorkspace> = fc
  .tuple(
    plainWorkspace({ faulty: false }),
    fc.array(fc.nat(1_000_000), { minLength: 23, maxLength: 23 }),
    fc.shuffledSubarray([...LANGUAGES], { minLength: 1 }),
  )
  .map(([plain, numbers, languages]) => {
    let at = 0;
    const pick = <T>(choices: readonly T[]) => {
      at += 1;
      return choices[((numbers[at % numbers.length] as number) + at) % choices.length] as T;
    };
    const choose = <M extends Model>(record: M): M => ({
      ...record,
      fields: record.fields.map((field) => ({ ...field, ...pick([{}, { localized: true }]) })),
    });
    const models = plain.models.map(choose);
    const blocks = plain.blocks.map(choose);
    const defined = { ...plain, models, blocks };
    const others = new Map<string, JsonValue[]>();
    const localize: MapField = (field, value) => {
      if (field.localized !== true || pick([0, 0, 0, 0, 0, 1]) === 1) {
        return field.localized === true ? null : value;
      }
      // Texts of other entries too, so that languages differ.
      const name = JSON.stringify(field);
      const seen = [...(others.get(name) ?? []), value];
      others.set(name, seen);
      return Object.fromEntries(
        LOCALES.flatMap((locale) => {
          const stored = pick([undefined, undefined, null, value, ...seen]);
          return stored === undefined ? [] : [[locale, stored]];
        }),
      );
    };
    const projects = languages.map((language, index) => ({
      ...(plain.projects[0] as Project),
      id: `p${index}`,
      ...language,
    }));
    const used = languages.flatMap(({ locale = "", fallbackLocales = [] }) => [
      locale,
      ...fallbackLocales,
    ]);
    const parts = mapValues({ ...defined, projects }, localize);
    const entries = parts.entries.map((entry): Entry => {
      const draft = Object.fromEntries([
        [pick(used), true] as const,
        [pick(used), pick([true, false])],
      ]);
      return pick([0, 0, 0, 1]) === 0 ? entry : { ...entry, draft };
    });
    const assets = parts.assets.map((asset): Asset => {
      const title = pick([
        undefined,
        "Plain",
        { de: "Bild", fr: "Image" },
        { en: "Picture", de: "" },
      ]);
      return title === undefined ? asset : { ...asset, title };
    });
    const all = { ...parts, entries, assets, assetTexts: true };
    return all;
  });

/** The same, most with queries and collections. */
export const localizedWorkspace = mostlyWithLists(plainLocalizedWorkspace, { faulty: false });

/** The workspace as it would be stored for one project alone, without localized fields. */
export function inLanguageOf(project: Project, parts: RandomWorkspace): RandomWorkspace {
  const { locale, fallbackLocales = [], ...alone } = project;
  const chain = [locale, ...fallbackLocales].filter((one) => one !== undefined);
  const chosen = mapValues(
    { ...parts, projects: [alone] },
    ({ localized }, value, isShown) => {
      if (!localized) return value;
      if (!isJsonObject(value)) return undefined;
      const values = new Map(Object.entries(value));
      const first = chain.find(
        (one) => isShown(one) && values.has(one) && values.get(one) !== null,
      );
      return first === undefined ? undefined : values.get(first);
    },
    locale,
  );
  const entries = chosen.entries.map(({ draft, ...entry }): Entry => {
    const isDraft = isDraftIn(draft, locale ?? "");
    return isDraft ? { ...entry, draft: true } : entry;
  });
  const plain = <M extends Model>(record: M): M => ({
    ...record,
    fields: record.fields.map(({ localized: _localized, ...field }) => field),
  });
  const assets = parts.assets.map(({ title, ...asset }): Asset => {
    const texts = new Map(Object.entries(typeof title === "object" ? title : {}));
    const first = chain.find((one) => texts.has(one));
    const own = typeof title === "object" ? first && texts.get(first) : title;
    return own === undefined ? asset : { ...asset, title: own };
  });
  return {
    ...chosen,
    entries,
    assets,
    models: parts.models.map(plain),
    blocks: parts.blocks.map(plain),
  };
}

/** @param own the locale of the project that shows the entries */
function mapValues<P extends RandomWorkspace>(parts: P, map: MapField, own = ""): P {
  const blocks = new Map(parts.blocks.map((block) => [block.id, block]));
  const fieldsOf = new Map(parts.models.map(({ id, fields }) => [id, fields]));
  return {
    ...parts,
    projects: parts.projects.map((project) => ({
      ...project,
      fields: mapData(parts.fields, project.fields ?? {}, blocks, (field, value) =>
        map(field, value, () => true),
      ),
    })),
    entries: parts.entries.map((entry) => {
      const isShown = (locale: string) =>
        isDraftIn(entry.draft, own) || !isDraftIn(entry.draft, locale);
      const mapped = (field: FieldDefinition, value: JsonValue) => map(field, value, isShown);
      return {
        ...entry,
        data: mapData(fieldsOf.get(entry.modelId) ?? [], entry.data, blocks, mapped),
      };
    }),
  };
}

function mapData(
  fields: readonly FieldDefinition[],
  data: JsonObject,
  blocks: ReadonlyMap<string, Block>,
  map: (field: FieldDefinition, value: JsonValue) => JsonValue | undefined,
): JsonObject {
  const byKey = new Map(fields.map((field) => [field.key, field]));
  const members = Object.entries(data).flatMap(([key, value]) => {
    const field = byKey.get(key);
    if (field === undefined) return [[key, value] as const];
    const holdsBlocks = field.type === "content-block" || field.type === "rich-text";
    // Blocks are mapped in every value, whatever its locale.
    const inner = holdsBlocks ? mapBlocks(value, blocks, map) : value;
    const mapped = map(field, inner);
    return mapped === undefined ? [] : [[key, mapped] as const];
  });
  return Object.fromEntries(members);
}

function mapBlocks(
  value: JsonValue,
  blocks: ReadonlyMap<string, Block>,
  map: (field: FieldDefinition, value: JsonValue) => JsonValue | undefined,
): JsonValue {
  if (Array.isArray(value)) return value.map((item: JsonValue) => mapBlocks(item, blocks, map));
  if (!isJsonObject(value)) return value;
  const { contentBlockId, data } = value;
  if (typeof contentBlockId === "string" && isJsonObject(data ?? null)) {
    const fields = blocks.get(contentBlockId)?.fields ?? [];
    return { contentBlockId, data: mapData(fields, data as JsonObject, blocks, map) };
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapBlocks(member, blocks, map)]),
  );
}
