import { join } from "node:path";
import { compile as compileFiles, ROOT, STRICT } from "../support/compiler.ts";

/** The types of the client, for files that are compiled without those of a browser or of Node. */
const CLIENT = join(ROOT, "src/client/types.ts");

/** An error of the compiler. */
export interface CompilerError {
  readonly file: string;
  readonly line: number;
  /** The text of the line, without its indentation. */
  readonly at: string;
  readonly message: string;
}

/** Generated types use nothing of a browser, whose types take most of a short run. */
const OPTIONS = [...STRICT, "--lib", "es2024"];

/** Compiles TypeScript files, by path, in one strict run of the compiler. */
export function compile(files: ReadonlyMap<string, string>): CompilerError[] {
  const own = [...files].map(
    ([name, text]) => [name, text.replaceAll("@svc-publish/client", CLIENT)] as const,
  );
  return compileFiles(Object.fromEntries(own), OPTIONS).map((text) => {
    const [, file = "", line, , message = ""] = /^(.*?)\((\d+),(\d+)\): (.*)$/s.exec(text) ?? [];
    if (line === undefined) throw new Error(`tsc: ${text}`);
    const at = files.get(file)?.split("\n")[Number(line) - 1]?.trim() ?? "";
    return { file, line: Number(line), at, message };
  });
}

/** Compiles generated types, and code that uses them. */
export function compileUse(types: string, use: string): CompilerError[] {
  return compile(
    new Map([
      ["types.ts", types],
      ["use.ts", use],
    ]),
  );
}

/**
 * JSON as an expression that the compiler checks member by member. A member `__proto__` is
 * computed, because a plain one would set the prototype.
 */
function expression(json: unknown): string {
  const text = JSON.stringify(json, undefined, 1);
  // Member names are first on their lines, and JSON strings have no line breaks.
  return text.replaceAll(/^( *)"__proto__":/gm, '$1["__proto__"]:');
}

/** A file that assigns the documents of a project to the types in `schema`. */
export function documentsFile(schema: string, documents: readonly Served[]): string {
  const constants = documents.map(
    ({ type, json }, index) =>
      `export const document${index}: ${type}<Schema> = ${expression(json)};\n`,
  );
  return [
    `import type { ExperienceContent, ProjectConfig } from "@svc-publish/client";\n`,
    `import type { Schema } from ${JSON.stringify(schema)};\n`,
    "export type Both = [ExperienceContent<Schema>, ProjectConfig<Schema>];\n",
    ...constants,
  ].join("");
}

/** A served document, and the name of its type in the client. */
export interface Served {
  readonly type: "ProjectConfig" | "ExperienceContent";
  // biome-ignore lint/suspicious/noExplicitAny: tests change documents freely
  readonly json: any;
}
