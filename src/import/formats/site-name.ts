/** X27: an entry that may say what the site is called. */
export interface SiteEntry {
  /** By the names of their members; none of a draft. */
  readonly texts: readonly (readonly [member: string, text: unknown])[];
  readonly number: number;
}

/** What a type whose one entry is about the site is called, by these words alone. */
const WORDS =
  /^(?:site|web|settings|config|configuration|globals?|company|organi[sz]ation|info|general|meta|data|seo|main)+$/;

/** One of them is needed; the type with the first of them counts. */
const TELLING = ["site", "settings", "config", "global", "company", "organi"];

/** The members that have its name, the most telling one first. */
const MEMBERS = ["sitetitle", "sitename", "title", "name"];

/** A name is one line that may stand anywhere. */
const NAME = /^[^\p{C}\p{Zl}\p{Zp}]{1,100}$/u;

/** X27a: whether one entry alone of this type may name the site. */
export function isOfSite(type: string): boolean {
  return type.length <= 100 && WORDS.test(letters(type)) && TELLING.some(isIn(type));
}

/** The name by the entries that are the only ones of their types; undefined: none has one. */
export function siteNameOf(entries: ReadonlyMap<string, SiteEntry>): string | undefined {
  const found = [...entries].flatMap(([type, { texts }]) =>
    texts.flatMap(([member, text]) => {
      const [at, name] = [MEMBERS.indexOf(letters(member)), asName(text)];
      if (at < 0 || name === undefined || isLabel(name)) return [];
      // By the member where that says "site", then by the type.
      return [{ name, order: [Math.min(at, 2), TELLING.findIndex(isIn(type)), type, at].join() }];
    }),
  );
  return found.sort((a, b) => (a.order < b.order ? -1 : 1))[0]?.name;
}

/** X27b: a text as the name of a site; undefined: it cannot be one. */
export function asName(text: unknown): string | undefined {
  const name = typeof text === "string" ? text.trim() : "";
  return NAME.test(name) ? name : undefined;
}

/** `Site settings` and `Configuration` name the record. */
function isLabel(name: string): boolean {
  return WORDS.test(letters(name)) || /settings|config/.test(letters(name));
}

const isIn = (type: string) => (word: string) => letters(type).includes(word);

const letters = (text: string) => text.toLowerCase().replace(/[^\p{L}]+/gu, "");
