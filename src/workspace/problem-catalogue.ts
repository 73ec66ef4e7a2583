import { ID_RULE, KEY_RULE } from "./ids.ts";
import { andMore, grouped, quoted, sizeText } from "./listed.ts";
import {
  type BrokenConstraint,
  constraintMessage,
  didYouMean,
  malformedRichText,
  meant,
  onlyThese,
  SHAPES,
  type Suggested,
  type ValueShape,
} from "./value-messages.ts";

const error = <A>(message: (args: A) => string) => ({ level: "error", message }) as const;
const warning = <A>(message: (args: A) => string) => ({ level: "warning", message }) as const;

/** P17: a field that has too few targets because this one is missing. */
interface Lacking {
  readonly lacks?: { readonly field: string; readonly least: number };
}

function lacking({ lacks }: Lacking): string {
  if (lacks === undefined) return "";
  const { field, least } = lacks;
  return least > 1
    ? `; the field "${field}" has fewer than ${least} targets without it`
    : `; the required field "${field}" has no target without it`;
}

const HIDDEN = {
  draft: "is a draft",
  publishAt: "is not due yet (publishAt)",
  unpublishAt: "is over (unpublishAt)",
};

/** A1: why an entry is not published. */
export type Hidden = keyof typeof HIDDEN;

/** `locale`: it is hidden in this one, and published in others (A7). */
interface HiddenTarget {
  readonly target: string;
  readonly because: Hidden;
  readonly locale?: string;
}

function hidden({ because, locale }: HiddenTarget): string {
  return HIDDEN[because] + (locale === undefined ? "" : ` in "${locale}"`);
}

const UNBOUNDED = {
  exponential:
    "may take exponential time, here and in every reader of the schema: a repeated part of it ends in a repetition that may read the beginning of the next round; rewrite it so that the next character decides",
  "not-analysed":
    "may take any time, here and in every reader of the schema: it is too large to be analysed, or has what is not (a backreference, a lookbehind, a repeated part that may match nothing); rewrite it",
};

/** Why the time that a pattern takes has no known bound. */
export type UnboundedReason = keyof typeof UNBOUNDED;

