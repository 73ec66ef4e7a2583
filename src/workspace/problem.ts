import { byCodeUnit } from "./json.ts";

export type ProblemLevel = "error" | "warning";

/** A record, and the JSON Pointer of a place in it (P1). */
export interface ProblemPlace {
  /** `entry`: the path is into its `data`. Others: the path is into the record. */
  readonly kind: "entry" | "project" | "model" | "block" | "workspace" | "asset";
  readonly id: string;
  readonly path: string;
}

/** A place in a file of a workspace folder. */
export interface FilePlace {
  /** Relative to the folder; as it is printed, to the working directory. With `/`. */
  readonly file: string;
  /** From 1; present where known. */
  readonly line?: number;
  readonly column?: number;
}

/** Where a problem is in the files of a workspace folder; undefined: not known. */
export type PlaceOf = (problem: PlacedProblem) => FilePlace | undefined;

export type PlacedProblem = Pick<Problem, "code" | "at">;

/** P2 and P3: the level of each code, where a problem has no other. */
export const PROBLEM_LEVELS = {
  "value-missing": "error",
  "value-type": "error",
  "value-constraint": "error",
  "value-duplicate": "error",
  "value-computed": "error",
  "query-exceeded": "error",
  "document-over-64mb": "error",
  "condition-invalid": "error",
  "locale-missing": "error",
  "draft-locale-unknown": "error",
  "localized-missing": "error",
  "collection-invalid": "error",
  "collected-left-out": "error",
  "block-not-accepted": "error",
  "reference-model-not-accepted": "error",
  "model-missing": "error",
  "block-deleted": "error",
  "reference-deleted": "warning",
  "reference-draft": "warning",
  "reference-other-workspace": "warning",
  "reference-too-deep": "warning",
  "parent-loop": "warning",
  "asset-missing": "warning",
  "html-unreadable": "warning",
  "field-unknown": "warning",
  "locale-unused": "warning",
  "locale-invalid": "warning",
  "step-entry-draft": "warning",
  "step-entry-missing": "warning",
  "experience-step-missing": "warning",
  "option-unknown": "warning",
  "pattern-unbounded": "warning",
  "document-over-1mb": "warning",
  "document-over-10mb": "warning",
  "experience-too-deep": "warning",
  "entries-hidden": "warning",
  "experiences-empty": "warning",
  "image-unreadable": "warning",
  "name-not-portable": "warning",
  "rich-text-malformed": "warning",
} as const satisfies Readonly<Record<string, ProblemLevel>>;

export type ProblemCode = keyof typeof PROBLEM_LEVELS;

/** The shape that a stored value should have. */
export type ValueShape =
  | "list"
  | "localized"
  | "string"
  | "number"
  | "integer"
  | "boolean"
  | "non-null"
  | "asset"
  | "block"
  | "reference"
  | "rich-text";

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
      readonly format: "date" | "date-time" | "iso-date" | "email" | "url";
    };

/** Why the time that a pattern takes has no known bound. */
export type UnboundedReason = "exponential" | "not-analysed";

/** A1: why an entry is not published: it is a draft, not due yet, or over. */
export type Hidden = "draft" | "publishAt" | "unpublishAt";

/** P17: a field that has too few targets because this one is missing. */
interface Lacking {
  readonly lacks?: { readonly field: string; readonly least: number };
}

/** What a name that does not exist is probably a misspelling of, if anything. */
interface Suggested {
  readonly suggestion?: string;
}

