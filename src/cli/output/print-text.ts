import type { Output } from "./output.ts";

/** Prints a file as the result: as it is, or with `--json` its text and its size in bytes. */
export function printText(output: Output, text: string): void {
  output.result({ text, bytes: Buffer.byteLength(text) }, text.replace(/\n$/, ""));
}
