import { rollback, write } from "../../publish/publish.ts";
import { withStore } from "../../store/with-store.ts";
import { counted, filesText, styled } from "../output/words.ts";
import type { Run } from "../table/table.ts";
import { assertNoWorkspaceIn } from "../workspace-folder.ts";

export const versionsCommand: Run<"versions"> = async (output, options) => {
  const { id, current, versions, journal } = await withStore(options.store, (store) =>
    store.read(() => {
      const { number, id } = store.workspace(options.workspace);
      const current = store.history.current(number) ?? null;
      const versions = store.history.list(number);
      return { id, current, versions, journal: store.history.journal(number) };
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
  output.result({ workspaceId: id, current, versions, journal }, [...lines, `"${id}": ${counts}`]);
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
  { store: file, workspace, out, versionId: prefix },
) => {
  assertNoWorkspaceIn(out);
  const { workspaceId, versionId, from, rolledBack, files } = await withStore(file, (store) =>
    rollback(store, store.workspace(workspace), prefix, out, {
      now: new Date(),
      onProgress: output.progress,
    }),
  );
  const text = rolledBack
    ? `rolled "${workspaceId}" back from version ${from} to ${versionId}`
    : `version ${versionId} of "${workspaceId}" is already current`;
  output.result(
    { workspaceId, versionId, from, rolledBack, files },
    `${text}\n${out}: ${filesText(files)}`,
  );
  if (rolledBack) output.note("the draft is unchanged; svc publish publishes it");
};
