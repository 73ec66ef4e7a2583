import type { Diff } from "../../diff/diff.ts";
import type { Definitions } from "../../diff/names.ts";
import type { RenamedEntry } from "../../diff/renamed-entries.ts";
import type { DraftSource } from "../../publish/draft-source.ts";
import {
  type Published,
  type PublishOptions,
  planPublish,
  publish,
} from "../../publish/publish.ts";
import type { DocumentRemovals } from "../../publish/publish-limits.ts";
import { snapshotOf } from "../../publish/version.ts";
import { ERROR_STATUS } from "../../workspace/error-codes.ts";
import { type Hold, holdText } from "../../workspace/hold.ts";
import { sizeText } from "../../workspace/listed.ts";
import { printable } from "../../workspace/printable.ts";
import { diffLines, diffSummary, renamedLines } from "../output/diff-lines.ts";
import { draftProblemsJson, problemCounts } from "../output/findings.ts";
import { formattedProblems, withFormattedErrors } from "../output/formats.ts";
import { counted, filesText, leftOutText } from "../output/words.ts";
import type { Run } from "../table/table.ts";
import { listOptions, withDraft } from "../with-draft.ts";
import { assertNoWorkspaceIn } from "../workspace-folder.ts";

interface Planned {
  readonly diff: Diff;
  readonly definitions: Definitions;
  /** The version that `diff` compares with; undefined: nothing is published. */
  readonly from: string | undefined;
  readonly removals: DocumentRemovals;
  /** R6a: by which the publish would be refused. */
  readonly hold: Hold | undefined;
}

export const publishCommand: Run<"publish"> = async (output, options) => {
  const { folder } = options;
  const { strict = false, dryRun = false, keep, maxRemovals, maxSize, out, format } = options;
  assertNoWorkspaceIn(out);
  const list = listOptions(options, folder);
  const note = (renamed: readonly RenamedEntry[]) => {
    for (const line of renamedLines(renamed, folder)) output.note(line);
  };
  const made = await withFormattedErrors(output, format, list, () =>
    withDraft(
      output,
      options,
      folder,
      async (source, rendering): Promise<Published & Partial<Planned>> => {
        const how = { ...rendering, strict, keep, maxRemovals, maxSize, now: new Date() };
        return dryRun ? planWithDiff(source, out, how) : publish(source, out, how, note);
      },
    ),
  );
  const { diff, definitions, from = null, removals, hold, ...result } = made;
  const { workspaceId, versionId, published, files, bytes, pruned } = result;
  const { problems, leftOut, clock } = result;
  const stream = format === "text" ? process.stderr : process.stdout;
  const listed = output.isQuiet ? [] : formattedProblems(format, problems, list, stream);
  if (format === "text" && listed.length > 0) output.note(listed.join("\n"));
  const lines = [
    versionText(result, dryRun),
    `${out}: ${filesText(files, { dryRun })}, ${sizeText(bytes)} in all; ${problemCounts(problems)}`,
    ...leftOutText(leftOut),
  ];
  if (pruned.length > 0) {
    const versions = counted(pruned.length, "older version");
    lines.push(`${dryRun ? "would prune" : "pruned"} ${versions} (--keep ${keep})`);
  }
  if (diff !== undefined) {
    lines.push(diffSummary(diff), ...diffLines(diff, definitions, format, process.stdout));
  }
  const isRefused = removals !== undefined && removals.count > removals.limit;
  if (isRefused) {
    const { count, of, limit } = removals;
    lines.push(
      `svc publish would refuse to remove ${count} of ${counted(of, "document")}: the limit is ${limit} (--max-removals ${count} allows them)`,
    );
  }
  if (hold !== undefined) {
    lines.push(`svc publish would be refused: "${workspaceId}" is ${printable(holdText(hold))}`);
  }
  output.result(
    () => {
      const findings = draftProblemsJson(problems, list);
      const done = {
        workspaceId,
        versionId,
        published: published && !dryRun,
        files,
        bytes,
        pruned,
      };
      const value = { ...done, leftOut, clock, ...findings };
      if (diff === undefined || removals === undefined) return value;
      return {
        ...value,
        dryRun: true,
        wouldPublish: published,
        removals,
        ...(hold !== undefined && { hold }),
        diff: { workspaceId, from, to: versionId, ...diff, ...findings },
      };
    },
    format === "text" ? lines : [...listed, "", ...lines],
  );
  return isRefused || hold !== undefined ? ERROR_STATUS.held : 0;
};

async function planWithDiff(
  source: DraftSource,
  out: string,
  how: PublishOptions,
): Promise<Published & Planned> {
  // Imported only here: it takes 8 ms, a quarter of Node's own start.
  const { diffSnapshots } = await import("../../diff/diff.ts");
  const { inspected, ...planned } = planPublish(source, out, how, (to, before) => {
    const { versionId, snapshot } = before.side();
    const draft = snapshotOf(to);
    const { definitions } = draft;
    return { from: versionId ?? undefined, diff: diffSnapshots(snapshot, draft), definitions };
  });
  return { ...planned, ...(inspected as Pick<Planned, "diff" | "from" | "definitions">) };
}

function versionText(result: Published, dryRun: boolean): string {
  const { workspaceId, versionId, published } = result;
  return published
    ? `${dryRun ? "would publish" : "published"} "${workspaceId}" as version ${versionId}`
    : `"${workspaceId}" ${dryRun ? "would still be" : "is still"} version ${versionId}`;
}
