import { action, command, type WorkspaceOptions, withOut, withWorkspace } from "./command.ts";
import { filesText } from "./publish.ts";

interface WriteOptions extends WorkspaceOptions {
  readonly out: string;
}

export const write = withOut(
  withWorkspace(
    command("write", "Write the current version's files again, without publishing.", [
      "svc write --out out",
    ]),
  ),
).action(
  action<WriteOptions>(async (output, { store: file, workspace, out }) => {
    const { write } = await import("../publish/publish.ts");
    const { withStore } = await import("./with-store.ts");
    const result = await withStore(file, {}, (store) =>
      write(store, store.workspace(workspace), out, output.progress),
    );
    const { workspaceId, versionId, files } = result;
    output.result(
      { workspaceId, versionId, files },
      `wrote version ${versionId} of "${workspaceId}"\n${out}: ${filesText(files)}`,
    );
    return 0;
  }),
);
