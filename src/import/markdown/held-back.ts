import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Notes, Nouns } from "../formats/notes.ts";
import type { MarkdownText } from "./front-matter.ts";
import { instantOf } from "./instants.ts";
import type { SiteGenerator } from "./site-generator.ts";

/** X22b: what a text keeps from the public, by its front matter, its path, and what its folder says. */
interface HeldBack {
  readonly draft: boolean;
  readonly publishAt?: string | undefined;
  readonly unpublishAt?: string | undefined;
  /** The members that are fields. */
  readonly fields: JsonObject;
}

const all = <T>(names: string, value: T) => names.split(" ").map((name) => [name, value] as const);

/** Members that hold a text back by this value, and release it by the other one. */
const SWITCHES: ReadonlyMap<string, boolean> = new Map([
  ...all("draft isdraft unpublished private isprivate protected headless", true),
  ...all("published ispublished publish public ispublic dgpublish render permalink", false),
]);

/** Of those: fields, with other values. */
const ALSO_FIELDS: ReadonlySet<string> = new Set(["protected", "render", "permalink"]);

const STATES: ReadonlySet<string> = new Set(["status", "state", "visibility", "access"]);

const HOLDING_STATES: ReadonlySet<string> = new Set([
  ..."draft autodraft private pending unpublished hidden internal wip review inreview".split(" "),
  ..."scheduled future archived trash trashed deleted skip".split(" "),
]);

/** X22f: states that keep a text for some readers. */
const MEANINGLESS_STATES: ReadonlySet<string> = new Set(
  "members paid tiers restricted unlisted subscribers".split(" "),
);

/** X22d. */
const PUBLISH_AT = ["publishdate", "publishat", "publishon"];
const UNPUBLISH_AT = "expirydate expirationdate unpublishdate unpublishat unpublishon".split(" ");

/** X22f: members that hold back in their tool and mean nothing here, with the values by which they do. */
const MEANINGLESS: ReadonlyMap<string, (value: JsonValue) => boolean> = new Map([
  ...all("unlisted hidden ishidden noindex navexclude searchexclude", isYes),
  ...all("eleventyexcludefromcollections membersonly paywall embargo expires expiresat", isYes),
  ...all("archived deleted hide notinnav", isYes),
  ...all("embargountil releasedate", (value: JsonValue) => instantOf(value) !== undefined),
  ...all("visible enabled active live", isNo),
  ...[...STATES].map(
    (name) => [name, (value: JsonValue) => isState(value, MEANINGLESS_STATES)] as const,
  ),
  ...all("listed searchable search insearchindex sitemap index pagefind", isNo),
  ["robots", (value) => /noindex|none/i.test(JSON.stringify(value))],
  ["build", (value) => isJsonObject(value) && /^(?:never|local|false)$/.test(`${value.list}`)],
]);

const isMeaningless = (name: string, value: JsonValue) =>
  MEANINGLESS.get(name)?.(value) ?? (name.startsWith("exclude") && isYes(value));

const DRAFTS: Nouns = ["text is a draft", "texts are drafts"];
const HAVE: Nouns = ["text has", "texts have"];

/** What a member says about its text: whether it holds it back; undefined: nothing. */
type Verdict = "held" | "released" | "unclear" | undefined;

interface Said {
  readonly name: string;
  readonly value: JsonValue;
  /** The file that says it of all texts of its folder; undefined: the text itself. */
  readonly from?: string;
}

interface Context {
  readonly site: SiteGenerator;
  /** X22j: whether a text of the folder has `dg-publish: true`. */
  readonly isGarden: boolean;
  /** Whether drafts are imported as published; dates stay. */
  readonly drafts: boolean;
  readonly notes: Notes;
}

/**
 * X22b: the known members of a text, in any spelling, and those that its folder gives it. X19c: a text of which this is
 * not clear is a draft, since one that is kept back by mistake does less harm than one that is published.
 */
