// Writes what is made of the commands' table: the option tables of docs/cli.md and its codes of errors. With --check
// (`npm run check`) it writes nothing, and fails when the file is not what it would write.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Row, SHARED, VARIABLES } from "../src/cli/table/options.ts";
import { TABLE, takenBy } from "../src/cli/table/table.ts";
import { ERROR_STATUS } from "../src/workspace/error-codes.ts";

const ROOT = join(import.meta.dirname, "..");

/** docs/cli.md with the tables of options that it should have. */
function documented(text: string): string {
  const tables = new Map([
    ["Options of every command", tableOf(Object.entries(SHARED))],
    ...Object.keys(TABLE).map((words) => [`svc ${words}`, tableOf(takenBy(words))] as const),
  ]);
  const sections = text.split(/^(?=## )/m).map((section) => {
    const heading = /^## (.*)\n/.exec(section)?.[1] ?? "";
    const table = tables.get(heading);
    tables.delete(heading);
    if (table === undefined || table === "") return section;
    return section.replace(/^\| option \|.*\n(?:\|.*\n)*/m, () => table);
  });
  const [missing] = tables.keys();
  if (missing === undefined) return sections.join("").replace(ERRORS, errorsTable);
  throw new Error(`docs/cli.md has no section "${missing}"`);
}

const ERRORS = /^\| exit status \| errors \|.*\n(?:\|.*\n)*/m;

function errorsTable(): string {
  const rows = [1, 2, 3, 4].map((status) => {
    const codes = Object.entries(ERROR_STATUS).flatMap(([code, one]) =>
      one === status ? code : [],
    );
    return `| ${status} | ${codes.map((code) => `\`${code}\``).join(", ")} |\n`;
  });
  return `| exit status | errors |\n|---|---|\n${rows.join("")}`;
}

function tableOf(rows: readonly (readonly [flags: string, row: Row])[]): string {
  if (rows.length === 0) return "";
  const lines = rows.map(([flags, row]) => {
    const [words, , value] = typeof row === "string" ? [row] : row;
    const variable = VARIABLES[flags] && `\`${VARIABLES[flags]}\``;
    const isArgument = !flags.includes("--");
    const known = [
      ...(value === undefined ? [] : [`default \`${value}\``]),
      ...(variable === undefined ? [] : [isArgument ? `or ${variable}` : variable]),
    ];
    const behind = known.length === 0 ? "" : ` (${known.join("; ")})`;
    return `| \`${flags}\` | ${words}${behind} |\n`;
  });
  const help = rows.some(([flags]) => flags === "--json") ? HELP : "";
  return `| option | meaning |\n|---|---|\n${lines.join("")}${help}`;
}

const HELP = "| `-h, --help` | print the options, with an example |\n";

const FILE = join(ROOT, "docs/cli.md");
const text = readFileSync(FILE, "utf8");
const made = documented(text);
if (!process.argv.includes("--check")) writeFileSync(FILE, made);
else if (made !== text) {
  process.stderr.write("error: docs/cli.md is not up to date: run npm run generate\n");
  process.exitCode = 1;
}
