import type { IncomingMessage, ServerResponse } from "node:http";
import { COMMON_HEADERS, PREVIEW_HEADERS } from "../http/published-headers.ts";
import type { DocumentChanges } from "./known-documents.ts";
import type { LiveDrafts } from "./live-drafts.ts";
import { changeEvent, type EventStream, streamEvents } from "./live-events.ts";
import type { DraftAnswers } from "./page/draft-data.ts";
import { type PreviewedDrafts, workspaceOfToken } from "./previewed-drafts.ts";
import { respondProblem } from "./respond.ts";

/** An event with more characters says that any experience may have changed. */
const LARGEST_EVENT = 32 * 1024;
/** The longest time of a timer, in milliseconds. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** H51: the data of an event where it is not known what has changed. */
const ANY = { experiences: null, project: true, schema: true };

type Ask = (since: string) => Promise<DocumentChanges | undefined>;

/**
 * The events of projects on a preview (H50, H51): which documents have changed. They are compared in a
 * thread beside the server, after each change of a draft, while a stream is open.
 */
export class DraftEvents {
  readonly #drafts: PreviewedDrafts;
  readonly #live: LiveDrafts;
  readonly #thread: Pick<DraftAnswers, "answer">;
  readonly #onDefect: (error: unknown) => void;
  /** By workspace and project: of those that a valid token asked for. */
  readonly #projects = new Map<string, ProjectEvents>();

  constructor(
    drafts: PreviewedDrafts,
    live: LiveDrafts,
    thread: Pick<DraftAnswers, "answer">,
    onDefect: (error: unknown) => void,
  ) {
    this.#drafts = drafts;
    this.#live = live;
    this.#thread = thread;
    this.#onDefect = onDefect;
  }

  /** Responds with the events of a project, given every `preview_token` of the request (H3). */
  serve(
    projectId: string,
    tokens: readonly string[],
    request: IncomingMessage,
    response: ServerResponse,
  ): void {
    const drafts = this.#drafts;
    const reads = () => drafts.read(() => workspaceOfToken(drafts, projectId, tokens, new Date()));
    const workspace = reads();
    if (workspace === undefined) {
      respondProblem(response, "preview-token-invalid", PREVIEW_HEADERS);
      return;
    }
    const mayRead = () => {
      try {
        return reads()?.id === workspace.id;
      } catch {
        // The store is gone: whoever asks again is told.
        return false;
      }
    };
    const key = JSON.stringify([workspace.id, projectId]);
    const project = this.#projects.get(key) ?? this.#events(workspace.id, projectId);
    this.#projects.set(key, project);
    const at = request.headers["last-event-id"]?.toString();
    const start = (stream: EventStream) =>
      project.join({ ...stream, at, mark: drafts.changeMark, openedAt: Date.now() });
    const headers = { ...COMMON_HEADERS, ...PREVIEW_HEADERS };
    const source = { owner: this, live: this.#live };
    streamEvents(source, { start, headers, mayRead }, request, response);
  }

  #events(workspace: string, project: string): ProjectEvents {
    const ask: Ask = async (since) => {
      const query = new URLSearchParams({ workspace, project, since }).toString();
      const { signal } = new AbortController();
      const answer = await this.#thread.answer("changed-documents", query, signal);
      return answer === undefined ? undefined : JSON.parse(answer);
    };
    return new ProjectEvents(ask, this.#live, this.#drafts, this.#onDefect);
  }
}

interface Reader extends EventStream {
  /** The state that the client knows: at first the one that it names; undefined: none. */
  at: string | undefined;
  /** Of the drafts and of the clock, when the stream was opened. */
  readonly mark: string;
  readonly openedAt: number;
}

/** The streams of one project. */
class ProjectEvents {
  readonly #ask: Ask;
  readonly #live: LiveDrafts;
  readonly #drafts: Pick<PreviewedDrafts, "changeMark">;
  readonly #onDefect: (error: unknown) => void;
  readonly #readers = new Set<Reader>();
  #state = "";
  #isAsking = false;
  /** Whether something may have changed since it was asked last. */
  #isStale = false;
  #offChange = () => {};
  #timer: NodeJS.Timeout | undefined;

  constructor(
    ask: Ask,
    live: LiveDrafts,
    drafts: Pick<PreviewedDrafts, "changeMark">,
    onDefect: (error: unknown) => void,
  ) {
    this.#ask = ask;
    this.#live = live;
    this.#drafts = drafts;
    this.#onDefect = onDefect;
  }

  join(reader: Reader): () => void {
    if (this.#readers.size === 0) {
      this.#offChange = this.#live.onChange(() => {
        for (const { check } of this.#readers) check();
        void this.#follow();
      });
    }
    this.#readers.add(reader);
    void this.#follow();
    return () => {
      this.#readers.delete(reader);
      if (this.#readers.size > 0) return;
      this.#offChange();
      clearTimeout(this.#timer);
    };
  }

  async #follow(): Promise<void> {
    this.#isStale = true;
    if (this.#isAsking) return;
    this.#isAsking = true;
    while (this.#isStale && this.#readers.size > 0) {
      this.#isStale = false;
      const since = this.#state;
      try {
        const changes = await this.#ask(since);
        this.#state = changes?.state ?? "";
        if (changes !== undefined) this.#tell(since, changes);
      } catch (error) {
        // After the next change it is asked again. A preview that stops ends its streams itself.
        this.#state = "";
        if ((error as { code?: unknown }).code !== "preview-stopped") this.#onDefect(error);
      }
    }
    this.#isAsking = false;
  }

  #tell(since: string, { state, changed, from, until }: DocumentChanges): void {
    const data = JSON.stringify(changed);
    const exact = changed === null || data.length > LARGEST_EVENT ? JSON.stringify(ANY) : data;
    const mark = this.#drafts.changeMark;
    for (const reader of this.#readers) {
      const { at, send } = reader;
      reader.at = state;
      const isFirst = at === undefined;
      if (isFirst && reader.mark === mark && (from ?? 0) <= reader.openedAt) {
        // An id without data is no event, but the one that the client names when it reconnects.
        send(`id: ${state}\n\n`);
      } else if (at !== state) {
        send(changeEvent(state, at === since ? exact : JSON.stringify(ANY)));
      }
    }
    clearTimeout(this.#timer);
    if (until === null || this.#readers.size === 0) return;
    const wait = Math.min(until - Date.now(), LONGEST_TIMER);
    this.#timer = setTimeout(() => void this.#follow(), wait).unref();
  }
}
