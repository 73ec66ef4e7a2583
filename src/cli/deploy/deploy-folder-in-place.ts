import {
  changedKeys,
  deployInPlace,
  isDeployed,
  pathsToInvalidate,
} from "../../deploy/in-place/deploy-in-place.ts";
import { type ManifestState, readManifest, settled } from "../../deploy/in-place/manifest.ts";
import { assertNotRunning } from "../../deploy/in-place/mark.ts";
import { type InPlacePlan, planInPlace } from "../../deploy/in-place/plan-in-place.ts";
import type { PublishedFolder } from "../../deploy/published-folder.ts";
import { assertDeleteLimit, assertNoReleases } from "../../deploy/refusals.ts";
import { counted, sizeText } from "../output/words.ts";
import type { InPlaceDeploy, PlanLine } from "../results.ts";
import { cdnOf, type DeployContext, type DeployOptions, planText } from "./deploy-options.ts";

/** Deploys the workspaces to the API's own addresses. */
export async function deployFolderInPlace(
  options: DeployOptions,
  context: DeployContext,
  published: PublishedFolder,
  workspaceIds: readonly string[],
): Promise<{ value: InPlaceDeploy; text: string }> {
  const { objects, manifestStore, work } = context;
  const { distribution, overwrite = false, dryRun, maxDeletes, force } = options;
  const state = await readManifest(objects);
  if (!dryRun && !force) assertNotRunning(state);
  if (state.etag === undefined) await assertNoReleases(objects);
  const plan = planInPlace(published, workspaceIds, await settled(state.manifest, objects, work));
  const value = report(plan);
  if (dryRun) {
    const lines = linesOf(plan, state, distribution);
    return {
      value: { ...value, dryRun: true, plan: lines },
      text: planText(lines, plan.unchanged),
    };
  }
  assertDeleteLimit(plan.deletes.length, maxDeletes, objects.name);
  if (isDeployed(plan, state)) {
    return {
      value,
      text: `${objects.name}: nothing to do, ${counted(plan.unchanged, "object")} unchanged`,
    };
  }
  const invalidations = await deployInPlace(
    published,
    plan,
    state,
    objects,
    () => cdnOf(context),
    { manifestStore, distribution, overwrite },
    work,
  );
  const { uploaded, unchanged, removed } = value.objects;
  const text = [
    `${objects.name}: ${counted(uploaded, "object")} uploaded (${sizeText(value.bytes)}), ${unchanged} unchanged, ${removed} removed`,
    ...invalidations.map(
      ({ distribution, id, paths }) =>
        `${distribution}: invalidation ${id} of ${counted(paths, "path")} accepted`,
    ),
  ];
  return { value: { ...value, invalidations }, text: text.join("\n") };
}

function report({ uploads, deletes, unchanged, manifest }: InPlacePlan): InPlaceDeploy {
  return {
    mode: "in-place",
    workspaces: manifest.workspaces,
    objects: { uploaded: uploads.length, unchanged, removed: deletes.length },
    bytes: uploads.reduce((sum, { object }) => sum + object.size, 0),
    invalidations: [],
  };
}

function linesOf(plan: InPlacePlan, state: ManifestState, distribution?: string): PlanLine[] {
  const { uploads, deletes, manifest } = plan;
  const paths = [
    ...manifest.invalidations.flatMap((one) =>
      one.paths.map((path) => ({ path, reason: `${one.distribution}, not accepted before` })),
    ),
    ...(distribution === undefined ? [] : pathsToInvalidate(changedKeys(plan, state))).map(
      (path) => ({
        path,
        reason: `changed, ${distribution}`,
      }),
    ),
  ];
  return [
    ...uploads.map(({ key, reason }) => ({ action: "upload", what: key, reason }) as const),
    ...deletes.map(({ key, reason }) => ({ action: "delete", what: key, reason }) as const),
    ...paths.map(({ path, reason }) => ({ action: "invalidate", what: path, reason }) as const),
  ];
}
