import { fileNameFault } from "../measure-file.ts";

/** The first of the given names that can be a single path segment, made one if need be. */
export function fittingFileName(...names: readonly (string | undefined)[]): string {
  for (const name of names) {
    if (name === undefined) continue;
    const segment = name.toWellFormed().replace(/[/\\\p{Cc}]/gu, "_");
    if (fileNameFault(segment) === undefined) return segment;
  }
  return "file";
}

/** The last segment of the path of a URL. */
export function urlFileName(url: string): string {
  const last = new URL(url).pathname.split("/").at(-1) ?? "";
  try {
    return decodeURIComponent(last);
  } catch {
    return last;
  }
}