/** The arguments of each code. */
export interface ProblemArguments {
  /**
   * `locale`: a localized field has values, but none in a language with this locale; `locales` (the
   * first ones) and `others`: in several languages.
   */
  "value-missing": {
    readonly field: string;
    readonly locale?: string;
    readonly locales?: readonly string[];
    readonly others?: number;
    /** A value is there, but empty or blank. */
    readonly isBlank?: true;
  };
  "locale-missing": Readonly<Record<string, never>>;
  "draft-locale-unknown": { readonly locale: string } & Suggested;
  "locale-unused": { readonly locale: string } & Suggested;
  /** `isUnused`: of a stored value, which is in no project's language. */
  "locale-invalid": { readonly locale: string; readonly isUnused?: boolean };
  /** `isServed`: the type of the field takes the map itself; `ofProjects`: it is a field of projects. */
  "localized-missing": {
    readonly field: string;
    readonly isServed: boolean;
    readonly ofProjects?: true;
  };
  "value-type": { readonly expected: ValueShape };
  "value-constraint": BrokenConstraint;
  /**
   * `other`: the first entry, in order of the ids, that has the same value. `locale`: of a language in
   * which both are served it, if the field is localized (B4).
   */
  "value-duplicate": { readonly field: string; readonly other: string; readonly locale?: string };
  "value-computed": { readonly field: string };
  /** Of the queries in one record; or in all that an experience shows, which find so many entries. */
  "query-exceeded":
    | { readonly field: string }
    | { readonly experience: string; readonly count: number; readonly path: string };
  "condition-invalid": InvalidCondition;
  /** A name that does not exist, or what is wrong with a pattern or the steps. */
  "collection-invalid":
    | ({ readonly what: "model" | "place" | "page" | "step"; readonly name: string } & Suggested)
    | { readonly pattern: string; readonly reason: "brace" | "places" | "page" | "step" };
  /** A field without a value; or an id or key that is none, or that the entry or experience `other` has. */
  "collected-left-out": { readonly project: string } & (
    | { readonly field: string }
    | {
        readonly what: "experience id" | "experience key" | "step id" | "step key";
        readonly value: string;
        readonly by?: "entry" | "page" | "project";
        readonly other?: string;
      }
  );
  "block-not-accepted": { readonly block: string } & (
    | { readonly category: string }
    | { readonly accepted: readonly string[] }
  );
  "reference-model-not-accepted": {
    readonly target: string;
    readonly model: string;
    readonly accepted: readonly string[];
  };
  "option-unknown": {
    readonly field: string;
    readonly option: "models" | "category" | "blocks";
    readonly name: string;
  } & Suggested;
  "field-unknown": { readonly field: string } & Suggested;
  "reference-deleted": { readonly target: string } & Suggested & Lacking;
  /** `locale`: it is hidden in this one, and published in others (A7). */
  "reference-draft": {
    readonly target: string;
    readonly because: Hidden;
    readonly locale?: string;
  } & Lacking;
  "reference-other-workspace": { readonly target: string } & Lacking;
  /** `entries`: the first ones of the loop, each the parent of the one before. */
  "parent-loop": {
    readonly field: string;
    readonly entries: readonly string[];
    readonly others: number;
  };
  "reference-too-deep": {
    readonly target: string;
    readonly project: string;
    readonly experience: string;
    /** In how many further experiences the same pointer is too deep. */
    readonly others: number;
  };
  "model-missing": { readonly modelId: string } & Suggested;
  "asset-missing": { readonly asset: string; readonly version?: string } & Suggested & Lacking;
  "html-unreadable": {
    readonly asset: string;
    readonly version?: string;
    readonly reason: "missing" | "not-stored" | "not-utf-8";
  } & Suggested &
    Lacking;
  "block-deleted": { readonly block: string } & Suggested;
  "step-entry-draft": {
    readonly step: string;
    readonly target: string;
    readonly because: Hidden;
    readonly locale?: string;
  };
  "step-entry-missing": { readonly step: string; readonly target: string } & Suggested;
  "experience-step-missing": { readonly experience: string; readonly step: string } & Suggested;
  /** `other`: the name of another file with these bytes, which is the same on some systems. */
  "name-not-portable": { readonly name: string; readonly other?: string };
  "image-unreadable": { readonly fileName: string; readonly mimeType: string };
  "rich-text-malformed": MalformedRichText;
  "pattern-unbounded": {
    readonly field: string;
    readonly pattern: string;
    readonly reason: UnboundedReason;
  };
  "document-over-1mb": LargeDocument;
  "document-over-10mb": LargeDocument;
  "document-over-64mb": LargeDocument;
  "experience-too-deep": {
    readonly experience: string;
    /** How many entries the depth limit leaves out. */
    readonly count: number;
    /** The entry with the most references to them, and how many. */
    readonly entry: string;
    readonly pointers: number;
  };
  /** P18: all entries are; how many, by reason. */
  "entries-hidden": Readonly<Record<Hidden, number>>;
  /** P19: of how many that it has, and of how many collections; `hidden`: how many entries are. */
  "experiences-empty": {
    readonly project: string;
    readonly experiences: number;
    readonly collections: number;
    readonly hidden: number;
  };
}

