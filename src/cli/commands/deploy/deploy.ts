import type { Command } from "commander";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command, notEmpty, withOut } from "../../command.ts";
import {
  assertNoOptionsBefore,
  type DeployOptions,
  toCount,
  withBucketOptions,
} from "../../deploy/deploy-options.ts";
import { deployToBucket } from "../../deploy/deploy-to-bucket.ts";
import { deployList } from "./list.ts";
import { deployPin, deployUnpin } from "./pin.ts";
import { deployPrune } from "./prune.ts";
import { deployRollback } from "./rollback.ts";

export const deployCommand = withBucketOptions(
  withOut(
    command("deploy", [
      "svc deploy s3://bucket --kvs arn:aws:cloudfront::123456789012:key-value-store/… --url https://cdn.example.com/api/v1",
      "svc deploy s3://bucket/prefix --endpoint https://s3.example.com --dry-run",
    ]),
  ),
)
  .argument("[target]", "s3://bucket or s3://bucket/prefix (or SVC_DEPLOY_TARGET)")
  .option("--url <base_url>", "wait until this address serves the new version", notEmpty)
  .option("--wait <seconds>", "maximum time to wait for it", toCount, 120)
  .option(
    "--distribution <id>",
    "in place: the CloudFront distribution whose cache is invalidated",
    notEmpty,
  )
  .option(
    "--max-deletes <n>",
    "refuse to remove more objects (or projects) than this",
    toLimit,
    256,
  )
  .option("--overwrite", "in place: replace objects that svc did not put there")
  .option("--force", "in place: take over from a deploy that was killed")
  .option("--dry-run", "show what would be done, and why, and do nothing")
  .action(action<DeployOptions>(deployToBucket))
  // For `assertTarget`, which says more about them.
  .allowExcessArguments()
  .hook("preAction", assertTarget)
  // Options after a subcommand belong to the subcommand.
  .enablePositionalOptions()
  .hook("preSubcommand", assertNoOptionsBefore)
  .addCommand(deployList)
  .addCommand(deployRollback)
  .addCommand(deployPin)
  .addCommand(deployUnpin)
  .addCommand(deployPrune);

/** To commander, a misspelt subcommand is a target, and the target after it is an excess argument. */
function assertTarget(command: Command, acting: Command): void {
  if (acting !== command) return;
  const [target, excess] = command.args;
  if (target !== undefined && !target.startsWith("s3:")) {
    const names = command.commands.map((subcommand) => subcommand.name()).join(", ");
    throw new UsageError(
      `"${target}" is neither a deploy target nor a command of svc deploy`,
      `a target is s3://bucket or s3://bucket/prefix; the commands are ${names}`,
    );
  }
  if (excess === undefined) return;
  throw new UsageError(
    `"${excess}" is an argument too many`,
    "svc deploy --help lists its arguments and options",
  );
}

function toLimit(text: string): number {
  return text === "0" ? 0 : toCount(text);
}
