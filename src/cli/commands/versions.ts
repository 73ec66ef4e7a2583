import { resume, rollback, write } from "../../publish/rollback.ts";
import { withStore } from "../../store/with-store.ts";
import { holdText } from "../../workspace/hold.ts";
import { styled } from "../output/print.ts";
import { counted, filesText, resumedText } from "../output/words.ts";
import { actor } from "../program/actor.ts";
import type { Run } from "../table/table.ts";
import { assertNoWorkspaceIn } from "../workspace-folder.ts";

export const versionsCommand: Run<"versions"> = async (output, options) => {
  const { id, current, versions, journal, hold } = await withStore(options.store, (store) =>
    store.read(() => {
      const { number, id } = store.workspace(options.workspace);
      const current = store.history.current(number) ?? null;
      const versions = store.history.list(number);
      const hold = store.history.hold(number) ?? null;
      return { id, current, versions, journal: store.history.journal(number), hold };
    }),
  );
  const lines = options.journal
    ? journal.map(({ at, action, from, to }) =>
        [at, action.padEnd(9), `${from ?? "nothing".padEnd(to.length)} → ${to}`].join("  "),
      )
    : versions.map(({ versionId, publishedAt }) => {
        const isCurrent = versionId === current;
        const line = `${isCurrent ? "*" : " "} ${versionId}  ${publishedAt}`;
        return isCurrent ? styled("green", `${line}  current`, process.stdout) : line;
      });
  const counts = options.journal
    ? counted(journal.length, "change")
    : counted(versions.length, "version");
  const held = hold === null ? [] : [`"${id}" is ${holdText(hold)}`];
  output.result({ workspaceId: id, current, versions, journal, hold }, [
    ...lines,
    `"${id}": ${counts}`,
    ...held,
  ]);
};

export const writeCommand: Run<"write"> = async (output, { store: file, workspace, out }) => {
  assertNoWorkspaceIn(out);
  const { workspaceId, versionId, files } = await withStore(file, (store) =>
    write(store, store.workspace(workspace), out, { onProgress: output.progress }),
  );
  output.result(
    { workspaceId, versionId, files },
    `wrote version ${versionId} of "${workspaceId}"\n${out}: ${filesText(files)}`,
  );
};

export const rollbackCommand: Run<"rollback"> = async (
  output,
  { store: file, workspace, out, versionId: prefix, reason },
) => {
  assertNoWorkspaceIn(out);
  const { workspaceId, versionId, from, rolledBack, files, hold } = await withStore(file, (store) =>
    rollback(store, store.workspace(workspace), prefix, out, {
      now: new Date(),
      holder: { by: actor(), reason },
      onProgress: output.progress,
    }),
  );
  const text = rolledBack
    ? `rolled "${workspaceId}" back from version ${from} to ${versionId}`
    : `version ${versionId} of "${workspaceId}" is already current`;
  output.result(
    { workspaceId, versionId, from, rolledBack, files, hold: hold ?? null },
    `${text}\n${out}: ${filesText(files)}`,
  );
  output.note(
    hold === undefined
      ? "nothing was rolled back, so nothing is held"
      : "held: svc publish is refused until svc resume; the draft is unchanged",
  );
};

export const resumeCommand: Run<"resume"> = async (output, { store: file, workspace: named }) => {
  const { workspaceId, ended } = await withStore(file, (store) => {
    const workspace = store.workspace(named);
    return { workspaceId: workspace.id, ended: resume(store, workspace) ?? null };
  });
  output.result({ workspaceId, ended }, resumedText(workspaceId, ended));
};
