// node bare-rewrite.ts <out>: does the minimal rewriting of every publish. Reads each document below
// out/api, replaces the version id at its end, writes a temporary file and renames it.
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const DIGITS = 32;
const VERSION = "f".repeat(DIGITS);
/** The text after the version id: in contents and configs, and in schemas. */
const ENDS = ['"}\n', '"\n}\n'];

const [out = ""] = process.argv.slice(2);
rewrite(join(out, "api"));

function rewrite(folder: string): void {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) rewrite(path);
    else if (entry.name.endsWith(".json")) {
      const document = readFileSync(path);
      const tail = document.toString("latin1", document.length - ENDS.join("").length);
      const end = ENDS.find((text) => tail.endsWith(text));
      if (end === undefined) throw new Error(`"${path}" names no version`);
      document.write(VERSION, document.length - end.length - DIGITS, "latin1");
      writeFileSync(`${path}.new`, document);
      renameSync(`${path}.new`, path);
    }
  }
}
