import { action, command } from "./command.ts";
import { counted } from "./output.ts";

export const init = command("init", "Make a small example workspace folder to start from.", [
  "svc init shop",
])
  .argument("<folder>", "a folder that is empty or does not exist yet")
  .action(
    action(async (output, _options, folder = "") => {
      const { cpSync, readdirSync } = await import("node:fs");
      const { join } = await import("node:path");
      const { refuseNonEmpty } = await import("../folder/write-folder.ts");
      const { packageRoot } = await import("./package-root.ts");
      refuseNonEmpty(folder);
      cpSync(join(packageRoot(), "fixtures", "starter"), folder, { recursive: true });
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length;
      output.result(
        { folder, files },
        `made the workspace folder ${folder} (${counted(files, "file")})`,
      );
      output.note(`next: svc import ${folder}`);
      return 0;
    }),
  );
