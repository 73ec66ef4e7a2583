import { ID_RULE, KEY_RULE } from "./ids.ts";
import type {
  BrokenConstraint,
  Hidden,
  InvalidCondition,
  LargeDocument,
  MalformedRichText,
  Problem,
  ProblemArguments,
  ProblemCode,
  UnboundedReason,
  ValueShape,
} from "./problem.ts";
import { MAX_SHOWN, shortened } from "./shortened.ts";

/** P1: a problem with its message, as it is printed. */
export type DescribedProblem = Omit<Problem, "args"> & { readonly message: string };

export function describedProblem(problem: Problem): DescribedProblem {
  const { level, code, at } = problem;
  return { level, code, at, message: problemMessage(problem) };
}

export function problemMessage(problem: Problem | DescribedProblem): string {
  if ("message" in problem) return problem.message;
  const { code, args } = problem;
  return (MESSAGES[code] as (args: Problem["args"]) => string)(shown(args));
}

/** P13b: with texts that are not too long; values may be megabytes. */
function shown<T>(value: T): T;
function shown(value: unknown): unknown {
  if (typeof value === "string") return shortened(value, MAX_SHOWN);
  if (Array.isArray(value)) return value.map((item) => shown(item));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shown(member)]));
}

/** The catalogue: the message of each code. */
const MESSAGES: { readonly [C in ProblemCode]: (args: ProblemArguments[C]) => string } = {
  "value-missing": ({ field, locale, locales, others = 0, isBlank = false }) => {
    const missing = `the required field "${field}" ${isBlank ? "is empty or blank" : "has no value"}`;
    if (locales !== undefined) {
      return `${missing} in ${quoted(locales)}${others > 0 ? ` and ${others} more locales` : ""}, or in their fallback locales`;
    }
    return locale === undefined ? missing : `${missing} in "${locale}" or in its fallback locales`;
  },
  "value-type": ({ expected }) =>
    `the stored value is not ${SHAPES[expected]}, so it is not served`,
  "value-constraint": (broken) => `the value ${constraintMessage(broken)}`,
  "value-duplicate": ({ field, other, locale }) =>
    `the entry "${other}" has the same value${locale === undefined ? "" : ` in "${locale}"`}; the field "${field}" is unique`,
  "value-computed": ({ field }) =>
    `the value of "${field}" is found by its query, so the stored one is not served; remove it`,
  "query-exceeded": (args) =>
    "field" in args
      ? `the query of "${args.field}" asks for too much: the queries of an entry find 10,000 entries at most, and each tests as many, by 1,000 values; lower its limit, or have it ask for less`
      : `the queries of what the experience "${args.experience}" shows find ${args.count} entries together, and 10,000 is the most in one document; most are found at ${args.path}: lower its limit`,
  "condition-invalid": invalidCondition,
  "collection-invalid": (args) =>
    "reason" in args
      ? `"${args.pattern}" ${WRONG_PATTERN[args.reason]}`
      : `${WRONG_NAME[args.what]} "${args.name}"${args.suggestion === undefined ? "" : ` (did you mean "${args.suggestion}"?)`}`,
  "collected-left-out": (why) =>
    `a collection of the project "${why.project}" leaves it out: ${leftOut(why)}`,
  "block-not-accepted": (args) =>
    "accepted" in args
      ? `the block "${args.block}" is not accepted; the field accepts ${listed(args.accepted)}`
      : `the block "${args.block}" is not of the category "${args.category}" that the field accepts`,
  "reference-model-not-accepted": ({ target, model, accepted }) =>
    `the entry "${target}" is of the model "${model}"; the field accepts ${listed(accepted)}`,
  "option-unknown": ({ field, option, name, suggestion }) =>
    option !== "category"
      ? `the field "${field}" accepts the ${option.slice(0, -1)} "${name}", which does not exist${meant(suggestion)}`
      : `the field "${field}" accepts blocks of the category "${name}", which no block has${meant(suggestion)}`,
  "locale-missing": () =>
    "the project has no locale, so no localized value is served in it; set locale",
  "draft-locale-unknown": ({ locale, suggestion }) =>
    `the entry is a draft in "${locale}", which is the locale of no project${suggestion === undefined ? "" : ` (did you mean "${suggestion}"?)`}, so it is hidden nowhere`,
  "localized-missing": ({ field, isServed, ofProjects }) =>
    `the field "${field}" is not localized, but has a value for each locale; ${isServed ? "they are served as they are" : "none is served"}: ${ofProjects ? "store that of the project's locale" : 'set "localized": true again, or store one value'}`,
  "locale-unused": ({ locale, suggestion }) =>
    suggestion === undefined
      ? `no project has the locale "${locale}", so the value is not served`
      : `no project has the locale "${locale}" (did you mean "${suggestion}"?), so the value is not served`,
  "locale-invalid": ({ locale, isUnused }) =>
    `"${locale}" is not a language tag by BCP 47, as "en" or "pt-BR" are; ${isUnused ? "no project has it, so the value is not served" : "clients may not know it"}`,
  "field-unknown": ({ field, suggestion }) =>
    `there is no field "${field}"${meant(suggestion)}, so its value is not served`,
  "reference-deleted": ({ target, suggestion, lacks }) =>
    `there is no entry "${target}"${meant(suggestion)}${lacking(lacks)}`,
  "reference-draft": ({ target, because, locale, lacks }) =>
    `the entry "${target}" ${HIDDEN[because]}${inLocale(locale)}, so it is not published${locale === undefined ? "" : " there"}${lacking(lacks)}`,
  "reference-other-workspace": ({ target, lacks }) =>
    `the entry "${target}" belongs to another workspace, so it is not served${lacking(lacks)}`,
  "parent-loop": ({ field, entries, others }) => {
    const [first] = entries;
    const way = [...entries, ...(others > 0 ? [`${others} more`] : []), first].join(" → ");
    return `the entry is its own ancestor by "${field}": ${way}`;
  },
  "reference-too-deep": ({ target, experience, project, others }) =>
    `the entry "${target}" is more than 5 references away in the experience "${experience}" of the project "${project}"${others > 0 ? ` and in ${others} more` : ""}, so it is not served there`,
  "model-missing": ({ modelId, suggestion }) =>
    `there is no model "${modelId}"${meant(suggestion)}, so the entry is served without data`,
  "asset-missing": ({ lacks, ...args }) => missingAsset(args) + lacking(lacks),
  "html-unreadable": ({ lacks, ...args }) =>
    `the text of the asset "${args.asset}" cannot be served: ${unreadableReason(args)}${lacking(lacks)}`,
  "block-deleted": ({ block, suggestion }) =>
    `there is no block definition "${block}"${meant(suggestion)}, so the block is not served`,
  "step-entry-draft": ({ step, target, because, locale }) =>
    `the step "${step}" shows the entry "${target}", which ${HIDDEN[because]}${inLocale(locale)}, so it is published without content`,
  "step-entry-missing": ({ step, target, suggestion }) =>
    `the step "${step}" shows the entry "${target}", which does not exist${meant(suggestion)}`,
  "experience-step-missing": ({ experience, step, suggestion }) =>
    `the experience "${experience}" names the step "${step}", which does not exist${meant(suggestion)}`,
  "image-unreadable": ({ fileName, mimeType }) =>
    `the file "${fileName}" cannot be read as ${mimeType}, so it is served without width and height`,
  "name-not-portable": ({ name, other }) =>
    other === undefined
      ? `no file or folder can have the name "${name}" on Windows; choose another`
      : `"${name}" and "${other}", which has the same bytes, are one file on Windows or macOS; give both one name`,
  "rich-text-malformed": malformedRichText,
  "pattern-unbounded": ({ field, pattern, reason }) =>
    `the pattern ${pattern} of the field "${field}" ${UNBOUNDED[reason]}`,
  "document-over-1mb": (document) => `${largeDocument(document)}; clients load all of it`,
  "document-over-10mb": (document) =>
    `${largeDocument(document)}; CloudFront compresses no file above 10 MB`,
  "document-over-64mb": (document) =>
    `${largeDocument(document)} or more, so it is neither published nor previewed: no content document may have more than 64 MB`,
  "experience-too-deep": ({ experience, count, entry, pointers }) =>
    `the experience "${experience}" leaves out ${count} entries that are more than 5 references away, the most of its project; ${pointers} of the references to them are in the entry "${entry}"`,
  "entries-hidden": ({ draft, publishAt, unpublishAt }) => {
    const reasons = { drafts: draft, "not due yet": publishAt, over: unpublishAt };
    const some = Object.entries(reasons).filter(([, count]) => count > 0);
    const counts = some.map(([why, count]) => `${why}: ${count}`).join(", ");
    return `no entry is published, so no content is served (${counts})`;
  },
  "experiences-empty": ({ project, experiences, collections, hidden }) =>
    `the project "${project}" serves no content: ${noContent(experiences, collections)}${hidden === 0 ? "" : `; entries that are not published: ${hidden}`}`,
};