export function heldBack(
  path: string,
  text: MarkdownText,
  { site, isGarden, drafts, notes }: Context,
): HeldBack {
  const { matter } = text;
  const own = Object.entries(matter).map(([name, value]): Said => ({ name, value }));
  const names = new Set(own.map(({ name }) => plain(name)));
  const given = site.defaultsOf(path).filter(({ name }) => {
    const isNew = !names.has(plain(name));
    names.add(plain(name));
    return isNew;
  });
  const said = [...own, ...given].filter(({ value }) => value !== null);
  const reasons = new Map<string, string>();
  const hold = (reason: string, place = path) => reasons.set(reason, place);
  const placeOf = ({ name, from }: Said) => (from ? path : `${path}:${text.lineOf(name)}`);
  for (const one of said) {
    const { name, value, from } = one;
    const verdict = verdictOf(plain(name), value);
    const by = from === undefined ? `"${name}"` : `"${name}" in ${from}`;
    if (verdict === "held") hold(`by ${by}`);
    if (verdict === "unclear") hold(`since ${by} is neither true nor false`, placeOf(one));
    if (verdict === undefined && isMeaningless(plain(name), value)) {
      notes.warnAt(path, HAVE, `${by}, which means nothing here`);
    }
  }
  const byPath = site.heldByPath(path);
  if (byPath !== undefined) hold(`by ${byPath}`);
  const outside = Object.keys(matter).length === 0 ? heldOutside(text.body) : undefined;
  if (outside !== undefined) hold(`by "${outside}" outside of front matter`);
  for (const { line, isFirst, members } of laterMatter(text.body)) {
    const place = (at: number) => `${path}:${text.linesBefore + at}`;
    if (isFirst)
      notes.warnAt(place(line), HAVE, "a second front matter, which is text of the body");
    const held = outside === undefined && members.find(({ source }) => heldIn(source));
    if (held) hold(`by "${heldIn(held.source)}" in a second front matter`, place(held.line));
  }
  // X22j.
  const needed: [member: string, why: string][] = [];
  if (isGarden) needed.push(["dgpublish", 'without "dg-publish: true", which others have']);
  if (site.isExplicit) needed.push(["publish", 'without "publish: true", as the config wants it']);
  const dated = (wanted: readonly string[]) => {
    const found = said.filter(({ name, value }) => verdictOf(plain(name), value) === undefined);
    for (const date of wanted) {
      const one = found.find(({ name, value }) => plain(name) === date && value !== "");
      if (one === undefined) continue;
      const at = instantOf(one.value);
      if (at === undefined) hold(`since "${one.name}" is no date`, placeOf(one));
      return { name: one.name, at };
    }
    return undefined;
  };
  const begin = dated(PUBLISH_AT) ?? dated(site.dateMembers);
  const { at: named, isReal } = (begin === undefined && site.dateOfName(path)) || { isReal: true };
  if (!isReal) hold("since the date in its name is none");
  const end = dated(UNPUBLISH_AT);
  const publishAt = begin?.at ?? named;
  let unpublishAt = end?.at;
  if (publishAt && unpublishAt && Date.parse(unpublishAt) <= Date.parse(publishAt)) {
    hold(`since "${end?.name}" is not after the date of publication`);
    unpublishAt = undefined;
  }
  if (reasons.size === 0) {
    for (const [member, why] of needed) {
      const one = said.find(({ name }) => plain(name) === member);
      if (one === undefined || verdictOf(member, one.value) !== "released") hold(why);
    }
  }
  if (publishAt !== undefined) {
    const name = begin === undefined ? "a date in the name" : `"${begin.name}"`;
    const isOwn = begin !== undefined && PUBLISH_AT.includes(plain(begin.name));
    const why = isOwn ? "" : `, ${site.whyDated}`;
    notes.warnAt(path, HAVE, `${name}, taken as the time of publication${why}`);
  }
  if (unpublishAt !== undefined) {
    notes.warnAt(path, HAVE, `"${end?.name}", taken as the end of publication`);
  }
  for (const [reason, place] of drafts ? [] : reasons) {
    // `draft` is what drafts of all systems are counted by.
    if (reason.toLowerCase() !== 'by "draft"') notes.warnAt(place, DRAFTS, reason);
  }
  const fields = own.filter(({ name, value }) => verdictOf(plain(name), value) === undefined);
  return {
    draft: !drafts && reasons.size > 0,
    publishAt,
    unpublishAt,
    fields: Object.fromEntries(fields.map(({ name, value }) => [name, value])),
  };
}

/** `isdraft` of `is_draft` and `isDraft`. */
function plain(name: string): string {
  return name.replace(/[\s_-]/g, "").toLowerCase();
}

