import { deletesOf, type PrunePlan, planPrune, prune } from "../../../deploy/releases/prune.ts";
import { action, command } from "../../command.ts";
import {
  type BucketOptions,
  openDeployContext,
  releaseStoresOf,
  toCount,
  withBucketOptions,
} from "../../deploy/deploy-options.ts";
import { counted } from "../../output/counted.ts";
import { styled } from "../../output/styled.ts";

interface PruneOptions extends BucketOptions {
  readonly maxDeletes: number;
  readonly dryRun?: boolean;
}

export const deployPrune = withBucketOptions(
  command("prune", [
    "svc deploy prune s3://bucket --kvs <arn> --dry-run",
    "svc deploy prune s3://bucket --kvs <arn>",
  ]).description(
    "Remove old releases: all but live and pinned ones, the last five, and those younger than 24 hours.",
  ),
)
  .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
  .option("--max-deletes <n>", "refuse to remove more objects than this", toCount, 100_000)
  .option("--dry-run", "show what would be removed, and why, and remove nothing")
  .action(
    action<PruneOptions>(async (output, options, target) => {
      const context = await openDeployContext(target, options, output);
      const stores = await releaseStoresOf(context, options);
      const now = new Date();
      const { workspace: workspaceId, maxDeletes, dryRun } = options;
      const plan = await planPrune(stores, context.work, { now, workspaceId });
      const deletes = deletesOf(plan);
      const value = { releases: plan.verdicts, assets: plan.assets };
      if (dryRun) {
        output.result({ ...value, dryRun: true, deletes }, textOf(plan));
        return 0;
      }
      const { removed, spared } = await prune(plan, stores, context.work, { now, maxDeletes });
      output.note(textOf(plan));
      for (const release of spared)
        output.note(`release ${release} has become live or pinned: kept`);
      const releases = counted(plan.releases.size - spared.length, "release");
      output.result(
        { ...value, removed, spared },
        `${context.objects.name}: ${releases} removed, ${counted(removed, "object")}`,
      );
      return 0;
    }),
  );

function textOf({ verdicts, releases, assets }: PrunePlan): string {
  return [
    ...verdicts.map(({ release, keep, reason }) => {
      const verb = styled(keep ? "green" : "red", keep ? "keep  " : "remove", process.stdout);
      const objects = keep ? "" : `, ${counted(releases.get(release)?.length ?? 0, "object")}`;
      return `${verb} ${release} (${reason}${objects})`;
    }),
    ...assets.map(
      (key) => `${styled("red", "remove", process.stdout)} ${key} (no release uses it)`,
    ),
  ].join("\n");
}
