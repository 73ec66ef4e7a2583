import type { ConfigChange } from "../diff/compare-configs.ts";
import type { EntryChange } from "../diff/compare-contents.ts";
import { type Diff, diffInParts, diffOfDocument } from "../diff/diff.ts";
import { modelNamed } from "../diff/names.ts";
import { projectIdsOf } from "../diff/published-documents.ts";
import {
  type ServedChange,
  type ShownChange,
  type ShownNames,
  shownChange,
} from "../diff/shown-values.ts";
import { NOTHING, nothingPublished, type PublishedSide, type Snapshot } from "../diff/snapshot.ts";
import { toldConfigs } from "../diff/told-configs.ts";
import { type Address, filePath } from "../documents/address.ts";
import type { Rendering } from "../documents/rendering.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Hold } from "../workspace/hold.ts";
import { describedProblem } from "../workspace/problem-messages.ts";
import { doneAtOnce, Work } from "../workspace/work.ts";
import type { DraftState } from "./draft-state.ts";
import { type PointerTarget, pointerTarget } from "./entry-summary.ts";
import { projectName } from "./spoken.ts";
import { type TextPiece, textChanges } from "./text-changes.ts";

/** The versions of a workspace that a store has, newest first. */
export interface StoredHistory {
  readonly current: string | null;
  readonly versions: readonly { readonly versionId: string; readonly publishedAt: string }[];
  readonly journal: readonly {
    readonly at: string;
    readonly action: "publish" | "republish" | "rollback";
    readonly from: string | null;
    readonly to: string;
  }[];
  readonly hold: Hold | null;
}

/** H30: what drafts are compared with; injected, since src/server does not import `publish`. */
export interface SnapshotSource {
  /** The documents that publishing the draft would freeze; the same one for the same rendering. */
  draft(rendering: Rendering): Work<Snapshot>;
  /** Another text when what is published may be another; takes no time. */
  mark(): string;
  /** Fetches what is at an address, which is not read in parts. */
  fetch(): Promise<void>;
  /** In parts. @throws SvcError when it cannot be read. */
  published(workspace: WorkspaceRow): Generator<void, PublishedSide>;
  version(workspace: WorkspaceRow, versionId: string): Snapshot;
  /** Undefined: there is no store. */
  history(workspace: WorkspaceRow): StoredHistory | undefined;
}

/** With what the draft was compared; `problem`: why it was not. */
export type ComparedBase = Omit<PublishedSide, "snapshot" | "workspaceId"> & {
  readonly problem?: { readonly code: string; readonly message: string; readonly hint?: string };
};

/** What publishing the draft would change. Names are from the draft, or ids where it has none. */
export type Changes = ReturnType<typeof shownChanges>;
export type CompleteChanges = ReturnType<typeof changes>;
export type ExperienceChanges = ReturnType<typeof experienceChanges>;
export type ChangedEntry = Changes["entries"][number];

/** H31: a value that differs; of two texts the pieces. */
export interface ChangedValue extends ShownChange<PointerTarget> {
  readonly pieces?: readonly TextPiece[];
}

/** How many entries a page of changes has, how many others are listed, and how many values of a record. */
const [PAGE, LISTED, VALUES] = [25, 100, 100];
/** How many changed entries the page marks, and how many the overview names. */
const [MARKED, NAMED] = [20_000, 5];

/** H17: compares the complete draft with what is published. */
export function changes(state: DraftState, snapshots: SnapshotSource, offset: number) {
  const { base, diff } = comparisonIn(state, snapshots).made;
  const { unreached, problems, hidden } = state;
  const errors = problems.filter(({ level }) => level === "error");
  return {
    base,
    ...shownChanges(state, diff, offset),
    // How many problems prevent publishing (R4), and the first of them.
    errors: {
      count: errors.length,
      first: errors.slice(0, 5).map((problem) => ({
        ...describedProblem(problem),
        title: problem.at.kind === "entry" ? pointerTarget(state, problem.at.id).title : null,
      })),
    },
    // The entries that no experience shows: publishing leaves them out.
    unreached: listed(state, unreached),
    // A1: the entries that are drafts, or not due.
    leftOut: listed(state, hidden),
  };
}

