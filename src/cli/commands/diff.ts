import { action, command, notEmpty, withWorkspace } from "../command.ts";
import { endpointOption, kvsOption } from "../deploy/target-options.ts";
import { type CompareOptions, compareSides } from "../diff/compare-sides.ts";
import { sideNames } from "../diff/side-names.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";

interface DiffOptions extends CompareOptions {
  readonly breaking?: boolean;
  readonly against?: string;
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
  .option("--breaking", "exit with 1 if a schema change breaks generated code")
  .option(
    "--project <id>",
    "a project at an address, beside those of the other side (repeatable)",
    (id: string, before: string[] = []) => [...before, notEmpty(id)],
  )
  .addOption(kvsOption())
  .addOption(endpointOption())
  .action(
    action<DiffOptions>(async (output, options, ...args) => {
      const names = sideNames(args, options.against, options.namesStore ?? false);
      const { workspaceId, before, after, diff } = await compareSides(names, options, output);
      const subject = workspaceId === null ? "" : `"${workspaceId}" `;
      const between = `${subject}${before.name} → ${after.name}`;
      const lines = [`${between}: ${diffSummary(diff)}`, ...diffLines(diff, process.stdout)];
      if (before.hasErrors || after.hasErrors) {
        output.note(
          "warning: the draft has errors, so it cannot be published; svc check lists them",
        );
      }
      output.result(
        { workspaceId, from: before.versionId, to: after.versionId, ...diff },
        lines.join("\n"),
      );
      return options.breaking && diff.summary.breaking > 0 ? 1 : 0;
    }),
  );
