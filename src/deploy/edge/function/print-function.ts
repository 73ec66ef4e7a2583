import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as constants from "./constants.ts";

/** The modules of the edge functions; `scripts/bundle.ts` copies them beside the program. */
const FOLDER = join(import.meta.dirname, "cloudfront");
const CONSTANTS = "../constants.ts";

/** What a module imports from beside it; other imports are of the runtime's own modules. */
const IMPORT = /^import \{(\s*\w+(?:,\s*\w+)*,?\s*)\} from "(\.[^"]+)";\n/gm;
const RUNTIME_IMPORT = /^import .* from "[^."][^"]*";\n/gm;

/**
 * The text of an edge function. CloudFront takes a single script: the modules are printed one after
 * the other, without `export` and doc comments, below the constants that they import.
 *
 * @param settings values for some of the constants.
 * @param folder holds the modules.
 * @throws Error when a module imports an unknown constant, or none imports one of the settings; when
 *   two modules declare the same name, or what one imports or exports cannot be joined.
 */
export function printFunction(
  entry: string,
  settings: Partial<Record<keyof typeof constants, string>> = {},
  folder = FOLDER,
): string {
  const modules = modulesOf(entry, folder);
  const values: Readonly<Record<string, unknown>> = { ...constants, ...settings };
  const names = new Set(modules.flatMap(({ constants }) => constants));
  const unused = Object.keys(settings).filter((name) => !names.has(name));
  const unknown = [...names].filter((name) => !Object.hasOwn(values, name));
  if (unused.length > 0) throw new Error(`${entry} does not import ${unused.join(", ")}`);
  if (unknown.length > 0) throw new Error(`${CONSTANTS} does not export ${unknown.join(", ")}`);
  const script = modules.map(({ text }) => text).join("\n");
  assertJoinable(entry, script, names);
  return [
    "// Printed by svc cdn: print it again instead of editing it.\n",
    ...(script.match(RUNTIME_IMPORT) ?? []),
    "\n",
    ...[...names].sort().map((name) => `const ${name} = ${literal(values[name])};\n`),
    "\n",
    script.replaceAll(RUNTIME_IMPORT, "").trimStart(),
  ].join("");
}

interface Module {
  readonly text: string;
  readonly constants: readonly string[];
}

/** The entry, and each module that it needs, once. */
function modulesOf(entry: string, folder: string): Module[] {
  const modules = new Map<string, Module>();
  const files = [entry];
  for (const file of files) {
    if (modules.has(file)) continue;
    const source = readFileSync(join(folder, file), "utf8");
    const constants: string[] = [];
    for (const [, names = "", from = ""] of source.matchAll(IMPORT)) {
      if (from === CONSTANTS) constants.push(...(names.match(/\w+/g) ?? []));
      else files.push(from);
    }
    modules.set(file, { text: asScript(source), constants });
  }
  return [...modules.values()];
}

function asScript(source: string): string {
  return source
    .replaceAll(IMPORT, "")
    .replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, "")
    .replaceAll(/^export (?=(?:async )?function )/gm, "")
    .trimStart();
}

/** In one script, the later of two declarations of a name would win. */
function assertJoinable(entry: string, script: string, constants: ReadonlySet<string>): void {
  const rest = script.replaceAll(RUNTIME_IMPORT, "").match(/^ *(?:import|export)\b.*/m);
  if (rest) throw new Error(`${entry}: cannot be joined: ${rest[0]}`);
  const declared = new Set(constants);
  for (const [, name = ""] of script.matchAll(DECLARATION)) {
    if (declared.has(name)) throw new Error(`${entry}: ${name} is declared twice`);
    declared.add(name);
  }
}

/** A declaration at the top of a module. */
const DECLARATION = /^(?:(?:async )?function|class|const|let|var) (\w+)/gm;

/** A constant as JavaScript; a long object has a line for each member. */
function literal(value: unknown): string {
  if (value instanceof RegExp) return String(value);
  const text = JSON.stringify(value);
  if (text.length < 100 || typeof value !== "object" || value === null) return text;
  const members = Object.entries(value).map(
    ([name, member]) => `  ${JSON.stringify(name)}: ${JSON.stringify(member)}`,
  );
  return `{\n${members.join(",\n")}\n}`;
}
