import { UNCACHED_JSON } from "../../../deploy/object-headers.ts";
import { textBody } from "../../../deploy/published-folder.ts";
import { PINS } from "../../../deploy/releases/keys.ts";
import { findRelease, pinnedReleases } from "../../../deploy/releases/list-releases.ts";
import { removeAll } from "../../../deploy/releases/prune.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command } from "../../command.ts";
import {
  type BucketOptions,
  openDeployContext,
  releaseStoresOf,
  targetAndRelease,
  withBucketOptions,
} from "../../deploy/deploy-options.ts";

export const deployPin = pinCommand(
  "pin",
  "Keep a release forever: prune does not remove it.",
  true,
);
export const deployUnpin = pinCommand("unpin", "Allow prune to remove a release again.", false);

function pinCommand(name: string, summary: string, pins: boolean) {
  return withBucketOptions(
    command(name, [`svc deploy ${name} s3://bucket f51c --kvs <arn>`]).description(summary),
  )
    .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
    .argument("[release]", "a release, or a unique prefix of its version id")
    .action(
      action<BucketOptions>(async (output, options, ...args) => {
        const [target, text] = targetAndRelease(args);
        if (text === undefined) {
          throw new UsageError("a release is missing", "run svc deploy list to see the releases");
        }
        const context = await openDeployContext(target, options, output);
        const stores = await releaseStoresOf(context, options);
        const wanted = { text, workspaceId: options.workspace };
        // The pin of a removed release can be removed too.
        const isPinLeft = !pins && (await pinnedReleases(context.objects)).has(text);
        const release = isPinLeft
          ? text
          : (await findRelease(stores, context.work, wanted)).release;
        const key = PINS + release;
        if (pins) await context.objects.put(key, textBody("{}\n"), UNCACHED_JSON);
        else await removeAll(context.objects, [key]);
        const value = { release, isPinned: pins };
        output.result(value, `release ${release} is ${pins ? "pinned" : "not pinned"}`);
        return 0;
      }),
    );
}
