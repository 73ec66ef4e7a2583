import { byCodeUnit } from "../workspace/json.ts";

/** For code that was generated from the schema before. */
export type Verdict = "breaking" | "safe";

/** What of a schema document changed. */
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

/** What happened there: a code and what its words need. Verdict and words stand in one catalogue. */
export type SchemaFinding =
  | { readonly code: "removed" | "added" | "field-removed" | "field-added" }
  | { readonly code: "field-optional" | "field-required" | "shape-changed" }
  | { readonly code: "type-changed"; readonly before: string; readonly after: string }
  | { readonly code: "value-removed" | "value-added"; readonly value: string }
  | { readonly code: "target-removed" | "target-added"; readonly value: string }
  | { readonly code: "block-refused" | "block-accepted"; readonly value: string }
  | { readonly code: "step-model-changed"; readonly before: string; readonly after: string }
  | { readonly code: "step-model-removed" | "step-model-added"; readonly value: string }
  | {
      readonly code: "constraint-changed";
      readonly name: string;
      readonly before: string;
      readonly after: string;
    }
  | { readonly code: "name-changed"; readonly before: string; readonly after: string };

export type SchemaChangeCode = SchemaFinding["code"];

export interface SchemaChange {
  readonly verdict: Verdict;
  readonly code: SchemaChangeCode;
  readonly at: SchemaPlace;
  /** What changed, and why that is breaking or safe. */
  readonly message: string;
  /** The ids of the projects whose schema documents change so, in order. */
  readonly projects: readonly string[];
}

type Words = {
  readonly [C in SchemaChangeCode]: readonly [
    Verdict,
    (finding: Extract<SchemaFinding, { code: C }>) => string,
  ];
};

const CATALOGUE: Words = {
  removed: ["breaking", () => "removed: code that names it has nothing to name"],
  added: ["safe", () => "added"],
  "field-removed": ["breaking", () => "removed: code that reads it finds nothing"],
  "field-added": ["safe", () => "added"],
  "field-optional": [
    "breaking",
    () => "was always served and may be absent now: readers must check",
  ],
  "field-required": ["safe", () => "could be absent and is always served now"],
  "shape-changed": ["breaking", () => "its values have another shape now"],
  "type-changed": ["breaking", ({ before, after }) => `was ${before}, is ${after} now`],
  "value-removed": ["breaking", ({ value }) => `the value ${value} is served no more`],
  "value-added": ["safe", ({ value }) => `the value ${value} was added`],
  "target-removed": ["breaking", ({ value }) => `points at ${value} no more`],
  "target-added": ["safe", ({ value }) => `may point at ${value} too`],
  "block-refused": ["breaking", ({ value }) => `holds the block ${value} no more`],
  "block-accepted": ["safe", ({ value }) => `may hold the block ${value} too`],
  "step-model-changed": [
    "breaking",
    ({ before, after }) => `its layout was typed by ${before}, is by ${after} now`,
  ],
  "step-model-removed": [
    "breaking",
    ({ value }) => `its layout was typed by ${value}, has no type now`,
  ],
  "step-model-added": ["safe", ({ value }) => `its layout is typed by ${value} now`],
  "constraint-changed": [
    "safe",
    ({ name, before, after }) => `${name} was ${before}, is ${after} now: its type stays`,
  ],
  "name-changed": ["safe", ({ before, after }) => `was named ${before}, is named ${after} now`],
};

export function schemaChange(
  at: SchemaPlace,
  finding: SchemaFinding,
  projectId: string,
): SchemaChange {
  const [verdict, words] = CATALOGUE[finding.code];
  // The catalogue pairs each code with the words for it.
  const message = (words as (finding: SchemaFinding) => string)(finding);
  return { verdict, code: finding.code, at, message, projects: [projectId] };
}

/** The same change of several projects as one; breaking ones first, then in order of the places. */
export function gathered(changes: readonly SchemaChange[]): SchemaChange[] {
  const byWhat = new Map<string, SchemaChange>();
  for (const change of changes) {
    const { verdict, code, at, message, projects } = change;
    const what = JSON.stringify([verdict, at.kind, at.key ?? "", at.field ?? "", code, message]);
    const known = byWhat.get(what)?.projects ?? [];
    const all = [...new Set([...known, ...projects])].sort(byCodeUnit);
    byWhat.set(what, { ...change, projects: all });
  }
  return [...byWhat].sort(([a], [b]) => byCodeUnit(a, b)).map(([, change]) => change);
}
