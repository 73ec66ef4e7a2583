import { type Address, urlPath } from "../documents/address.ts";
import { documentAt } from "../documents/documents.ts";
import type { JsonValue } from "../workspace/json.ts";
import { describedProblem } from "../workspace/problem-messages.ts";
import {
  changedEntries,
  changes,
  comparedWith,
  comparisonIn,
  entryChanges,
  experienceChanges,
  publishedIn,
  type SnapshotSource,
  versionChanges,
} from "./changes.ts";
import { comingUp } from "./coming-up.ts";
import { definitionsView } from "./definitions-view.ts";
import { type DraftState, problemsByEntry } from "./draft-state.ts";
import { entryView, openedEntry } from "./entry-view.ts";
import { contentEntryViews, experienceView } from "./experience-view.ts";
import { assetView } from "./file-view.ts";
import { historyView } from "./history-view.ts";
import { type OlderSource, olderValuesOf, translationCounts } from "./older-values.ts";
import { problemCounts } from "./problem-counts.ts";
import { type DraftFiles, problemList } from "./problem-list.ts";
import { projectView } from "./project-view.ts";
import type { RecordList } from "./record-list.ts";
import { assetRows, entryRows, otherHits, type RowsQuery } from "./rows.ts";
import type { Sites } from "./site-address.ts";
import type { SiteState } from "./site-probe.ts";
import { siteView } from "./site-view.ts";
import { usesIn, usesOf } from "./where-used.ts";

/** How many problems of a code are listed at first. */
const LISTED = 5;
/** Rows in one answer: few, as what is asked of them names them in an address. */
const PAGE = 50;
/** For how long a search reads entries before it answers with those that it has, in milliseconds; others wait. */
const READ_WITHIN = 20;

/** What answers are made of. */
export interface Asked {
  readonly state: DraftState;
  readonly query: URLSearchParams;
  /** Empty: it has none. */
  readonly parameter: (key: string) => string;
  readonly htmlUrl: (sha256: string) => string;
  readonly sites: Sites;
  readonly list: RecordList;
  readonly snapshots: SnapshotSource;
  readonly files: DraftFiles | undefined;
  readonly older: OlderSource | undefined;
}

/** Goes on with what an answer needs until a reading of the clock; returns whether that is there. */
type Prepare = (asked: Asked, until: number) => boolean;

interface Needs {
  readonly prepare: Prepare;
  /** H30: whether it compares with what is published. */
  readonly compares?: boolean;
}

/** H12: an answer that needs more than a few records or documents, which is worked out before, in parts. */
const after =
  (needs: Needs) =>
  <T>(answer: (asked: Asked) => T) => ({ compares: false, ...needs, answer });

const quick = after({ prepare: () => true });
/** What checks a complete draft, which takes seconds with 100,000 entries. */
const check = after({ prepare: ({ state }, until) => state.checked.isDoneBy(until) });
const uses = after({ prepare: ({ state }, until) => usesIn(state).isDoneBy(until) });
const filtered = after({ prepare: isFiltered });
const rows = after({
  prepare: (asked, until) => isSorted(asked, until) && isFiltered(asked, until),
});
const compare = after({
  prepare: ({ state, snapshots }, until) => comparisonIn(state, snapshots).isDoneBy(until),
  compares: true,
});
const published = after({
  prepare: ({ state, snapshots }, until) => publishedIn(state, snapshots).isDoneBy(until),
  compares: true,
});
const draft = after({
  prepare: ({ state, snapshots }, until) => snapshots.draft(state.published).isDoneBy(until),
});