/** H30: what the draft is compared with. */
export function comparedWith(state: DraftState, snapshots: SnapshotSource): ComparedBase {
  return publishedIn(state, snapshots).made.base;
}

/** H32: for each entry that differs from what is published the names of the fields that do. */
export function changedEntries(state: DraftState, snapshots: SnapshotSource) {
  const { base, diff } = comparisonIn(state, snapshots).made;
  const { entriesAdded: added, entriesChanged: changed, entriesRemoved: removed } = diff.summary;
  const there = diff.entries.filter(({ change }) => change !== "removed");
  const ways = [...Map.groupBy(there, ({ id }) => id)].slice(0, MARKED);
  const entries: Record<string, { change: ChangedEntry["change"]; fields: readonly string[] }> = {};
  for (const [id, all] of ways) {
    const { change } = all[0] as EntryChange;
    const names = all.flatMap(({ fields }) => fields.map(({ place: [name = ""] }) => name));
    entries[id] = { change, fields: change === "added" ? [] : [...new Set(names)] };
  }
  const named = ways.slice(0, NAMED).map(([id]) => pointerTarget(state, id));
  return { base, counts: { added, changed, removed }, named, entries };
}

/** One entry compared with what is published. */
export function entryChanges(state: DraftState, snapshots: SnapshotSource, id: string) {
  const { base, diff } = comparisonIn(state, snapshots).made;
  const ways = diff.entries.filter((one) => one.id === id);
  return { base, entries: ways.map((one) => changedEntry(state, diff, one)) };
}

/** What one experience's content document shows of the changes. */
export function experienceChanges(state: DraftState, snapshots: SnapshotSource, address: Address) {
  const { base, diff } = comparisonIn(state, snapshots).made;
  return { base, ...shownChanges(state, diffOfDocument(diff, filePath(address)), 0) };
}

/** Two versions of the store; an empty id is none, `draft` the draft. */
export function versionChanges(
  state: DraftState,
  snapshots: SnapshotSource,
  names: readonly [from: string, to: string],
) {
  const [before, after] = names.map((id) => {
    if (id === "draft") return snapshots.draft(state.published).made;
    const snapshot = id === "" ? NOTHING : snapshots.version(state.workspace, id);
    return { ...snapshot, definitions: state.draft };
  }) as [Snapshot, Snapshot];
  return shownChanges(state, doneAtOnce(diffInParts(before, after)), 0);
}

type Published = Readonly<Record<"base", ComparedBase> & Record<"snapshot", Snapshot>>;

interface ComparedState {
  /** Of what is published. */
  readonly mark: string;
  readonly published: Work<Published>;
  readonly comparison: Work<{ readonly base: ComparedBase; readonly diff: Diff }>;
}

const states = new WeakMap<DraftState, ComparedState>();

/** The complete draft compared, once for each state of both. */
function comparedState(state: DraftState, snapshots: SnapshotSource): ComparedState {
  const [known, mark] = [states.get(state), snapshots.mark()];
  if (known?.mark === mark) return known;
  const published = new Work(() => publishedOrProblem(state, snapshots));
  const comparison = new Work(function* () {
    const { base, snapshot } = yield* published.rest();
    if (base.problem !== undefined) return { base, diff: yield* diffInParts(NOTHING, NOTHING) };
    const { reached: shown } = yield* state.checked.rest();
    const draft = { ...(yield* snapshots.draft(state.published).rest()), shown };
    return { base, diff: yield* diffInParts(snapshot, draft) };
  });
  const made = { mark, published, comparison };
  states.set(state, made);
  return made;
}

export function comparisonIn(state: DraftState, snapshots: SnapshotSource) {
  return comparedState(state, snapshots).comparison;
}

export function publishedIn(state: DraftState, snapshots: SnapshotSource): Work<Published> {
  return comparedState(state, snapshots).published;
}

function* publishedOrProblem(
  { workspace }: DraftState,
  snapshots: SnapshotSource,
): Generator<void, Published> {
  try {
    const { snapshot, workspaceId: _, ...base } = yield* snapshots.published(workspace);
    return { base, snapshot };
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint } = error;
    const problem = { code, message, ...(hint !== undefined && { hint }) };
    const { snapshot, ...base } = nothingPublished("out", "");
    return { base: { ...base, problem }, snapshot };
  }
}

