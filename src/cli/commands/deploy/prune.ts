import { type PrunePlan, planPrune } from "../../../deploy/releases/plan-prune.ts";
import { deletesOf, prune } from "../../../deploy/releases/prune.ts";
import { action, command } from "../../command.ts";
import { counted } from "../../output/counted.ts";
import { styled } from "../../output/styled.ts";
import { type BucketOptions, openBucket, placesOf, toCount, withBucket } from "./deploy-options.ts";

interface PruneOptions extends BucketOptions {
  readonly maxDeletes: number;
  readonly dryRun?: boolean;
}

export const deployPrune = withBucket(
  command("prune", [
    "svc deploy prune s3://bucket --kvs <arn> --dry-run",
    "svc deploy prune s3://bucket --kvs <arn>",
  ]).description(
    "Remove old releases: all but the live and the pinned ones, the last five, and what is younger than 24 hours.",
  ),
)
  .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
  .option("--max-deletes <n>", "refuse to remove more objects than this", toCount, 100_000)
  .option("--dry-run", "tell what would be removed, and why, and remove nothing")
  .action(
    action<PruneOptions>(async (output, options, target) => {
      const bucket = openBucket(target, options, output);
      const places = placesOf(bucket, options);
      const now = new Date();
      const { workspace: workspaceId, maxDeletes, dryRun } = options;
      const plan = await planPrune(places, bucket.work, { now, workspaceId });
      const deletes = deletesOf(plan);
      const value = { releases: plan.verdicts, assets: plan.assets };
      if (dryRun) {
        output.result({ ...value, dryRun: true, deletes }, textOf(plan));
        return 0;
      }
      const { removed, spared } = await prune(plan, places, bucket.work, { now, maxDeletes });
      output.note(textOf(plan));
      for (const release of spared) output.note(`release ${release} has become live: spared`);
      const releases = counted(plan.releases.size - spared.length, "release");
      output.result(
        { ...value, removed, spared },
        `${bucket.objects.name}: ${releases} removed, ${counted(removed, "object")}`,
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
      (key) => `${styled("red", "remove", process.stdout)} ${key} (no release shows it)`,
    ),
  ].join("\n");
}
