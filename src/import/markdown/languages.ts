import { UsageError } from "../../workspace/errors.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import { endingOf, isMarkdown, withoutExtension } from "./file-kinds.ts";
import type { TextFile } from "./text-files.ts";

/** The texts of one entry, in its languages (X3g). */
export interface TextGroup {
  /** The path that they share, without what names the language; of Markdown without ending too. */
  readonly id: string;
  /** The same without ending. */
  readonly stem: string;
  readonly texts: readonly LanguageText[];
}

export interface LanguageText {
  readonly path: TextFile;
  /** Undefined: the folder has no languages. */
  readonly locale: string | undefined;
}

export interface TextLanguages {
  readonly groups: readonly TextGroup[];
  /** Of texts that name no language; undefined: the folder has none. */
  readonly main: string | undefined;
  /** Whether nothing says which language the main one is. */
  readonly isGuessed: boolean;
  /** X25e: texts whose id has their ending, as another one has their name. */
  readonly second: readonly TextFile[];
  /** All, the main one first. */
  readonly locales: readonly string[];
  /** How many texts each has. */
  readonly counts: readonly LocaleCount[];
  /** X3h: what may be a language, or something else: it is none unless it is named. */
  readonly unclear: readonly LocaleCount[];
}

/** X25e: of two texts with one name the first of these. */
const FORMS = [".md", ".mdx", ".markdown"];

interface LocaleCount {
  readonly locale: string;
  readonly texts: number;
}

interface LanguageContext {
  /** By `--locales`, now or in the last import, the main one first. */
  readonly named: readonly string[] | undefined;
  /** X25d: that were found in the last import, the main one first. */
  readonly known: readonly string[];
  /** Whether a text has letters outside of ASCII. */
  readonly isForeign: (path: TextFile) => boolean;
  /** X25e: the id of a text in the workspace, if it is one of these, or its path. */
  readonly keptId: (path: TextFile, id: string) => string | undefined;
}

/** X3g: `page.de.md` and `de/page.md` are the text `page` in German. */
export function textLanguages(
  texts: readonly TextFile[],
  { named, known, isForeign, keptId }: LanguageContext,
): TextLanguages {
  const wanted = named?.map(namedLocale);
  const wantedOf = (text: string) => {
    const locale = canonical(text);
    return locale !== undefined && wanted?.includes(locale) ? locale : undefined;
  };
  const marks = new Map(
    texts.map((path) => [path, markOf(path, wanted === undefined ? localeOf : wantedOf)]),
  );
  const guessed = wanted ? undefined : languagesIn(texts, marks, isForeign);
  const marked = new Set([...marks.values()].map((mark) => mark?.locale));
  const kept = known.filter((locale) => marked.has(locale));
  const locales = new Set(wanted ?? [...kept, ...(guessed?.locales ?? [])]);
  const found = (path: TextFile) => {
    const mark = marks.get(path);
    return mark && locales.has(mark.locale) ? mark : undefined;
  };
  const counts = new Map<string, number>();
  for (const path of texts) {
    const { locale = "" } = found(path) ?? {};
    counts.set(locale, (counts.get(locale) ?? 0) + 1);
  }
  const [most = ""] = [...counts].sort(([a, m], [b, n]) => n - m || byCodeUnit(a, b))[0] ?? [];
  const unnamed = locales.has("en") ? "und" : "en";
  const isGuessed = wanted === undefined && locales.size > 0 && counts.has("");
  const likely = known[0] ?? (isGuessed ? unnamed : most);
  const main = wanted?.[0] ?? (locales.size === 0 ? undefined : likely);
  const all = main === undefined ? [] : [...new Set([main, ...locales])];
  // X25e.
  const rankOf = (path: TextFile, id: string) => {
    const form = FORMS.indexOf(endingOf(path));
    return 10 * [id, undefined, path].indexOf(keptId(path, id)) + (form < 0 ? FORMS.length : form);
  };
  const groups = new Map<string, { id: string; stem: string; texts: LanguageText[] }>();
  const others: TextGroup[] = [];
  for (const path of texts) {
    const { stem = withoutExtension(path), locale = main } = found(path) ?? {};
    const id = isMarkdown(path) ? stem : `${stem}${endingOf(path)}`;
    const group = groups.get(id);
    const at = group?.texts.findIndex((text) => text.locale === locale) ?? -1;
    const same = group?.texts[at];
    if (group === undefined) groups.set(id, { id, stem, texts: [{ path, locale }] });
    else if (same === undefined) group.texts.push({ path, locale });
    else {
      const isFirst = rankOf(path, id) < rankOf(same.path, id);
      const second = isFirst ? same : { path, locale };
      if (isFirst) group.texts[at] = { path, locale };
      others.push({ id: second.path, stem, texts: [second] });
    }
  }
  return {
    groups: [...groups.values(), ...others],
    second: others.flatMap(({ texts }) => texts.map(({ path }) => path)),
    main,
    isGuessed,
    locales: all,
    counts: all.map((locale) => ({
      locale,
      texts: (counts.get(locale) ?? 0) + (locale === main ? (counts.get("") ?? 0) : 0),
    })),
    unclear: (guessed?.unclear ?? []).filter(({ locale }) => !locales.has(locale)),
  };
}

interface Mark {
  /** The path without ending, and without what names the language. */
  readonly stem: string;
  readonly locale: string;
  readonly isFolder: boolean;
}

