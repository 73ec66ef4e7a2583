import { checkStored } from "../../publish/check-stored.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { problemCounts, problemLines, problemsJson } from "../output/problem-lines.ts";
import { FOLDER_ARGUMENT, withDraft } from "../with-draft.ts";

interface CheckOptions extends WorkspaceOptions {
  readonly strict?: boolean;
}

export const checkCommand = withWorkspace(
  command("check", ["svc check content", "svc check --strict"]),
)
  .argument("[folder]", FOLDER_ARGUMENT, notEmpty)
  .option("--strict", "exit with 1 for warnings too")
  .action(
    action<CheckOptions>(async (output, options, folder) => {
      const { strict = false } = options;
      const problems = await withDraft(output, options, folder, ({ store, workspace, how }) =>
        store.writeOrRead((canWrite) => checkStored(store, workspace, { ...how, canWrite })),
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
