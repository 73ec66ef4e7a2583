import { diffSnapshots } from "../../diff/diff.ts";
import { NOTHING, type Snapshot } from "../../diff/snapshot.ts";
import { currentVersion, findVersion } from "../../publish/find-version.ts";
import { draftSnapshot, versionSnapshot } from "../../publish/snapshots.ts";
import type { Store } from "../../store/store.ts";
import { withStore } from "../../store/with-store.ts";
import { inProblemOrder, type Problem } from "../../workspace/problem.ts";
import { problemMessage } from "../../workspace/problem-messages.ts";
import type { WorkspaceRow } from "../../workspace/workspace-row.ts";
import { action, command, type WorkspaceOptions, withWorkspace } from "../command.ts";
import { counted } from "../output/counted.ts";
import { diffLines, diffSummary } from "../output/diff-lines.ts";
import type { Output } from "../output/output.ts";
import { printable } from "../output/printable.ts";
import { problemsJson } from "../output/problem-lines.ts";
import { programFingerprint } from "../program/program-fingerprint.ts";
import { servingThread } from "../threads/serving-thread.ts";

interface DiffOptions extends WorkspaceOptions {
  readonly breaking?: boolean;
}

export const diffCommand = withWorkspace(
  command("diff", ["svc diff", "svc diff --breaking", "svc diff e0a33f65 draft --json"]),
)
  .argument("[from]", 'a version id or its prefix, "published" or "draft" (default: published)')
  .argument("[to]", "the same, to compare with", "draft")
  .option("--breaking", "exit with 1 if a schema change breaks generated code")
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
      const lines = [`${between}: ${diffSummary(diff)}`, ...diffLines(diff, process.stdout)];
      if (before.hasErrors || after.hasErrors) {
        output.note(
          "warning: the draft has errors, so it cannot be published; svc check lists them",
        );
      }
      const problems = inProblemOrder([...before.problems, ...after.problems]);
      for (const line of unknownFieldLines(problems)) output.note(line);
      output.result(
        {
          ...{ workspaceId, from: before.versionId, to: after.versionId, ...diff },
          problems: output.json ? problemsJson({ kind: "draft", list: problems }) : [],
        },
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
  /** Of the draft. */
  readonly problems: readonly Problem[];
}

/** Values without a field are in no document, so that no difference shows them. */
function unknownFieldLines(problems: readonly Problem[]): string[] {
  const unknown = problems.filter(({ code }) => code === "field-unknown");
  const [first] = unknown;
  if (first === undefined) return [];
  const { kind, id, path } = first.at;
  const values = counted(unknown.length, "stored value");
  return [
    `warning: the draft has ${values} without a field, the first at ${printable(`${kind} ${id} ${path}`)}: ${printable(problemMessage(first))}; svc check lists them`,
  ];
}

const NO_PROBLEMS = { hasErrors: false, problems: [] };

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
    const { hasErrors, problems } = snapshot;
    return { versionId: null, name: "draft", snapshot, hasErrors, problems };
  }
  if (named === "published" && store.history.current(workspace.number) === undefined) {
    return { versionId: null, name: "nothing published", snapshot: NOTHING, ...NO_PROBLEMS };
  }
  const versionId =
    named === "published" ? currentVersion(store, workspace) : findVersion(store, workspace, named);
  const snapshot = versionSnapshot(store, workspace, versionId);
  // A prefix that is practically unique; --json has the complete id.
  return { versionId, name: versionId.slice(0, 12), snapshot, ...NO_PROBLEMS };
}
