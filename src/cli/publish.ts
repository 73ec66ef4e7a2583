import { planPublish, publish } from "../publish/publish.ts";
import { action, command, type WorkspaceOptions, withOut, withWorkspace } from "./command.ts";
import { filesText } from "./output.ts";
import { problemCounts, problemLines } from "./problem-lines.ts";
import { withStore } from "./with-store.ts";

interface PublishOptions extends WorkspaceOptions {
  readonly out: string;
  readonly strict?: boolean;
  readonly dryRun?: boolean;
}

export const publishCommand = withOut(
  withWorkspace(command("publish", ["svc publish --out out", "svc publish --dry-run --json"])),
)
  .option("--strict", "refuse the draft for warnings too, not only for errors")
  .option("--dry-run", "tell what would change, and change nothing")
  .action(
    action<PublishOptions>(async (output, options) => {
      const { strict = false, dryRun = false, out } = options;
      const result = await withStore(options.store, (store) => {
        const workspace = store.workspace(options.workspace);
        const run = dryRun ? planPublish : publish;
        const onProgress = output.progress;
        return run(store, workspace, out, { strict, now: new Date(), onProgress });
      });
      const { workspaceId, versionId, published, files, problems } = result;
      for (const line of problemLines(problems, process.stderr)) output.note(line);
      const said = dryRun
        ? published
          ? "would publish"
          : "nothing would change in"
        : published
          ? "published"
          : "nothing has changed in";
      output.result(
        { workspaceId, versionId, published, files, problems },
        `${said} "${workspaceId}" as version ${versionId}\n${out}: ${filesText(files)}; ${problemCounts(problems)}`,
      );
      return 0;
    }),
  );
