import { InvalidArgumentError } from "commander";
import type { Diff } from "../../diff/diff.ts";
import { PublishedDocuments } from "../../diff/published-documents.ts";
import { DEFAULT_KEEP, type FreezeOptions } from "../../publish/freeze-version.ts";
import { type Published, planPublish, publish } from "../../publish/publish.ts";
import { readOut } from "../../publish/read-out.ts";
import { versionSnapshot } from "../../publish/snapshots.ts";
import { TemporaryDocuments } from "../../publish/temporary-documents.ts";
import type { Store } from "../../store/store.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";
import { action, command, notEmpty, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { listOptions } from "../list-options.ts";
import { counted, filesText } from "../output/counted.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";
import { markdownDiff } from "../output/markdown-diff.ts";
import { countsJson, problemCounts } from "../output/problem-groups.ts";
import { problemsJson } from "../output/problem-lines.ts";
import {
  formattedProblems,
  type ProblemFormat,
  withFormattedErrors,
  withProblemFormat,
} from "../problem-format.ts";
import { FOLDER_ARGUMENT, withDraft } from "../with-draft.ts";
import { withWrittenOut } from "../with-written-out.ts";

interface PublishOptions extends WorkspaceOptions {
  readonly out: string;
  readonly keep: number;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
  readonly format: ProblemFormat;
}

export const publishCommand = withProblemFormat(
  withWrittenOut(
    withWorkspace(
      command("publish", ["svc publish content --out out", "svc publish --dry-run --json"]),
    ),
  ),
)
  .argument("[folder]", FOLDER_ARGUMENT, notEmpty)
  .option("--strict", "refuse drafts with warnings, not only with errors")
  .option("--dry-run", "print what would change, without changing anything")
  .option("--keep <n>", "how many versions to keep in the store", toCount, DEFAULT_KEEP)
  .action(
    action<PublishOptions>(async (output, options, folder) => {
      const { strict = false, dryRun = false, keep, out, format } = options;
      const list = listOptions(options, folder);
      const { diff, ...result } = await withFormattedErrors(output, format, list, () =>
        withDraft(
          output,
          options,
          folder,
          async ({ store, workspace, how: rendering }): Promise<Published & { diff?: Diff }> => {
            const how = { ...rendering, strict, keep, now: new Date() };
            if (!dryRun) return publish(store, workspace, out, how);
            return planWithDiff(store, workspace, out, how);
          },
        ),
      );
      const { workspaceId, versionId, published, files, pruned, problems } = result;
      const found = { kind: "draft", list: problems } as const;
      const stream = format === "text" ? process.stderr : process.stdout;
      const listed = output.isQuiet ? [] : formattedProblems(format, problems, list, stream);
      if (format === "text" && listed.length > 0) output.note(listed.join("\n"));
      const lines = [
        `${verb(published, dryRun)} "${workspaceId}" as version ${versionId}`,
        `${out}: ${filesText(files, { dryRun })}; ${problemCounts(problems)}`,
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
      output.result(
        {
          ...{ workspaceId, versionId, published: published && !dryRun, files, pruned },
          ...(output.json && { problems: problemsJson(found), counts: countsJson(problems) }),
          ...(dryRun && { dryRun, wouldPublish: published, diff }),
        },
        (format === "text" ? lines : [...listed, "", ...lines]).join("\n"),
      );
      return 0;
    }),
  );

async function planWithDiff(
  store: Store,
  workspace: WorkspaceRow,
  out: string,
  how: FreezeOptions,
): Promise<Published & { diff: Diff }> {
  // Imported only here: it takes 8 ms, a quarter of Node's own start.
  const { diffSnapshots } = await import("../../diff/diff.ts");
  const cache = new TemporaryDocuments();
  try {
    const { inspected, ...planned } = planPublish(store, workspace, out, how, ({ from, to }) => {
      const after = versionSnapshot(store, workspace, to);
      if (from !== undefined) return diffSnapshots(versionSnapshot(store, workspace, from), after);
      // A temporary store has no earlier version, but `out` may have one.
      const published = new PublishedDocuments(cache);
      if (store.isTemporary) readOut(out, workspace.id, published);
      return diffSnapshots(published.snapshot(), after);
    });
    return { ...planned, diff: inspected as Diff };
  } finally {
    cache.close();
  }
}

function verb(published: boolean, dryRun: boolean): string {
  if (published) return dryRun ? "would publish" : "published";
  return dryRun ? "nothing would change in" : "nothing has changed in";
}

function toCount(text: string): number {
  const count = Number(text);
  if (/^[1-9]\d*$/.test(text) && Number.isSafeInteger(count)) return count;
  throw new InvalidArgumentError("must be a number of versions, at least 1");
}
