import { TestBed } from "../test-bed.ts";
import { heldAsset, page, projectOf, smallWorkspace } from "../workspaces/small-workspace.ts";

export const PHOTO = heldAsset("photo", "photo.png", "a photo");
export const INDEX = "api/v1/projects/site/index.json";
export const SCHEMA = "api/v1/projects/site/schema.json";
export const HOME = "api/v1/projects/site/experiences/home/content.json";
export const NEWS = "api/v1/projects/site/experiences/news/content.json";

/** A bed with five published files (two contents, config, schema, asset) and `404.json`. */
export function publishedPagesBed(): TestBed {
  const bed = new TestBed(
    smallWorkspace({
      projects: [projectOf("site", "home", "news")],
      entries: [page("home", "Home", { picture: { assetId: "photo" } }), page("news", "News")],
      assets: [PHOTO.asset],
      files: new Map([PHOTO.file]),
    }),
  );
  bed.publish();
  return bed;
}
