import type { IncomingMessage, ServerResponse } from "node:http";
import { COMMON_HEADERS, PREVIEW_HEADERS } from "../http/published-headers.ts";
import type { DraftOwner } from "./draft-owner.ts";
import type { Live } from "./live.ts";
import { changeEvent, HEARTBEAT, streamEvents } from "./live-events.ts";
import { respondProblem } from "./respond.ts";

/** An event with more characters says that any experience may have changed. */
const LARGEST_EVENT = 32 * 1024;
/** H51: where it is not known what has changed. */
const ANY = JSON.stringify({ experiences: null, project: true, schema: true });

/** H50: responds with the events of projects, whose documents the owner of the draft compares. */
export class DraftEvents {
  readonly #owner: DraftOwner;
  readonly #live: Live;
  readonly #onDefect: (error: unknown) => void;

  constructor(owner: DraftOwner, live: Live, onDefect: (error: unknown) => void) {
    this.#owner = owner;
    this.#live = live;
    this.#onDefect = onDefect;
  }

  /** @param tokens every `preview_token` of the request (H3) */
  async serve(
    project: string,
    tokens: readonly string[],
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const [owner, live] = [this.#owner, this.#live];
    const mark = await owner.mark(project, tokens);
    if (response.closed) return;
    if (mark === undefined) {
      return respondProblem(response, "preview-token-invalid", PREVIEW_HEADERS);
    }
    /** The state that the client knows: at first the one that it names. */
    let since = request.headers["last-event-id"]?.toString() ?? "";
    const start = (send: (text: string) => void, end: () => void) => {
      const gone = new AbortController();
      let timer: NodeJS.Timeout | undefined;
      const compare = async () => {
        if (response.closed) return;
        const found = await owner.changes(project, tokens, since, gone.signal);
        if (found === undefined) return end();
        const { state, changed, until } = found;
        const data = changed && JSON.stringify(changed);
        const isKnown = data !== null && data.length <= LARGEST_EVENT;
        // An id alone is no event, but what the client names when it reconnects.
        if (since === "" && mark === found.mark) send(`id: ${state}\n\n`);
        else if (state !== since) send(changeEvent(state, isKnown ? data : ANY));
        since = state;
        // H53, A5: the token may expire, and documents may change by the clock.
        timer = setTimeout(ask, Math.min(HEARTBEAT, (until ?? Infinity) - Date.now())).unref();
      };
      let asked = Promise.resolve();
      const ask = () => {
        clearTimeout(timer);
        asked = asked.then(compare).catch((error) => {
          if (error.code !== "preview-stopped" && !response.closed) this.#onDefect(error);
          end();
        });
      };
      ask();
      const offChange = live.onChange(ask);
      return () => {
        offChange();
        clearTimeout(timer);
        gone.abort();
      };
    };
    const headers = { ...COMMON_HEADERS, ...PREVIEW_HEADERS };
    streamEvents({ owner: this, live, headers, start }, request, response);
  }
}
