import { join, relative, resolve, sep } from "node:path";
import { readIfFile, replaceFile } from "../../files/replace-file.ts";
import { folderSchemas, schemaFile, withSchemas } from "../../folder/schemas/folder-schemas.ts";
import { readVocabulary } from "../../folder/schemas/vocabulary.ts";
import { UsageError } from "../../workspace/errors.ts";
import { counted } from "../output/words.ts";
import type { Run } from "../table/table.ts";
import { requireWorkspaceFolder } from "../workspace-folder.ts";

export const schemaFolder: Run<"schema folder"> = async (output, { vscode, folder }) => {
  requireWorkspaceFolder(folder);
  const settings = vscode === undefined ? undefined : settingsWith(vscode, folder);
  const vocabulary = readVocabulary(folder);
  const files: string[] = [];
  for (const [kind, schema] of folderSchemas(vocabulary)) {
    const file = join(folder, schemaFile(kind));
    writeIfChanged(file, `${JSON.stringify(schema, null, 2)}\n`);
    files.push(file);
  }
  if (settings !== undefined) writeIfChanged(settings.file, settings.text);
  const { faulty } = vocabulary;
  if (faulty > 0) {
    const records = counted(faulty, "definition");
    output.note(`warning: ${records} with faults left out; svc check <folder> lists the faults`);
  }
  output.result(
    { folder, files, faulty, ...(settings && { settings: settings.file }) },
    settings ? [...files, settings.file] : files,
  );
};

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
