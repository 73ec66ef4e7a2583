import { type Address, urlPath } from "../documents/address.ts";
import type { KnownDocuments } from "../documents/changed-documents.ts";
import { documentAt } from "../documents/documents.ts";
import type { JsonValue } from "../workspace/json.ts";
import { describedProblem } from "../workspace/problem-messages.ts";
import {
  changedEntries,
  changes,
  comparedWith,
  entryChanges,
  experienceChanges,
  type SnapshotSource,
  versionChanges,
} from "./changes.ts";
import { definitionsView } from "./definitions-view.ts";
import { type DraftState, problemsByEntry } from "./draft-state.ts";
import { entryView, openedEntry } from "./entry-view.ts";
import { contentEntryViews, experienceView } from "./experience-view.ts";
import { assetView } from "./file-view.ts";
import { historyView } from "./history-view.ts";
import { problemCounts } from "./problem-counts.ts";
import { type DraftFiles, problemList } from "./problem-list.ts";
import { projectView } from "./project-view.ts";
import type { RecordList } from "./record-list.ts";
import { assetRows, entryRows, otherHits, type RowsQuery } from "./rows.ts";
import type { Sites } from "./site-address.ts";
import type { SiteState } from "./site-probe.ts";
import { siteView } from "./site-view.ts";
import { usesOf } from "./where-used.ts";

/** How many problems of a code are listed at first. */
const LISTED = 5;
/** Rows in one answer: few, as what is asked of them names them in an address. */
const PAGE = 50;
/** For how long a search reads entries before it answers with those that it has, in milliseconds; others wait. */
const READ_WITHIN = 20;

/** H37: who answers: the server itself, or a thread beside it, so that none which is quick waits for one that is slow. */
type Answerer = "server" | "read" | "check";
/** Those beside the server. */
export type QueryThread = Exclude<Answerer, "server">;

interface Asked {
  readonly state: DraftState;
  readonly query: URLSearchParams;
  /** Empty: it has none. */
  readonly parameter: (key: string) => string;
}

export interface ServerContext extends Asked {
  readonly htmlUrl: (sha256: string) => string;
  readonly sites: Sites;
}

export interface ThreadContext extends Asked {
  readonly list: RecordList;
  readonly snapshots: SnapshotSource;
  readonly files: DraftFiles | undefined;
  readonly documents: KnownDocuments;
}

/** What reads a few records or documents. */
const here = <T>(answer: (context: ServerContext) => T) => ({ by: "server", answer }) as const;
/** What reads stored records, which takes milliseconds. */
const read = <T>(answer: (context: ThreadContext) => T) => ({ by: "read", answer }) as const;
/** What checks or renders a complete draft, which takes seconds with 100,000 entries. */
const check = <T>(answer: (context: ThreadContext) => T) => ({ by: "check", answer }) as const;

