// The bare loop: reads every file below a folder into memory, then writes the same bytes to the
// same number of new files, as plainly as Node can, and prints the seconds of the writing.
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";

const [from = "", to = ""] = process.argv.slice(2);
const files = readdirSync(from, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name).slice(from.length + 1))
  .map((path) => ({ path, bytes: readFileSync(join(from, path)) }));

const start = process.hrtime.bigint();
const made = new Set<string>();
for (const { path, bytes } of files) {
  const folder = dirname(path);
  if (!made.has(folder)) mkdirSync(join(to, folder), { recursive: true });
  made.add(folder);
  const descriptor = openSync(join(to, path), "w");
  writeSync(descriptor, bytes);
  closeSync(descriptor);
}
process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e9));
