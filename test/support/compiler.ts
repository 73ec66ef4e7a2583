import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./test-bed.ts";

export const ROOT = join(import.meta.dirname, "../..");

/** The compiler itself: its script starts a Node only to find it. */
const { default: compilerPath } = await import(
  join(ROOT, "node_modules/typescript/lib/getExePath.js")
);
export const COMPILER: string = compilerPath();

/** The strictest usual options of consumers. */
export const STRICT = [
  "--strict",
  "--exactOptionalPropertyTypes",
  "--noUncheckedIndexedAccess",
  ..."--module nodenext --target es2024 --allowImportingTsExtensions".split(" "),
  "--types",
  "",
];

/** The modules of the client's package, by their names. */
const CLIENT = {
  '"@svc-publish/client"': `"${ROOT}/src/client/client.ts"`,
  '"@svc-publish/client/rich-text"': `"${ROOT}/src/client/rich-text.ts"`,
};

function withSources(text: string): string {
  return Object.entries(CLIENT).reduce((all, [name, file]) => all.replaceAll(name, file), text);
}

/** Compiles files, which can import each other and the client's package. Returns the errors. */
export function compile(
  files: Readonly<Record<string, string>>,
  options: readonly string[] = STRICT,
): string[] {
  const folder = temporaryFolder();
  const paths = Object.entries(files).map(([name, text]) => {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, withSources(text));
    return path;
  });
  const { status, stdout, stderr, error } = spawnSync(
    COMPILER,
    ["--ignoreConfig", "--noEmit", "--skipLibCheck", "--pretty", "false", ...options, ...paths],
    { cwd: folder, encoding: "utf8" },
  );
  if (error) throw error;
  if (status !== 0 && stdout.trim() === "") throw new Error(`tsc: ${status} ${stderr}`);
  // An indented line continues the one before.
  return stdout.split(/\n(?=\S)/).filter((line) => line.trim() !== "");
}
