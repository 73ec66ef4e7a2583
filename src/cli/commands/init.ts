import { cpSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fillFolder } from "../../folder/fill-folder.ts";
import { toId } from "../../workspace/ids.ts";
import { action, command, notEmpty } from "../command.ts";
import { counted } from "../output/counted.ts";
import { shellWord } from "../output/shell-word.ts";
import { packageRoot } from "../program/package-root.ts";

/** What commands that run in the folder write there. Not in the fixture: npm packs no `.gitignore`. */
const GITIGNORE = `# The store and the published files of svc
*.db
*.db-remote
*.db-shm
*.db-wal
/out/
`;

export const initCommand = command("init", ["svc init shop"])
  .argument("<folder>", "the folder to create; must be empty or missing", notEmpty)
  .action(
    action(async (output, _options, folder = "") => {
      fillFolder(folder, () => {
        cpSync(join(packageRoot(), "fixtures", "starter"), folder, { recursive: true });
        nameWorkspace(join(folder, "workspace.json"), basename(resolve(folder)));
        writeFileSync(join(folder, ".gitignore"), GITIGNORE);
      });
      const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
        entry.isFile(),
      ).length;
      output.result(
        { folder, files },
        `created the workspace folder ${folder} (${counted(files, "file")})`,
      );
      const named = shellWord(folder);
      output.note(`next: svc dev ${named}, or svc publish ${named}`);
      return 0;
    }),
  );

function nameWorkspace(file: string, name: string): void {
  const settings = { ...JSON.parse(readFileSync(file, "utf8")), id: toId(name), name };
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}
