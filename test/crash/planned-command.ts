import type { Random } from "../support/workspaces/random.ts";
import type { References } from "./references.ts";
import { published, rolledBack, type StoreState } from "./store-state.ts";

/** Few, so that versions are pruned too. */
export const KEEP = 3;

/** How often each command is killed, if the state allows it. */
const COMMANDS = {
  publish: 45,
  rollback: 15,
  "write, damaged": 10,
  "write, empty": 8,
  import: 10,
  "first import": 12,
};
export type Command = keyof typeof COMMANDS;

/** A command that can be run in this state. */
export function chooseCommand(random: Random, { versions }: StoreState): Command {
  const command = random.weighted(COMMANDS);
  if (command === "rollback" && versions.length < 2) return "publish";
  if (command.startsWith("write") && versions.length === 0) return "publish";
  return command;
}

export interface Plan {
  readonly args: readonly string[];
  /** The store after the command. */
  readonly after: StoreState;
  /** The version in `out/` then; undefined: the command does not write there. */
  readonly target: string | undefined;
}

export function planOf(
  command: Command,
  before: StoreState,
  references: References,
  random: Random,
): Plan {
  const { versions, current, draft } = before;
  const writing = (args: readonly string[], target: string | undefined, after: StoreState) => {
    return { args: [...args, "--out", "out"], after, target };
  };
  if (command === "import") {
    const variant = random.pick(references.variants.filter((one) => one.draft !== draft));
    const after = { ...before, draft: variant.draft };
    return { args: ["import", variant.folder], after, target: undefined };
  }
  if (command === "rollback") {
    const target = random.pick(versions.filter((one) => one !== current));
    return writing(["rollback", target], target, rolledBack(before, target));
  }
  if (command === "publish") {
    const target = references.variantOf(draft).version;
    const after = published(before, target, KEEP);
    return writing(["publish", "--keep", `${KEEP}`, "--max-removals", "100%"], target, after);
  }
  return writing(["write"], current, before);
}
