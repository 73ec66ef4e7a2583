import { refuseTooMany } from "../../../deploy/assert-delete-limit.ts";
import type { PublishedFolder } from "../../../deploy/published-folder.ts";
import { makeLive, uploadReleases } from "../../../deploy/releases/deploy-release.ts";
import { POINTER } from "../../../deploy/releases/keys.ts";
import {
  planRelease,
  type ReleasePlan,
  type UploadPlan,
} from "../../../deploy/releases/plan-release.ts";
import type { Flip } from "../../../deploy/releases/pointers.ts";
import { manifestKey, partsOfName, releaseKey } from "../../../deploy/releases/release.ts";
import { counted } from "../../output/counted.ts";
import { type PlanLine, planText, sizeText } from "../../output/deploy-lines.ts";
import { type Bucket, type BucketOptions, placesOf } from "./deploy-options.ts";

interface ReleaseOptions extends BucketOptions {
  readonly dryRun?: boolean;
  readonly maxDeletes: number;
}

/** Deploys each workspace as a release, and makes all of them live in one switch. */
export async function deployReleases(
  options: ReleaseOptions,
  bucket: Bucket,
  published: PublishedFolder,
  workspaceIds: readonly string[],
): Promise<{ value: object; text: string }> {
  const { work } = bucket;
  const places = placesOf(bucket, options);
  const plan = await planRelease(published, workspaceIds, places, work);
  const reports = plan.uploads.map((upload) => report(upload, plan.flip));
  const value = { mode: "release", workspaces: reports };
  if (options.dryRun) {
    const lines = linesOf(plan);
    const unchanged = plan.uploads.reduce((sum, { present }) => sum + present, 0);
    return { value: { ...value, dryRun: true, plan: lines }, text: planText(lines, unchanged) };
  }
  const gone = reports.flatMap(({ removed }) => removed);
  refuseTooMany(gone.length, options.maxDeletes, "what is live", "project");
  await uploadReleases(published, plan, places.objects, work);
  await makeLive(plan, places, work);
  return { value, text: reports.map(summary).join("\n") };
}

type Report = ReturnType<typeof report>;

function report({ release, uploads, present }: UploadPlan, flip: Flip) {
  const { workspaceId, versionId, files } = release.manifest;
  return {
    ...{ workspaceId, versionId, release: release.name },
    objects: { uploaded: uploads.length, present },
    bytes: uploads.reduce((sum, path) => sum + (files[path]?.size ?? 0), 0),
    ...changedProjects(flip, workspaceId),
  };
}

/** The ids of a workspace's projects that a flip makes live, and of those that it takes off. */
export function changedProjects(flip: Flip, workspaceId: string) {
  const changed = flip.filter(({ key }) => key.startsWith(POINTER));
  const idsOf = (of: "before" | "after", changes: Flip) =>
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

function linesOf({ uploads, errorDocuments, flip }: ReleasePlan): PlanLine[] {
  const upload = (what: string, reason: string) => ({ action: "upload", what, reason }) as const;
  return [
    ...[...errorDocuments.keys()].map((key) => upload(key, "missing or changed")),
    ...uploads.flatMap(({ release, uploads, hasManifest }) => [
      ...uploads.map((path) => upload(releaseKey(release.name, path), "new")),
      ...(hasManifest ? [] : [upload(manifestKey(release.name), "new")]),
    ]),
    ...pointerLines(flip),
  ];
}

/** What becomes of each project's pointer. */
export function pointerLines(flip: Flip): PlanLine[] {
  return flip
    .filter(({ key }) => key.startsWith(POINTER))
    .map(({ key, before = "nothing", after = "nothing" }) => ({
      action: "point",
      what: key.slice(POINTER.length),
      reason: `from ${before} to ${after}`,
    }));
}

function summary({ workspaceId, release, objects, bytes, projects, removed }: Report): string {
  const done =
    objects.uploaded === 0
      ? `${counted(objects.present, "object")} there already`
      : `${counted(objects.uploaded, "object")} uploaded (${sizeText(bytes)}), ${objects.present} there already`;
  const live = projects.length === 0 ? "it was live" : `live now for ${projects.join(", ")}`;
  const gone = removed.length === 0 ? "" : `; not live any more: ${removed.join(", ")}`;
  return `${workspaceId}: release ${release}: ${done}; ${live}${gone}`;
}