/** All that the page asks of a workspace, `GET /_svc/data/<name>`, but for the overview of all. */
const QUERIES = {
  project: here(({ state, parameter, htmlUrl }) =>
    projectView(state, parameter("project"), htmlUrl),
  ),
  experience: here(({ state, parameter }) =>
    experienceView(state, parameter("project"), parameter("experience")),
  ),
  site: here(({ state, sites, parameter }) =>
    siteView(state, sites, parameter("project"), parameter("experience")),
  ),
  content: here(({ state, parameter, htmlUrl }) => {
    const [project, experience] = [parameter("project"), parameter("experience")];
    const most = countIn(parameter("most"), 0);
    return { entries: contentEntryViews(state, project, experience, most, htmlUrl) };
  }),
  entry: here(({ state, query, parameter, htmlUrl }) => {
    const [id, preferred, at] = [parameter("id"), parameter("preferred"), parameter("at")];
    return query.has("preferred")
      ? openedEntry(state, id, htmlUrl, { preferred, at })
      : entryView(state, id, htmlUrl, parameter("project"));
  }),
  asset: here(({ state, parameter }) => assetView(state, parameter("id"))),
  definitions: here(({ state }) => definitionsView(state)),
  documents: here(({ state, parameter }) => ({
    documents: documentLines(state, parameter("project"), parameter("experience")),
  })),
  document: here(({ state, parameter }) => {
    const [projectId, experienceId] = [parameter("project"), parameter("experience")];
    const kind = parameter("kind") as Address["kind"];
    const address = { kind, projectId, experienceId };
    return documentAt(state.rendering, address, "preview")?.bytes(null);
  }),

  entries: read(entriesOf),
  assets: read(({ state, parameter }) => assetRows(state, rowsQuery(parameter))),
  others: read(({ state, parameter }) => ({ others: otherHits(state, rowsQuery(parameter)) })),
  /** All kinds of records. */
  search: read((context) => {
    const { state, parameter } = context;
    const others = otherHits(state, rowsQuery(parameter));
    return { q: parameter("q"), ...entriesOf(context), others };
  }),
  /** What a search needs, for a while: whether that is all. */
  "search-texts": read(({ state, list }) => {
    return { isComplete: list.read(state, READ_WITHIN) };
  }),
  "where-used": read(({ state, parameter }) =>
    usesOf(state).whereUsed(usedKind(parameter), parameter("id")),
  ),
  uses: read(({ state, parameter }) => {
    const kind = usedKind(parameter);
    return Object.fromEntries(idsOf(parameter).map((id) => [id, usesOf(state).uses(kind, id)]));
  }),
  history: read(({ state, snapshots }) => historyView(state, snapshots)),

  "problem-list": check(({ state, files, parameter }) => {
    const most = countIn(parameter("most"), LISTED);
    return { groups: problemList(state, files, { code: parameter("code"), most }) };
  }),
  /** H40: where a record or a value of it is in the files of a folder: those of many entries take long to look through. */
  "file-place": check(({ files, parameter }) => {
    const kind = parameter("kind") === "asset" ? "asset" : "entry";
    const at = { kind, id: parameter("id"), path: parameter("path") } as const;
    const problem = { code: "value-missing", at } as const;
    return { place: files?.placesOf([problem])(problem) };
  }),
  /** H51. */
  "changed-documents": check(({ state, documents, parameter }) =>
    documents.changes(state.rendering, parameter("project"), parameter("since")),
  ),
  problems: check(({ state }) => ({ problems: state.problems.map(describedProblem) })),
  /** How the complete draft stands: its problems, and what publishing it would change. */
  standing: check(({ state, snapshots }) => ({
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
  changes: check(({ state, snapshots, parameter }) =>
    changes(state, snapshots, countIn(parameter("offset"), 0)),
  ),
  "compared-with": check(({ state, snapshots }) => comparedWith(state, snapshots)),
  "entry-changes": check(({ state, snapshots, parameter }) =>
    entryChanges(state, snapshots, parameter("id")),
  ),
  "experience-changes": check(({ state, snapshots, parameter }) => {
    const [projectId, experienceId] = [parameter("project"), parameter("experience")];
    return experienceChanges(state, snapshots, { kind: "content", projectId, experienceId });
  }),
  "version-changes": check(({ state, snapshots, parameter }) =>
    versionChanges(state, snapshots, [parameter("from"), parameter("to")]),
  ),
};

type Queries = typeof QUERIES;
type QueryName = keyof Queries;
type NamesBy<By extends Answerer> = {
  [Name in QueryName]: Queries[Name]["by"] extends By ? Name : never;
}[QueryName];
export type DraftQuery = NamesBy<QueryThread>;

/** What the page gets. */
export type Answers = {
  [Name in QueryName]: NonNullable<ReturnType<Queries[Name]["answer"]>>;
} & { document: JsonValue; "site-state": { readonly state: SiteState } };

function isQuery(name: string): name is QueryName {
  return Object.hasOwn(QUERIES, name);
}

export function isDraftQuery(name: string): name is DraftQuery {
  return isQuery(name) && QUERIES[name].by !== "server";
}

/** What a check has found of entries is what they are filtered by. */
const isOfCheck = (only: string) => only === "changed" || only === "problems";

export function threadOfQuery(name: DraftQuery, query: URLSearchParams): QueryThread {
  return isOfCheck(query.get("only") ?? "") ? "check" : QUERIES[name].by;
}

/** Undefined: there is no such query, or not what it asks about. */
export function answerHere(name: string, context: ServerContext): object | undefined {
  const query = isQuery(name) ? QUERIES[name] : undefined;
  return query?.by === "server" ? query.answer(context) : undefined;
}

export function answerBeside(name: DraftQuery, context: ThreadContext): object {
  return QUERIES[name].answer(context);
}

/** H12: answers these queries beside the server, on threads of their own. */
export interface DraftAnswers {
  /**
   * The answer as JSON; undefined when there is no such workspace. Rejects once the signal aborts,
   * and when the thread is closed or fails.
   */
  answer(name: DraftQuery, query: string, signal: AbortSignal): Promise<string | undefined>;
  /** H38: reads what a search of a workspace needs, as the page is open. */
  prepare(workspace: string): void;
}

function entriesOf({ state, list, snapshots, parameter }: ThreadContext) {
  const query = rowsQuery(parameter);
  // What is sorted is so as a whole, but needs no texts.
  const isComplete =
    query.sort === "" ? list.read(state, READ_WITHIN) : list.read(state, undefined, "titles");
  const isOfChanges = query.only === "changed";
  const found = isOfChanges ? changedEntries(state, snapshots).entries : undefined;
  const ids = isOfCheck(query.only)
    ? new Set(found ? Object.keys(found) : problemsByEntry(state).keys())
    : undefined;
  const rows = entryRows(state, query, { list, ids });
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
