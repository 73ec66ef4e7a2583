import { spawnSync } from "node:child_process";
import { join, resolve } from "node:path";
import { EXPORT_LIST } from "../../../folder/export/export-list.ts";
import { SvcError } from "../../../workspace/errors.ts";
import { KINDS } from "../../../workspace/records.ts";
import { addLines } from "../../add-lines.ts";
import { action, command, notEmpty } from "../../command.ts";
import { requireWorkspaceFolder } from "../../workspace-folder.ts";

const ATTRIBUTES = [
  ...["workspace", ...KINDS].flatMap((name) => [
    `/${name}.json merge=svc`,
    `/${name}.jsonc merge=svc`,
  ]),
  ...KINDS.map((kind) => `/${kind}/** merge=svc`),
  `/${EXPORT_LIST} merge=union`,
];

export const mergeDriverInstall = command("install", ["svc merge-driver install content"])
  .description("Let Git merge the files of a workspace folder by field, in this clone.")
  .argument("[folder]", "the workspace folder, in a Git work tree", notEmpty, ".")
  .action(
    action(async (output, _options, folder = ".") => {
      requireWorkspaceFolder(folder);
      const driver = driverCommand();
      gitConfig(folder, "merge.svc.name", "merges workspace folders by field");
      gitConfig(folder, "merge.svc.driver", driver);
      const attributes = join(folder, ".gitattributes");
      const added = addLines(attributes, ATTRIBUTES);
      output.result(
        { folder, attributes, added, driver },
        `${attributes}: ${added} lines added; Git merges ${folder} by field in this clone`,
      );
      output.note("commit .gitattributes; each clone runs svc merge-driver install once");
      return 0;
    }),
  );

/** This program by its path, as Git runs it in a shell. */
function driverCommand(): string {
  const program = [process.execPath, resolve(process.argv[1] as string)];
  const words = program.map((word) => `'${word.replaceAll("\\", "/").replaceAll("'", "'\\''")}'`);
  return `${words.join(" ")} merge-driver run --marker-size %L %O %A %B %P`;
}

/** @throws SvcError `git-failed`: there is no Git, or no repository. */
function gitConfig(folder: string, key: string, value: string): void {
  const args = ["config", "--local", key, value];
  const { status, stderr, error } = spawnSync("git", args, { cwd: folder, encoding: "utf8" });
  if (status === 0) return;
  const reason = error?.message ?? stderr.trim();
  throw new SvcError("git-failed", `git config failed in "${folder}": ${reason}`, {
    hint: "run it in a clone of the Git repository that has the workspace folder",
    cause: error,
  });
}
