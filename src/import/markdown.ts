import { pathId } from "../documents/to-id.ts";
import { assetByBytes } from "../folder/asset-records.ts";
import { isJsonObject, type JsonObject } from "../workspace/json.ts";
import type { SourceItem } from "../workspace/source.ts";
import type { Format } from "./format.ts";
import { converted, workspaceIdOf } from "./formats/convert.ts";
import { readDefinitions } from "./formats/definitions.ts";
import {
  type Found,
  type FoundDocument,
  type Ids,
  localized,
  type Member,
} from "./formats/found.ts";
import { Notes } from "./formats/notes.ts";
import { chosenLocale } from "./formats/roots.ts";
import { withoutExtension } from "./markdown/file-kinds.ts";
import { FoundText } from "./markdown/found-text.ts";
import { heldBack } from "./markdown/held-back.ts";
import {
  type LanguageText,
  modelsOf,
  type TextGroup,
  type TextLanguages,
  textLanguages,
} from "./markdown/languages.ts";
import { MemberUse } from "./markdown/member-use.ts";
import { NamedFiles } from "./markdown/named-files.ts";
import { titleOf } from "./markdown/site-config.ts";
import { SiteGenerator } from "./markdown/site-generator.ts";
import { HOW_TO_USE, NOT_UTF8, type TextFile, TextFiles } from "./markdown/text-files.ts";