function verdictOf(name: string, value: JsonValue): Verdict {
  const verdict = (isHeld: boolean) => (isHeld ? "held" : "released");
  const holding = SWITCHES.get(name);
  if (holding !== undefined) {
    // `published: 2024-03-01` and `published: 2019` are no switches.
    if (holding === false && /\d{4}/.test(String(value))) return undefined;
    const yes = saidBy(value);
    if (yes !== undefined) return verdict(yes === holding);
    return ALSO_FIELDS.has(name) ? undefined : "unclear";
  }
  // Other states are values of a field.
  if (STATES.has(name)) return isState(value, HOLDING_STATES) ? "held" : undefined;
  if (name === "password") return isYes(value) ? "held" : undefined;
  const isBuild = name === "build" && isJsonObject(value);
  return isBuild && /^(?:never|link|false)$/.test(`${value.render}`) ? "held" : undefined;
}

function isState(value: JsonValue, words: ReadonlySet<string>): boolean {
  return [value].flat().some((word) => words.has(plain(String(word))));
}

/** X19c. */
function saidBy(value: JsonValue): boolean | undefined {
  if (typeof value === "number") return value !== 0;
  if (typeof value === "object") return undefined;
  const word = String(value).trim().toLowerCase();
  return WORDS.get(word) ?? (/^[-+]?[\d.]*\d[\d.]*$/.test(word) ? Number(word) !== 0 : undefined);
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ...all("true yes on", true),
  ...all("false no off", false),
]);

function isYes(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (value === null || value === "") return false;
  return saidBy(value) ?? true;
}

/** Also `sitemap: { disable: true }`. */
function isNo(value: JsonValue): boolean {
  if (!isJsonObject(value)) return saidBy(value) === false;
  return Object.entries(value).some(
    ([name, one]) => /^(?:disable|exclude|hid)/.test(name) && isYes(one),
  );
}

/** X22j: as a digital garden of Obsidian marks what it publishes. */
export function isPublishedNote(matter: JsonObject): boolean {
  return Object.entries(matter).some(
    ([name, value]) => plain(name) === "dgpublish" && verdictOf("dgpublish", value) === "released",
  );
}

/** X22c: a member that would hold a text back, in its first lines, where no front matter has it. */
function heldOutside(body: string): string | undefined {
  const lines = body.split(/\r\n?|\n/, 40);
  const fence = lines.findIndex((line) => FENCE.test(line));
  for (const line of fence < 0 ? lines : lines.slice(0, fence)) {
    // In MDX several are in one line: `export const meta = { draft: true }`.
    for (const part of line.startsWith("export ") ? line.split(/[{},]/) : [line]) {
      const name = heldIn(part);
      if (name !== undefined) return name;
    }
  }
  return undefined;
}

const FENCE = /^\s*(?:```|~~~)/;

/** The member of a line that would hold a text back. */
function heldIn(line: string): string | undefined {
  const [, name = "", value = ""] =
    /^[\s"'#+.>*_-]*([A-Za-z][\w-]*)["'*_]*\s*[:=]["'*_\s]*([\w ]+?)["'*_,;\s]*$/.exec(
      line.slice(0, 100),
    ) ?? [];
  return name !== "" && verdictOf(plain(name), value) === "held" ? name : undefined;
}

interface LaterMatter {
  /** Of the body, from 1. */
  readonly line: number;
  /** Whether nothing of the body is before it. */
  readonly isFirst: boolean;
  readonly members: { readonly line: number; readonly source: string }[];
}

const RULE = /^(?:---|\+\+\+|;;;)[ \t]*\r?$/m;
const MEMBER = /^(?:[\w-]+|"[^"]*")\s*(?:[:=](?:\s|$)|=)/;

/** X22c: what is written as front matter, in the body: generators read one only. */
function laterMatter(body: string): LaterMatter[] {
  const found: LaterMatter[] = [];
  // Most texts have no such line, and are read no further.
  if (!RULE.test(body)) return found;
  let open: (LaterMatter & { readonly mark: string }) | undefined;
  let [isFirst, isCode] = [true, false];
  for (const [at, source] of body.split(/\r\n?|\n/).entries()) {
    if (FENCE.test(source)) isCode = !isCode;
    const [mark] = isCode ? [] : (/^(?:---|\+\+\+|;;;)(?=\s*$)/.exec(source) ?? []);
    if (mark !== undefined) {
      const isEnd = open?.mark === mark && open.members.length > 0;
      if (open !== undefined && isEnd) found.push(open);
      open = isEnd ? undefined : { mark, line: at + 1, isFirst, members: [] };
    } else if (isCode) open = undefined;
    else if (open !== undefined && MEMBER.test(source)) open.members.push({ line: at + 1, source });
    else if (!/^(?:\s|$|#|- )/.test(source)) open = undefined;
    if (source.trim() !== "") isFirst = false;
  }
  return found;
}