function shownChanges(state: DraftState, diff: Diff, offset: number) {
  const { summary, schema, config, entries, documents } = diff;
  const { draft, rendering } = state;
  const projects = new Map(rendering.projects.map((project) => [project.id, project]));
  const nameOf = (projectId: string, experienceId?: string) => {
    const project = projects.get(projectId);
    if (experienceId === undefined)
      return project ? projectName(project, draft.workspace) : projectId;
    return project?.experiences.find(({ id }) => id === experienceId)?.name ?? experienceId;
  };
  return {
    summary,
    schema,
    configs: toldConfigs(config).map(({ projectId, sentence, others }) => ({
      ...{ projectId, projectName: nameOf(projectId), sentence },
      values: others
        .flat()
        .slice(0, LISTED)
        .map((one) => changedValue(state, diff, inConfig(one))),
    })),
    entries: entries.slice(offset, offset + PAGE).map((one) => changedEntry(state, diff, one)),
    /** Of the page's first entry, and how many there are. */
    offset,
    total: entries.length,
    documents: documents.slice(0, LISTED).map((one) => {
      const { address } = one;
      const name = nameOf(
        address.projectId,
        address.kind === "content" ? address.experienceId : undefined,
      );
      return { ...one, name };
    }),
  };
}

/** A change with its record; of one that came or went its name. */
function inConfig({ at, path, place, before, after }: ConfigChange): ServedChange {
  if (at.kind === "project-fields" || at.kind === "project") return { place, before, after };
  const { name = at.key ?? at.id } = at;
  const [was, is] = [before, after].map((value) => (path === "" && value ? name : value));
  return { place: [at.kind, name, ...place], before: was, after: is };
}

/** An entry that differs, with its values. */
function changedEntry(state: DraftState, diff: Diff, one: EntryChange) {
  const { id, change, contentModelKey, fields, documents } = one;
  const projectIds = projectIdsOf(documents);
  const [first = ""] = change === "changed" ? projectIds : [];
  const target = pointerTarget(state, id, state.languages.ofProject(first)?.language);
  const inDraft = target.state === "found";
  const isOnlyChange = diff.entries.filter((other) => other.id === id).length === 1;
  return {
    id,
    title: inDraft ? target.title : one.title,
    inDraft,
    modelName: modelNamed(state.draft, contentModelKey)?.name ?? contentModelKey,
    change,
    /** "Shop (de)": in which projects it changed so; empty where it has one change only. */
    projects: isOnlyChange ? [] : projectIds.map((project) => placeName(state, project)),
    values: fields.slice(0, VALUES).map((field) => changedValue(state, diff, field)),
  };
}

function changedValue(state: DraftState, diff: Diff, change: ServedChange): ChangedValue {
  return comparedValue(state, change, (id) => diff.entries.find((one) => one.id === id)?.title);
}

/** @param goneTitle what an entry was called that was there once */
export function comparedValue(
  state: DraftState,
  change: ServedChange,
  goneTitle: (id: string) => string | undefined = () => undefined,
): ChangedValue {
  const names: ShownNames<PointerTarget> = {
    definitions: state.draft,
    target(id, wasThere) {
      const target = pointerTarget(state, id);
      const gone = target.state === "deleted" && wasThere ? goneTitle(id) : undefined;
      return gone === undefined ? { target, title: target.title } : { text: gone };
    },
  };
  const value = shownChange(names, change);
  const { place, before, after } = value;
  const [was, is] = [before, after].map((one) => (one && "text" in one ? one.text : undefined));
  if (was === undefined || is === undefined) return value;
  return { place, before: null, after: null, pieces: textChanges(was, is) };
}

function placeName({ draft, languages }: DraftState, projectId: string): string {
  const project = draft.projects.find(({ id }) => id === projectId);
  const name = project ? projectName(project, draft.workspace) : projectId;
  const locale = languages.ofProject(projectId)?.view.locale;
  return name + (locale ? ` (${locale})` : "");
}

function listed(state: DraftState, ids: readonly string[]) {
  return {
    total: ids.length,
    entries: ids.slice(0, LISTED).map((id) => pointerTarget(state, id)),
  };
}
