import { type Command, Option } from "commander";
import { type ErrorProblems, SvcError } from "../workspace/errors.ts";
import type { Problem } from "../workspace/problem.ts";
import { githubFaults, githubProblems } from "./output/github.ts";
import { markdownFaults, markdownProblems } from "./output/markdown.ts";
import type { Output } from "./output/output.ts";
import { type ListOptions, problemGroups } from "./output/problem-groups.ts";
import { placedProblems, refusedLines, refusingProblems } from "./output/problem-lines.ts";

export type ProblemFormat = "text" | "github" | "markdown";

export function withProblemFormat(to: Command): Command {
  return to.addOption(formatOption("text", "github", "markdown"));
}

export function formatOption(...formats: readonly [ProblemFormat, ...ProblemFormat[]]): Option {
  return new Option("--format <format>", `print ${formats.join(", ")}`)
    .choices(formats)
    .default("text")
    .conflicts("json");
}

/** Problems in a format; `stream` is where text is printed. */
export function formattedProblems(
  format: ProblemFormat,
  problems: readonly Problem[],
  options: ListOptions,
  stream: NodeJS.WriteStream,
): string[] {
  switch (format) {
    case "text":
      return problemGroups(problems, options, stream);
    case "github":
      return githubProblems(problems, options);
    case "markdown":
      return markdownProblems(problems, options);
  }
}

/** Prints the problems for which `work` is refused, in the format and with their places. */
export async function withFormattedErrors<T>(
  output: Output,
  format: ProblemFormat,
  options: ListOptions,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, message, hint, problems } = error;
    const more = { ...(hint !== undefined && { hint }), cause: error };
    if (output.json) {
      if (problems?.kind !== "draft") throw error;
      throw new SvcError(code, message, {
        ...more,
        problems: placedProblems(problems.list, options),
      });
    }
    const lines = refusalLines(problems, format, options);
    if (lines === undefined) throw error;
    const stream = format === "text" ? process.stderr : process.stdout;
    stream.write(`${lines.join("\n")}\n`);
    throw new SvcError(code, message, more);
  }
}

/** Undefined: they are printed as those of any error. */
function refusalLines(
  problems: ErrorProblems | undefined,
  format: ProblemFormat,
  options: ListOptions,
): string[] | undefined {
  const { fileOf = (file) => file } = options;
  if (problems?.kind === "draft") {
    if (format === "text") return refusedLines(problems.list, options, process.stderr);
    return formattedProblems(format, refusingProblems(problems.list), options, process.stdout);
  }
  if (problems?.kind !== "folder" || format === "text") return undefined;
  return (format === "github" ? githubFaults : markdownFaults)(problems.list, fileOf);
}
