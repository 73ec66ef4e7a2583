import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { fillFolder } from "../../folder/fill-folder.ts";
import { idFrom } from "../../import/formats/to-id.ts";
import { counted, shellWord } from "../output/words.ts";
import { packageRoot } from "../program/package-root.ts";
import type { Run } from "../table/table.ts";
import { addLines } from "../workspace-folder.ts";

/** What commands that run in the folder write there. Not in the fixture: npm packs no `.gitignore`. */
const IGNORED = [
  "# The store and the published files of svc",
  "*.db",
  "*.db-shm",
  "*.db-wal",
  "/out/",
];

/** What a new repository has; an import reads neither. */
const OF_A_REPOSITORY = /^(?:\.|(?:readme|licen[cs]e)(?:\.|$))/i;

export const init: Run<"init"> = async (output, { folder }) => {
  const starter = join(packageRoot(), "fixtures", "starter");
  fillFolder(
    folder,
    () => {
      cpSync(starter, folder, { recursive: true });
      nameWorkspace(join(folder, "workspace.json"), basename(resolve(folder)));
      addLines(join(folder, ".gitignore"), IGNORED);
    },
    (name) => OF_A_REPOSITORY.test(name),
  );
  const made = readdirSync(starter, { recursive: true, withFileTypes: true });
  // And .gitignore.
  const files = made.filter((entry) => entry.isFile()).length + 1;
  output.result(
    { folder, files },
    `created the workspace folder ${folder} (${counted(files, "file")})`,
  );
  // A name like an option would be taken for one.
  const named = shellWord(folder.startsWith("-") ? `./${folder}` : folder);
  // Commands write into the folder in which they run: in a repository mostly its root.
  if (existsSync(".git") && resolve(folder) !== resolve(".")) {
    output.note("svc writes out/ and workspace.db where it runs: have Git ignore them here too");
  }
  output.note(`next: svc dev ${named}, or svc publish ${named}`);
};

function nameWorkspace(file: string, name: string): void {
  const settings = {
    ...JSON.parse(readFileSync(file, "utf8")),
    id: idFrom(name, "workspace"),
    name,
  };
  writeFileSync(file, `${JSON.stringify(settings, null, 2)}\n`);
}