function invalidCondition(what: InvalidCondition): string {
  const { field, reason } = what;
  if (reason === "unknown") return `there is no field "${field}"${meant(what.suggestion)}`;
  const where = what.model === undefined ? "beside it" : `of the model "${what.model}"`;
  if (reason === "repeatable")
    return `the field "${field}" ${where} is repeatable, so nothing is sorted by it`;
  if (reason === "never")
    return `the field "${field}" ${where} is of the type "${what.type}", so the condition never holds`;
  return `the field "${field}" ${where} is of the type "${what.type}", whose values are not compared`;
}

function malformedRichText(what: MalformedRichText): string {
  if (what.found === "member") {
    return `clients read no "${what.member}" of a node${meant(what.suggestion)}; what is in it is not shown`;
  }
  if (what.found !== "pointer") {
    const is = what.is === "null" ? "null" : `a ${what.is}`;
    const known =
      what.found === "node" ? "a node, a list nor a text" : "a mark nor the name of one";
    return `${is} is neither ${known}`;
  }
  const { member, suggestion } = what;
  const is = suggestion === undefined ? "no pointer" : `no pointer${meant(suggestion)}`;
  return `the object with "${member}" is ${is}, so it is served as it is stored; a pointer has no other members than ${POINTER_FORMS}`;
}

