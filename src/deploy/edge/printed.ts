import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The files that `svc cdn` prints; `scripts/bundle.ts` copies them beside the program. */
const FOLDER = join(import.meta.dirname, "printed");

/** `#if name` or `#if !name` on a line of its own, in a comment of YAML, nginx or JavaScript. */
const CONDITION = /^ *(?:\/\/)?#if (!?)(\w+)\n([\s\S]*?)^ *(?:\/\/)?#end\n/gm;
const PLACEHOLDER = /( *)\{\{([\w-]+)\}\}/g;

/**
 * A file to print, with the parts whose condition holds.
 *
 * @param values by placeholder (`{{name}}`), already in the file's syntax; further lines are indented
 *   as the first one.
 */
export function printed(
  name: string,
  conditions: Readonly<Record<string, boolean>>,
  values: Readonly<Record<string, string>> = {},
): string {
  return readFileSync(join(FOLDER, name), "utf8")
    .replaceAll(CONDITION, (_, not: string, condition: string, part: string) =>
      conditions[condition] === (not === "") ? part : "",
    )
    .replaceAll(PLACEHOLDER, (_, indent: string, placeholder: string) => {
      const value = values[placeholder];
      if (value === undefined) throw new Error(`${name}: nothing is given for ${placeholder}`);
      return indent + value.replaceAll(/\n(?=.)/g, `\n${indent}`);
    });
}
