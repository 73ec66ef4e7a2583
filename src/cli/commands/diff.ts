import { diffSnapshots } from "../../diff/diff.ts";
import { NOTHING, type Snapshot } from "../../diff/snapshot.ts";
import { currentVersion, findVersion } from "../../publish/find-version.ts";
import { draftSnapshot, versionSnapshot } from "../../publish/snapshots.ts";
import type { Store } from "../../store/store.ts";
import { withStore } from "../../store/with-store.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";
import { markdownText } from "../output/markdown.ts";
import { markdownDiff } from "../output/markdown-diff.ts";
import type { Output } from "../output/output.ts";
import { formatOption } from "../problem-format.ts";
import { programFingerprint } from "../program/program-fingerprint.ts";
import { servingThread } from "../threads/serving-thread.ts";

interface DiffOptions extends WorkspaceOptions {
  readonly breaking?: boolean;
  readonly format: "text" | "markdown";
}

export const diffCommand = withWorkspace(
  command("diff", ["svc diff", "svc diff --breaking", "svc diff e0a33f65 draft --json"]),
)
  .argument("[from]", 'a version id or its prefix, "published" or "draft" (default: published)')
  .argument("[to]", "the same, to compare with", "draft")
  .option("--breaking", "exit with 1 if a schema change breaks generated code")
  .addOption(formatOption("text", "markdown"))
  .action(
    action<DiffOptions>(async (output, options, from = "published", to = "draft") => {
      const { workspaceId, before, after, diff } = await withStore(options.store, (store) =>
        store.writeOrRead((canWrite) => {
          const workspace = store.workspace(options.workspace);
          const before = sideOf(store, workspace, from, canWrite, output);
          const after = sideOf(store, workspace, to, canWrite, output);
          const diff = diffSnapshots(before.snapshot, after.snapshot);
          return { workspaceId: workspace.id, before, after, diff };
        }),
      );
      const between = `"${workspaceId}" ${before.name} → ${after.name}`;
      const isMarkdown = options.format === "markdown";
      const lines = isMarkdown
        ? [`**${markdownText(between)}**: ${diffSummary(diff)}`, ...markdownDiff(diff)]
        : [`${between}: ${diffSummary(diff)}`, ...diffLines(diff, process.stdout)];
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

interface Side {
  /** Null for the draft, or if nothing is published. */
  readonly versionId: string | null;
  readonly name: string;
  readonly snapshot: Snapshot;
  readonly hasErrors: boolean;
}

function sideOf(
  store: Store,
  workspace: WorkspaceRow,
  named: string,
  canWrite: boolean,
  output: Output,
): Side {
  if (named === "draft") {
    const snapshot = draftSnapshot(store, workspace, {
      ...{ canWrite, program: programFingerprint() },
      ...{ onProgress: output.progress, startThread: servingThread(store.file) },
    });
    return { versionId: null, name: "draft", snapshot, hasErrors: snapshot.hasErrors };
  }
  if (named === "published" && store.history.current(workspace.number) === undefined) {
    return { versionId: null, name: "nothing published", snapshot: NOTHING, hasErrors: false };
  }
  const versionId =
    named === "published" ? currentVersion(store, workspace) : findVersion(store, workspace, named);
  const snapshot = versionSnapshot(store, workspace, versionId);
  // A prefix that is practically unique; --json has the complete id.
  return { versionId, name: versionId.slice(0, 12), snapshot, hasErrors: false };
}