/** All that the page asks of a workspace, `GET /_svc/data/<name>`, but for the overview of all. */
const QUERIES = {
  project: quick(({ state, parameter, htmlUrl }) =>
    projectView(state, parameter("project"), htmlUrl),
  ),
  experience: quick(({ state, parameter }) =>
    experienceView(state, parameter("project"), parameter("experience")),
  ),
  site: quick(({ state, sites, parameter }) =>
    siteView(state, sites, parameter("project"), parameter("experience")),
  ),
  content: quick(({ state, parameter, htmlUrl }) => {
    const [project, experience] = [parameter("project"), parameter("experience")];
    const most = countIn(parameter("most"), 0);
    const isAll = parameter("open") === "all";
    return contentEntryViews(state, project, experience, { most, isAll }, htmlUrl);
  }),
  entry: quick(({ state, query, parameter, htmlUrl }) => {
    const [id, preferred, at] = [parameter("id"), parameter("preferred"), parameter("at")];
    return query.has("preferred")
      ? openedEntry(state, id, htmlUrl, { preferred, at })
      : entryView(state, id, htmlUrl, parameter("project"));
  }),
  asset: quick(({ state, parameter }) => assetView(state, parameter("id"))),
  definitions: quick(({ state }) => definitionsView(state)),
  documents: quick(({ state, parameter }) => ({
    documents: documentLines(state, parameter("project"), parameter("experience")),
  })),
  document: quick(({ state, parameter }) => {
    const [projectId, experienceId] = [parameter("project"), parameter("experience")];
    const kind = parameter("kind") as Address["kind"];
    const address = { kind, projectId, experienceId };
    return documentAt(state.rendering, address, "preview")?.bytes(null);
  }),

  entries: rows(entriesOf),
  assets: filtered(({ state, parameter }) => assetRows(state, rowsQuery(parameter))),
  others: quick(({ state, list, parameter }) => ({
    others: otherHits(state, rowsQuery(parameter), list),
  })),
  /** All kinds of records. */
  search: rows((context) => {
    const { state, list, parameter } = context;
    // First, as it reads titles.
    const entries = entriesOf(context);
    const others = otherHits(state, rowsQuery(parameter), list);
    return { q: parameter("q"), ...entries, others };
  }),
  "where-used": uses(({ state, parameter }) =>
    usesOf(state).whereUsed(usedKind(parameter), parameter("id")),
  ),
  uses: uses(({ state, parameter }) => {
    const kind = usedKind(parameter);
    return Object.fromEntries(idsOf(parameter).map((id) => [id, usesOf(state).uses(kind, id)]));
  }),
  /** H73: how far entries are translated. */
  languages: after({
    prepare: ({ state, older }, until) => translationCounts(state, older).isDoneBy(until),
  })(({ state, older }) => translationCounts(state, older).made),
  /** H72: of an entry. */
  "older-values": quick(({ state, older, parameter }) => ({
    values: olderValuesOf(state, parameter("id"), older),
  })),
  "coming-up": quick(({ state }) => comingUp(state)),
  history: quick(({ state, snapshots }) => historyView(state, snapshots)),

  "problem-list": check(({ state, files, parameter }) => {
    const most = countIn(parameter("most"), LISTED);
    return { groups: problemList(state, files, { code: parameter("code"), most }) };
  }),
  /** H40: where an entry is in the files of a folder. */
  "file-place": quick(({ files, parameter }) => {
    const at = { kind: "entry", id: parameter("id"), path: "" } as const;
    const problem = { code: "value-missing", at } as const;
    return { place: files?.placesOf([problem])(problem) };
  }),
  problems: check(({ state }) => ({ problems: state.problems.map(describedProblem) })),
  /** How the complete draft stands: its problems, and what publishing it would change. */
  standing: compare(({ state, snapshots }) => ({
    problems: problemCounts(state.problems),
    changed: changedEntries(state, snapshots),
  })),
  /** The counts of these entries, of those that have problems. */
  "entry-problem-counts": check(({ state, parameter }) => {
    const byEntry = problemsByEntry(state);
    const counts = idsOf(parameter).map(
      (id) => [id, problemCounts(byEntry.get(id) ?? [])] as const,
    );
    return Object.fromEntries(counts);
  }),
  changes: compare(({ state, snapshots, parameter }) =>
    changes(state, snapshots, countIn(parameter("offset"), 0)),
  ),
  "compared-with": published(({ state, snapshots }) => comparedWith(state, snapshots)),
  "entry-changes": compare(({ state, snapshots, parameter }) =>
    entryChanges(state, snapshots, parameter("id")),
  ),
  "experience-changes": compare(({ state, snapshots, parameter }) => {
    const [projectId, experienceId] = [parameter("project"), parameter("experience")];
    return experienceChanges(state, snapshots, { kind: "content", projectId, experienceId });
  }),
  "version-changes": draft(({ state, snapshots, parameter }) =>
    versionChanges(state, snapshots, [parameter("from"), parameter("to")]),
  ),
};

