import { statSync } from "node:fs";
import { generateTypes } from "../../codegen/generate-types.ts";
import { hasText, replaceFile } from "../../files/replace-file.ts";
import { UsageError } from "../../workspace/errors.ts";
import { readSchemaDocument } from "../schema-source.ts";
import type { Run } from "../table/table.ts";

export const types: Run<"types"> = async (output, options) => {
  const { schema } = options;
  const { output: file, check } = options;
  if (file === undefined && check) {
    throw new UsageError("--check needs an output file", "add -o <file>");
  }
  if (file === "-") {
    throw new UsageError("-o needs a file name", "to print the types, leave -o out");
  }
  const document = await readSchemaDocument(schema, options, output);
  const text = generateTypes(document, { constants: options.const ?? false });
  if (file === undefined) {
    output.file({ types: text }, text);
    return 0;
  }
  if (schema !== undefined && isSameFile(schema, file)) {
    throw new UsageError(`-o is the schema file itself, "${file}"`, "choose another output file");
  }
  const upToDate = hasText(file, text);
  if (check) {
    output.result({ file, upToDate }, `${file} is ${upToDate ? "" : "not "}up to date`);
    if (!upToDate) output.note("hint: run svc types without --check, and commit the file");
    return upToDate ? 0 : 1;
  }
  if (!upToDate) replaceFile(file, text);
  output.result({ file, written: !upToDate }, upToDate ? `${file} is up to date` : `wrote ${file}`);
  return 0;
};

function isSameFile(a: string, b: string): boolean {
  const [one, other] = [a, b].map((file) =>
    statSync(file, { bigint: true, throwIfNoEntry: false }),
  );
  return one !== undefined && one.ino === other?.ino && one.dev === other.dev;
}
