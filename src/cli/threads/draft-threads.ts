import type { PostedChange } from "../../folder/posted-change.ts";
import {
  type DraftAnswers,
  type DraftQuery,
  type QueryThread,
  threadOfQuery,
} from "../../page/queries.ts";
import { DraftThread, type ThreadSource } from "./draft-thread.ts";

/** H37: the threads beside the server, each of which starts with its first query, if not before. */
export class DraftThreads implements DraftAnswers {
  readonly #threads: Readonly<Record<QueryThread, DraftThread>>;

  readonly #prepared = new Set<string>();

  /** @param source is asked for whenever a thread starts. */
  constructor(source: () => ThreadSource) {
    this.#threads = { read: new DraftThread(source), check: new DraftThread(source) };
  }

  start(): void {
    for (const thread of Object.values(this.#threads)) thread.start();
  }

  change(change: PostedChange): void {
    for (const thread of Object.values(this.#threads)) thread.change(change);
  }

  answer(name: DraftQuery, query: string, signal: AbortSignal): Promise<string | undefined> {
    const thread = threadOfQuery(name, new URLSearchParams(query));
    return this.#threads[thread].answer(name, query, signal);
  }

  prepare(workspace: string): void {
    if (this.#prepared.has(workspace)) return;
    this.#prepared.add(workspace);
    void this.#readAll(workspace).catch(() => this.#prepared.delete(workspace));
  }

  /** In parts, so that what a person waits for comes between. */
  async #readAll(workspace: string): Promise<void> {
    const query = new URLSearchParams({ workspace }).toString();
    for (let isComplete = false; !isComplete; ) {
      const answer = await this.answer("search-texts", query, new AbortController().signal);
      isComplete = answer === undefined || JSON.parse(answer).isComplete;
    }
  }

  async close(): Promise<void> {
    await Promise.all(Object.values(this.#threads).map((thread) => thread.close()));
  }
}
