import { KnownDocuments } from "../documents/changed-documents.ts";
import type { DraftRenderings } from "../server/draft-renderings.ts";
import type { PreviewedDrafts } from "../server/previewed-drafts.ts";
import { describedProblem } from "../workspace/problem-messages.ts";
import { assetList } from "./asset-views.ts";
import {
  changedEntries,
  changes,
  comparedWith,
  entryChanges,
  experienceChanges,
  type SnapshotSource,
  versionChanges,
} from "./changes.ts";
import { type DraftState, DraftStates, problemsByEntry } from "./draft-state.ts";
import { entryTable, type TableQuery } from "./entry-table.ts";
import { historyView } from "./history-view.ts";
import { problemCounts } from "./problem-counts.ts";
import { type DraftFiles, problemList } from "./problem-list.ts";
import { search } from "./search.ts";
import { SearchIndex } from "./search-index.ts";
import { type UsedKind, type UseIndex, UseIndexes } from "./where-used.ts";

/** How many problems of a code are listed at first. */
const LISTED = 5;
/** How many entries of a list are answered at once. */
const PAGE_SIZE = 200;
/** For how long a search reads entries before it answers with those that it has, in milliseconds; others wait. */
const READ_WITHIN = 20;

/** H37: the queries that read stored records, which takes milliseconds. */
const READS = {
  entries({ state, index, parameter }) {
    index.update(state, READ_WITHIN);
    const [offset, most] = [countIn(parameter("offset"), 0), countIn(parameter("most"), PAGE_SIZE)];
    return search(state, index, { query: parameter("q"), offset, most });
  },
  /** What a search needs, for a while: whether that is all. */
  "search-texts"({ state, index }) {
    index.update(state, READ_WITHIN);
    return { isComplete: index.isComplete };
  },
  table: ({ state, parameter, uses }) => entryTable(state, tableQuery(parameter), uses),
  assets({ state, parameter, uses }) {
    const offset = countIn(parameter("offset"), 0);
    return assetList(state, { q: parameter("q"), only: parameter("only"), offset }, uses);
  },
  "where-used": ({ parameter, uses }) => uses().whereUsed(usedKind(parameter), parameter("id")),
  uses: ({ parameter, uses }) => {
    const kind = usedKind(parameter);
    return Object.fromEntries(idsOf(parameter).map((id) => [id, uses().uses(kind, id)]));
  },
  history: ({ state, snapshots }) => historyView(state, snapshots),
} as const satisfies Queries;

/** The queries that check or render a complete draft, which takes seconds with 100,000 entries. */
const CHECKS = {
  "problem-list": ({ state, files, parameter }) => ({
    groups: problemList(state, files, {
      code: parameter("code"),
      most: countIn(parameter("most"), LISTED),
    }),
  }),
  /** H40: where a record or a value of it is in the files of a folder: those of many entries take long to look through. */
  "file-place": ({ files, parameter }) => {
    const kind = parameter("kind") === "asset" ? "asset" : "entry";
    const at = { kind, id: parameter("id"), path: parameter("path") } as const;
    const problem = { code: "value-missing", at } as const;
    return { place: files?.placesOf([problem])(problem) };
  },
  /** H51. */
  "changed-documents": ({ state, documents, parameter }) =>
    documents.changes(state.rendering, parameter("project"), parameter("since")),
  problems: ({ state }) => ({ problems: state.problems.map(describedProblem) }),
  standing: ({ state, snapshots }) => ({
    problems: problemCounts(state.problems),
    changed: changedEntries(state, snapshots),
  }),
  /** The counts of these entries, of those that have problems. */
  "entry-problem-counts": ({ state, parameter }) => {
    const byEntry = problemsByEntry(state);
    const counts = idsOf(parameter).map((id) => [id, problemCounts(byEntry.get(id) ?? [])]);
    return Object.fromEntries(counts);
  },
  /** The same table of those that the check has found. */
  "checked-table": ({ state, snapshots, parameter, uses }) => {
    const isOfChanges = parameter("only") === "changed";
    const found = isOfChanges ? changedEntries(state, snapshots).entries : undefined;
    const ids = new Set(found ? Object.keys(found) : problemsByEntry(state).keys());
    return entryTable(state, tableQuery(parameter), uses, ids);
  },
  changes: ({ state, snapshots, parameter }) =>
    changes(state, snapshots, countIn(parameter("offset"), 0)),
  "compared-with": ({ state, snapshots }) => comparedWith(state, snapshots),
  "entry-changes": ({ state, snapshots, parameter }) =>
    entryChanges(state, snapshots, parameter("id")),
  "experience-changes": ({ state, snapshots, parameter }) => {
    const [projectId, experienceId] = [parameter("project"), parameter("experience")];
    return experienceChanges(state, snapshots, { kind: "content", projectId, experienceId });
  },
  "version-changes": ({ state, snapshots, parameter }) =>
    versionChanges(state, snapshots, [parameter("from"), parameter("to")]),
} as const satisfies Queries;

