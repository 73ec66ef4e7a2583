import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { contentType } from "mime-types";

export interface PageFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** The name of the page's HTML document. */
export const SHELL = "index.html";

/** The page's static files by name. They are few and small, so they are served from memory. */
export function readPageFiles(): ReadonlyMap<string, PageFile> {
  const folder = join(import.meta.dirname, "assets");
  return new Map(
    readdirSync(folder).map((name) => {
      const type = contentType(name) || "application/octet-stream";
      return [name, { type, bytes: readFileSync(join(folder, name)) }];
    }),
  );
}