const POINTER_FORMS =
  '{ "contentEntryId": string }, { "assetId": string, "versionId"?: string } or { "contentBlockId": string, "data": object }';

/** What a field accepts. */
function listed(keys: readonly string[]): string {
  return keys.length === 0 ? "none" : `only ${quoted(keys)}`;
}

function quoted(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}

function largeDocument({ document, bytes, experience, through }: LargeDocument): string {
  const what = experience === undefined ? "" : ` of the experience "${experience}"`;
  const list = through?.list
    ? `the ${through.list.count} entries that the query at ${through.list.path} finds in `
    : "";
  const reached = through
    ? `, ${megabytes(through.bytes)} of it through ${list}the entry "${through.entry}"${list && ", which a lower limit makes smaller"}`
    : "";
  return `the ${document} document${what} has ${megabytes(bytes)}${reached}`;
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_000_000).toFixed(1)} MB`;
}

/** P17. */
function lacking(lacks: { readonly field: string; readonly least: number } | undefined): string {
  if (lacks === undefined) return "";
  const { field, least } = lacks;
  return least > 1
    ? `; the field "${field}" has fewer than ${least} targets without it`
    : `; the required field "${field}" has no target without it`;
}

/** What may be the reason that a name does not exist. */
function meant(suggestion: string | undefined): string {
  return suggestion === undefined ? " (deleted?)" : ` (did you mean "${suggestion}"?)`;
}

/** P19. */
function noContent(experiences: number, collections: number): string {
  if (experiences > 1)
    return `none of its ${experiences} experiences shows an entry that is published`;
  if (experiences === 1) return "its only experience shows no entry that is published";
  return `${collections === 1 ? "its collection finds" : "its collections find"} no entry that is published`;
}

function inLocale(locale: string | undefined): string {
  return locale === undefined ? "" : ` in "${locale}"`;
}

const WRONG_NAME = {
  model: "there is no model",
  place: "no field of single texts, which a pattern can take, has the key",
  page: "the patterns of pages take {page} alone, and no",
  step: "the project has no step",
};

const WRONG_PATTERN = {
  brace: "has a brace that is no place, as {slug} is",
  places: "has more than 10 places",
  page: "lacks {page}, so all pages would have one id",
  step: "is missing in the steps of the collection, so they do not show the entry",
};

const TAKEN_BY = {
  entry: "that of the entry",
  page: "that of the page",
  project: "in the project already:",
};

function leftOut(why: ProblemArguments["collected-left-out"]): string {
  if ("field" in why) return `the field "${why.field}" has no value`;
  const { what, value, by, other } = why;
  if (by !== undefined) return `the ${what} "${value}" is ${TAKEN_BY[by]} "${other}"`;
  return `"${value}" cannot be the ${what}; ${what.endsWith("id") ? ID_RULE : KEY_RULE}`;
}

const HIDDEN: Readonly<Record<Hidden, string>> = {
  draft: "is a draft",
  publishAt: "is not due yet (publishAt)",
  unpublishAt: "is over (unpublishAt)",
};

const UNBOUNDED: Readonly<Record<UnboundedReason, string>> = {
  exponential:
    "may take exponential time, here and in every reader of the schema: a repeated part of it ends in a repetition that may read the beginning of the next round; rewrite it so that the next character decides",
  "not-analysed":
    "may take any time, here and in every reader of the schema: it is too large to be analysed, or has what is not (a backreference, a lookbehind, a repeated part that may match nothing); rewrite it",
};

const SHAPES: Readonly<Record<ValueShape, string>> = {
  list: "a list",
  localized:
    "an object with a value for each locale (svc migrate <folder> localize-field makes it)",
  string: "a string",
  number: "a number",
  integer: "a number without fraction",
  boolean: "true or false",
  "non-null": "a JSON value other than null",
  asset: 'an object { "assetId", "versionId"? } of strings',
  block: 'an object { "contentBlockId": string, "data": object }',
  reference: 'an object { "contentEntryId": string }',
  "rich-text": "a node or a list of nodes",
};

const FORMATS = {
  date: "a calendar date as YYYY-MM-DD",
  "date-time": "a date and time with zone, as 2026-11-21T09:30:00Z",
  "iso-date": "a date, or a date and time, as 2026-11-21 or 2026-11-21T09:30+01:00",
  email: "an email address",
  url: "an absolute http, https, mailto or tel URL",
};

function constraintMessage(broken: BrokenConstraint): string {
  switch (broken.constraint) {
    case "minItems":
      return `has ${broken.count} items, fewer than minItems ${broken.limit}`;
    case "maxItems":
      return `has ${broken.count} items, more than maxItems ${broken.limit}`;
    case "minLength":
      return `has ${broken.count} characters, fewer than minLength ${broken.limit}`;
    case "maxLength":
      return `has ${broken.count} characters, more than maxLength ${broken.limit}`;
    case "minimum":
      return `${broken.value} is less than minimum ${broken.limit}`;
    case "maximum":
      return `${broken.value} is greater than maximum ${broken.limit}`;
    case "pattern":
      return broken.isTooSlow
        ? `takes too long to test with the pattern ${broken.pattern}; change the pattern or the value`
        : `does not match the pattern ${broken.pattern}`;
    case "options": {
      const options = broken.options.map((option) => JSON.stringify(option)).join(", ");
      return `${JSON.stringify(broken.value)} is not one of the options ${options}`;
    }
    case "nodeTypes":
    case "marks": {
      const kind = broken.constraint === "marks" ? "mark" : "node";
      if (broken.value === null) return `is a ${kind} without nodeType, _type or type`;
      return `is the ${kind} "${broken.value}"; the field accepts ${listed(broken.options)}`;
    }
    case "pointer":
      return 'is an object with the members of a served pointer; store { "contentEntryId" } or { "contentBlockId", "data" } alone';
    case "format":
      return `${JSON.stringify(broken.value)} is not ${FORMATS[broken.format]}`;
  }
}

function missingAsset({ asset, version, suggestion }: ProblemArguments["asset-missing"]): string {
  return version === undefined || suggestion !== undefined
    ? `there is no asset "${asset}"${meant(suggestion)}`
    : `there is no version "${version}" of the asset "${asset}" (deleted?)`;
}

function unreadableReason({
  version,
  reason,
  suggestion,
}: ProblemArguments["html-unreadable"]): string {
  switch (reason) {
    case "missing":
      return `there is no such ${version === undefined ? "asset" : `version "${version}"`}${meant(suggestion)}`;
    case "not-stored":
      return "it is given by url, so the store does not hold its bytes";
    case "not-utf-8":
      return "it is not valid UTF-8";
  }
}
