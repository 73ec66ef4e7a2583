import { InvalidArgumentError, Option } from "commander";
import type { Diff } from "../../diff/diff.ts";
import { NOTHING } from "../../diff/snapshot.ts";
import { DEFAULT_KEEP } from "../../publish/freeze-version.ts";
import { type Published, planPublish, publish } from "../../publish/publish.ts";
import {
  DEFAULT_REMOVAL_LIMIT,
  type DocumentRemovals,
  type RemovalLimit,
} from "../../publish/removal-limit.ts";
import { versionSnapshot } from "../../publish/snapshots.ts";
import { withStore } from "../../store/with-store.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { counted, filesText } from "../output/counted.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";
import { problemCounts, problemLines, problemsJson } from "../output/problem-lines.ts";
import { programFingerprint } from "../program/program-fingerprint.ts";
import { servingThread } from "../threads/serving-thread.ts";
import { withWrittenOut } from "../with-written-out.ts";

interface PublishOptions extends WorkspaceOptions {
  readonly out: string;
  readonly keep: number;
  readonly maxRemovals: RemovalLimit;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
}

export const publishCommand = withWrittenOut(
  withWorkspace(command("publish", ["svc publish --out out", "svc publish --dry-run --json"])),
)
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
    action<PublishOptions>(async (output, options) => {
      const { strict = false, dryRun = false, keep, maxRemovals, out } = options;
      const { diff, removals, ...result } = await withStore(
        options.store,
        async (
          store,
        ): Promise<Published & { diff?: Diff | undefined; removals?: DocumentRemovals }> => {
          const workspace = store.workspace(options.workspace);
          const how = {
            ...{ strict, keep, maxRemovals, program: programFingerprint(), now: new Date() },
            ...{ onProgress: output.progress, startThread: servingThread(store.file) },
          };
          if (!dryRun) return publish(store, workspace, out, how);
          // Imported only here: it takes 8 ms, a quarter of Node's own start.
          const { diffSnapshots } = await import("../../diff/diff.ts");
          const { inspected, ...planned } = planPublish(
            store,
            workspace,
            out,
            how,
            ({ from, to }) => {
              const [before, after] = [from, to].map((versionId) =>
                versionId === undefined ? NOTHING : versionSnapshot(store, workspace, versionId),
              );
              return diffSnapshots(before ?? NOTHING, after ?? NOTHING);
            },
          );
          return { ...planned, diff: inspected };
        },
      );
      const { workspaceId, versionId, published, files, pruned, problems } = result;
      const found = { kind: "draft", list: problems } as const;
      if (!output.isQuiet) {
        for (const line of problemLines(found, process.stderr)) output.note(line);
      }
      const lines = [
        `${verb(published, dryRun)} "${workspaceId}" as version ${versionId}`,
        `${out}: ${filesText(files, { dryRun })}; ${problemCounts(problems)}`,
      ];
      if (pruned.length > 0) {
        const versions = counted(pruned.length, "older version");
        lines.push(`${dryRun ? "would prune" : "pruned"} ${versions} (--keep ${keep})`);
      }
      if (diff !== undefined) {
        lines.push(diffSummary(diff), ...diffLines(diff, process.stdout));
      }
      const isRefused = removals !== undefined && removals.count > removals.limit;
      if (isRefused) {
        const { count, of, limit } = removals;
        lines.push(
          `svc publish would refuse to remove ${count} of ${counted(of, "document")}: the limit is ${limit} (--max-removals ${count} allows them)`,
        );
      }
      output.result(
        {
          ...{ workspaceId, versionId, published, files, pruned },
          problems: output.json ? problemsJson(found) : [],
          ...(dryRun && { dryRun, removals, diff }),
        },
        lines.join("\n"),
      );
      return isRefused ? 1 : 0;
    }),
  );

function toRemovalLimit(text: string): RemovalLimit {
  const [, digits, isPart] = /^(0|[1-9]\d{0,8})(%?)$/.exec(text) ?? [];
  const number = Number(digits);
  if (isPart ? number >= 1 && number <= 100 : digits !== undefined) {
    return isPart ? { percent: number } : { count: number };
  }
  throw new InvalidArgumentError("must be a number of documents, or a part from 1% to 100%");
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
