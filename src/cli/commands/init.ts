import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { idFrom } from "../../documents/to-id.ts";
import { fillFolder } from "../../folder/fill-folder.ts";
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

const OF_A_SITE = [...IGNORED, "node_modules/", ".env.local"];

/** What a new repository has; an import reads neither. */
const OF_A_REPOSITORY = /^(?:\.|(?:readme|licen[cs]e)(?:\.|$))/i;

export const init: Run<"init"> = async (output, { folder, template }) => {
  const fixtures = join(packageRoot(), "fixtures");
  const content = template === undefined ? folder : join(folder, "content");
  const copies: [from: string, to: string][] =
    template === undefined
      ? [[join(fixtures, "starter"), folder]]
      : [
          [join(fixtures, "templates", "project"), folder],
          [join(fixtures, "templates", template), content],
        ];
  fillFolder(
    folder,
    () => {
      for (const [from, to] of copies) cpSync(from, to, { recursive: true });
      nameWorkspace(join(content, "workspace.json"), basename(resolve(folder)));
      addLines(join(folder, ".gitignore"), template === undefined ? IGNORED : OF_A_SITE);
    },
    (name) => OF_A_REPOSITORY.test(name),
  );
  const made = copies.flatMap(([from]) =>
    readdirSync(from, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()),
  );
  // And .gitignore.
  const files = made.length + 1;
  const what = template === undefined ? "the workspace folder" : `the ${template}`;
  output.result({ folder, files }, `created ${what} ${folder} (${counted(files, "file")})`);
  // A name like an option would be taken for one.
  const named = shellWord(folder.startsWith("-") ? `./${folder}` : folder);
  if (template !== undefined) {
    output.note(`next: cd ${named}, and do as its README.md says`);
    return;
  }
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
