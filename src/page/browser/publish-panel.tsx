import { useContext, useEffect, useRef, useState } from "preact/hooks";
import type { Hold } from "../../workspace/hold.ts";
import type { CompleteChanges } from "../changes.ts";
import type { PublishResult, PublishState } from "../publisher.ts";
import { act } from "./access.ts";
import { Shown } from "./answers.ts";
import { Button, Failure } from "./parts.tsx";
import { viewHref } from "./router.ts";
import { counted, moment, number } from "./words.ts";

/** How often the state of a publish that runs is asked, in milliseconds. */
const POLL = 400;

/** The task of this workspace that runs or ran last, in whichever tab it began; and how to begin one. */
export function usePublishing() {
  const { workspaceId, revision, actions } = useContext(Shown);
  const [state, setState] = useState<PublishState | null>(null);
  const [refused, setRefused] = useState<Error>();
  const isAllowed = actions.includes("publish");
  useEffect(() => {
    if (!isAllowed) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    const poll = async () => {
      const answer = await act<{ state: PublishState | null }>("publish-state").catch(
        () => undefined,
      );
      if (isGone) return;
      if (answer !== undefined) setState(answer.state);
      if (answer === undefined || answer.state?.isRunning) timer = setTimeout(poll, POLL);
    };
    void poll();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [workspaceId, revision, isAllowed, state?.isRunning]);
  const begin = async (action: string, body: object = {}) => {
    setRefused(undefined);
    try {
      setState(await act<PublishState>(action, body));
    } catch (error) {
      setRefused(error as Error);
    }
  };
  return { isAllowed, state, refused, begin };
}

/** H33: shows what a publish would change, then does it. */
export function PublishPanel({
  isBlocked,
  changes,
}: {
  isBlocked: boolean;
  changes: CompleteChanges;
}) {
  const { isAllowed, state, refused, begin } = usePublishing();
  const [dismissed, setDismissed] = useState(0);
  const { draft } = useContext(Shown);
  /** The draft of which the task is. */
  const seen = useRef({ task: 0, draft });
  if (state !== null && seen.current.task !== state.id) seen.current = { task: state.id, draft };
  if (!isAllowed) return null;
  const shown = state !== null && state.id !== dismissed ? state : null;
  const isPlan = shown?.task.what === "plan" && !shown.isRunning && shown.result !== undefined;
  const close = () => setDismissed(state?.id ?? 0);
  return (
    <section class="publish" aria-label="Publish">
      {shown && !isPlan && <Task state={shown} />}
      {isPlan && shown.result && (
        <Plan
          result={shown.result}
          isOld={seen.current.draft !== draft}
          changes={changes}
          begin={begin}
          close={close}
        />
      )}
      {refused && <Failure problem={refused} />}
      {!shown?.isRunning && !isPlan && (
        <p>
          <button type="button" disabled={isBlocked} onClick={() => void begin("publish-plan")}>
            Publish…
          </button>
          <span class="soft">
            {isBlocked
              ? " The errors above must be mended first."
              : " First shows what would change."}
          </span>
        </p>
      )}
    </section>
  );
}

const RUNNING = {
  plan: "Working out what would change",
  publish: "Publishing",
  rollback: "Making the version current",
  resume: "Ending the hold",
};

/** What is done, or what became of it. */
export function Task({ state }: { state: PublishState }) {
  const { task, progress, isRunning } = state;
  if (!isRunning) return <Ended state={state} />;
  return (
    <p role="status">
      {RUNNING[task.what]}…{" "}
      {progress && (
        <>
          <progress value={progress.done} max={progress.total} aria-label={progress.what} />{" "}
          <span class="soft">{progress.what}</span>
        </>
      )}
    </p>
  );
}

/** What would be published, or why it would be refused. */
function Plan({
  result,
  isOld,
  changes: { base, summary },
  begin,
  close,
}: {
  result: PublishResult;
  /** Whether the draft has changed since. */
  isOld: boolean;
  changes: CompleteChanges;
  begin: (action: string) => void;
  close: () => void;
}) {
  const { published, documents, breaking = 0, from, removals, hold } = result;
  const isTooMuch = removals !== undefined && removals.count > removals.limit;
  const isRefused = isTooMuch || !!hold;
  const { added = 0, changed = 0, removed = 0 } = documents ?? {};
  return (
    <>
      <h2>{published ? "Publish this?" : "There is nothing new to publish"}</h2>
      {published && (
        <ul>
          {/* The changes on the page may be those since something else (H30). */}
          {from === base.versionId && (
            <li>
              {sentence("Entries", {
                changed: summary.entriesChanged,
                new: summary.entriesAdded,
                removed: summary.entriesRemoved,
              })}
            </li>
          )}
          <li>{sentence("Documents", { changed, new: added, removed })}</li>
          {breaking > 0 && (
            <li>{`${counted(breaking, "change")} of the schema may break the site: ask its developers`}</li>
          )}
        </ul>
      )}
      {isTooMuch && (
        <p class="note is-bad">
          {`This would remove ${counted(removals.count, "document")} of ${number(removals.of)}, more than ${number(removals.limit)}. If that is meant, run in the terminal: `}
          <code>{`svc publish … --max-removals ${removals.count}`}</code>
        </p>
      )}
      {hold && <HoldNote hold={hold} resume={() => begin("resume")} />}
      {isOld && <p class="note is-warn">Something has changed since this was worked out.</p>}
      <p>
        {isOld ? (
          <button type="button" onClick={() => begin("publish-plan")}>
            Look again
          </button>
        ) : (
          published &&
          !isRefused && (
            <button type="button" onClick={() => begin("publish")}>
              Publish now
            </button>
          )
        )}{" "}
        <Button onClick={close}>{published && !isRefused ? "Cancel" : "Close"}</Button>
      </p>
    </>
  );
}

/** By whom and why nothing is published. @param resume ends it, where that is allowed */
export function HoldNote({
  hold: { at, by, reason },
  resume,
}: {
  hold: Hold;
  resume?: () => void;
}) {
  return (
    <p class="note is-warn" dir="auto">
      {`Held since ${moment(at)} by ${by}${reason ? `: ${reason}` : ""}. Nothing else is published until the hold ends. `}
      {resume && (
        <button type="button" onClick={resume}>
          End the hold
        </button>
      )}
    </p>
  );
}

/** "Entries: 2 changed, 1 new". */
function sentence(what: string, counts: Readonly<Record<string, number>>) {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  return `${what}: ${some.map(([how, count]) => `${number(count)} ${how}`).join(", ") || "none"}`;
}

const DONE = {
  plan: "",
  publish: "Published",
  rollback: "This version is current again, and is held",
  resume: "The hold has ended: publish again",
};

function Ended({ state }: { state: PublishState }) {
  const { task, result, failure } = state;
  if (failure) {
    const { errors = 0 } = failure;
    const title = task.what === "plan" ? "This cannot be published" : "It failed";
    return (
      <Failure title={title} problem={failure}>
        {errors > 0 && (
          <>
            {" "}
            <a href={viewHref(["problems"])}>{counted(errors, "error")}</a>
          </>
        )}
      </Failure>
    );
  }
  if (result === undefined) return null;
  const isSame = task.what === "publish" && result.published === false;
  return (
    <p class="note is-good" role="status">
      {isSame ? "It was published like this already" : DONE[task.what]}
      {result.versionId && (
        <span class="soft">
          {" version "}
          <code title={result.versionId}>{result.versionId.slice(0, 12)}</code>
        </span>
      )}
    </p>
  );
}
