import { quoted } from "./listed.ts";

/** The shape that a stored value should have, as a message has it. */
export const SHAPES = {
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

export type ValueShape = keyof typeof SHAPES;

/** A constraint of a field that a value of the right shape breaks. */
export type BrokenConstraint =
  | {
      readonly constraint: "minItems" | "maxItems" | "minLength" | "maxLength";
      /** Of items, or of Unicode code points. */
      readonly count: number;
      readonly limit: number;
    }
  | { readonly constraint: "minimum" | "maximum"; readonly value: number; readonly limit: number }
  | {
      readonly constraint: "pattern";
      readonly pattern: string;
      /** The test was given up, so whether the value matches is unknown. */
      readonly isTooSlow?: true;
    }
  | { readonly constraint: "options"; readonly value: string; readonly options: readonly string[] }
  | {
      /** V11f. */
      readonly constraint: "nodeTypes" | "marks";
      /** Null: the node or mark has no name. */
      readonly value: string | null;
      readonly options: readonly string[];
    }
  /** V11c: an object that would be read as a served pointer. */
  | { readonly constraint: "pointer" }
  | {
      readonly constraint: "format";
      readonly value: string;
      readonly format: keyof typeof FORMATS;
    };

const FORMATS = {
  date: "a calendar date as YYYY-MM-DD",
  "date-time": "a date and time with zone, as 2026-11-21T09:30:00Z",
  "iso-date": "a date, or a date and time, as 2026-11-21 or 2026-11-21T09:30+01:00",
  email: "an email address",
  url: "an absolute http, https, mailto or tel URL",
};

/** What continues "the value". */
export function constraintMessage(broken: BrokenConstraint): string {
  switch (broken.constraint) {
    case "minItems":
      return `has ${broken.count} of at least ${broken.limit} items`;
    case "maxItems":
      return `has ${broken.count} items; it may have ${broken.limit}`;
    case "minLength":
      return `has ${broken.count} of at least ${broken.limit} characters`;
    case "maxLength":
      return `has ${broken.count} characters; it may have ${broken.limit}`;
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
      return `is the ${kind} "${broken.value}"; the field accepts ${onlyThese(broken.options)}`;
    }
    case "pointer":
      return 'is an object with the members of a served pointer; store { "contentEntryId" } or { "contentBlockId", "data" } alone';
    case "format":
      return `${JSON.stringify(broken.value)} is not ${FORMATS[broken.format]}`;
  }
}

/** What a field accepts. */
export function onlyThese(names: readonly string[]): string {
  return names.length === 0 ? "none" : `only ${quoted(names)}`;
}

/** What a name that does not exist is probably a misspelling of, if anything. */
export interface Suggested {
  readonly suggestion?: string;
}

/** What may be the reason that a name does not exist. */
export function meant({ suggestion }: Suggested): string {
  return suggestion === undefined ? " (deleted?)" : didYouMean({ suggestion });
}

export function didYouMean({ suggestion }: Suggested): string {
  return suggestion === undefined ? "" : ` (did you mean "${suggestion}"?)`;
}

/** V11g: what is surely a mistake in rich text. */
export type MalformedRichText =
  /** An object with the member of a pointer, or nearly so, that is none. */
  | ({ readonly found: "pointer"; readonly member: string } & Suggested)
  /** A member of a node with nearly the name of another that has nodes, marks or text. */
  | { readonly found: "member"; readonly member: string; readonly suggestion: string }
  /** What is in place of a node or a mark. */
  | { readonly found: "node" | "mark"; readonly is: "null" | "boolean" | "number" | "list" };

export function malformedRichText(what: MalformedRichText): string {
  if (what.found === "member") {
    return `clients read no "${what.member}" of a node${meant(what)}; what is in it is not shown`;
  }
  if (what.found === "pointer") {
    return `the object with "${what.member}" is no pointer${didYouMean(what)}, so it is served as it is stored; a pointer has no other members than ${POINTER_FORMS}`;
  }
  const is = what.is === "null" ? "null" : `a ${what.is}`;
  const known = what.found === "node" ? "a node, a list nor a text" : "a mark nor the name of one";
  return `${is} is neither ${known}`;
}

const POINTER_FORMS =
  '{ "contentEntryId": string }, { "assetId": string, "versionId"?: string } or { "contentBlockId": string, "data": object }';
