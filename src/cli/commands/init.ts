import { cpSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fillFolder } from "../../folder/fill-folder.ts";
import { action, command, notEmpty } from "../command.ts";
import { counted } from "../output/counted.ts";
import { packageRoot } from "../program/package-root.ts";

export const initCommand = command("init", ["svc init shop"])
  .argument("<folder>", "the folder to create; must be empty or missing", notEmpty)
  .action(
    action(async (output, _options, folder = "") => {
      fillFolder(folder, () =>
        cpSync(join(packageRoot(), "fixtures", "starter"), folder, { recursive: true }),
      );
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length;
      output.result(
        { folder, files },
        `created the workspace folder ${folder} (${counted(files, "file")})`,
      );
      output.note(`next: svc import ${folder}`);
      return 0;
    }),
  );
