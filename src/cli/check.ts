import { checkDraft } from "../documents/check-draft.ts";
import { Rendering } from "../documents/rendering.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "./command.ts";
import { problemCounts, problemLines } from "./problem-lines.ts";
import { withStore } from "./with-store.ts";

interface CheckOptions extends WorkspaceOptions {
  readonly strict?: boolean;
}

export const checkCommand = withWorkspace(command("check", ["svc check --strict"]))
  .option("--strict", "exit with 1 for warnings too")
  .action(
    action<CheckOptions>(async (output, { store: file, workspace, strict = false }) => {
      const problems = await withStore(file, (store) =>
        store.read(() => {
          const draft = store.draft(store.workspace(workspace));
          let done = 0;
          return checkDraft(new Rendering(draft), () => {
            done += 1;
            output.progress(done, draft.entryCount, "entries checked");
          });
        }),
      );
      const lines = [...problemLines(problems, process.stdout), problemCounts(problems)];
      output.result({ problems }, lines.join("\n"));
      return problems.some(({ level }) => strict || level === "error") ? 1 : 0;
    }),
  );
