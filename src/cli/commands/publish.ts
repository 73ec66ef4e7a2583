import { InvalidArgumentError, Option } from "commander";
import type { Diff } from "../../diff/diff.ts";
import { PublishedDocuments } from "../../diff/published-documents.ts";
import { DEFAULT_KEEP, type FreezeOptions } from "../../publish/freeze.ts";
import type { DraftSource } from "../../publish/outcome.ts";
import { type Published, planPublish, publish } from "../../publish/publish.ts";
import { readOut } from "../../publish/read-out.ts";
import {
  DEFAULT_REMOVAL_LIMIT,
  type DocumentRemovals,
  type RemovalLimit,
} from "../../publish/removal-limit.ts";
import { snapshotOf, storedVersion } from "../../publish/version.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { listOptions } from "../list-options.ts";
import { counted, filesText, leftOutText } from "../output/counted.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";
import { markdownDiff } from "../output/markdown-diff.ts";
import { problemCounts } from "../output/problem-groups.ts";
import { draftProblemsJson } from "../output/problem-lines.ts";
import {
  formattedProblems,
  type ProblemFormat,
  withFormattedErrors,
  withProblemFormat,
} from "../problem-format.ts";
import { type TimeOptions, withTime } from "../time-option.ts";
import { FOLDER_ARGUMENT, withDraft } from "../with-draft.ts";
import { withWrittenOut } from "../with-written-out.ts";

/** What a dry run reports beside what a publish does. */
interface Planned {
  readonly diff: Diff;
  /** The version that `diff` compares with; undefined: nothing is published. */
  readonly from: string | undefined;
  readonly removals: DocumentRemovals;
}

interface PublishOptions extends WorkspaceOptions, TimeOptions {
  readonly out: string;
  readonly keep: number;
  readonly maxRemovals: RemovalLimit;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly format: ProblemFormat;
}

export const publishCommand = withProblemFormat(
  withWrittenOut(
    withTime(
      withWorkspace(
        command("publish", ["svc publish content --out out", "svc publish --dry-run --json"]),
      ),
    ),
  ),
)
  .argument("[folder]", FOLDER_ARGUMENT, notEmpty)
  .option("--strict", "refuse drafts with warnings, not only with errors")
  .option("--dry-run", "print what would change, without changing anything")
  .option("--keep <n>", "how many versions to keep in the store", toCount, DEFAULT_KEEP)
  .addOption(
    new Option(
      "--max-removals <n>",
      "refuse to remove more of the published documents than this part or number",
    )
      .argParser(toRemovalLimit)
      .default(DEFAULT_REMOVAL_LIMIT, `${DEFAULT_REMOVAL_LIMIT.percent}%`),
  )
  .action(
    action<PublishOptions>(async (output, options, folder) => {
      const { strict = false, dryRun = false, keep, maxRemovals, out, format } = options;
      const list = listOptions(options, folder);
      const {
        diff,
        from = null,
        removals,
        ...result
      } = await withFormattedErrors(output, format, list, () =>
        withDraft(
          output,
          options,
          folder,
          async (source, rendering): Promise<Published & Partial<Planned>> => {
            const how = {
              ...rendering,
              strict,
              severity: options.severity,
              keep,
              maxRemovals,
              now: new Date(),
            };
            if (!dryRun) return publish(source, out, how);
            return planWithDiff(source, out, how);
          },
        ),
      );
      const { workspaceId, versionId, published, files, pruned, problems, leftOut, clock } = result;
      const stream = format === "text" ? process.stderr : process.stdout;
      const listed = output.isQuiet ? [] : formattedProblems(format, problems, list, stream);
      if (format === "text" && listed.length > 0) output.note(listed.join("\n"));
      const lines = [
        versionText(result, dryRun),
        `${out}: ${filesText(files, { dryRun })}; ${problemCounts(problems)}`,
        ...leftOutText(leftOut),
      ];
      if (pruned.length > 0) {
        const versions = counted(pruned.length, "older version");
        lines.push(`${dryRun ? "would prune" : "pruned"} ${versions} (--keep ${keep})`);
      }
      if (diff !== undefined) {
        const isMarkdown = format === "markdown";
        lines.push(
          diffSummary(diff),
          ...(isMarkdown ? markdownDiff(diff) : diffLines(diff, process.stdout)),
        );
      }
      const isRefused = removals !== undefined && removals.count > removals.limit;
      if (isRefused) {
        const { count, of, limit } = removals;
        lines.push(
          `svc publish would refuse to remove ${count} of ${counted(of, "document")}: the limit is ${limit} (--max-removals ${count} allows them)`,
        );
      }
      const findings = output.json ? draftProblemsJson(problems, list) : {};
      output.result(
        {
          ...{ workspaceId, versionId, published: published && !dryRun, files, pruned },
          ...{ leftOut, clock },
          ...findings,
          ...(dryRun && {
            ...{ dryRun, wouldPublish: published, removals },
            diff: { workspaceId, from, to: versionId, ...diff, ...findings },
          }),
        },
        (format === "text" ? lines : [...listed, "", ...lines]).join("\n"),
      );
      return isRefused ? 1 : 0;
    }),
  );

async function planWithDiff(
  source: DraftSource,
  out: string,
  how: FreezeOptions,
): Promise<Published & Planned> {
  // Imported only here: it takes 8 ms, a quarter of Node's own start.
  const { diffSnapshots } = await import("../../diff/diff.ts");
  const { inspected, ...planned } = planPublish(source, out, how, (to, from) => {
    const after = snapshotOf(to);
    if (source.kind === "store" && from !== undefined) {
      const { store, workspace } = source;
      const before = snapshotOf(storedVersion(store, workspace, from));
      return { from, diff: diffSnapshots(before, after) };
    }
    // Nothing keeps the earlier versions of a folder, but `out` may have one.
    const published = new PublishedDocuments();
    const isOfFolder = source.kind === "folder";
    const read = isOfFolder ? readOut(out, source.draft.workspace.id, published) : undefined;
    return { from: read?.versionId, diff: diffSnapshots(published.snapshot(), after) };
  });
  return { ...planned, ...(inspected as Pick<Planned, "diff" | "from">) };
}

function toRemovalLimit(text: string): RemovalLimit {
  const [, digits, isPart] = /^(0|[1-9]\d{0,8})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (isPart ? number >= 1 && number <= 100 : digits !== undefined) {
    return isPart ? { percent: number } : { count: number };
  }
  throw new InvalidArgumentError("must be a number of documents, or a part from 1% to 100%");
}

function versionText(result: Published, dryRun: boolean): string {
  const { workspaceId, versionId, published } = result;
  return published
    ? `${dryRun ? "would publish" : "published"} "${workspaceId}" as version ${versionId}`
    : `"${workspaceId}" ${dryRun ? "would still be" : "is still"} version ${versionId}`;
}

function toCount(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError("must be a number of versions, at least 1");
}
