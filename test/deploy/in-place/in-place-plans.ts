import { EMPTY, type InPlaceManifest } from "../../../src/deploy/in-place/in-place-manifest.ts";
import { type InPlacePlan, planInPlace } from "../../../src/deploy/in-place/plan-in-place.ts";
import { publishedFolder, type Workspaces } from "../published-texts.ts";

/** The plan for a whole folder. */
export function planFor(workspaces: Workspaces, there: InPlaceManifest = EMPTY): InPlacePlan {
  return planInPlace(publishedFolder(workspaces), Object.keys(workspaces), there);
}

/** What a plan does, a line each. */
export function told({ uploads, deletes }: InPlacePlan): string[] {
  return [
    ...uploads.map(({ key, reason }) => `upload ${key}: ${reason}`),
    ...deletes.map(({ key, reason }) => `delete ${key}: ${reason}`),
  ];
}
