// node translate-site.ts <folder>: makes a workspace folder of NDJSON files one in three languages.
// Each project becomes three; in every model the first text is localized, and the second a localized
// rich text with a link to where the entry's first reference leads; in blocks the first text is
// localized. Some translations are missing, so that fallbacks are served.
import { join } from "node:path";
import { changeLines, linesOf } from "./lines.ts";

// biome-ignore lint/suspicious/noExplicitAny: records and values have any shape
type Data = Record<string, any>;

interface Texts {
  /** The keys of its first text and of its second; undefined: there is none. */
  readonly title: string | undefined;
  readonly long: string | undefined;
}

/** By locale: of how many texts in ten it has none. */
const MISSING = { en: 0, de: 2, "pt-BR": 5 };

function translate(folder: string): void {
  const file = (kind: string) => join(folder, `${kind}.ndjson`);
  const [models, blocks] = [textsOf(file("models")), textsOf(file("blocks"))];
  changeLines(file("models"), (line) => [JSON.stringify(localized(JSON.parse(line), true))]);
  changeLines(file("blocks"), (line) => [JSON.stringify(localized(JSON.parse(line), false))]);
  changeLines(file("projects"), (line) => {
    const project = JSON.parse(line);
    return Object.keys(MISSING).map((locale) => {
      const fallbackLocales = locale === "en" ? [] : ["en"];
      const id = locale === "en" ? project.id : `${project.id}-${locale}`;
      return JSON.stringify({ ...project, id, locale, fallbackLocales });
    });
  });
  let number = 0;
  changeLines(file("entries"), (line) => {
    const entry = JSON.parse(line);
    number += 1;
    for (const value of Object.values<Data>(entry.data)) translateBlocks(value, blocks, number);
    translateData(entry.data, models.get(entry.modelId), number, firstPointer(entry.data));
    return [JSON.stringify(entry)];
  });
}

function textsOf(path: string): Map<string, Texts> {
  const records = Array.from(linesOf(path), (line) => JSON.parse(line));
  return new Map(records.map(({ id, fields }) => [id, textsAmong(fields)]));
}

function textsAmong(fields: readonly Data[]): Texts {
  const keys = fields.filter(({ type, repeatable }) => type === "text" && !repeatable);
  const [title, ...others] = keys.map(({ key }) => key as string);
  return { title, long: others.find((key) => key !== "slug") };
}

function localized(record: Data, hasRichText: boolean): Data {
  const { title, long } = textsAmong(record.fields);
  const change = (field: Data) => {
    if (field.key === title) return { ...field, localized: true };
    if (field.key !== long || !hasRichText) return field;
    return { ...field, type: "rich-text", localized: true };
  };
  return { ...record, fields: record.fields.map(change) };
}

function translateData(data: Data, texts: Texts | undefined, number: number, link?: Data): void {
  const { title, long } = texts ?? { title: undefined, long: undefined };
  if (title !== undefined) data[title] = inLanguages(data[title], number, (text) => text);
  if (long === undefined || link === undefined) return;
  data[long] = inLanguages(data[long], number, (text) => ({
    type: "doc",
    content: [
      {
        type: "paragraph",
        content: [
          { type: "text", text },
          { type: "link", target: link },
        ],
      },
    ],
  }));
}

function inLanguages(value: unknown, number: number, make: (text: string) => unknown): unknown {
  if (typeof value !== "string") return value;
  const has = Object.entries(MISSING).filter(([, missing]) => number % 10 >= missing);
  return Object.fromEntries(
    has.map(([locale]) => [locale, make(locale === "en" ? value : `${value} [${locale}]`)]),
  );
}

function translateBlocks(value: Data, blocks: ReadonlyMap<string, Texts>, number: number): void {
  if (typeof value !== "object" || value === null) return;
  for (const inner of Object.values<Data>(value)) translateBlocks(inner, blocks, number);
  const { contentBlockId, data } = value;
  if (contentBlockId !== undefined) translateData(data, blocks.get(contentBlockId), number);
}

/** The target of the entry's first reference, or an entry that does not exist. */
function firstPointer(data: Data): Data {
  for (const value of Object.values<Data>(data)) {
    const { contentEntryId } = [value].flat()[0] ?? {};
    if (typeof contentEntryId === "string") return { contentEntryId };
  }
  return { contentEntryId: "none" };
}

if (import.meta.main) translate(process.argv[2] ?? "");