/** Q7: why what is compared or sorted by a field cannot be. */
export type InvalidCondition = { readonly field: string } & (
  | ({ readonly reason: "unknown" } & Suggested)
  /** Of the field in `model`, unless it is one of the record in which the query stands. */
  | { readonly reason: "not-compared"; readonly type: string; readonly model?: string }
  | { readonly reason: "repeatable"; readonly model: string }
  | { readonly reason: "never"; readonly type: string; readonly model: string }
);

/** V11g: what is surely a mistake in rich text. */
export type MalformedRichText =
  /** An object with the member of a pointer, or nearly so, that is none. */
  | ({ readonly found: "pointer"; readonly member: string } & Suggested)
  /** A member of a node with nearly the name of another that has nodes, marks or text. */
  | { readonly found: "member"; readonly member: string; readonly suggestion: string }
  /** What is in place of a node or a mark. */
  | { readonly found: "node" | "mark"; readonly is: "null" | "boolean" | "number" | "list" };

/** A document of `bytes` bytes. */
export interface LargeDocument {
  readonly document: "content" | "config" | "schema";
  readonly bytes: number;
  /** Of content: the id of its experience, and the entry through which most of it is reached. */
  readonly experience?: string;
  readonly through?: {
    readonly entry: string;
    readonly bytes: number;
    /** P6a: by the entries that the query of its field at this path finds. */
    readonly list?: { readonly path: string; readonly count: number };
  };
}

/** P1: a problem of a draft, as data: `problem-messages.ts` has the words. */
export type Problem = {
  [C in ProblemCode]: {
    readonly level: ProblemLevel;
    readonly code: C;
    readonly at: ProblemPlace;
    readonly args: ProblemArguments[C];
  };
}[ProblemCode];

export function problem<C extends ProblemCode>(
  at: ProblemPlace,
  code: C,
  args: ProblemArguments[C],
): Problem {
  return { level: PROBLEM_LEVELS[code], code, at, args } as Problem;
}

/**
 * P1: the order in which problems are reported, errors first. A place has at most one problem of a
 * code: several entries may report the same problem of a definition.
 */
export function inProblemOrder<P extends Omit<Problem, "args">>(problems: readonly P[]): P[] {
  const sorted = [...problems].sort((a, b) => byCodeUnit(a.level, b.level) || comparePlaces(a, b));
  const distinct = sorted.filter((one, index) => {
    const before = sorted[index - 1];
    return before === undefined || before.level !== one.level || comparePlaces(before, one) !== 0;
  });
  // A7: what is an error in one language may be a warning in another, in which its entry is a draft.
  const keyOf = ({ at, code }: P) => JSON.stringify([at.kind, at.id, at.path, code]);
  const errors = new Set(distinct.filter(({ level }) => level === "error").map(keyOf));
  if (errors.size === 0 || errors.size === distinct.length) return distinct;
  return distinct.filter((one) => one.level === "error" || !errors.has(keyOf(one)));
}

function comparePlaces(a: Omit<Problem, "args">, b: Omit<Problem, "args">): number {
  return (
    byCodeUnit(a.at.kind, b.at.kind) ||
    byCodeUnit(a.at.id, b.at.id) ||
    byCodeUnit(a.at.path, b.at.path) ||
    byCodeUnit(a.code, b.code)
  );
}
