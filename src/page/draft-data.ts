import { KnownDocuments } from "../documents/changed-documents.ts";
import type { DraftRenderings } from "../server/draft-renderings.ts";
import type { PreviewedDrafts } from "../server/previewed-drafts.ts";
import type { SnapshotSource } from "./changes.ts";
import { DraftStates } from "./draft-state.ts";
import type { DraftFiles } from "./problem-list.ts";
import { answerBeside, type DraftQuery } from "./queries.ts";
import { RecordList } from "./record-list.ts";

/** Computes the answers, each from one read transaction (H5). */
export class DraftData {
  readonly #drafts: PreviewedDrafts;
  readonly #states: DraftStates;
  readonly #snapshots: SnapshotSource;
  /** By workspace number. */
  readonly #lists = new Map<number, RecordList>();
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
    const beside = { snapshots: this.#snapshots, files: this.#files, documents: this.#documents };
    const parameter = (key: string) => query.get(key) ?? "";
    return this.#drafts.read(() => {
      const state = this.#states.of(parameter("workspace"));
      if (state === undefined) return undefined;
      const { number } = state.workspace;
      const list = this.#lists.get(number) ?? new RecordList();
      this.#lists.set(number, list);
      const asked = { ...beside, state, query, parameter, list };
      return state.remembered(`${beside.snapshots.mark()} ${list.reads} ${name} ${query}`, () =>
        JSON.stringify(answerBeside(name, asked)),
      );
    });
  }
}
