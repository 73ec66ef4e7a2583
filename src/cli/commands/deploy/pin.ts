import { UNCACHED_JSON } from "../../../deploy/object-headers.ts";
import { textBody } from "../../../deploy/published-folder.ts";
import { findRelease } from "../../../deploy/releases/find-release.ts";
import { PINS } from "../../../deploy/releases/keys.ts";
import { pinnedReleases } from "../../../deploy/releases/list-releases.ts";
import { removeAll } from "../../../deploy/releases/prune.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command } from "../../command.ts";
import {
  type BucketOptions,
  openBucket,
  placesOf,
  targetAndRelease,
  withBucket,
} from "./deploy-options.ts";

export const deployPin = pinCommand("pin", "Keep a release for ever: prune leaves it alone.", true);
export const deployUnpin = pinCommand("unpin", "Let prune remove a release again.", false);

function pinCommand(name: string, summary: string, pins: boolean) {
  return withBucket(
    command(name, [`svc deploy ${name} s3://bucket f51c --kvs <arn>`]).description(summary),
  )
    .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
    .argument("[release]", "a release, or a beginning of its version id")
    .action(
      action<BucketOptions>(async (output, options, ...args) => {
        const [target, text] = targetAndRelease(args);
        if (text === undefined) {
          throw new UsageError("a release is missing", "svc deploy list shows the releases");
        }
        const bucket = openBucket(target, options, output);
        const places = placesOf(bucket, options);
        const asked = { text, workspaceId: options.workspace };
        // A pin may be left of a release that is gone.
        const isLeft = !pins && (await pinnedReleases(bucket.objects)).has(text);
        const release = isLeft ? text : (await findRelease(places, bucket.work, asked)).release;
        const key = PINS + release;
        if (pins) await bucket.objects.put(key, textBody("{}\n"), UNCACHED_JSON);
        else await removeAll(bucket.objects, [key]);
        const value = { release, isPinned: pins };
        output.result(value, `release ${release} is ${pins ? "pinned" : "not pinned"}`);
        return 0;
      }),
    );
}
