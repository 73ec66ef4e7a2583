import { createHash } from "node:crypto";
import { EMPTY, type InPlaceManifest } from "../../../src/deploy/in-place/in-place-manifest.ts";
import { type InPlacePlan, planInPlace } from "../../../src/deploy/in-place/plan-in-place.ts";
import type { FileFacts, PublishedFolder } from "../../../src/deploy/published-folder.ts";

/** Files by path, with their texts. */
export type Texts = Readonly<Record<string, string>>;

/** A published folder that says what it holds. */
export function publishedFolder(workspaces: Readonly<Record<string, Texts>>): PublishedFolder {
  return {
    folder: "out",
    files: factsOf({ "404.json": "not found" }),
    workspaces: Object.fromEntries(
      Object.entries(workspaces).map(([id, texts]) => [
        id,
        { versionId: sha256(JSON.stringify(texts)).slice(0, 32), files: factsOf(texts) },
      ]),
    ),
  };
}

function factsOf(texts: Texts): FileFacts {
  return Object.fromEntries(
    Object.entries(texts).map(([path, text]) => [
      path,
      { sha256: sha256(text), size: Buffer.byteLength(text) },
    ]),
  );
}

function sha256(text: string): string {
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

/** The plan for a whole folder. */
export function planFor(
  workspaces: Readonly<Record<string, Texts>>,
  there: InPlaceManifest = EMPTY,
): InPlacePlan {
  return planInPlace(publishedFolder(workspaces), Object.keys(workspaces), there);
}

/** What a plan does, a line each. */
export function told({ uploads, deletes }: InPlacePlan): string[] {
  return [
    ...uploads.map(({ key, reason }) => `upload ${key}: ${reason}`),
    ...deletes.map(({ key, reason }) => `delete ${key}: ${reason}`),
  ];
}
