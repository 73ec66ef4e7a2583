import { readIfFile, replaceFile } from "../files/replace-file.ts";

/** Adds the lines that a file does not have yet; returns their number. */
export function addLines(file: string, lines: readonly string[]): number {
  const text = readIfFile(file) ?? "";
  const known = new Set(text.split(/\r?\n/));
  const missing = lines.filter((line) => !known.has(line));
  if (missing.length === 0) return 0;
  const start = text === "" || text.endsWith("\n") ? text : `${text}\n`;
  replaceFile(file, `${start}${missing.join("\n")}\n`);
  return missing.length;
}
