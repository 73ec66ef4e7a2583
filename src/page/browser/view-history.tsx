import { useState } from "preact/hooks";
import type { HistoryView } from "../history-view.ts";
import { useAnswer } from "./answers.ts";
import { Awaited, Button, EmptyState, Failure, Fold, Group, ViewHead } from "./parts.tsx";
import { Ended, HoldNote, Running, usePublishing } from "./publish-panel.tsx";
import { ChangeGroups } from "./view-changes.tsx";
import { counted, moment, number } from "./words.ts";

type Version = HistoryView["versions"][number];

/** H33: the versions of the store. */
export function HistoryPage({ history }: { history: HistoryView }) {
  const { hasStore, versions, total, hold, problem } = history;
  const { isAllowed, state, refused, begin } = usePublishing();
  const isOwn = state?.task.what === "rollback" || state?.task.what === "resume";
  return (
    <article key="history">
      <ViewHead title="History" below={hasStore && counted(total, "published version")} />
      {problem && <Failure title="The store cannot be read" problem={problem} />}
      {hold && <HoldNote hold={hold} {...(isAllowed && { resume: () => void begin("resume") })} />}
      {isOwn && state.isRunning && <Running state={state} />}
      {isOwn && !state.isRunning && <Ended state={state} />}
      {refused && <Failure problem={refused} />}
      {!hasStore && <NoStore />}
      {hasStore && versions.length === 0 && !problem && (
        <EmptyState title="Nothing is published yet">
          <p>Each publish is kept here as a version.</p>
        </EmptyState>
      )}
      <ol class="versions">
        {versions.map((version) => (
          <VersionItem
            key={version.versionId}
            version={version}
            makeCurrent={
              isAllowed && !version.isCurrent
                ? (reason) => {
                    const { versionId } = version;
                    void begin("rollback", reason === "" ? { versionId } : { versionId, reason });
                  }
                : undefined
            }
          />
        ))}
      </ol>
      {total > versions.length && (
        <p class="soft">{`and ${number(total - versions.length)} older`}</p>
      )}
    </article>
  );
}

function NoStore() {
  return (
    <EmptyState title="Earlier versions are not kept">
      <p>
        This folder is published as files, and each publish replaces the one before. With a store
        every version is kept, to compare with and to go back to.
      </p>
      <p>
        To have one, write <code>{'{ "store": "workspace.db" }'}</code> into{" "}
        <code>svc.config.json</code>, start the preview again, and publish.
      </p>
    </EmptyState>
  );
}

const ACTIONS = {
  publish: "published",
  republish: "published again",
  rollback: "made current again",
};

function VersionItem({
  version: { versionId, publishedAt, isCurrent, last, before },
  makeCurrent,
}: {
  version: Version;
  makeCurrent: ((reason: string) => void) | undefined;
}) {
  return (
    <li key={versionId}>
      <Group
        name={versionId}
        title={moment(publishedAt)}
        beside={
          <>
            {isCurrent && <span class="tag is-good">current</span>}{" "}
            {last && last.at !== publishedAt && `${ACTIONS[last.action]} ${moment(last.at)} `}
            <code title={versionId}>{versionId.slice(0, 12)}</code>
          </>
        }
      >
        <Fold summary={before === "" ? "What it had" : "What it changed"}>
          {() => <VersionChanges from={before} to={versionId} />}
        </Fold>
        <Fold summary="Compared with the draft">
          {() => <VersionChanges from={versionId} to="draft" />}
        </Fold>
        {makeCurrent && <MakeCurrent makeCurrent={makeCurrent} />}
      </Group>
    </li>
  );
}

/** Asks once more, and for the reason, which others see while it is held. */
function MakeCurrent({ makeCurrent }: { makeCurrent: (reason: string) => void }) {
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState("");
  if (!isAsking) {
    return (
      <p>
        <Button onClick={() => setAsking(true)}>Make current again…</Button>
      </p>
    );
  }
  return (
    <form
      class="make-current"
      onSubmit={(event) => {
        event.preventDefault();
        setAsking(false);
        makeCurrent(reason.trim());
      }}
    >
      <p>
        Readers get this version at once. Nothing else is published until somebody ends the hold;
        the draft stays as it is.
      </p>
      <p>
        <input
          type="text"
          maxLength={200}
          placeholder="Why? (others see it)"
          aria-label="Reason"
          value={reason}
          onInput={({ currentTarget }) => setReason(currentTarget.value)}
        />{" "}
        <button type="submit">Make current</button>{" "}
        <Button onClick={() => setAsking(false)}>Cancel</Button>
      </p>
    </form>
  );
}

function VersionChanges({ from, to }: { from: string; to: string }) {
  const { answer, error } = useAnswer("version-changes", { from, to });
  if (answer === undefined) return <Awaited error={error} text="Comparing…" />;
  return <ChangeGroups changes={answer} />;
}
