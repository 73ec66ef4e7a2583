import type { Problem } from "../workspace/problem.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "./command.ts";
import { counted } from "./output.ts";
import { problemLines } from "./problem-lines.ts";

interface CheckOptions extends WorkspaceOptions {
  readonly strict?: boolean;
}

export const check = withWorkspace(
  command("check", "List the draft's problems. Exit status 1 if there is an error.", [
    "svc check --strict",
  ]),
)
  .option("--strict", "exit with 1 for warnings too")
  .action(
    action<CheckOptions>(async (output, { store: file, workspace, strict = false }) => {
      const { Rendering } = await import("../documents/rendering.ts");
      const { checkDraft } = await import("../documents/check-draft.ts");
      const { withStore } = await import("./with-store.ts");
      const problems = await withStore(file, {}, (store) =>
        store.read(() => {
          const draft = store.draft(store.workspace(workspace));
          const { entryCount } = draft;
          let done = 0;
          return checkDraft(new Rendering(draft), () => {
            done += 1;
            output.progress(done, entryCount, "entries checked");
          });
        }),
      );
      const lines = [...problemLines(problems, process.stdout), problemCounts(problems)];
      output.result({ problems }, lines.join("\n"));
      return problems.some(({ level }) => strict || level === "error") ? 1 : 0;
    }),
  );

/** "no problems", or "1 error, 2 warnings". */
export function problemCounts(problems: readonly Problem[]): string {
  if (problems.length === 0) return "no problems";
  const errors = problems.filter(({ level }) => level === "error").length;
  const warnings = problems.length - errors;
  return `${counted(errors, "error")}, ${counted(warnings, "warning")}`;
}