/** X19: a folder of Markdown files with front matter: a folder below it is a model. */
export const markdown: Format = {
  name: "markdown",
  hint: HOW_TO_USE,
  options: ["dates", "links", "locale", "locales", "onlyTranslated", "schema", "types"],
  keepsSchema: true,
  read(paths, options) {
    const { dates, drafts = false, links, locales, schema } = options;
    const notes = new Notes();
    const files = new TextFiles(paths, schema);
    const site = new SiteGenerator(files, dates);
    const named = new NamedFiles(files, notes);
    const { isGarden } = named;
    for (const one of site.unread) {
      notes.warn(`${one} cannot be read: what it holds back is published`);
    }
    const workspaceId = workspaceIdOf(options, () => files.name);
    const before = options.before(workspaceId);
    // X25d.
    const isAnew = locales?.[0] === "*";
    const namedLocales = isAnew ? undefined : (locales ?? before?.choices?.locales);
    const languages = textLanguages(named.entries, {
      named: namedLocales,
      known: isAnew ? [] : (before?.choices?.foundLocales ?? []),
      isForeign: (path) => files.hasForeignLetters(path),
      keptId: (path, id) => {
        if (before?.dataOf(pathId(path)) !== undefined) return path;
        return hasBody(before?.dataOf(pathId(id)), files.bodyOf(path)) ? id : undefined;
      },
    });
    const { main, groups } = languages;
    const isText = ({ texts }: TextGroup) => texts.some(({ path }) => files.isText(path));
    const modelOf = modelsOf(groups.filter(isText).map(({ stem }) => stem));
    if (languages.isGuessed) {
      notes.warn(`texts that name no language are taken as "${main}": --locales names it first`);
    }
    if (languages.unclear.length > 0) notes.warn(unclearText(languages));
    for (const path of languages.second) notes.warnAt(path, ...SECOND);
    const leftOut = files.leftOut(new Set([...named.entries, ...named.assets]));
    for (const { countedAs, path } of leftOut) {
      notes.leaveOut(countedAs, 1, countedAs === NOT_UTF8 ? path : undefined);
    }
    const idOf = new Map(groups.flatMap(({ id, texts }) => texts.map(({ path }) => [path, id])));
    const nextLocale = chosenLocale(options.locale, before?.choices);
    const assets = new Map<string, string>();
    const asset = (path: string) => {
      const id = pathId(path);
      assets.set(id, path);
      return id;
    };
    function* assetItems(): Generator<SourceItem> {
      for (const [id, path] of assets) {
        const bytes = files.read(path);
        const fileName = path.split("/").at(-1) ?? path;
        const record = assetByBytes({ id, fileName }, bytes);
        yield { kind: "file", sha256: record.sha256, bytes };
        yield { kind: "assets", record };
      }
    }
    function* readGroups(ids: Pick<Ids, "entry">): Generator<ReadGroup> {
      const entry = (path: string) => ids.entry(idOf.get(path) ?? path);
      for (const [{ id, stem }, texts] of files.split<LanguageText, TextGroup>(groups)) {
        const lost = new Notes();
        const context = { entry, asset, named, hasReferences: links === "references" };
        const type = modelOf(stem);
        const found = texts.map(({ path, locale, text }): ReadText => {
          for (const line of text.inexact) lost.warnAt(`${path}:${line}`, ...INEXACT);
          if (text.remark) lost.warnAt(path, ["text has", "texts have"], text.remark);
          const { fields, ...held } = heldBack(path, text, { site, isGarden, drafts, notes: lost });
          const shown = { ...text, matter: fields };
          const members = new FoundText(files, context).members(path, shown, { stem, type });
          const placeOf = (member: string) => `${path}:${text.lineOf(member)}`;
          return { path, locale, members, own: Object.keys(text.matter), placeOf, ...held };
        });
        yield { id, type, texts: found, lost };
      }
    }
    let alike: ReadonlyMap<string, boolean> | undefined;
    const use = new MemberUse();
    const reading = {
      record: "text",
      workspaceId,
      siteName: files.sites.map(titleOf).find((title) => title !== undefined),
      idOf: pathId,
      ...(main !== undefined && { locale: main }),
      nextLocale,
      choices: {
        ...(namedLocales !== undefined && { locales: namedLocales }),
        ...(namedLocales === undefined &&
          main !== undefined && { foundLocales: languages.locales }),
      },
      definitions: schema === undefined ? undefined : readDefinitions(schema, notes),
      assets() {
        use.note(notes);
        named.noteMissing();
        return {
          [Symbol.iterator]: assetItems,
          fates: [
            ...[...assets].map(([id, path]) => ({
              kind: "asset" as const,
              id: path,
              became: { id },
              lost: [],
            })),
            ...leftOut.map(({ path, reason }) => ({
              kind: "file" as const,
              id: path,
              lost: [reason],
            })),
          ],
        };
      },
      *records(ids: Pick<Ids, "entry">): Generator<FoundDocument> {
        const isFirst = alike === undefined;
        alike ??= alikeIn(readGroups({ entry: (id) => id }), main);
        for (const { id, type, texts, lost } of readGroups(ids)) {
          if (isFirst) {
            for (const { path, own, placeOf } of texts) use.add(type, path, own, placeOf);
          }
          yield {
            id,
            source: texts.map(({ path }) => path).join(", "),
            type,
            members: inLanguages(texts, main, (name) => alike?.get(`${type} ${name}`) ?? false),
            names: texts.flatMap(({ path }) => [path, withoutExtension(path)]),
            placeOf: (member, locale) => {
              const text = texts.find((one) => one.locale === locale) ?? texts[0];
              return text?.placeOf(member) ?? id;
            },
            ...publishingOf(id, texts, { languages, only: nextLocale, notes: lost }),
            inLocales: texts.flatMap(({ locale }) => locale ?? []),
            lost,
          };
        }
      },
    };
    const read = converted(markdown, reading, options, notes);
    const isFound = namedLocales === undefined && main !== undefined;
    const report = { ...read.report, ...(isFound && { found: languages.counts }) };
    return { ...read, report };
  },
};

/** X22a. */
const INEXACT = [
  ["number stays", "numbers stay"],
  "text as written, since JSON has other digits for such values (1.1 for 1.10)",
] as const;

/** X25e. */
const SECOND = [
  ["text has", "texts have"],
  "the name of another one, and so the ending in the id",
] as const;

/** X25e: whether an entry has the text as its body, in any language. */
function hasBody(data: JsonObject | undefined, body: string): boolean {
  return Object.values(data ?? {}).some(
    (value) => value === body || (isJsonObject(value) && Object.values(value).includes(body)),
  );
}

function unclearText({ main = "en", locales, unclear }: TextLanguages): string {
  const counts = unclear.map(({ locale, texts }) => `"${locale}" (${texts})`).join(", ");
  const all = [...new Set([main, ...locales]), ...unclear.map(({ locale }) => locale)].join(",");
  return `these may be languages, but were not taken as such (number of texts): ${counts}; --locales ${all} takes them`;
}

