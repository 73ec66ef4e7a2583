import { type Diff, diffInParts } from "../diff/diff.ts";
import { projectIdsOf } from "../diff/published-documents.ts";
import {
  entriesIn,
  NOTHING,
  nothingPublished,
  type PublishedSide,
  type Snapshot,
} from "../diff/snapshot.ts";
import { type Address, addressOfFilePath, filePath } from "../documents/address.ts";
import { documentAt } from "../documents/documents.ts";
import type { Rendering } from "../documents/rendering.ts";
import { sha256 } from "../documents/version-id.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Hold } from "../workspace/hold.ts";
import { isJsonObject, type JsonObject } from "../workspace/json.ts";
import { describedProblem } from "../workspace/problem-messages.ts";
import { doneAtOnce, Work } from "../workspace/work.ts";
import { comparedValue, comparedValues, type Names } from "./compared-values.ts";
import type { DraftState } from "./draft-state.ts";
import { pointerTarget, titleOf } from "./entry-summary.ts";
import { projectName } from "./spoken.ts";

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
export type ChangedEntries = ReturnType<typeof changedEntries>;
export type ExperienceChanges = ReturnType<typeof experienceChanges>;
export type ChangedEntry = Changes["entries"][number];

/** How many entries a page of changes has, and how many others are listed. */
const [PAGE, LISTED] = [25, 100];
/** How many changed entries the page marks, and how many the overview names. */
const [MARKED, NAMED] = [20_000, 5];

