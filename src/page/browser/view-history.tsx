import { useState } from "preact/hooks";
import type { HistoryView } from "../history-view.ts";
import { useAnswer } from "./answers.ts";
import { DialogButton, TextInput } from "./edit-dialog.tsx";
import { Awaited, EmptyState, Failure, Fold, Group, ViewHead } from "./parts.tsx";
import { HoldNote, Task, usePublishing } from "./publish-panel.tsx";
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
      {isOwn && <Task state={state} />}
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
            begin={isAllowed && !version.isCurrent ? begin : undefined}
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

type Begin = ReturnType<typeof usePublishing>["begin"];

function VersionItem({ version, begin }: { version: Version; begin: Begin | undefined }) {
  const { versionId, publishedAt, isCurrent, last, before } = version;
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
        {begin && <MakeCurrent version={version} begin={begin} />}
      </Group>
    </li>
  );
}

/** Asks once more, and for the reason, which others see while it is held. */
function MakeCurrent({ version, begin }: { version: Version; begin: Begin }) {
  const { versionId, publishedAt } = version;
  const [written, setWritten] = useState("");
  const reason = written.trim();
  return (
    <DialogButton
      label="Make current again…"
      title={`Make the version of ${moment(publishedAt)} current again?`}
      send="Make current"
      save={() => begin("rollback", { versionId, ...(reason && { reason }) })}
    >
      <p>
        Readers get this version at once. Nothing else is published until somebody ends the hold;
        the draft stays as it is.
      </p>
      <TextInput label="Reason, which others see" value={written} set={setWritten} isFirst />
    </DialogButton>
  );
}

function VersionChanges({ from, to }: { from: string; to: string }) {
  const { answer, error } = useAnswer("version-changes", { from, to });
  if (answer === undefined) return <Awaited error={error} text="Comparing…" />;
  return <ChangeGroups changes={answer} />;
}