/** The texts of an entry, as they were read. */
interface ReadGroup {
  readonly id: string;
  readonly type: string;
  readonly texts: readonly ReadText[];
  readonly lost: Notes;
}

interface ReadText {
  readonly path: TextFile;
  readonly locale: string | undefined;
  readonly members: readonly Member[];
  /** The names of the members of its front matter. */
  readonly own: readonly string[];
  readonly placeOf: (member: string) => string;
  readonly draft: boolean;
  readonly publishAt?: string | undefined;
  readonly unpublishAt?: string | undefined;
}

/** X3g: whether members are the same in all languages of each entry that has several, by type and name. */
function alikeIn(groups: Iterable<ReadGroup>, main: string | undefined): Map<string, boolean> {
  const alike = new Map<string, boolean>();
  if (main === undefined) return alike;
  for (const { type, texts } of groups) {
    if (texts.length === 1) continue;
    for (const [name, values] of byName(texts)) {
      const key = `${type} ${name}`;
      alike.set(key, (alike.get(key) ?? true) && isSame(values, texts.length));
    }
  }
  return alike;
}

function byName(texts: readonly ReadText[]): Map<string, Map<string, Found>> {
  const found = new Map<string, Map<string, Found>>();
  for (const { locale = "", members } of texts) {
    for (const [name, value] of members) {
      found.set(name, (found.get(name) ?? new Map<string, Found>()).set(locale, value));
    }
  }
  return found;
}

function isSame(values: ReadonlyMap<string, Found>, count: number): boolean {
  return (
    values.size === count &&
    new Set(Array.from(values.values(), (one) => JSON.stringify(one))).size === 1
  );
}

/** X3g: what all languages have in common has no locale, and what the main one alone has neither. */
function inLanguages(
  texts: readonly ReadText[],
  main: string | undefined,
  isAlike: (name: string) => boolean,
): readonly Member[] {
  const [first] = texts;
  if (first !== undefined && texts.length === 1 && first.locale === main) return first.members;
  return [...byName(texts)].map(([name, values]): Member => {
    const [value] = values.values();
    return isAlike(name) && value !== undefined ? [name, value] : [name, localized(values)];
  });
}

/**
 * X3g: hidden in a language are drafts, and what is neither there in it nor in the main one (A7). X22g: an entry has
 * one time for all languages, the latest, so that none is early.
 */
function publishingOf(
  id: string,
  texts: readonly ReadText[],
  { languages, only, notes }: { languages: TextLanguages; only: string | undefined; notes: Notes },
): Pick<FoundDocument, "draft" | "draftLocales" | "publishAt" | "unpublishAt"> {
  const { main, locales } = languages;
  const textIn = (locale: string) =>
    texts.find((text) => text.locale === locale) ?? texts.find((text) => text.locale === main);
  const shown = only === undefined ? texts : [textIn(only)].filter((text) => text !== undefined);
  const published = shown.filter(({ draft }) => !draft);
  const timed = published.length > 0 ? published : shown;
  const begins = timesOf(timed, ({ publishAt }) => publishAt);
  const ends = timesOf(timed, ({ unpublishAt }) => unpublishAt);
  if (begins.areMixed || ends.areMixed)
    notes.warnAt(id, ["entry has", "entries have"], MIXED_TIMES);
  const times = { publishAt: begins.inOrder.at(-1), unpublishAt: ends.inOrder[0] };
  if (main === undefined) return { draft: shown.some(({ draft }) => draft), ...times };
  const hidden = locales.filter((locale) => textIn(locale)?.draft ?? true);
  const isNever = Date.parse(times.unpublishAt ?? "") <= Date.parse(times.publishAt ?? "");
  if (isNever) return { draft: true };
  if (only !== undefined) return { draft: hidden.includes(only), ...times };
  return hidden.length === locales.length
    ? { draft: true, ...times }
    : { draftLocales: hidden, ...times };
}

const MIXED_TIMES =
  "texts with other dates of publication: the latest holds for all languages, as does the first end";

function timesOf(texts: readonly ReadText[], timeOf: (text: ReadText) => string | undefined) {
  const times = texts.map(timeOf);
  const inOrder = times.filter((time) => time !== undefined);
  inOrder.sort((a, b) => Date.parse(a) - Date.parse(b));
  return { inOrder, areMixed: new Set(times).size > 1 };
}
