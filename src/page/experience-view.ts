import type { CollectedExperience } from "../documents/collection-pages.ts";
import { documentAt } from "../documents/documents.ts";
import type { RenderedEntry } from "../documents/entry.ts";
import type { ContentDocument } from "../documents/experience-content.ts";
import { describedProblem } from "../workspace/problem-messages.ts";
import { byParts, isByValue } from "../workspace/records.ts";
import type { DraftState, PageLanguage } from "./draft-state.ts";
import { type EntrySummary, entryDetails, pointerTarget, summaryOf } from "./entry-summary.ts";
import { type EntryView, entryView } from "./entry-view.ts";
import type { ViewContext } from "./field-views.ts";
import { problemCounts } from "./problem-counts.ts";
import { shownLanguage, stepView } from "./project-view.ts";
import { projectName } from "./spoken.ts";

export interface ReachedEntry extends EntrySummary {
  /** E2: 0 for the content of a step, else the shortest distance from one. */
  readonly depth: number;
  readonly errors: number;
  readonly warnings: number;
}

/** A pointer whose target is not in the content document. */
export interface UnresolvedPointer {
  readonly from: string;
  /** JSON Pointer into the data of `from`. */
  readonly path: string;
  readonly target: string;
  readonly title: string;
  readonly reason: "deleted" | "other-workspace" | "too-deep";
}

export type ExperienceView = NonNullable<ReturnType<typeof experienceView>>;

/** How many references are opened in an experience by "Open all". */
const MOST_OPENED = 200;

/** An entry that stands open where another one references it. */
export interface OpenedEntry {
  readonly from: string;
  readonly view: EntryView;
}

/**
 * H25e: the first `most` content entries of an experience, and as many that these reference.
 *
 * @param isAll whether those that are further away are opened, too
 */
export function contentEntryViews(
  state: DraftState,
  projectId: string,
  experienceId: string,
  { most, isAll }: { readonly most: number; readonly isAll: boolean },
  htmlUrl: ViewContext["htmlUrl"],
) {
  const { content, references } = contentDocument(state, projectId, experienceId);
  const language = state.languages.ofProject(projectId) as PageLanguage;
  const first = content.slice(0, most);
  const opened: OpenedEntry[] = [];
  for (const { id, depth, from } of reached(state, first, new Set(references), language)) {
    if (isAll ? opened.length === MOST_OPENED : depth > 1 || opened.length === most) break;
    const view = from === undefined ? undefined : entryView(state, id, htmlUrl, projectId);
    if (from !== undefined && view) opened.push({ from, view });
  }
  return {
    entries: first.flatMap((id) => entryView(state, id, htmlUrl, projectId) ?? []),
    opened,
  };
}

/** The entry ids and problems of the content document: none when there is none, some of one that is too large (P6b). */
function contentDocument(state: DraftState, projectId: string, experienceId: string) {
  const address = { kind: "content", projectId, experienceId } as const;
  const document = documentAt(state.rendering, address, "preview");
  const { content, references } = (document as ContentDocument | undefined)?.shown ?? {};
  const idsOf = (entries: readonly RenderedEntry[] = []) => entries.map(({ head }) => head.id);
  return {
    content: idsOf(content),
    references: idsOf(references),
    problems: document?.problems ?? [],
  };
}

export function experienceView(state: DraftState, projectId: string, experienceId: string) {
  const project = state.rendering.projects.find(({ id }) => id === projectId);
  const experience = project?.experiences.find(({ id }) => id === experienceId);
  if (project === undefined || experience === undefined) return undefined;
  const document = contentDocument(state, projectId, experienceId);
  const steps = new Map(project.steps.map((step) => [step.id, step]));
  const language = state.languages.ofProject(projectId) as PageLanguage;
  const { id, key, name, stepIds } = experience;
  const { collection, entry } = experience as Partial<CollectedExperience>;
  const made = collection === undefined ? undefined : project.collections?.[collection];
  return {
    project: { id: project.id, name: projectName(project, state.draft.workspace) },
    id,
    key,
    name,
    language: shownLanguage(state, projectId),
    // Q10: what makes it; undefined: it is written.
    collection: made && {
      model: modelName(state, isByValue(made) ? byParts(made.by)[0] : made.model),
      // Undefined: it is a page of the list.
      entry: entry === undefined ? undefined : pointerTarget(state, entry, language.language),
    },
    // Null for a step id that does not exist.
    steps: stepIds.map((stepId) => {
      const step = steps.get(stepId);
      return step === undefined ? null : stepView(state, step, language.language);
    }),
    ...reachedFrom(state, document.content, document.references, language),
    problems: document.problems.map(describedProblem),
  };
}

function modelName({ draft }: DraftState, key: string): string {
  return draft.models.find((one) => one.key === key)?.name ?? key;
}

/** The entries of the document, `content` in step order, then references, nearest first; and pointers that do not resolve. */
function reachedFrom(
  state: DraftState,
  contentIds: readonly string[],
  referenceIds: readonly string[],
  only: PageLanguage,
) {
  const listed = new Set([...contentIds, ...referenceIds]);
  const nodes: ReachedEntry[] = [];
  const unresolved: UnresolvedPointer[] = [];
  for (const { id, depth, rendered } of reached(state, contentIds, listed, only)) {
    const counts = problemCounts(rendered.problems);
    nodes.push({ ...summaryOf(state, rendered.entry, only.language), depth, ...counts });
    for (const { path, target } of rendered.pointers) {
      if (listed.has(target)) continue;
      const { state: found, title } = pointerTarget(state, target, only.language);
      const reason = found === "found" ? "too-deep" : found;
      unresolved.push({ from: id, path, target, title, reason });
    }
  }
  return { nodes, unresolved };
}

/**
 * Breadth-first, so that each of the `listed` entries is first reached on a shortest path.
 *
 * @returns `from`: the entry whose reference led to it; undefined: none, or it was found by a query
 */
function* reached(
  state: DraftState,
  contentIds: readonly string[],
  listed: ReadonlySet<string>,
  only: PageLanguage,
) {
  const places = new Map<string, { depth: number; from?: string }>(
    contentIds.map((id) => [id, { depth: 0 }]),
  );
  for (const [id, { depth, from }] of places) {
    const rendered = entryDetails(state, id, only);
    if (rendered === undefined) continue;
    yield { id, depth, from, rendered };
    for (const { target, isFound } of rendered.pointers) {
      if (!listed.has(target) || places.has(target)) continue;
      places.set(target, { depth: depth + 1, ...(!isFound && { from: id }) });
    }
  }
}
