import { Command, CommanderError } from "commander";
import { UsageError } from "../workspace/errors.ts";
import { check } from "./check.ts";
import { exportFolder } from "./export.ts";
import { tellFailure } from "./failure.ts";
import { importFolder } from "./import.ts";
import { init } from "./init.ts";
import { packageVersion } from "./package-root.ts";
import { preview } from "./preview.ts";
import { publish } from "./publish.ts";
import { serve } from "./serve.ts";
import { token } from "./token.ts";
import { verify } from "./verify.ts";
import { write } from "./write.ts";

const COMMANDS = [
  ...[init, importFolder, exportFolder, check, publish, write, verify],
  ...[serve, preview, token],
];

/**
 * Runs the command line. This is the one place that catches: whatever a command throws becomes an
 * error message and an exit status here.
 */
export async function main(args: readonly string[]): Promise<void> {
  process.stdout.on("error", endQuietly);
  const program = new Command("svc")
    .description(
      "Publishes a content workspace as a read-only JSON API of static files, and previews drafts.",
    )
    .version(packageVersion())
    .exitOverride()
    .addHelpText(
      "after",
      "\nExample:\n  $ svc init shop && svc import shop && svc publish\n\nsvc <command> --help tells more.",
    );
  for (const command of COMMANDS) program.addCommand(command);
  silence(program);
  try {
    await program.parseAsync(args, { from: "user" });
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return;
    const options = { json: args.includes("--json"), debug: args.includes("--debug") };
    process.exitCode = tellFailure(asUsage(error), options);
  }
}

/** commander tells errors by itself, in other words than ours. */
function silence(command: Command): void {
  command.configureOutput({ outputError: () => {} });
  for (const inner of command.commands) silence(inner);
}

function asUsage(error: unknown): unknown {
  if (!(error instanceof CommanderError)) return error;
  const message = error.message.replace(/^error: /, "");
  const [first = "", ...suggestion] = message.split("\n");
  const help = "svc --help lists the commands, svc <command> --help the options";
  if (error.code === "commander.help") return new UsageError("a command is missing", help);
  return new UsageError(first, suggestion.join(" ").replace(/^\(|\)$/g, "") || help);
}

/** Whoever reads our output may stop before its end: `svc check | head`. */
function endQuietly(error: NodeJS.ErrnoException): void {
  if (error.code !== "EPIPE") throw error;
  process.exit(process.exitCode ?? 0);
}
