import { makeLive } from "../../../deploy/releases/deploy-release.ts";
import { planRollback } from "../../../deploy/releases/plan-rollback.ts";
import { action, command } from "../../command.ts";
import { planText } from "../../output/deploy-lines.ts";
import {
  type BucketOptions,
  openBucket,
  placesOf,
  targetAndRelease,
  withBucket,
} from "./deploy-options.ts";
import { changedProjects, pointerLines } from "./deploy-releases.ts";

interface RollbackOptions extends BucketOptions {
  readonly dryRun?: boolean;
}

export const deployRollback = withBucket(
  command("rollback", [
    "svc deploy rollback s3://bucket --kvs <arn>",
    "svc deploy rollback s3://bucket f51c --kvs <arn>",
  ]).description("Make an earlier release live again: the one before, or the one that is named."),
)
  .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
  .argument("[release]", "a release, or a beginning of its version id")
  .option("--dry-run", "tell what would be done, and do nothing")
  .action(
    action<RollbackOptions>(async (output, options, ...args) => {
      const [target, text] = targetAndRelease(args);
      const bucket = openBucket(target, options, output);
      const places = placesOf(bucket, options);
      const asked = { text, workspaceId: options.workspace };
      const plan = await planRollback(places, bucket.work, asked);
      const { releases, flip } = plan;
      const [{ name: release = "", manifest } = {}] = releases;
      const { workspaceId = "", versionId } = manifest ?? {};
      const value = { workspaceId, versionId, release, ...changedProjects(flip, workspaceId) };
      if (options.dryRun) {
        const lines = pointerLines(flip);
        output.result({ ...value, dryRun: true, plan: lines }, planText(lines, 0));
        return 0;
      }
      await makeLive(plan, places, bucket.work);
      const { projects, removed } = value;
      const what = projects.length === 0 ? "it was live" : `for ${projects.join(", ")}`;
      const gone = removed.length === 0 ? "" : `; not live any more: ${removed.join(", ")}`;
      output.result(value, `release ${release} is live: ${what}${gone}`);
      return 0;
    }),
  );
