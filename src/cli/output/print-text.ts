import type { Output } from "./output.ts";

/** Prints a text as the result; with `--json`, the text and its size in bytes. */
export function printText(output: Output, text: string): void {
  output.result({ text, bytes: Buffer.byteLength(text) }, text.replace(/\n$/, ""));
}