/** P2 and P3: of each code its level, where a problem has no other, and its message, whose arguments are the problem's. */
export const CATALOGUE = {
  /**
   * `locale`: a localized field has values, but none in a language with this locale; `locales` (the
   * first ones) and `others`: in several languages. `isBlank`: a value is there, but empty or blank.
   */
  "value-missing": error(
    (args: {
      field: string;
      locale?: string;
      locales?: readonly string[];
      others?: number;
      isBlank?: true;
    }) => {
      const { field, locale, locales, others = 0, isBlank = false } = args;
      const missing = `the required field "${field}" ${isBlank ? "is empty or blank" : "has no value"}`;
      if (locales !== undefined) {
        return `${missing} in ${quoted(locales)}${andMore(others)}, or in their fallback locales`;
      }
      return locale === undefined
        ? missing
        : `${missing} in "${locale}" or in its fallback locales`;
    },
  ),
  "value-type": error(
    ({ expected }: { expected: ValueShape }) =>
      `the stored value is not ${SHAPES[expected]}, so it is not served`,
  ),
  "value-constraint": error((broken: BrokenConstraint) => `the value ${constraintMessage(broken)}`),
  /**
   * `other`: the first entry, in order of the ids, that has the same value. `locale`: of a language in
   * which both are served it, if the field is localized (B4).
   */
  "value-duplicate": error(
    ({ field, other, locale }: { field: string; other: string; locale?: string }) =>
      `the entry "${other}" has the same value${locale === undefined ? "" : ` in "${locale}"`}; the field "${field}" is unique`,
  ),
  "value-computed": error(
    ({ field }: { field: string }) =>
      `the value of "${field}" is found by its query, so the stored one is not served; remove it`,
  ),
  /** Of the queries in one record; or in all that an experience shows, which find so many entries. */
  "query-exceeded": error(
    (args: { field: string } | { experience: string; count: number; path: string }) =>
      "field" in args
        ? `the query of "${args.field}" asks for too much: the queries of an entry find 10,000 entries at most, and each tests as many, by 1,000 values; lower its limit, or have it ask for less`
        : `the queries of what the experience "${args.experience}" shows find ${args.count} entries together, and 10,000 is the most in one document; most are found at ${args.path}: lower its limit`,
  ),
  "document-over-64mb": error(
    (document: LargeDocument) =>
      `${largeDocument(document)} or more, so it is neither published nor previewed: no content document may have more than 64 MB`,
  ),
  "condition-invalid": error(invalidCondition),
  "locale-missing": error(
    (_: Readonly<Record<string, never>>) =>
      "the project has no locale, so no localized value is served in it; set locale",
  ),
  "draft-locale-unknown": error(
    (args: { locale: string } & Suggested) =>
      `the entry is a draft in "${args.locale}", which is the locale of no project${didYouMean(args)}, so it is hidden nowhere`,
  ),
  /** `isServed`: the type of the field takes the map itself; `ofProjects`: it is a field of projects. */
  "localized-missing": error(
    (args: { field: string; isServed: boolean; ofProjects?: true }) =>
      `the field "${args.field}" is not localized, but has a value for each locale; ${args.isServed ? "they are served as they are" : "none is served"}: ${args.ofProjects ? "store that of the project's locale" : 'set "localized": true again, or store one value'}`,
  ),
  /** A name that does not exist, or what is wrong with a pattern or the steps. */
  "collection-invalid": error(
    (
      args:
        | ({ what: keyof typeof WRONG_NAME; name: string } & Suggested)
        | { pattern: string; reason: keyof typeof WRONG_PATTERN },
    ) =>
      "reason" in args
        ? `"${args.pattern}" ${WRONG_PATTERN[args.reason]}`
        : `${WRONG_NAME[args.what]} "${args.name}"${didYouMean(args)}`,
  ),
  "collected-left-out": error(
    (why: LeftOut) => `a collection of the project "${why.project}" leaves it out: ${leftOut(why)}`,
  ),
  "block-not-accepted": error(
    (args: { block: string } & ({ category: string } | { accepted: readonly string[] })) =>
      "accepted" in args
        ? `the block "${args.block}" is not accepted; the field accepts ${onlyThese(args.accepted)}`
        : `the block "${args.block}" is not of the category "${args.category}" that the field accepts`,
  ),
  "reference-model-not-accepted": error(
    (args: { target: string; model: string; accepted: readonly string[] }) =>
      `the entry "${args.target}" is of the model "${args.model}"; the field accepts ${onlyThese(args.accepted)}`,
  ),
  "model-missing": error(
    (args: { modelId: string } & Suggested) =>
      `there is no model "${args.modelId}"${meant(args)}, so the entry is served without data`,
  ),
  "block-deleted": error(
    (args: { block: string } & Suggested) =>
      `there is no block definition "${args.block}"${meant(args)}, so the block is not served`,
  ),
  "reference-deleted": warning(
    (args: { target: string } & Suggested & Lacking) =>
      `there is no entry "${args.target}"${meant(args)}${lacking(args)}`,
  ),
  "reference-draft": warning(
    (args: HiddenTarget & Lacking) =>
      `the entry "${args.target}" ${hidden(args)}, so it is not published${args.locale === undefined ? "" : " there"}${lacking(args)}`,
  ),
  "reference-other-workspace": warning(
    (args: { target: string } & Lacking) =>
      `the entry "${args.target}" belongs to another workspace, so it is not served${lacking(args)}`,
  ),
  /** `others`: in how many further experiences the same pointer is too deep. */
  "reference-too-deep": warning(
    (args: { target: string; project: string; experience: string; others: number }) =>
      `the entry "${args.target}" is more than 5 references away in the experience "${args.experience}" of the project "${args.project}"${args.others > 0 ? ` and in ${args.others} more` : ""}, so it is not served there`,
  ),
  /** `entries`: the first ones of the loop, each the parent of the one before. */
  "parent-loop": warning((args: { field: string; entries: readonly string[]; others: number }) => {
    const { field, entries, others } = args;
    const way = [...entries, ...(others > 0 ? [`${others} more`] : []), entries[0]].join(" → ");
    return `the entry is its own ancestor by "${field}": ${way}`;
  }),
  "asset-missing": warning(
    (args: { asset: string; version?: string } & Suggested & Lacking) =>
      (args.version === undefined || args.suggestion !== undefined
        ? `there is no asset "${args.asset}"${meant(args)}`
        : `there is no version "${args.version}" of the asset "${args.asset}" (deleted?)`) +
      lacking(args),
  ),
  "html-unreadable": warning(
    (args: UnreadableHtml & Lacking) =>
      `the text of the asset "${args.asset}" cannot be served: ${unreadableReason(args)}${lacking(args)}`,
  ),
  "field-unknown": warning(
    (args: { field: string } & Suggested) =>
      `there is no field "${args.field}"${meant(args)}, so its value is not served`,
  ),
  "locale-unused": warning(
    (args: { locale: string } & Suggested) =>
      `no project has the locale "${args.locale}"${didYouMean(args)}, so the value is not served`,
  ),
  /** `isUnused`: of a stored value, which is in no project's language. */
  "locale-invalid": warning(
    ({ locale, isUnused }: { locale: string; isUnused?: boolean }) =>
      `"${locale}" is not a language tag by BCP 47, as "en" or "pt-BR" are; ${isUnused ? "no project has it, so the value is not served" : "clients may not know it"}`,
  ),
  "step-entry-draft": warning(
    (args: { step: string } & HiddenTarget) =>
      `the step "${args.step}" shows the entry "${args.target}", which ${hidden(args)}, so it is published without content`,
  ),
  "step-entry-missing": warning(
    (args: { step: string; target: string } & Suggested) =>
      `the step "${args.step}" shows the entry "${args.target}", which does not exist${meant(args)}`,
  ),
  "experience-step-missing": warning(
    (args: { experience: string; step: string } & Suggested) =>
      `the experience "${args.experience}" names the step "${args.step}", which does not exist${meant(args)}`,
  ),
  "experience-key-taken": warning(
    ({ experience, key }: { experience: string; key: string }) =>
      `the key "${key}" of the experience "${experience}" is the id of another one, which clients get for this key`,
  ),
  "option-unknown": warning(
    (
      args: { field: string; option: "models" | "category" | "blocks"; name: string } & Suggested,
    ) =>
      args.option !== "category"
        ? `the field "${args.field}" accepts the ${args.option.slice(0, -1)} "${args.name}", which does not exist${meant(args)}`
        : `the field "${args.field}" accepts blocks of the category "${args.name}", which no block has${meant(args)}`,
  ),
  "pattern-unbounded": warning(
    (args: { field: string; pattern: string; reason: UnboundedReason }) =>
      `the pattern ${args.pattern} of the field "${args.field}" ${UNBOUNDED[args.reason]}`,
  ),
  "document-heavy": warning((document: LargeDocument) => {
    const isCompressed = document.bytes <= LARGEST_COMPRESSED;
    const compressed = isCompressed ? "" : "; CloudFront compresses no file above 10 MB";
    const { others = 0 } = document;
    const more = others === 0 ? "" : `; ${grouped(others)} more of the project are over 150 kB`;
    return `${largeDocument(document)}; clients load all of it${compressed}${more}`;
  }),
  /** How many entries the depth limit leaves out; the one with the most references to them, and how many. */
  "experience-too-deep": warning(
    (args: { experience: string; count: number; entry: string; pointers: number }) =>
      `the experience "${args.experience}" leaves out ${args.count} entries that are more than 5 references away, the most of its project; ${args.pointers} of the references to them are in the entry "${args.entry}"`,
  ),
  /** P18: all entries are; how many, by reason. */
  "entries-hidden": warning(({ draft, publishAt, unpublishAt }: Record<Hidden, number>) => {
    const reasons = { drafts: draft, "not due yet": publishAt, over: unpublishAt };
    const some = Object.entries(reasons).filter(([, count]) => count > 0);
    const counts = some.map(([why, count]) => `${why}: ${count}`).join(", ");
    return `no entry is published, so no content is served (${counts})`;
  }),
  /** P19: of how many that it has, and of how many collections; `hidden`: how many entries are. */
  "experiences-empty": warning(
    (args: { project: string; experiences: number; collections: number; hidden: number }) =>
      `the project "${args.project}" serves no content: ${noContent(args)}${args.hidden === 0 ? "" : `; entries that are not published: ${args.hidden}`}`,
  ),
  "image-unreadable": warning(
    ({ fileName, mimeType }: { fileName: string; mimeType: string }) =>
      `the file "${fileName}" cannot be read as ${mimeType}, so it is served without width and height`,
  ),
  /** `other`: the name of another file with these bytes, which is the same on some systems. */
  "name-not-portable": warning(({ name, other }: { name: string; other?: string }) =>
    other === undefined
      ? `no file or folder can have the name "${name}" on Windows; choose another`
      : `"${name}" and "${other}", which has the same bytes, are one file on Windows or macOS; give both one name`,
  ),
  "rich-text-malformed": warning(malformedRichText),
};

