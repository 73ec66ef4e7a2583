import { EMPTY, type InPlaceManifest } from "../../../src/deploy/in-place/in-place-manifest.ts";
import { type InPlacePlan, planInPlace } from "../../../src/deploy/in-place/plan-in-place.ts";
import { publishedFolder, type Workspaces } from "../published-texts.ts";

/** The plan for all workspaces of a folder. */
export function planFor(workspaces: Workspaces, deployed: InPlaceManifest = EMPTY): InPlacePlan {
  return planInPlace(publishedFolder(workspaces), Object.keys(workspaces), deployed);
}

/** The steps of a plan, one line each. */
export function stepsOf({ uploads, deletes }: InPlacePlan): string[] {
  return [
    ...uploads.map(({ key, reason }) => `upload ${key}: ${reason}`),
    ...deletes.map(({ key, reason }) => `delete ${key}: ${reason}`),
  ];
}
