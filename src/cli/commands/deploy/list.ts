import { type ListedRelease, listReleases } from "../../../deploy/releases/list-releases.ts";
import { action, command } from "../../command.ts";
import {
  type BucketOptions,
  openDeployContext,
  releaseStoresOf,
  withBucketOptions,
} from "../../deploy/deploy-options.ts";
import { styled } from "../../output/styled.ts";

export const deployList = withBucketOptions(
  command("list", ["svc deploy list s3://bucket --kvs <arn>"]).description(
    "List the releases of a bucket, newest first, and which of them are live.",
  ),
)
  .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
  .action(
    action<BucketOptions>(async (output, options, target) => {
      const context = await openDeployContext(target, options, output);
      const stores = await releaseStoresOf(context, options);
      const { releases } = await listReleases(stores, context.work, options.workspace);
      const text = releases.length === 0 ? `${context.objects.name} has no release` : "";
      output.result({ releases }, text || releases.map(line).join("\n"));
      return 0;
    }),
  );

function line({ release, deployedAt, live, isPinned }: ListedRelease): string {
  const at = deployedAt?.toISOString().replace(/\.\d+Z$/, "Z") ?? "incomplete".padEnd(20);
  const marks = [
    ...(live.length > 0 ? [styled("green", `live for ${live.join(", ")}`, process.stdout)] : []),
    ...(isPinned ? ["pinned"] : []),
  ];
  return [at, release, ...marks].join("  ");
}