interface Comparison {
  readonly before: Snapshot;
  readonly after: Snapshot;
  readonly diff: Diff;
  /** The ids of the entries that documents show after but not before, and the other way round. */
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** H17: compares the complete draft with what is published. */
export function changes(state: DraftState, snapshots: SnapshotSource, offset: number) {
  const { base, comparison } = comparisonIn(state, snapshots).made;
  const { unreached, problems, hidden } = state;
  const errors = problems.filter(({ level }) => level === "error");
  return {
    base,
    ...shownChanges(state, comparison, offset),
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
  const { base, comparison } = comparisonIn(state, snapshots).made;
  const { diff, added, removed } = comparison;
  const changed = Map.groupBy(diff.entries, ({ id }) => id);
  const counts = { changed: changed.size, added: added.length, removed: removed.length };
  // Before the first publish all entries are new, which is not worth a mark.
  if (base.versionId === null) return { base, counts, named: [], entries: {} };
  const named = [...changed.keys(), ...added].slice(0, NAMED).map((id) => pointerTarget(state, id));
  const entries: Record<string, { change: ChangedEntry["change"]; fields: readonly string[] }> = {};
  for (const id of added.slice(0, MARKED)) entries[id] = { change: "added", fields: [] };
  for (const [id, ways] of [...changed].slice(0, MARKED)) {
    const names = fieldNames(state, id);
    const keys = new Set(ways.flatMap(({ fields }) => fields.map(({ path }) => keyOf(path))));
    entries[id] = { change: "changed", fields: [...keys].map((key) => names.get(key) ?? key) };
  }
  return { base, counts, named, entries };
}

/** One entry compared with what is published. */
export function entryChanges(state: DraftState, snapshots: SnapshotSource, id: string) {
  const { base, comparison } = comparisonIn(state, snapshots).made;
  const changed = comparison.diff.entries.filter((one) => one.id === id);
  const entries = changed.map((one) => changedEntry(state, comparison, one.id, one));
  return { base, entries };
}

/** Compares one experience's content document only, since a workspace may have thousands. */
export function experienceChanges(state: DraftState, snapshots: SnapshotSource, address: Address) {
  const { base, snapshot } = publishedIn(state, snapshots).made;
  const path = filePath(address);
  const hash = snapshot.documents.get(path);
  const before = { ...snapshot, documents: new Map(hash === undefined ? [] : [[path, hash]]) };
  const after = documentSnapshot(state, path);
  return { base, ...shownChanges(state, doneAtOnce(compared(before, after)), 0) };
}

/** Two versions of the store; an empty id is none, `draft` the draft. */
export function versionChanges(
  state: DraftState,
  snapshots: SnapshotSource,
  [from, to]: readonly [string, string],
) {
  const named = (id: string) =>
    id === "draft"
      ? snapshots.draft(state.published).made
      : id === ""
        ? NOTHING
        : snapshots.version(state.workspace, id);
  return shownChanges(state, doneAtOnce(compared(named(from), named(to))), 0);
}

type Published = Readonly<Record<"base", ComparedBase> & Record<"snapshot", Snapshot>>;

interface ComparedState {
  /** Of what is published. */
  readonly mark: string;
  readonly published: Work<Published>;
  readonly comparison: Work<{ readonly base: ComparedBase; readonly comparison: Comparison }>;
}

const states = new WeakMap<DraftState, ComparedState>();

/** The complete draft compared, once for each state of both. */
function comparedState(state: DraftState, snapshots: SnapshotSource): ComparedState {
  const [known, mark] = [states.get(state), snapshots.mark()];
  if (known?.mark === mark) return known;
  const published = new Work(() => publishedOrProblem(state, snapshots));
  const comparison = new Work(function* () {
    const { base, snapshot } = yield* published.rest();
    if (base.problem !== undefined) return { base, comparison: yield* compared(NOTHING, NOTHING) };
    const { reached } = yield* state.checked.rest();
    const draft = yield* snapshots.draft(state.published).rest();
    return { base, comparison: yield* compared(snapshot, draft, reached) };
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

/** @param shown the ids of the entries after, where they are known. */
function* compared(
  before: Snapshot,
  after: Snapshot,
  shown?: ReadonlySet<string>,
): Generator<void, Comparison> {
  const diff = yield* diffInParts(before, after);
  const had = yield* placesIn(before).rest();
  const has = shown ?? new Set((yield* placesIn(after).rest()).keys());
  return {
    before,
    after,
    diff,
    added: [...has].filter((id) => !had.has(id)).sort(),
    removed: [...had.keys()].filter((id) => !has.has(id)).sort(),
  };
}

const places = new WeakMap<Snapshot["documents"], Work<ReadonlyMap<string, string>>>();

/** The ids of all entries that content documents show, each with the path of the first one. */
function placesIn(snapshot: Snapshot): Work<ReadonlyMap<string, string>> {
  const known = places.get(snapshot.documents) ?? new Work(() => findPlaces(snapshot));
  places.set(snapshot.documents, known);
  return known;
}

function* findPlaces(snapshot: Snapshot): Generator<void, ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const path of snapshot.documents.keys()) {
    if (addressOfFilePath(path)?.kind !== "content") continue;
    for (const { id } of entriesIn(snapshot.document(path))) {
      if (typeof id === "string" && !found.has(id)) found.set(id, path);
    }
    yield;
  }
  return found;
}

function shownChanges(state: DraftState, comparison: Comparison, offset: number) {
  const { diff, added, removed } = comparison;
  const projects = new Map(state.rendering.projects.map((project) => [project.id, project]));
  const nameOfProject = (id: string) => {
    const project = projects.get(id);
    return project ? projectName(project, state.draft.workspace) : id;
  };
  const nameOf = (address: Address) => {
    if (address.kind !== "content") return nameOfProject(address.projectId);
    const { projectId, experienceId } = address;
    const experiences = projects.get(projectId)?.experiences;
    return experiences?.find(({ id }) => id === experienceId)?.name ?? experienceId;
  };
  const all = [
    ...diff.entries.map((one) => () => changedEntry(state, comparison, one.id, one)),
    ...added.map((id) => () => changedEntry(state, comparison, id, "added")),
    ...removed.map((id) => () => changedEntry(state, comparison, id, "removed")),
  ];
  const { summary, schema } = diff;
  return {
    summary: { ...summary, entriesAdded: added.length, entriesRemoved: removed.length },
    schema,
    config: diff.config.slice(0, LISTED).map(({ projectId, at, before, after }) => {
      const place = [at.kind, at.name ?? at.key ?? at.id ?? ""].filter(Boolean);
      const value = comparedValue(namesIn(state, comparison), place, before, after);
      return { projectId, projectName: nameOfProject(projectId), value };
    }),
    entries: all.slice(offset, offset + PAGE).map((make) => make()),
    /** Of the page's first entry, and how many there are. */
    offset,
    total: all.length,
    documents: diff.documents
      .slice(0, LISTED)
      .map((one) => ({ ...one, name: nameOf(one.address) })),
  };
}

/** An entry that differs, with its values; or one that is only on one side, by its title. */
function changedEntry(
  state: DraftState,
  comparison: Comparison,
  id: string,
  how: Diff["entries"][number] | "added" | "removed",
) {
  const { before, after, diff } = comparison;
  const isSide = typeof how === "string";
  const paths = isSide ? [] : how.documents;
  const [had, has] = [entryAt(before, paths, id), entryAt(after, paths, id)];
  const shown = has ?? had ?? {};
  const { modelKey, model, title } = publishedNames(state, shown, id);
  const projectIds = projectIdsOf(paths);
  const language = state.languages.ofProject(projectIds[0] ?? "");
  const target = pointerTarget(state, id, language?.language);
  const inDraft = target.state === "found";
  const isOnlyChange = isSide || diff.entries.filter((one) => one.id === id).length === 1;
  return {
    id,
    title: inDraft ? target.title : title,
    inDraft,
    modelName: model?.name ?? modelKey,
    change: isSide ? how : ("changed" as const),
    /** "Shop (de)": in which projects it changed so; empty where it has one change only. */
    projects: isOnlyChange ? [] : projectIds.map((one) => placeName(state, one)),
    values: isSide
      ? []
      : comparedValues(namesIn(state, comparison), model?.fields ?? [], dataOf(had), dataOf(has)),
  };
}

/** What a rendered entry is called, with its model. */
function publishedNames({ draft }: DraftState, rendered: JsonObject, id: string) {
  const { contentModelKey } = rendered;
  const modelKey = typeof contentModelKey === "string" ? contentModelKey : null;
  const model = draft.models.find(({ key }) => key === modelKey);
  return {
    modelKey,
    model,
    title: titleOf({ id, modelId: "", data: dataOf(rendered) }, model, []),
  };
}

function namesIn(state: DraftState, { before }: Comparison): Names {
  return {
    state,
    publishedTitle(id) {
      const rendered = entryAt(before, [], id);
      return rendered && publishedNames(state, rendered, id).title;
    },
  };
}

function placeName({ draft, languages }: DraftState, projectId: string): string {
  const project = draft.projects.find(({ id }) => id === projectId);
  const name = project ? projectName(project, draft.workspace) : projectId;
  const locale = languages.ofProject(projectId)?.view.locale;
  return name + (locale ? ` (${locale})` : "");
}

/** The entry in the first of these documents that has it, else in any. */
function entryAt(snapshot: Snapshot, paths: readonly string[], id: string): JsonObject | undefined {
  const elsewhere = () => placesIn(snapshot).made.get(id) ?? "";
  for (const path of [...paths.map((one) => () => one), elsewhere]) {
    const at = path();
    if (!snapshot.documents.has(at)) continue;
    const entry = entriesIn(snapshot.document(at)).find((one) => one.id === id);
    if (entry !== undefined) return entry;
  }
  return undefined;
}

function dataOf(entry: JsonObject | undefined): JsonObject {
  const data = entry?.data ?? null;
  return isJsonObject(data) ? data : {};
}

function listed(state: DraftState, ids: readonly string[]) {
  return {
    total: ids.length,
    entries: ids.slice(0, LISTED).map((id) => pointerTarget(state, id)),
  };
}

function fieldNames({ draft, models }: DraftState, id: string): ReadonlyMap<string, string> {
  const model = models.get(draft.entries.get(id)?.modelId ?? "");
  return new Map(model?.fields.map(({ key, name = key }) => [key, name]));
}

/** "/sections/2/data/text" is in the field "sections". */
function keyOf(path: string): string {
  const [, key = ""] = path.split("/");
  return key.replaceAll("~1", "/").replaceAll("~0", "~");
}

function documentSnapshot(state: DraftState, path: string): Snapshot {
  const address = addressOfFilePath(path);
  const document = address && documentAt(state.published, address, "published");
  if (document === undefined) return NOTHING;
  const bytes = document.bytes(null);
  const documents = new Map([[path, sha256(bytes)]]);
  return { documents, document: () => JSON.parse(bytes.toString()) };
}
