import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "commander";
import { hasWorkspaceFile } from "../folder/workspace-file.ts";
import { MANIFEST } from "../publish/manifest.ts";
import { SvcError } from "../workspace/errors.ts";
import { withOut } from "./command.ts";

/** `--out` of a command that writes there: refused for a workspace folder (`out-is-workspace`). */
export function withWrittenOut(to: Command): Command {
  return withOut(to).hook("preAction", (command) => {
    const { out } = command.opts<{ out: string }>();
    if (existsSync(join(out, MANIFEST)) || !hasWorkspaceFile(out)) return;
    throw new SvcError("out-is-workspace", `"${out}" is a workspace folder`, {
      hint: "choose another folder with --out: the published files would be among its own",
    });
  });
}