/** Q7: why what is compared or sorted by a field cannot be. */
export type InvalidCondition = { readonly field: string } & (
  | ({ readonly reason: "unknown" } & Suggested)
  /** Of the field in `model`, unless it is one of the record in which the query stands. */
  | { readonly reason: "not-compared"; readonly type: string; readonly model?: string }
  | { readonly reason: "repeatable"; readonly model: string }
  | { readonly reason: "never"; readonly type: string; readonly model: string }
);

function invalidCondition(what: InvalidCondition): string {
  const { field, reason } = what;
  if (reason === "unknown") return `there is no field "${field}"${meant(what)}`;
  const where = what.model === undefined ? "beside it" : `of the model "${what.model}"`;
  if (reason === "repeatable")
    return `the field "${field}" ${where} is repeatable, so nothing is sorted by it`;
  if (reason === "never")
    return `the field "${field}" ${where} is of the type "${what.type}", so the condition never holds`;
  return `the field "${field}" ${where} is of the type "${what.type}", whose values are not compared`;
}

/** The greatest size that CloudFront compresses, in bytes. */
const LARGEST_COMPRESSED = 10_000_000;

/** P6a: what brings most into a content document: that many entries, of that many bytes. */
export interface Weight {
  readonly entries: number;
  readonly bytes: number;
  /** The field that points at them, as `model.field`; undefined: they are those of the steps. */
  readonly field?: string;
  /** The only entry that has the field there. */
  readonly entry?: string;
}

