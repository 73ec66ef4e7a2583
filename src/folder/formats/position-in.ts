import { closeSync, openSync, readSync } from "node:fs";
import { TextDecoder } from "node:util";
import type { Position } from "../text-positions.ts";

/** The position of a byte of a UTF-8 file, of which only a part is held at once. */
export function positionIn(path: string, offset: number): Position {
  const descriptor = openSync(path, "r");
  const decoder = new TextDecoder();
  const buffer = Buffer.alloc(1024 * 1024);
  let [line, column] = [1, 1];
  try {
    for (let rest = offset; rest > 0; ) {
      const read = readSync(descriptor, buffer, 0, Math.min(rest, buffer.length), null);
      if (read === 0) break;
      rest -= read;
      const text = decoder.decode(buffer.subarray(0, read), { stream: true });
      const last = text.lastIndexOf("\n");
      line += text.split("\n").length - 1;
      column = last < 0 ? column + text.length : text.length - last;
    }
  } finally {
    closeSync(descriptor);
  }
  return { line, column };
}
