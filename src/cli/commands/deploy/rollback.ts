import { makeLive, planRollback } from "../../../deploy/releases/deploy-release.ts";
import { action, command } from "../../command.ts";
import {
  type BucketOptions,
  openDeployContext,
  releaseStoresOf,
  targetAndRelease,
  withBucketOptions,
} from "../../deploy/deploy-options.ts";
import { changedProjects, pointerLines } from "../../deploy/deploy-releases.ts";
import { planText } from "../../output/deploy-lines.ts";

interface RollbackOptions extends BucketOptions {
  readonly dryRun?: boolean;
}

export const deployRollback = withBucketOptions(
  command("rollback", [
    "svc deploy rollback s3://bucket --kvs <arn>",
    "svc deploy rollback s3://bucket f51c --kvs <arn>",
  ]).description("Make an earlier release live again: the previous or the given one."),
)
  .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
  .argument("[release]", "a release, or a unique prefix of its version id")
  .option("--dry-run", "show what would be done, and do nothing")
  .action(
    action<RollbackOptions>(async (output, options, ...args) => {
      const [target, text] = targetAndRelease(args);
      const context = await openDeployContext(target, options, output);
      const stores = await releaseStoresOf(context, options);
      const wanted = { text, workspaceId: options.workspace };
      const plan = await planRollback(stores, context.work, wanted);
      const { releases, pointerUpdate } = plan;
      const [{ name: release = "", manifest } = {}] = releases;
      const { workspaceId = "", versionId } = manifest ?? {};
      const value = {
        workspaceId,
        versionId,
        release,
        ...changedProjects(pointerUpdate, workspaceId),
      };
      if (options.dryRun) {
        const lines = pointerLines(pointerUpdate);
        output.result({ ...value, dryRun: true, plan: lines }, planText(lines, 0));
        return 0;
      }
      await makeLive(plan, stores, context.work);
      const { projects, removed } = value;
      const what = projects.length === 0 ? "already live" : `for ${projects.join(", ")}`;
      const gone = removed.length === 0 ? "" : `; no longer live: ${removed.join(", ")}`;
      output.result(value, `release ${release} is live: ${what}${gone}`);
      return 0;
    }),
  );
