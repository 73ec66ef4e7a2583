import { byCodeUnit } from "../../workspace/json.ts";
import { type TextFile, withoutExtension } from "./text-files.ts";

/** The texts of one entry, in its languages (X3g). */
export interface TextGroup {
  /** The path that they share: without extension, and without what names the language. */
  readonly id: string;
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
  /** All, the main one too. */
  readonly locales: readonly string[];
}

/** X3g: `page.de.md` and `de/page.md` are the text `page` in German. @param named the languages, the main one first */
export function textLanguages(
  texts: readonly TextFile[],
  named: readonly string[] | undefined,
): TextLanguages {
  const marks = new Map(texts.map((path) => [path, markOf(path)]));
  const wanted = named?.map((one) => localeOf(one) ?? one);
  const locales = new Set(wanted ?? languagesIn(texts, marks));
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
  const main = wanted?.[0] ?? (locales.size === 0 ? undefined : isGuessed ? unnamed : most);
  if (main !== undefined) locales.add(main);
  const groups = new Map<string, { id: string; texts: LanguageText[] }>();
  const others: TextGroup[] = [];
  for (const path of texts) {
    const { id = withoutExtension(path), locale = main } = found(path) ?? {};
    const group = groups.get(id);
    if (group === undefined) groups.set(id, { id, texts: [{ path, locale }] });
    else if (locale !== undefined && group.texts.every((text) => text.locale !== locale)) {
      group.texts.push({ path, locale });
    } else others.push({ id, texts: [{ path, locale }] });
  }
  return { groups: [...groups.values(), ...others], main, isGuessed, locales: [...locales] };
}

interface Mark {
  readonly id: string;
  readonly locale: string;
  readonly isFolder: boolean;
}

/** What may name the language of a text: a folder at the beginning, or the end of its name. */
function markOf(path: TextFile): Mark | undefined {
  const bare = withoutExtension(path);
  const [, start, suffix = ""] = /^(.*[^/])\.([^./]+)$/.exec(bare) ?? [];
  const ofName = localeOf(suffix);
  if (start !== undefined && ofName !== undefined) {
    return { id: start, locale: ofName, isFolder: false };
  }
  const folders = bare.split("/").slice(0, -1).slice(0, 2);
  for (const [at, folder] of folders.entries()) {
    const locale = localeOf(folder);
    if (locale !== undefined) {
      return { id: bare.split("/").toSpliced(at, 1).join("/"), locale, isFolder: true };
    }
  }
  return undefined;
}

const NAMES = new Intl.DisplayNames("en", { type: "language", fallback: "none" });

/** `pt-BR` of `pt_br`; undefined: it is no language that has a name. */
function localeOf(text: string): string | undefined {
  if (!/^[a-z]{2}(?:[-_](?:[a-z]{2}|[a-z]{4}))?$/i.test(text)) return undefined;
  const [locale = ""] = Intl.getCanonicalLocales(text.replace("_", "-"));
  return NAMES.of(locale) === undefined ? undefined : locale;
}

/**
 * The languages of which at least half of the texts are there in another language too, or without one:
 * `it/` may be a folder about computers. Of folders beside texts without a language two such texts are needed.
 */
function languagesIn(
  texts: readonly TextFile[],
  marks: ReadonlyMap<TextFile, Mark | undefined>,
): string[] {
  const forms = new Map<string, Set<string>>();
  for (const path of texts) {
    const { id = withoutExtension(path), locale = "" } = marks.get(path) ?? {};
    forms.set(id, (forms.get(id) ?? new Set()).add(locale));
  }
  const all = new Map<string, { texts: number; shared: number; isSure: boolean }>();
  for (const mark of marks.values()) {
    if (mark === undefined) continue;
    const { id, locale, isFolder } = mark;
    const known = all.get(locale) ?? { texts: 0, shared: 0, isSure: false };
    const others = [...(forms.get(id) ?? [])].filter((one) => one !== locale);
    known.texts += 1;
    if (others.length > 0) known.shared += 1;
    if (others.length > 0 && (!isFolder || others.some((one) => one !== ""))) known.isSure = true;
    all.set(locale, known);
  }
  return [...all].flatMap(([locale, { texts: count, shared, isSure }]) =>
    2 * shared >= count && (isSure || shared > 1) ? [locale] : [],
  );
}
