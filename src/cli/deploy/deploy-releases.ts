import type { PublishedFolder } from "../../deploy/published-folder.ts";
import { assertDeleteLimit } from "../../deploy/refusals.ts";
import {
  makeLive,
  planRelease,
  type ReleasePlan,
  type ReleaseUploads,
  uploadReleases,
} from "../../deploy/releases/deploy-release.ts";
import { POINTER } from "../../deploy/releases/keys.ts";
import type { PointerUpdate } from "../../deploy/releases/pointers.ts";
import { partsOfName } from "../../deploy/releases/release.ts";
import { counted, sizeText } from "../output/words.ts";
import type { DeployedRelease, PlanLine, ReleaseDeploy } from "../results.ts";
import {
  type BucketOptions,
  type DeployContext,
  type DeployOptions,
  planText,
  releaseStoresOf,
} from "./deploy-options.ts";

type ReleaseOptions = BucketOptions & Pick<DeployOptions, "dryRun" | "maxDeletes">;

/** Deploys each workspace as a release, and makes all of them live together. */
export async function deployReleases(
  options: ReleaseOptions,
  context: DeployContext,
  published: PublishedFolder,
  workspaceIds: readonly string[],
): Promise<{ value: ReleaseDeploy; text: string }> {
  const { work } = context;
  const stores = await releaseStoresOf(context, options);
  const plan = await planRelease(published, workspaceIds, stores, work);
  const reports = plan.uploads.map((upload) => report(upload, plan.pointerUpdate));
  const value = { mode: "release", workspaces: reports } as const;
  if (options.dryRun) {
    const lines = linesOf(plan);
    const unchanged = plan.uploads.reduce((sum, { present }) => sum + present, 0);
    return { value: { ...value, dryRun: true, plan: lines }, text: planText(lines, unchanged) };
  }
  const gone = reports.flatMap(({ removed }) => removed);
  assertDeleteLimit(gone.length, options.maxDeletes, "what is live", "project");
  await uploadReleases(published, plan, stores.objects, work);
  await makeLive(plan, stores, work);
  return { value, text: reports.map(summary).join("\n") };
}

function report(
  { release, uploads: all, present }: ReleaseUploads,
  pointerUpdate: PointerUpdate,
): DeployedRelease {
  const { workspaceId, versionId } = release.manifest;
  const uploads = all.filter(({ source }) => "path" in source);
  return {
    workspaceId,
    versionId,
    release: release.name,
    objects: { uploaded: uploads.length, present },
    bytes: uploads.reduce((sum, { object }) => sum + object.size, 0),
    ...changedProjects(pointerUpdate, workspaceId),
  };
}

/** The ids of a workspace's projects that an update makes live, and of those that it removes. */
export function changedProjects(pointerUpdate: PointerUpdate, workspaceId: string) {
  const changed = pointerUpdate.filter(({ key }) => key.startsWith(POINTER));
  const idsOf = (of: "before" | "after", changes: PointerUpdate) =>
    changes.flatMap(({ key, [of]: name = "" }) =>
      partsOfName(name)?.workspaceId === workspaceId ? key.slice(POINTER.length) : [],
    );
  return {
    projects: idsOf("after", changed),
    removed: idsOf(
      "before",
      changed.filter(({ after }) => after === undefined),
    ),
  };
}

function linesOf({ uploads, errorDocuments, pointerUpdate }: ReleasePlan): PlanLine[] {
  const all = [...errorDocuments, ...uploads.flatMap((one) => one.uploads)];
  return [
    ...all.map(({ key, reason }) => ({ action: "upload", what: key, reason }) as const),
    ...pointerLines(pointerUpdate),
  ];
}

export function pointerLines(pointerUpdate: PointerUpdate): PlanLine[] {
  return pointerUpdate
    .filter(({ key }) => key.startsWith(POINTER))
    .map(({ key, before = "nothing", after = "nothing" }) => ({
      action: "point",
      what: key.slice(POINTER.length),
      reason: `from ${before} to ${after}`,
    }));
}

function summary({
  workspaceId,
  release,
  objects,
  bytes,
  projects,
  removed,
}: DeployedRelease): string {
  const done =
    objects.uploaded === 0
      ? `${counted(objects.present, "object")} existed`
      : `${counted(objects.uploaded, "object")} uploaded (${sizeText(bytes)}), ${objects.present} existed`;
  const live = projects.length === 0 ? "already live" : `live now for ${projects.join(", ")}`;
  const gone = removed.length === 0 ? "" : `; no longer live: ${removed.join(", ")}`;
  return `${workspaceId}: release ${release}: ${done}; ${live}${gone}`;
}
