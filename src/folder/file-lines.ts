import { closeSync, openSync, readSync } from "node:fs";

/** The lines of a file, read in chunks of 256 KiB. */
export function* fileLines(path: string): Generator<Uint8Array> {
  const descriptor = openSync(path, "r");
  try {
    let partial: Uint8Array[] = [];
    for (;;) {
      const buffer = Buffer.allocUnsafeSlow(256 * 1024);
      const chunk = buffer.subarray(0, readSync(descriptor, buffer, 0, buffer.length, null));
      if (chunk.length === 0) break;
      let start = 0;
      for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
        const line = chunk.subarray(start, end);
        yield partial.length === 0 ? line : Buffer.concat([...partial, line]);
        partial = [];
        start = end + 1;
      }
      if (start < chunk.length) partial.push(chunk.subarray(start));
    }
    if (partial.length > 0) yield Buffer.concat(partial);
  } finally {
    closeSync(descriptor);
  }
}
