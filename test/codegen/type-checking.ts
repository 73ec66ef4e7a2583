import { join } from "node:path";
import { compile as compileFiles, ROOT } from "../support/compiler.ts";

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
export function compile(files: ReadonlyMap<string, string>): Complaint[] {
  return compileFiles(Object.fromEntries(files)).map((text) => {
    const [, file = "", line, , message = ""] = /^(.*?)\((\d+),(\d+)\): (.*)$/s.exec(text) ?? [];
    if (line === undefined) throw new Error(`tsc: ${text}`);
    const at = files.get(file)?.split("\n")[Number(line) - 1]?.trim() ?? "";
    return { file, line: Number(line), at, message };
  });
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
