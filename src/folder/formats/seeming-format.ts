import { closeSync, existsSync, openSync, readSync, statSync } from "node:fs";
import { isJsonObject } from "../../workspace/json.ts";
import { hasWorkspaceFile } from "../reading.ts";
import { isArchive } from "../unpack-archive.ts";
import { filesBelow } from "./export-file.ts";
import { split } from "./split.ts";

/** How much of a file is looked at, in bytes. */
const LOOKED_AT = 64 * 1024 * 1024;

/** How many JSON files of a folder are looked at. */
const FILES = 10;

/**
 * How to import what is no export of the wanted format: by the members of its first object, or by its
 * name. Undefined: it seems to be of that format, or of none.
 */
export function seemingHint(path: string, wanted: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const isFolder = statSync(path).isDirectory();
  if (isFolder && hasWorkspaceFile(path)) {
    return "it seems to be a workspace folder: import it without --from";
  }
  const format = isFolder ? formatIn(path) : formatOf(path);
  if (format === undefined || format === wanted) return undefined;
  return `it seems to be an export of ${format}: --from ${format} imports it`;
}

function formatIn(folder: string): string | undefined {
  const paths = filesBelow(folder, 3);
  const json = paths.filter((path) => /\.(?:nd)?json$/i.test(path)).slice(0, FILES);
  const found = json.map(formatOf).find((format) => format !== undefined);
  return found ?? (paths.some((path) => /\.mdx?$/i.test(path)) ? "markdown" : undefined);
}

function formatOf(path: string): string | undefined {
  if (/\.mdx?$/i.test(path)) return "markdown";
  if (isArchive(path)) return "sanity";
  const members = membersOf(path);
  const has = (...names: readonly string[]) => names.every((name) => members.has(name));
  if (has("contentTypes")) return "contentful";
  if (has("_id", "_type")) return "sanity";
  const isStoryblok =
    ["stories", "components", "story"].some((name) => has(name)) ||
    has("content", "full_slug") ||
    has("name", "schema");
  return isStoryblok ? "storyblok" : undefined;
}

/** The members of the first object of a file: of the whole, of a line, or of an element of a list. */
function membersOf(path: string): ReadonlySet<string> {
  const members = new Set<string>();
  try {
    const bytes = beginningOf(path);
    for (const { member, index, start, end } of split(bytes, { mayBeList: true })) {
      if (member === "" && index !== undefined) {
        const first = JSON.parse(bytes.toString("utf8", start, end));
        return new Set(isJsonObject(first) ? Object.keys(first) : []);
      }
      members.add(member);
    }
  } catch {
    // What is before the fault tells enough.
  }
  return members;
}

function beginningOf(path: string): Buffer {
  const descriptor = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(Math.min(LOOKED_AT, statSync(path).size));
    return bytes.subarray(0, readSync(descriptor, bytes));
  } finally {
    closeSync(descriptor);
  }
}
