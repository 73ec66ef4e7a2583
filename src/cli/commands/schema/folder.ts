import { join, relative, resolve, sep } from "node:path";
import { readIfFile, replaceFile } from "../../../files/replace-file.ts";
import { schemaFile, withSchemas } from "../../../folder/schemas/editor-settings.ts";
import { folderSchemas } from "../../../folder/schemas/folder-schemas.ts";
import { readVocabulary } from "../../../folder/schemas/vocabulary.ts";
import { UsageError } from "../../../workspace/errors.ts";
import { action, command, notEmpty, type SharedOptions } from "../../command.ts";
import { counted } from "../../output/counted.ts";
import { requireWorkspaceFolder } from "../../workspace-folder.ts";

interface SchemaFolderOptions extends SharedOptions {
  readonly vscode?: string;
}

export const schemaFolder = command("folder", [
  "svc schema folder content",
  "svc schema folder content --vscode .",
])
  .description("Write JSON Schemas of a workspace folder's files, by which editors complete them.")
  .argument("[folder]", "the workspace folder", notEmpty, ".")
  .option(
    "--vscode <folder>",
    "also add them to .vscode/settings.json in this folder, which is the one that VS Code opens",
    notEmpty,
  )
  .action(
    action<SchemaFolderOptions>(async (output, { vscode }, folder = ".") => {
      requireWorkspaceFolder(folder);
      const settings = vscode === undefined ? undefined : settingsWith(vscode, folder);
      const vocabulary = readVocabulary(folder);
      const schemas = [...folderSchemas(vocabulary)];
      const files = schemas.map(([kind]) => join(folder, schemaFile(kind)));
      for (const [index, [, schema]] of schemas.entries()) {
        writeIfChanged(files[index] as string, `${JSON.stringify(schema, null, 2)}\n`);
      }
      if (settings !== undefined) writeIfChanged(settings.file, settings.text);
      const { faulty } = vocabulary;
      if (faulty > 0) {
        const records = counted(faulty, "definition");
        output.note(
          `warning: ${records} with faults left out; svc check <folder> lists the faults`,
        );
      }
      output.result(
        { folder, files, faulty, ...(settings && { settings: settings.file }) },
        [...files, ...(settings ? [settings.file] : [])].join("\n"),
      );
      return 0;
    }),
  );

function settingsWith(opened: string, folder: string): { file: string; text: string } {
  const path = relative(resolve(opened), resolve(folder)).split(sep).join("/");
  if (path.startsWith("..")) {
    throw new UsageError(
      `--vscode: "${folder}" is not in "${opened}"`,
      "name the folder that VS Code opens: the workspace folder or one above it",
    );
  }
  const file = join(opened, ".vscode", "settings.json");
  return { file, text: withSchemas(readIfFile(file) ?? "", path === "" ? "." : path) };
}

function writeIfChanged(file: string, text: string): void {
  if (readIfFile(file) !== text) replaceFile(file, text);
}