/** A document of `bytes` bytes. */
export interface LargeDocument {
  readonly document: "content" | "config" | "schema";
  readonly bytes: number;
  /** Of content: the id of its experience, and what brings most into it. */
  readonly experience?: string;
  readonly through?: Weight;
  /** How many more of its project are heavy. */
  readonly others?: number;
}

function largeDocument({ document, bytes, experience, through }: LargeDocument): string {
  const what = experience === undefined ? "" : ` of the experience "${experience}"`;
  const by = through === undefined ? "" : `, ${weightText(through)}`;
  return `the ${document} document${what} has ${sizeText(bytes)}${by}`;
}

/** "180.0 kB of it in 18 entries by article.more" */
export function weightText({ entries, bytes, field, entry }: Weight): string {
  const count = entries === 1 ? "1 entry" : `${grouped(entries)} entries`;
  const holder = entry === undefined ? "" : ` of the entry "${entry}"`;
  const by = field === undefined ? "of its steps" : `by ${field}${holder}`;
  return `${sizeText(bytes)} of it in ${count} ${by}`;
}

function noContent(of: { experiences: number; collections: number }): string {
  const { experiences, collections } = of;
  if (experiences > 1)
    return `none of its ${experiences} experiences shows an entry that is published`;
  if (experiences === 1) return "its only experience shows no entry that is published";
  return `${collections === 1 ? "its collection finds" : "its collections find"} no entry that is published`;
}

const WRONG_NAME = {
  model: "there is no model",
  place: "no field of a single text or reference, which a pattern can take, has the key",
  page: "the patterns of pages take {page} alone, and no",
  step: "the project has no step",
  value: "no field of texts or references, by whose values a collection can be, has the key",
  valuePage: "the patterns of pages of a value take {value} and {page}, and no",
  steps: "no collection of the project gives steps to the entries of the model",
};

const WRONG_PATTERN = {
  brace: "has a brace that is no place, as {slug} is",
  places: "has more than 10 places",
  page: "lacks {page}, so all pages would have one id",
  value: "lacks {value}, so the pages of all values would have one id",
  step: "is missing in the steps of the collection, so they do not show the entry",
};

/** A field without a value; a value that gives no id, or that of the value `other`; or an id or key that is none, or that the entry or experience `other` has. */
type LeftOut = { readonly project: string } & (
  | { readonly field: string }
  | { readonly ofValue: string; readonly other?: string }
  | {
      readonly what: "experience id" | "experience key" | "step id" | "step key";
      readonly value: string;
      readonly by?: keyof typeof TAKEN_BY;
      readonly other?: string;
    }
);

const TAKEN_BY = {
  entry: "that of the entry",
  page: "that of the page",
  project: "in the project already:",
};

function leftOut(why: LeftOut): string {
  if ("field" in why) return `the field "${why.field}" has no value`;
  if ("ofValue" in why) {
    return why.other === undefined
      ? `no id can be made of the value "${why.ofValue}"`
      : `the value "${why.ofValue}" has the same id as "${why.other}"; store one of them instead of both`;
  }
  const { what, value, by, other } = why;
  if (by !== undefined) return `the ${what} "${value}" is ${TAKEN_BY[by]} "${other}"`;
  return `"${value}" cannot be the ${what}; ${what.endsWith("id") ? ID_RULE : KEY_RULE}`;
}

interface UnreadableHtml extends Suggested {
  readonly asset: string;
  readonly version?: string;
  readonly reason: "missing" | "not-stored" | "not-utf-8";
}

function unreadableReason({ version, reason, ...more }: UnreadableHtml): string {
  if (reason === "not-stored") return "it is given by url, so the store does not hold its bytes";
  if (reason === "not-utf-8") return "it is not valid UTF-8";
  return `there is no such ${version === undefined ? "asset" : `version "${version}"`}${meant(more)}`;
}
