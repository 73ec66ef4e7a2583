import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { PublishedFolder } from "../../src/deploy/published-folder.ts";
import type { FileFacts } from "../../src/documents/version-id.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** Files by path, with their texts. */
export type Texts = Readonly<Record<string, string>>;

/** By workspace id. */
export type Workspaces = Readonly<Record<string, Texts>>;

const SHARED: Texts = { "404.json": "not found" };

/** A published folder as its manifest describes it, without its files. */
function publishedFolder(workspaces: Workspaces): PublishedFolder {
  return {
    folder: "out",
    files: factsOf(SHARED),
    workspaces: Object.fromEntries(
      Object.entries(workspaces).map(([id, texts]) => [
        id,
        { versionId: sha256(JSON.stringify(texts)).slice(0, 32), files: factsOf(texts) },
      ]),
    ),
  };
}

/** A published folder with its files, until the test ends. */
export function writtenFolder(workspaces: Workspaces): PublishedFolder {
  const folder = temporaryFolder();
  for (const texts of [SHARED, ...Object.values(workspaces)]) {
    for (const [path, text] of Object.entries(texts)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
  }
  return { ...publishedFolder(workspaces), folder };
}

function factsOf(texts: Texts): FileFacts {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [
      path,
      { sha256: sha256(text), size: Buffer.byteLength(text) },
    ]),
  );
}

export function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** The documents of a project with one experience, and an asset. */
export function siteTexts(changes: Texts = {}): Texts {
  return {
    "api/v1/projects/site/index.json": "config",
    "api/v1/projects/site/schema.json": "schema",
    "api/v1/projects/site/experiences/home/content.json": "content",
    "assets/0123456789abcdef/a b.png": "picture",
    ...changes,
  };
}

/** The config of a project. */
export function projectTexts(id: string, text = `config of ${id}`): Texts {
  return { [`api/v1/projects/${id}/index.json`]: text };
}
