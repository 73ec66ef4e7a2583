import { write } from "../../publish/publish.ts";
import { withStore } from "../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { filesText } from "../output/counted.ts";
import { withWrittenOut } from "../with-written-out.ts";

interface WriteOptions extends WorkspaceOptions {
  readonly out: string;
}

export const writeCommand = withWrittenOut(
  withWorkspace(command("write", ["svc write --out out"])),
).action(
  action<WriteOptions>(async (output, { store: file, workspace, out }) => {
    const result = await withStore(file, (store) =>
      write(store, store.workspace(workspace), out, {
        onProgress: output.progress,
      }),
    );
    const { workspaceId, versionId, files } = result;
    output.result(
      { workspaceId, versionId, files },
      `wrote version ${versionId} of "${workspaceId}"\n${out}: ${filesText(files)}`,
    );
    return 0;
  }),
);
