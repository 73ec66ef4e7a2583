import { toId } from "../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import type { SourceItem } from "../workspace/source.ts";
import { assetByBytes } from "./asset-records.ts";
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
import { NameMap } from "./formats/name-map.ts";
import { Notes } from "./formats/notes.ts";
import { chosenLocale } from "./formats/roots.ts";
import type { MarkdownText } from "./markdown/front-matter.ts";
import { isDraft, isDraftMember } from "./markdown/held-back.ts";
import {
  type LanguageText,
  type TextGroup,
  type TextLanguages,
  textLanguages,
} from "./markdown/languages.ts";
import { linksIn, type TextLink } from "./markdown/links.ts";
import { addressOf, HOW_TO_USE, modelOf, type TextFile, TextFiles } from "./markdown/text-files.ts";

/** X19: a folder of Markdown files with front matter: a folder below it is a model. */
export const markdown: Format = {
  name: "markdown",
  hint: HOW_TO_USE,
  options: ["links", "locale", "locales", "schema"],
  keepsSchema: true,
  read(paths, options) {
    const { drafts, links, locales, schema } = options;
    const notes = new Notes();
    const files = new TextFiles(paths);
    const languages = textLanguages(files.texts, locales);
    const { main, groups } = languages;
    if (languages.isGuessed) {
      notes.warn(`texts that name no language are taken as "${main}": --locales names it first`);
    }
    const idOf = new Map(groups.flatMap(({ id, texts }) => texts.map(({ path }) => [path, id])));
    const workspaceId = workspaceIdOf(options, () => files.name);
    const nextLocale = chosenLocale(options.locale, options.before(workspaceId)?.choices);
    const assetIds = new NameMap(toId);
    const assets = new Map<string, string>();
    const asset = (path: string) => {
      const id = assetIds.of(path);
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
    function* read(ids: Pick<Ids, "entry">): Generator<ReadGroup> {
      const entry = (path: string) => ids.entry(idOf.get(path) ?? path);
      for (const [{ id }, texts] of files.split<LanguageText, TextGroup>(groups)) {
        const lost = new Notes();
        const onLost = (what: string) => lost.warn(what);
        const context = { entry, asset, hasReferences: links === "references", onLost };
        const page = `${id}.md`;
        const found = texts.map(({ path, locale, text }): ReadText => {
          for (const line of text.inexact) lost.warnAt(`${path}:${line}`, ...INEXACT);
          if (text.remark) lost.warnAt(path, ["text has", "texts have"], text.remark);
          const draft = isDraft(text, (name) =>
            onLost(`${path}: "${name}" is neither true nor false: the text is taken as a draft`),
          );
          const members = new FoundText(files, context).members(path, text, page);
          return { path, locale, members, draft: draft && !drafts };
        });
        yield { id, type: modelOf(page), texts: found, lost };
      }
    }
    let alike: ReadonlyMap<string, boolean> | undefined;
    const reading = {
      from: "markdown",
      record: "text",
      hint: HOW_TO_USE,
      workspaceId,
      ...(main !== undefined && { locale: main }),
      nextLocale,
      definitions: schema === undefined ? undefined : readDefinitions(schema),
      assets: () => ({
        [Symbol.iterator]: assetItems,
        fates: [...assets].map(([id, path]) => ({
          kind: "asset" as const,
          id: path,
          became: { id },
          lost: [],
        })),
      }),
      *records(ids: Pick<Ids, "entry">): Generator<FoundDocument> {
        alike ??= alikeIn(read({ entry: (id) => id }), main);
        for (const { id, type, texts, lost } of read(ids)) {
          yield {
            id,
            source: texts.map(({ path }) => path).join(", "),
            type,
            members: inLanguages(texts, main, (name) => alike?.get(`${type} ${name}`) ?? false),
            ...draftIn(texts, languages, nextLocale),
            lost,
          };
        }
      },
    };
    return converted(reading, options, notes);
  },
};

/** X22a. */
const INEXACT = [
  ["number stays", "numbers stay"],
  "text as written, since it would be written in another way (1.10 as 1.1)",
] as const;

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
  readonly draft: boolean;
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

/** X3g: hidden in a language are drafts, and what is neither there in it nor in the main one (A7). */
function draftIn(
  texts: readonly ReadText[],
  { main, locales }: TextLanguages,
  only: string | undefined,
): Pick<FoundDocument, "draft" | "draftLocales"> {
  if (main === undefined) return { draft: texts.some(({ draft }) => draft) };
  const textIn = (locale: string) =>
    texts.find((text) => text.locale === locale) ?? texts.find((text) => text.locale === main);
  const hidden = locales.filter((locale) => textIn(locale)?.draft ?? true);
  if (only !== undefined) return { draft: hidden.includes(only) };
  return hidden.length === locales.length ? { draft: true } : { draftLocales: hidden };
}

interface TextContext extends Ids {
  /** X19g: whether a link between texts is a reference. */
  readonly hasReferences: boolean;
  readonly onLost: (what: string) => void;
}

class FoundText {
  readonly #files: TextFiles;
  readonly #context: TextContext;

  constructor(files: TextFiles, context: TextContext) {
    this.#files = files;
    this.#context = context;
  }

  /** The front matter, the text, its address, and where its links and images lead. */
  members(path: TextFile, { matter, body }: MarkdownText, page: TextFile): Member[] {
    const own = Object.entries(matter).flatMap(([name, value]): Member[] => {
      const found = isDraftMember(name)
        ? undefined
        : this.#value(value, path, `${modelOf(page)}_${name}`);
      return found === undefined ? [] : [[name, found]];
    });
    const name = (wanted: string) =>
      Object.hasOwn(matter, wanted) ? `markdown_${wanted}` : wanted;
    const links = this.#links(path, body);
    return [
      ...own,
      [name("path"), { kind: "text", tree: addressOf(page) }],
      [name("body"), { kind: "text", tree: body, format: "markdown" }],
      ...(links.length > 0
        ? [[name("links"), { kind: "list", items: links, tree: [] }] as const]
        : []),
    ];
  }

  /**
   * X19a: a block for each link to a file of the folder: the text has the address as it is written. X19g: of
   * links to texts only where they are wanted, since a page then has all pages that it leads to.
   */
  #links(path: TextFile, body: string): Found[] {
    return linksIn(body).flatMap((link): Found[] => {
      const target = this.#target(path, link);
      const href: Member = ["href", { kind: "text", tree: link.href }];
      if (target === undefined) {
        if (link.isWiki || isInside(link.href)) {
          this.#context.onLost(
            `${path}: the link to "${link.href}" leads to no file of the folder`,
          );
        }
        return [];
      }
      if (target.kind === "reference" && !this.#context.hasReferences) return [];
      return [{ kind: "block", type: "link", members: [href, [target.kind, target]], tree: null }];
    });
  }

  #target(
    path: TextFile,
    { href, isWiki }: TextLink,
  ): (Found & { kind: "reference" | "asset" }) | undefined {
    const file = isWiki ? this.#files.named(href) : this.#files.linked(path, href);
    if (file === undefined) return undefined;
    if (this.#files.isText(file)) {
      return {
        kind: "reference",
        as: "reference",
        tree: { contentEntryId: this.#context.entry(file) },
      };
    }
    return { kind: "asset", as: "asset", tree: { assetId: this.#context.asset(file) } };
  }

  /** Undefined: no value. `place` names maps. */
  #value(value: JsonValue, path: TextFile, place: string): Found | undefined {
    if (value === null) return undefined;
    if (typeof value === "string") return this.#text(value, path);
    if (typeof value === "boolean") return { kind: "boolean", tree: value };
    if (typeof value === "number") return { kind: "number", tree: value };
    if (isJsonObject(value)) return this.#map(value, path, place);
    const list = value as readonly JsonValue[];
    const items = list.map(
      (item): Found => this.#value(item, path, place) ?? { kind: "json", tree: item },
    );
    return { kind: "list", items, tree: items.map(({ tree }) => tree) };
  }

  /** X19b: a wiki link alone, or the path of a file of the folder, is a pointer. */
  #text(value: string, path: TextFile): Found {
    const [, wiki] = /^\[\[([^\]]+)\]\]$/.exec(value.trim()) ?? [];
    const isPath = /^[^\s]+\.[a-z0-9]+$/i.test(value);
    const link = wiki ?? (isPath ? value : undefined);
    const target = link && this.#target(path, { href: link, isWiki: wiki !== undefined });
    return target ? { ...target, text: value } : { kind: "text", tree: value };
  }

  #map(object: JsonObject, path: TextFile, place: string): Found {
    const members = Object.entries(object).flatMap(([name, value]): Member[] => {
      const found = this.#value(value, path, `${place}_${name}`);
      return found === undefined ? [] : [[name, found]];
    });
    return { kind: "block", type: place, members, tree: object };
  }
}

/** Whether a link is meant to lead to a file: no address of another site, and no place in the text. */
function isInside(href: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|\/)/i.test(href);
}
