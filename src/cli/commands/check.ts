import { InvalidArgumentError } from "commander";
import { checkSource } from "../../publish/outcome.ts";
import { didYouMean } from "../../workspace/did-you-mean.ts";
import { SvcError } from "../../workspace/errors.ts";
import { PROBLEM_LEVELS, type Problem } from "../../workspace/problem.ts";
import { withSeverities } from "../../workspace/severity.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { listOptions } from "../list-options.ts";
import { counted } from "../output/counted.ts";
import { problemCounts } from "../output/problem-groups.ts";
import { draftProblemsJson } from "../output/problem-lines.ts";
import {
  formattedProblems,
  type ProblemFormat,
  withFormattedErrors,
  withProblemFormat,
} from "../problem-format.ts";
import { type TimeOptions, withTime } from "../time-option.ts";
import { FOLDER_ARGUMENT, reading, withDraft } from "../with-draft.ts";

interface CheckOptions extends WorkspaceOptions, TimeOptions {
  readonly strict?: boolean;
  readonly all?: boolean;
  readonly code?: readonly string[];
  readonly entry?: string;
  readonly format: ProblemFormat;
}

export const checkCommand = withProblemFormat(
  withTime(
    withWorkspace(command("check", ["svc check content", "svc check --code reference-deleted"])),
  ),
)
  .argument("[folder]", FOLDER_ARGUMENT, notEmpty)
  .option("--strict", "exit with 1 for warnings too")
  .option("--all", "list every problem, not only the first of each code")
  .option("--code <code>", "list every problem of this code, and no other (repeatable)", toCodes)
  .option("--entry <id>", "list every problem of this entry, and no other", notEmpty)
  .action(
    action<CheckOptions>(async (output, options, folder) => {
      const { strict = false, all, code, entry, format } = options;
      const shown = {
        ...listOptions(options, folder),
        all: all ?? (code ?? entry) !== undefined,
      };
      const problems = await withFormattedErrors(output, format, shown, () =>
        withDraft(output, options, folder, (source, how) => {
          const found = withSeverities(checkSource(source, how), options.severity);
          if (entry !== undefined && !found.some(isOf(entry))) {
            reading(source, ({ entries }) => assertEntry(entries.get(entry), entry));
          }
          return found;
        }),
      );
      const listed = problems
        .filter((problem) => code?.includes(problem.code) ?? true)
        .filter(entry === undefined ? () => true : isOf(entry));
      if (output.json) {
        output.result(draftProblemsJson(listed, shown), "");
      } else {
        const left = problems.length - listed.length;
        const others = left > 0 ? ` (and ${counted(left, "other problem")})` : "";
        const summary = problemCounts(listed) + others;
        const lines = formattedProblems(format, listed, shown, process.stdout);
        output.result({}, [...lines, ...(format === "markdown" ? [] : [summary])].join("\n"));
      }
      return listed.some(({ level }) => strict || level === "error") ? 1 : 0;
    }),
  );

function isOf(entry: string) {
  return ({ at }: Problem) => at.kind === "entry" && at.id === entry;
}

function assertEntry(found: object | undefined, id: string): void {
  if (found !== undefined) return;
  throw new SvcError("entry-not-found", `the draft has no entry "${id}"`, {
    hint: "check the id; svc check lists the problems of all entries",
  });
}

/** Adds a code to those given before. */
function toCodes(code: string, before: readonly string[] = []): string[] {
  const codes = Object.keys(PROBLEM_LEVELS);
  if (codes.includes(code)) return [...before, code];
  const similar = didYouMean(code, codes);
  throw new InvalidArgumentError(
    similar === undefined
      ? `must be one of ${codes.join(", ")}`
      : `there is no such code; did you mean ${similar}?`,
  );
}
