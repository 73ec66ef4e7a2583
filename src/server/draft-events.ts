import type { IncomingMessage, ServerResponse } from "node:http";
import type { DocumentChanges } from "../documents/changed-documents.ts";
import { COMMON_HEADERS, PREVIEW_HEADERS } from "../http/published-headers.ts";
import type { DraftAnswers } from "../page/queries.ts";
import type { LiveDrafts } from "./live-drafts.ts";
import { changeEvent, HEARTBEAT, streamEvents } from "./live-events.ts";
import { type PreviewedDrafts, workspaceOfToken } from "./previewed-drafts.ts";
import { respondProblem } from "./respond.ts";

/** An event with more characters says that any experience may have changed. */
const LARGEST_EVENT = 32 * 1024;
/** H51: where it is not known what has changed. */
const ANY = JSON.stringify({ experiences: null, project: true, schema: true });

/** Responds with the events of a project, given every `preview_token` of the request (H3). */
export type ServeEvents = ReturnType<typeof draftEvents>;

/** H50: the events of projects, whose documents a thread beside the server compares. */
export function draftEvents(
  drafts: PreviewedDrafts,
  live: LiveDrafts,
  thread: Pick<DraftAnswers, "answer">,
  onDefect: (error: unknown) => void,
) {
  return (
    project: string,
    tokens: readonly string[],
    request: IncomingMessage,
    response: ServerResponse,
  ) => {
    const reads = () => drafts.read(() => workspaceOfToken(drafts, project, tokens, new Date()));
    const workspace = reads()?.id;
    if (!workspace) return respondProblem(response, "preview-token-invalid", PREVIEW_HEADERS);
    /** The state that the client knows: at first the one that it names. */
    let since = request.headers["last-event-id"]?.toString() ?? "";
    const mark = drafts.changeMark;
    const start = (send: (text: string) => void, end: () => void) => {
      let timer: NodeJS.Timeout | undefined;
      const compare = async () => {
        if (response.closed) return;
        if (reads()?.id !== workspace) return end();
        const query = new URLSearchParams({ workspace, project, since }).toString();
        const { signal } = new AbortController();
        const answer = await thread.answer("changed-documents", query, signal);
        if (answer === undefined || reads()?.id !== workspace) return end();
        const { state, changed, until }: DocumentChanges = JSON.parse(answer);
        const data = changed && JSON.stringify(changed);
        const isKnown = data !== null && data.length <= LARGEST_EVENT;
        // An id alone is no event, but what the client names when it reconnects.
        if (since === "" && mark === drafts.changeMark) send(`id: ${state}\n\n`);
        else if (state !== since) send(changeEvent(state, isKnown ? data : ANY));
        since = state;
        // H53, A5: the token may expire, and documents may change by the clock.
        timer = setTimeout(ask, Math.min(HEARTBEAT, (until ?? Infinity) - Date.now())).unref();
      };
      let asked = Promise.resolve();
      const ask = () => {
        clearTimeout(timer);
        asked = asked.then(compare).catch((error) => {
          if (error.code !== "preview-stopped") onDefect(error);
          end();
        });
      };
      ask();
      const offChange = live.onChange(ask);
      return () => {
        offChange();
        clearTimeout(timer);
      };
    };
    const headers = { ...COMMON_HEADERS, ...PREVIEW_HEADERS };
    streamEvents({ owner: drafts, live, headers, start }, request, response);
  };
}
