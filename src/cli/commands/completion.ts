import { Argument, type Command } from "commander";
import { action, command } from "../command.ts";
import { completionScript, SHELLS, type Shell } from "../output/completion-script.ts";

/** @param tree loads every command by its words. */
export function completionCommand(tree: () => Promise<ReadonlyMap<string, Command>>): Command {
  return command("completion", [
    "source <(svc completion bash)",
    "svc completion fish > ~/.config/fish/completions/svc.fish",
  ])
    .addArgument(new Argument("<shell>", "the shell").choices(SHELLS))
    .action(
      action(async (output, _options, shell) => {
        const script = completionScript(shell as Shell, await tree());
        output.result({ script }, script.trimEnd());
        return 0;
      }),
    );
}
