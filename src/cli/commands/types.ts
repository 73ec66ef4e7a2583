import { statSync } from "node:fs";
import { generateTypes } from "../../codegen/generate-types.ts";
import { hasText, replaceFile } from "../../files/replace-file.ts";
import { serverUrl } from "../../http/server-url.ts";
import { UsageError } from "../../workspace/errors.ts";
import { readTypesSources } from "../schema-source.ts";
import type { Run } from "../table/table.ts";

export const types: Run<"types"> = async (output, options) => {
  // W7 gives one.
  const schema = [options.schema ?? []].flat();
  const { output: file, check, format, url } = options;
  if (file === undefined && check) {
    throw new UsageError("--check needs an output file", "add -o <file>");
  }
  if (file === "-") {
    throw new UsageError("-o needs a file name", "to print the types, leave -o out");
  }
  if (options.const && format !== "typescript") {
    throw new UsageError(`--const is of typescript, not of ${format}`, "leave one of both out");
  }
  if (url !== undefined && format !== "openapi") {
    throw new UsageError("--url is of openapi", "leave it out, or add --format openapi");
  }
  const servers = url === undefined ? {} : { url: `${serverUrl(url)}/api/v1` };
  const sources = await readTypesSources(schema, options, output);
  const text = generateTypes(sources, { constants: options.const ?? false, format, ...servers });
  if (file === undefined) {
    output.file({ types: text }, text);
    return 0;
  }
  if (schema.some((one) => isSameFile(one, file))) {
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
