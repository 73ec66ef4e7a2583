import { inProblemOrder, type Problem } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import { action, command, notEmpty, withWorkspace } from "../command.ts";
import { endpointOption, kvsOption } from "../deploy/target-options.ts";
import { type CompareOptions, compareSides } from "../diff/compare-sides.ts";
import { sideNames } from "../diff/side-names.ts";
import { listOptions } from "../list-options.ts";
import { counted } from "../output/counted.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";
import { markdownText } from "../output/markdown.ts";
import { markdownDiff } from "../output/markdown-diff.ts";
import { printable } from "../output/printable.ts";
import { countsJson } from "../output/problem-groups.ts";
import { draftProblemsJson } from "../output/problem-lines.ts";
import { formatOption } from "../problem-format.ts";

interface DiffOptions extends CompareOptions {
  readonly breaking?: boolean;
  readonly format: "text" | "markdown";
  readonly against?: string;
  readonly out: string;
}

export const diffCommand = withWorkspace(
  command("diff", [
    "svc diff content",
    "svc diff --against https://cdn.example.com/api/v1 content --breaking",
    "svc diff e0a33f65 draft --json",
  ]),
)
  .argument(
    "[from]",
    'a version id or its prefix, "published" or "draft"; a workspace folder, published files, https://…/api/v1, or s3://bucket (default: published)',
    notEmpty,
  )
  .argument("[to]", "the same, to compare with (default: draft)", notEmpty)
  .option("--against <from>", "the same as [from]; the argument is then [to]", notEmpty)
  .option(
    "--out <folder>",
    "the published files that a folder alone is compared with",
    notEmpty,
    "out",
  )
  .option("--breaking", "exit with 1 if a schema change breaks generated code")
  .addOption(formatOption("text", "markdown"))
  .option(
    "--project <id>",
    "a project at an address, beside those of the other side (repeatable)",
    (id: string, before: string[] = []) => [...before, notEmpty(id)],
  )
  .addOption(kvsOption())
  .addOption(endpointOption())
  .action(
    action<DiffOptions>(async (output, options, ...args) => {
      const names = sideNames(args, options.against, options.namesStore ?? false, options.out);
      const { workspaceId, before, after, diff } = await compareSides(names, options, output);
      const subject = workspaceId === null ? "" : `"${workspaceId}" `;
      const between = `${subject}${before.name} → ${after.name}`;
      const lines =
        options.format === "markdown"
          ? [`**${markdownText(between)}**: ${diffSummary(diff)}`, ...markdownDiff(diff)]
          : [`${between}: ${diffSummary(diff)}`, ...diffLines(diff, process.stdout)];
      const folder = names.find(({ kind }) => kind === "folder")?.name;
      const ofStore = folder === undefined ? options : { ...options, store: "workspace.db" };
      const { checkCommand } = listOptions(ofStore, folder);
      if (before.hasErrors || after.hasErrors) {
        output.note(
          `warning: the draft has errors, so it cannot be published; ${checkCommand} lists them`,
        );
      }
      const problems = inProblemOrder([...before.problems, ...after.problems]);
      for (const line of unknownFieldLines(problems, checkCommand)) output.note(line);
      // Of a problem that both sides have, the place in the second one is shown.
      const placed = [after, before].flatMap((side) => {
        const { kind, name } = names[side === after ? 1 : 0];
        const list = listOptions(options, kind === "folder" ? name : undefined);
        return output.json ? draftProblemsJson(side.problems, list).problems : [];
      });
      output.result(
        {
          ...{ workspaceId, from: before.versionId, to: after.versionId, ...diff },
          ...{ problems: inProblemOrder(placed), counts: countsJson(problems) },
        },
        lines.join("\n"),
      );
      return options.breaking && diff.summary.breaking > 0 ? 1 : 0;
    }),
  );

/** Values without a field are in no document, so that no difference shows them. */
function unknownFieldLines(problems: readonly Problem[], checkCommand: string): string[] {
  const unknown = problems.filter(({ code }) => code === "field-unknown");
  const [first] = unknown;
  if (first === undefined) return [];
  const { kind, id, path } = first.at;
  const values = counted(unknown.length, "stored value");
  return [
    `warning: the draft has ${values} without a field, the first at ${printable(`${kind} ${id} ${path}`)}: ${printable(problemMessage(first))}; ${checkCommand} lists them`,
  ];
}
