import { checkDraft } from "../../documents/check-draft.ts";
import type { Rendering } from "../../documents/rendering.ts";
import type { Draft } from "../../workspace/draft.ts";
import type { Problem } from "../../workspace/problem.ts";
import type { Block, Model } from "../../workspace/records.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";
import { type EntryIndex, indexEntries } from "./entry-index.ts";
import type { PageRenderings, PageStore } from "./page-store.ts";

/** How many answers about one state are kept. */
const REMEMBERED = 20;

type Answer = Buffer | string | undefined;

/** One state of one workspace's draft, with what has been worked out about it so far. */
export class DraftState {
  readonly workspace: WorkspaceRow;
  readonly draft: Draft;
  readonly models: ReadonlyMap<string, Model>;
  readonly blocks: ReadonlyMap<string, Block>;
  readonly rendering: Rendering;
  #problems: readonly Problem[] | undefined;
  #index: EntryIndex | undefined;
  readonly #answers = new Map<string, Answer>();

  constructor(workspace: WorkspaceRow, rendering: Rendering) {
    const { draft } = rendering;
    this.workspace = workspace;
    this.rendering = rendering;
    this.draft = draft;
    this.models = new Map(draft.models.map((model) => [model.id, model]));
    this.blocks = new Map(draft.blocks.map((block) => [block.id, block]));
  }

  /** An answer about this state, made once for those who ask again or look at it in parallel. */
  remembered<T extends Answer>(what: string, make: () => T): T {
    const known = this.#answers.get(what);
    if (known !== undefined) return known as T;
    const made = make();
    const [oldest] = this.#answers.keys();
    if (oldest !== undefined && this.#answers.size >= REMEMBERED) this.#answers.delete(oldest);
    if (made !== undefined) this.#answers.set(what, made);
    return made;
  }

  /** The list of `svc check`. */
  get problems(): readonly Problem[] {
    this.#problems ??= checkDraft(this.rendering);
    return this.#problems;
  }

  get index(): EntryIndex {
    this.#index ??= indexEntries(this.draft, this.models);
    return this.#index;
  }
}

/**
 * The last state of each workspace that was asked for. Use it within one transaction. Where a
 * pointer leads depends on other workspaces too, so a change of one makes the states of all anew.
 */
export class DraftStates {
  readonly #store: PageStore;
  readonly #renderings: PageRenderings;
  readonly #states = new Map<number, DraftState>();
  #revisions = "";

  constructor(store: PageStore, renderings: PageRenderings) {
    this.#store = store;
    this.#renderings = renderings;
  }

  /** Every workspace with its state. */
  all(): DraftState[] {
    const workspaces = this.#store.workspaces();
    const revisions = workspaces.map(({ number, revision }) => `${number} ${revision}`).join();
    if (revisions !== this.#revisions) this.#states.clear();
    this.#revisions = revisions;
    return workspaces.map((workspace) => {
      const known = this.#states.get(workspace.number);
      const state = known ?? new DraftState(workspace, this.#renderings.of(workspace));
      this.#states.set(workspace.number, state);
      return state;
    });
  }

  /** The state in which a workspace is now; undefined when there is no such workspace. */
  of(workspaceId: string): DraftState | undefined {
    return this.all().find(({ workspace }) => workspace.id === workspaceId);
  }
}
