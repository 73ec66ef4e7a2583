import { byCodeUnit } from "../workspace/json.ts";

/** The effect on code that was generated from the schema before. */
type Verdict = "breaking" | "safe";

/** The part of a schema document that changed. */
export interface SchemaPlace {
  readonly kind:
    | "document"
    | "project"
    | "model"
    | "block"
    | "project-fields"
    | "feature"
    | "experience"
    | "step";
  /** The key of the model, block, feature, experience or step; the id of the project. */
  readonly key?: string;
  readonly field?: string;
}

/** A change, as a code with its arguments: the catalogue has the verdicts and messages. */
export type SchemaFinding =
  | { readonly code: "removed" | "added" | "field-removed" | "field-added" }
  | { readonly code: "field-optional" | "field-required" | "shape-changed" | "shape-extended" }
  | { readonly code: ValueCode; readonly value: string }
  | { readonly code: ReplacementCode; readonly before: string; readonly after: string }
  | Readonly<Record<"name" | "before" | "after", string> & { code: "constraint-changed" }>;

type ValueCode =
  | ("value-removed" | "value-added" | "target-removed" | "target-added")
  | ("block-refused" | "block-accepted" | "step-model-removed" | "step-model-added");
type ReplacementCode =
  | "type-changed"
  | "step-model-changed"
  | "name-changed"
  | "description-changed";

export type SchemaChangeCode = SchemaFinding["code"];

export interface SchemaChange {
  readonly verdict: Verdict;
  readonly code: SchemaChangeCode;
  readonly at: SchemaPlace;
  /** What changed, and why that is breaking or safe. */
  readonly message: string;
  /** The ids of the projects with this change, in order. */
  readonly projects: readonly string[];
  /** D5: the migrations of a workspace folder that would have kept the values. */
  readonly migrations?: readonly string[];
}

type Words = {
  readonly [C in SchemaChangeCode]: readonly [
    Verdict,
    (finding: SchemaFinding & { readonly code: C }) => string,
  ];
};

const CATALOGUE: Words = {
  removed: ["breaking", () => "removed: code that uses it breaks"],
  added: ["safe", () => "added"],
  "field-removed": ["breaking", () => "removed: code that reads it breaks"],
  "field-added": ["safe", () => "added"],
  "field-optional": [
    "breaking",
    () => "was always served and may now be absent: readers must check",
  ],
  "field-required": ["safe", () => "could be absent and is now always served"],
  "shape-changed": ["breaking", () => "its values have a different shape now"],
  "type-changed": ["breaking", ({ before, after }) => `was ${before}, is now ${after}`],
  "value-removed": ["breaking", ({ value }) => `the value ${value} is no longer served`],
  "value-added": ["safe", ({ value }) => `the value ${value} was added`],
  "target-removed": ["breaking", ({ value }) => `no longer refers to ${value}`],
  "target-added": ["safe", ({ value }) => `may also refer to ${value}`],
  "block-refused": ["breaking", ({ value }) => `no longer accepts the block ${value}`],
  "block-accepted": ["safe", ({ value }) => `also accepts the block ${value}`],
  "step-model-changed": [
    "breaking",
    ({ before, after }) => `the model of its layout was ${before}, is now ${after}`,
  ],
  "step-model-removed": [
    "breaking",
    ({ value }) => `the model of its layout was ${value}, is now unknown`,
  ],
  "step-model-added": ["safe", ({ value }) => `the model of its layout is now ${value}`],
  "constraint-changed": [
    "safe",
    ({ name, before, after }) => `${name} was ${before}, is now ${after}: the type is unchanged`,
  ],
  "shape-extended": ["safe", () => "may have further members, which were never there"],
  "description-changed": [
    "safe",
    ({ before, after }) => `was described as ${before}, is now described as ${after}`,
  ],
  "name-changed": ["safe", ({ before, after }) => `was named ${before}, is now named ${after}`],
};

export function schemaChange(
  at: SchemaPlace,
  finding: SchemaFinding,
  projectId: string,
  migrations?: readonly string[],
): SchemaChange {
  const [verdict, words] = CATALOGUE[finding.code];
  const message = (words as (finding: SchemaFinding) => string)(finding);
  const change = { verdict, code: finding.code, at, message, projects: [projectId] };
  return migrations === undefined ? change : { ...change, migrations };
}

/** Merges equal changes of several projects; breaking changes first, then in order of their places. */
export function mergedChanges(changes: readonly SchemaChange[]): SchemaChange[] {
  const merged = new Map<string, SchemaChange>();
  for (const change of changes) {
    const { verdict, code, at, message, projects } = change;
    const what = JSON.stringify([verdict, at.kind, at.key ?? "", at.field ?? "", code, message]);
    const known = merged.get(what)?.projects ?? [];
    const all = [...new Set([...known, ...projects])].sort(byCodeUnit);
    merged.set(what, { ...change, projects: all });
  }
  return [...merged].sort(([a], [b]) => byCodeUnit(a, b)).map(([, change]) => change);
}
