import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { temporaryFolder } from "./test-bed.ts";

const ROOT = join(import.meta.dirname, "../..");
const COMPILER = join(ROOT, "node_modules/typescript/bin/tsc");
const OPTIONS = [
  ...["--ignoreConfig", "--strict", "--exactOptionalPropertyTypes", "--noUncheckedIndexedAccess"],
  ...["--noEmit", "--pretty", "false", "--target", "es2023", "--module", "nodenext"],
  ...["--allowImportingTsExtensions", "--skipLibCheck", "--types", ""],
];

/** The types of the client, to be imported by files that are compiled. */
export const CLIENT = join(ROOT, "src/client/types.ts");

/** What the compiler says of a place in a file. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  /** The text of the line, without its indentation. */
  readonly at: string;
  readonly message: string;
}

/** Compiles TypeScript files, by path, in one run of the compiler, as strictly as it can. */
export async function compile(files: ReadonlyMap<string, string>): Promise<Complaint[]> {
  const folder = temporaryFolder();
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  // Without a package.json every file with an import or export is a module of its own all the same.
  const compiler = spawn(process.execPath, [COMPILER, ...OPTIONS, ...files.keys()], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let said = "";
  for (const stream of [compiler.stdout, compiler.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      said += text;
    });
  }
  const status = await new Promise((resolve, reject) =>
    compiler.on("close", resolve).on("error", reject),
  );
  const complaints = said.split(/\n(?! )/).flatMap((text) => complaint(text, files));
  if ((status === 0) !== (complaints.length === 0)) throw new Error(`tsc: ${status} ${said}`);
  return complaints;
}

function complaint(text: string, files: ReadonlyMap<string, string>): Complaint[] {
  if (text.trim() === "") return [];
  const [, file = "", line, , message = ""] = /^(.*?)\((\d+),(\d+)\): (.*)$/s.exec(text) ?? [];
  if (line === undefined) throw new Error(`tsc: ${text}`);
  const at = files.get(file)?.split("\n")[Number(line) - 1]?.trim() ?? "";
  return [{ file, line: Number(line), at, message }];
}

/**
 * JSON as an expression that the compiler checks member by member. A member `__proto__` is
 * computed: as a plain one it would name the prototype.
 */
export function expression(json: unknown): string {
  const text = JSON.stringify(json, undefined, 1);
  // Member names stand first on their lines; strings hold no line breaks in JSON.
  return text.replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');
}

/** A file that says the documents of a project are of the types in `schema`. */
export function documentsFile(schema: string, documents: readonly Served[]): string {
  const constants = documents.map(
    ({ type, json }, index) =>
      `export const document${index}: ${type}<Schema> = ${expression(json)};\n`,
  );
  return [
    `import type { ExperienceContent, ProjectConfig } from ${JSON.stringify(CLIENT)};\n`,
    `import type { Schema } from ${JSON.stringify(schema)};\n`,
    "export type Both = [ExperienceContent<Schema>, ProjectConfig<Schema>];\n",
    ...constants,
  ].join("");
}

/** A document as it is served, and what the client calls its type. */
export interface Served {
  readonly type: "ProjectConfig" | "ExperienceContent";
  // biome-ignore lint/suspicious/noExplicitAny: tests change documents freely
  readonly json: any;
}
