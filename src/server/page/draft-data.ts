import { describedProblem } from "../../workspace/problem-messages.ts";
import type { DraftRenderings } from "../draft-renderings.ts";
import type { PreviewedDrafts } from "../previewed-drafts.ts";
import { changes, experienceChanges, type SnapshotSource } from "./changes.ts";
import { type DraftState, DraftStates, problemCounts } from "./draft-state.ts";
import { search } from "./search.ts";

/** The queries that read a complete draft, which takes seconds with 100,000 entries. */
const QUERIES = {
  entries: ({ state, parameter }) =>
    search(state, parameter("q"), Math.max(0, Number(parameter("offset")) || 0)),
  problems: ({ state }) => ({ problems: state.problems.map(describedProblem) }),
  "problem-counts": ({ state }) => problemCounts(state.problems),
  changes: ({ state, drafts, snapshots }) => changes(state, drafts, snapshots),
  "experience-changes": ({ state, drafts, snapshots, parameter }) => {
    const [projectId, experienceId] = [parameter("project"), parameter("experience")];
    const address = { kind: "content", projectId, experienceId } as const;
    return experienceChanges(state, address, drafts, snapshots);
  },
} as const satisfies Readonly<Record<string, (context: QueryContext) => object>>;

interface QueryContext {
  readonly state: DraftState;
  readonly drafts: PreviewedDrafts;
  readonly snapshots: SnapshotSource;
  readonly parameter: (key: string) => string;
}

export type DraftQuery = keyof typeof QUERIES;

export function isDraftQuery(name: string): name is DraftQuery {
  return Object.hasOwn(QUERIES, name);
}

/** H12: answers these queries beside the server, on a thread of its own. */
export interface DraftAnswers {
  /**
   * The answer as JSON; undefined when there is no such workspace. Rejects once the signal aborts,
   * and when the thread is closed or fails.
   */
  answer(name: DraftQuery, query: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Computes the answers, each from one read transaction (H5). */
export class DraftData {
  readonly #drafts: PreviewedDrafts;
  readonly #states: DraftStates;
  readonly #snapshots: SnapshotSource;

  constructor(drafts: PreviewedDrafts, renderings: DraftRenderings, snapshots: SnapshotSource) {
    this.#drafts = drafts;
    this.#states = new DraftStates(drafts, renderings);
    this.#snapshots = snapshots;
  }

  answer(name: DraftQuery, query: URLSearchParams): string | undefined {
    const [drafts, snapshots] = [this.#drafts, this.#snapshots];
    const parameter = (key: string) => query.get(key) ?? "";
    return drafts.read(() => {
      const state = this.#states.of(parameter("workspace"));
      if (state === undefined) return undefined;
      const version = drafts.history.current(state.workspace.number);
      return state.remembered(`${version} ${name} ${query}`, () =>
        JSON.stringify(QUERIES[name]({ state, drafts, snapshots, parameter })),
      );
    });
  }
}