type Queries = typeof QUERIES;
type QueryName = keyof Queries;

/** What the page gets. */
export type Answers = {
  [Name in QueryName]: NonNullable<ReturnType<Queries[Name]["answer"]>>;
} & { document: JsonValue; "site-state": { readonly state: SiteState } };

export function isQuery(name: string): name is QueryName {
  return Object.hasOwn(QUERIES, name);
}

/** H30: whether it needs what is published. */
export function comparesPublished(name: QueryName, query: URLSearchParams): boolean {
  return QUERIES[name].compares || query.get("only") === "changed";
}

/** H72: whether it needs to know what is older than its source. */
export function needsOlder(query: URLSearchParams): boolean {
  return query.has("older") || query.has("translations");
}

/** Whether all is there that the answer needs; goes on with it until a reading of the clock. */
export function isPrepared(name: QueryName, asked: Asked, until: number): boolean {
  return QUERIES[name].prepare(asked, until);
}

/** Undefined: there is not what it asks about. */
export function answerTo(name: QueryName, asked: Asked): object | undefined {
  return QUERIES[name].answer(asked);
}

/** H35: what is sorted is so as a whole, but needs no texts. */
function isSorted({ state, list, parameter }: Asked, until: number): boolean {
  return parameter("sort") === "" || list.read(state, until - performance.now(), "titles");
}

/** H35: by what a check finds, or by where records are used. */
function isFiltered({ state, snapshots, parameter }: Asked, until: number): boolean {
  const [only, sort] = [parameter("only"), parameter("sort")];
  if (only === "changed") return comparisonIn(state, snapshots).isDoneBy(until);
  if (only === "problems") return state.checked.isDoneBy(until);
  const isOfUses = only === "unused" || only === "missing" || sort.endsWith("used");
  return !isOfUses || usesIn(state).isDoneBy(until);
}

function entriesOf({ state, list, snapshots, older: olderValues, parameter }: Asked) {
  const query = rowsQuery(parameter);
  const what = query.sort === "" ? "texts" : "titles";
  const isComplete = list.read(state, READ_WITHIN, what);
  const isOfChanges = query.only === "changed";
  const found = isOfChanges ? changedEntries(state, snapshots).entries : undefined;
  const ids =
    isOfChanges || query.only === "problems"
      ? new Set(found ? Object.keys(found) : problemsByEntry(state).keys())
      : undefined;
  const rows = entryRows(state, query, { list, ids, olderValues });
  const withTexts = () => list.entries(state).asRead.filter(({ text }) => text !== undefined);
  // Of how many entries the texts have been read by now.
  return { ...rows, ...(!isComplete && { read: withTexts().length }) };
}

function rowsQuery(parameter: Asked["parameter"]): RowsQuery {
  return {
    q: parameter("q"),
    models: idsOf(parameter, "models"),
    block: parameter("block"),
    only: parameter("only"),
    missing: parameter("missing"),
    older: parameter("older"),
    translations: parameter("translations") !== "",
    sort: parameter("sort"),
    offset: countIn(parameter("offset"), 0),
    most: countIn(parameter("most"), PAGE),
  };
}

function countIn(text: string, otherwise: number): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

function usedKind(parameter: Asked["parameter"]) {
  return parameter("kind") === "assets" ? "assets" : "entries";
}

function idsOf(parameter: Asked["parameter"], name = "ids"): readonly string[] {
  return parameter(name).match(/[^,]+/g) ?? [];
}

function documentLines(state: DraftState, projectId: string, experienceId: string) {
  const addresses: Address[] = [
    { kind: "project", projectId },
    { kind: "content", projectId, experienceId },
    { kind: "schema", projectId },
  ];
  return addresses.map((address) => {
    const document = documentAt(state.rendering, address, "preview");
    // In bytes; null when the draft has no such document (E6).
    const size = document?.size ?? null;
    return { kind: address.kind, path: urlPath(address), size };
  });
}
