import { checkStored } from "../../publish/check-stored.ts";
import { withStore } from "../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { problemCounts, problemLines, problemsJson } from "../output/problem-lines.ts";
import { programFingerprint } from "../program/program-fingerprint.ts";
import { servingThread } from "../threads/serving-thread.ts";

interface CheckOptions extends WorkspaceOptions {
  readonly strict?: boolean;
}

export const checkCommand = withWorkspace(command("check", ["svc check --strict"]))
  .option("--strict", "exit with 1 for warnings too")
  .action(
    action<CheckOptions>(async (output, { store: file, workspace, strict = false }) => {
      const problems = await withStore(file, (store) =>
        store.writeOrRead((canWrite) =>
          checkStored(store, store.workspace(workspace), {
            ...{ canWrite, program: programFingerprint() },
            ...{ onProgress: output.progress, startThread: servingThread(store.file) },
          }),
        ),
      );
      const found = { kind: "draft", list: problems } as const;
      if (output.json) output.result({ problems: problemsJson(found) }, "");
      else {
        const lines = [...problemLines(found, process.stdout), problemCounts(problems)];
        output.result({}, lines.join("\n"));
      }
      return problems.some(({ level }) => strict || level === "error") ? 1 : 0;
    }),
  );
