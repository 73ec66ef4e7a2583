import { closeSync, openSync, readSync, renameSync, writeSync } from "node:fs";

const PIECE = 2 ** 20;
const NEWLINE = 10;

/** The lines of a file, read in chunks. */
export function* linesOf(path: string): Generator<string> {
  const descriptor = openSync(path, "r");
  let rest: Buffer = Buffer.alloc(0);
  try {
    for (;;) {
      const piece = Buffer.allocUnsafe(PIECE);
      const length = readSync(descriptor, piece);
      if (length === 0) break;
      const read = Buffer.concat([rest, piece.subarray(0, length)]);
      const end = read.lastIndexOf(NEWLINE);
      rest = read.subarray(end + 1);
      if (end >= 0) yield* read.toString("utf8", 0, end).split("\n");
    }
    if (rest.length > 0) yield rest.toString("utf8");
  } finally {
    closeSync(descriptor);
  }
}

/** Writes lines to a file, in chunks. */
export function writeLines(path: string, lines: Iterable<string>): void {
  const descriptor = openSync(path, "w");
  let text = "";
  for (const line of lines) {
    text += `${line}\n`;
    if (text.length < PIECE) continue;
    writeSync(descriptor, text);
    text = "";
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
}

/** Replaces each line of a file by others. */
export function changeLines(path: string, change: (line: string) => Iterable<string>): void {
  const changed = function* () {
    for (const line of linesOf(path)) yield* change(line);
  };
  writeLines(`${path}.new`, changed());
  renameSync(`${path}.new`, path);
}