function countIn(text: string, otherwise: number): number {
  return /^\d{1,9}$/.test(text) ? Number(text) : otherwise;
}

const QUERIES = { ...READS, ...CHECKS };

type Queries = Readonly<Record<string, (context: QueryContext) => object>>;

interface QueryContext {
  readonly state: DraftState;
  readonly index: SearchIndex;
  readonly snapshots: SnapshotSource;
  readonly files: DraftFiles | undefined;
  readonly documents: KnownDocuments;
  readonly parameter: (key: string) => string;
  readonly uses: () => UseIndex;
}

function tableQuery(parameter: QueryContext["parameter"]): TableQuery {
  return {
    model: parameter("model"),
    block: parameter("block"),
    q: parameter("q"),
    only: parameter("only"),
    sort: parameter("sort") || "title",
    offset: countIn(parameter("offset"), 0),
  };
}

function usedKind(parameter: QueryContext["parameter"]): UsedKind {
  return parameter("kind") === "assets" ? "assets" : "entries";
}

function idsOf(parameter: QueryContext["parameter"]): readonly string[] {
  return parameter("ids").split(",");
}

/** How the complete draft stands: its problems, and what publishing it would change. */
export type Standing = ReturnType<typeof CHECKS.standing>;
export type DraftQuery = keyof typeof QUERIES;

export function isDraftQuery(name: string): name is DraftQuery {
  return Object.hasOwn(QUERIES, name);
}

/** H37: the thread that answers a query, so that none which is quick waits for one that is slow. */
export type QueryThread = "read" | "check";

export function threadOfQuery(name: DraftQuery): QueryThread {
  return Object.hasOwn(READS, name) ? "read" : "check";
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

/** Computes the answers, each from one read transaction (H5). */
export class DraftData {
  readonly #drafts: PreviewedDrafts;
  readonly #states: DraftStates;
  readonly #snapshots: SnapshotSource;
  /** By workspace number. */
  readonly #indexes = new Map<number, SearchIndex>();
  readonly #uses = new UseIndexes();
  readonly #documents = new KnownDocuments();

  readonly #files: DraftFiles | undefined;

  /** @param files of a folder. */
  constructor(
    drafts: PreviewedDrafts,
    renderings: DraftRenderings,
    snapshots: SnapshotSource,
    files?: DraftFiles,
  ) {
    this.#files = files;
    this.#drafts = drafts;
    this.#states = new DraftStates(drafts, renderings);
    this.#snapshots = snapshots;
  }

  answer(name: DraftQuery, query: URLSearchParams): string | undefined {
    const [drafts, snapshots, files] = [this.#drafts, this.#snapshots, this.#files];
    const documents = this.#documents;
    const parameter = (key: string) => query.get(key) ?? "";
    return drafts.read(() => {
      const state = this.#states.of(parameter("workspace"));
      if (state === undefined) return undefined;
      const { number } = state.workspace;
      const index = this.#indexes.get(number) ?? new SearchIndex();
      this.#indexes.set(number, index);
      const uses = () => this.#uses.of(state);
      return state.remembered(`${snapshots.mark()} ${index.reads} ${name} ${query}`, () =>
        JSON.stringify(
          QUERIES[name]({ state, index, snapshots, files, documents, parameter, uses }),
        ),
      );
    });
  }
}
