import { checkDraft } from "../documents/check-draft.ts";
import {
  ALWAYS,
  isWithin,
  type LeftOut,
  leftOutOf,
  type Span,
} from "../documents/hidden-entries.ts";
import { type OnProgress, Rendering } from "../documents/rendering.ts";
import type { Store } from "../store/store.ts";
import type { Draft, WorkspaceRow } from "../workspace/draft.ts";
import type { Problem } from "../workspace/problem.ts";
import type { Severities } from "../workspace/severity.ts";

/** Where a draft is: read from a folder into memory, or in a store, with its versions. */
export type DraftSource =
  | { readonly kind: "folder"; readonly draft: Draft }
  | { readonly kind: "store"; readonly store: Store; readonly workspace: WorkspaceRow };

/** How a draft is rendered as it would be published. */
export interface RenderOptions {
  /** A4: the reading of the clock, in milliseconds since 1970; default: before all times. */
  readonly at?: number | undefined;
  /** Identifies the program, which may render differently than another; absent: nothing is cached. */
  readonly program?: string | undefined;
  readonly onProgress?: OnProgress | undefined;
  /** N3. */
  readonly severity?: Severities | undefined;
}

/** What is published of a draft. */
export function publishedRendering(
  draft: Draft,
  { at = ALWAYS.from, severity }: RenderOptions,
  isProven = false,
): Rendering {
  const view = { at, showsHidden: false };
  return new Rendering(draft, { view, isProven, severities: severity });
}

/** What checking or publishing one state of a draft has found. */
export interface Outcome {
  readonly problems: readonly Problem[];
  readonly leftOut: LeftOut;
  /** A5: the readings of the clock that have this outcome. */
  readonly span: Span;
  /** Absent: it was only checked. */
  readonly versionId?: string | undefined;
}

/** The cached outcome, if neither a draft, the program nor the severities changed, and nothing fell due (A5). */
export function lastOutcome(
  { outcomes }: Store,
  { number, revision }: WorkspaceRow,
  { program, at = ALWAYS.from, severity = {} }: RenderOptions,
): Outcome | undefined {
  const found = program === undefined ? undefined : (outcomes.find(number) as Saved | undefined);
  if (found?.program !== program || found?.revision !== revision) return undefined;
  if (JSON.stringify(found.severity) !== JSON.stringify(severity)) return undefined;
  // JSON has no infinite numbers.
  const span = { from: found.from ?? ALWAYS.from, until: found.until ?? ALWAYS.until };
  return isWithin(span, at) ? { ...found, span } : undefined;
}

interface Saved extends Omit<Outcome, "span"> {
  readonly program: string;
  readonly revision: number;
  readonly severity: Severities;
  readonly from: number | null;
  readonly until: number | null;
}

export function saveOutcome(
  { outcomes }: Store,
  { number, revision }: WorkspaceRow,
  { program, severity = {} }: RenderOptions,
  { span, ...outcome }: Outcome,
): void {
  if (program === undefined) return;
  outcomes.save(number, { program, revision, severity, ...span, ...outcome });
}

/** Every problem of a draft (P1). */
export function checkSource(source: DraftSource, options: RenderOptions): readonly Problem[] {
  if (source.kind === "folder") return check(source.draft, options).problems;
  const { store, workspace } = source;
  return store.writeOrRead((canWrite) => {
    const last = lastOutcome(store, workspace, options);
    if (last !== undefined) return last.problems;
    const outcome = check(store.draft(workspace), options);
    if (canWrite) saveOutcome(store, workspace, options, outcome);
    return outcome.problems;
  });
}

function check(draft: Draft, options: RenderOptions): Outcome {
  const rendering = publishedRendering(draft, options);
  const problems = checkDraft(rendering, options);
  return { problems, leftOut: leftOutOf(rendering.hidden), span: rendering.span };
}