/** What may name the language of a text: a folder at the beginning, or the end of its name. */
function markOf(path: TextFile, localeOf: (text: string) => string | undefined): Mark | undefined {
  const bare = withoutExtension(path);
  const [, start, suffix = ""] = /^(.*[^/])\.([^./]+)$/.exec(bare) ?? [];
  const ofName = localeOf(suffix);
  if (start !== undefined && ofName !== undefined) {
    return { stem: start, locale: ofName, isFolder: false };
  }
  const folders = bare.split("/").slice(0, -1).slice(0, 2);
  for (const [at, folder] of folders.entries()) {
    const locale = localeOf(folder);
    if (locale !== undefined) {
      return { stem: bare.split("/").toSpliced(at, 1).join("/"), locale, isFolder: true };
    }
  }
  return undefined;
}

const NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** `pt-BR` of `pt_br`; undefined: it is no language that has a name. */
function localeOf(text: string): string | undefined {
  if (!/^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i.test(text)) return undefined;
  const locale = canonical(text) ?? "";
  return NAMES.of(locale) === undefined ? undefined : locale;
}

function canonical(text: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(text.replaceAll("_", "-"))[0];
  } catch {
    return undefined;
  }
}

/** X3g: any code of a language that is named by hand, as `es-419`, `fil` and `zh-Hant-TW`. */
function namedLocale(text: string): string {
  const locale = canonical(text);
  if (locale !== undefined) return locale;
  throw new UsageError(
    `"${text}" is no code of a language`,
    'name languages in --locales as "en", "pt-BR" or "zh-Hant-TW"',
  );
}

/**
 * X3h: languages whose codes mean little else: others are also endings of programs (`cs`, `ts`, `pl`), departments
 * (`it`, `hr`), countries or words (`no`, `is`, `io`).
 */
const SURE: ReadonlySet<string> = new Set(
  "ar bg da de en es et fa fi fr hu ja ko lt lv nb nl pt ro ru sk sl sr th tr zh".split(" "),
);

function isSure(locale: string): boolean {
  return SURE.has(locale) || locale.includes("-");
}

/** How many texts a language has, and how many of them are there in others. */
interface Shares {
  texts: number;
  shared: number;
  /** Whether what it shares is no accident of two folders. */
  isPlain: boolean;
  /** By language; "": in texts that name none. */
  readonly partners: Map<string, number>;
}

/**
 * The languages of which most texts are there in another language too, or without one, and the language in which
 * most texts of such a one are: the main one has texts that nobody has translated. Of folders beside texts without a
 * language two such texts are needed. A code that may be something else needs such texts in a language that is
 * not, or letters of its own.
 */
function languagesIn(
  texts: readonly TextFile[],
  marks: ReadonlyMap<TextFile, Mark | undefined>,
  isForeign: (path: TextFile) => boolean,
): { locales: string[]; unclear: LocaleCount[] } {
  const all = sharesOf(texts, marks);
  const isMost = (count: number, { texts: of }: Shares) => 2 * count > of;
  const isForeignIn = (locale: string, shares: Shares) => {
    const own = texts.filter((path) => marks.get(path)?.locale === locale);
    return isMost(own.filter(isForeign).length, shares);
  };
  const likely = [...all].filter(
    ([, one]) => isMost(one.shared, one) && (one.isPlain || one.shared > 1),
  );
  const locales = new Set<string>();
  for (const [locale, one] of likely) {
    const sure = [...one.partners].filter(([partner]) => isSure(partner));
    const isLanguage =
      isSure(locale) || sure.some(([, count]) => isMost(count, one)) || isForeignIn(locale, one);
    if (isLanguage) locales.add(locale);
  }
  for (const locale of [...locales]) {
    const one = all.get(locale) as Shares;
    for (const [partner, count] of one.partners) {
      if (partner !== "" && isMost(count, one)) locales.add(partner);
    }
  }
  const unclear = likely.flatMap(([locale, { texts: count }]) =>
    locales.has(locale) ? [] : [{ locale, texts: count }],
  );
  return { locales: [...all.keys()].filter((locale) => locales.has(locale)), unclear };
}

function sharesOf(
  texts: readonly TextFile[],
  marks: ReadonlyMap<TextFile, Mark | undefined>,
): Map<string, Shares> {
  const forms = new Map<string, Set<string>>();
  for (const path of texts) {
    const { stem = withoutExtension(path), locale = "" } = marks.get(path) ?? {};
    forms.set(stem, (forms.get(stem) ?? new Set()).add(locale));
  }
  const all = new Map<string, Shares>();
  for (const mark of marks.values()) {
    if (mark === undefined) continue;
    const { stem, locale, isFolder } = mark;
    const known = all.get(locale) ?? { texts: 0, shared: 0, isPlain: false, partners: new Map() };
    const others = [...(forms.get(stem) ?? [])].filter((one) => one !== locale);
    known.texts += 1;
    if (others.length > 0) known.shared += 1;
    known.isPlain ||= others.some((one) => !isFolder || one !== "");
    for (const one of others) known.partners.set(one, (known.partners.get(one) ?? 0) + 1);
    all.set(locale, known);
  }
  return all;
}

/**
 * X23f: the model of a text by its stem: the first folder, or `page`. A folder that has an `index` and no other
 * text is a text of the folder above.
 *
 * @param stems of texts
 */
export function modelsOf(stems: readonly string[]): (stem: string) => string {
  const isBundle = new Map<string, boolean>();
  for (const stem of stems) {
    const [top = "", ...below] = stem.split("/");
    if (below.length === 0 || below.some((name) => name.startsWith("_"))) continue;
    const isIndex = /^index(?:\.[^.]+)?$/.test(below.join("/"));
    isBundle.set(top, isIndex && (isBundle.get(top) ?? true));
  }
  return (stem) => {
    const [top = "", ...below] = stem.split("/");
    return below.length === 0 || isBundle.get(top) ? "page" : top;
  };
}
