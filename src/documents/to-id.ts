import { createRequire } from "node:module";
import { isId } from "../workspace/ids.ts";
import { sha256 } from "./version-id.ts";

/** X25: a name of another system as an id. Two names never have one id, whatever else there is. */
export function toId(name: string): string {
  return isId(name) && !isHashed(name) ? name : hashed(readable(name), name);
}

/** X25a: a path or an address as an id: `/` is `--` where that can be undone. */
export function pathId(path: string): string {
  const id = path.replaceAll("/", "--");
  const isPlain = isId(id) && !isHashed(id) && id.replaceAll("--", "/") === path;
  return isPlain ? id : hashed(readable(path), path);
}

/** An id that can be read, of what nothing else has to differ from: a workspace, a new entry with this title. */
export function idFrom(name: string, otherwise: string): string {
  return isId(name)
    ? name
    : readable(name)
        .slice(0, 128)
        .replace(/[-.]+$/, "") || otherwise;
}

/** Q17: what stands for a text in the id and the key of a page. */
export function titleId(title: string, otherwise: string): string {
  return idFrom(title.toLowerCase(), otherwise).replaceAll(".", "-");
}

/** Whether a name ends as if it was made of another one, so that it cannot stay as it is. */
export function isHashed(name: string): boolean {
  return /(?:^|[-_])x[0-9a-f]{8}$/.test(name);
}

/** At most 128 characters: what can be read of a name, and a hash of it, code unit by code unit. */
export function hashed(text: string, name: string, separator = "-"): string {
  const hash = `x${sha256(Buffer.from(name, "utf16le")).slice(0, 8)}`;
  return text === "" ? hash : `${text.slice(0, 118)}${separator}${hash}`;
}

/** More of a name than an id has room for is not looked at. */
const READ = 256;

function readable(name: string): string {
  const parts = name.slice(0, READ).split("/").map(transliterated);
  return parts
    .map((part) => part.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|[-.]+$/g, ""))
    .filter((part) => part !== "")
    .join("--");
}

const require = createRequire(import.meta.url);

/**
 * In ASCII. The tables, half a megabyte, are read when a name needs them first; their version is fixed,
 * since another one may make other ids.
 */
export function transliterated(text: string): string {
  if (isAscii(text)) return text;
  const { default: anyAscii } = require("any-ascii") as typeof import("any-ascii");
  return anyAscii(text);
}

function isAscii(text: string): boolean {
  return /^[ -~]*$/.test(text);
}
