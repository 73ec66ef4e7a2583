import { awaitVersion } from "../../deploy/await-version.ts";
import type { Work } from "../../deploy/concurrent-work.ts";
import { assertNotHeld, heldBy, holdsOf } from "../../deploy/holds.ts";
import { deployInPlace, hasChanges, isDeployed } from "../../deploy/in-place/deploy-in-place.ts";
import { readManifest, settled } from "../../deploy/in-place/manifest.ts";
import { type InPlacePlan, planInPlace } from "../../deploy/in-place/plan-in-place.ts";
import { assertNotRunning, textOf } from "../../deploy/in-place/running-mark.ts";
import type { PublishedFolder } from "../../deploy/published-folder.ts";
import { assertDeleteLimit, assertNoReleases } from "../../deploy/refusals.ts";
import {
  makeLive,
  planRelease,
  type ReleasePlan,
  type ReleaseUploads,
  uploadReleases,
} from "../../deploy/releases/deploy-release.ts";
import type { ReleaseStores } from "../../deploy/releases/list-releases.ts";
import type { PointerUpdate } from "../../deploy/releases/pointers.ts";
import { addressOfFilePath } from "../../documents/address.ts";
import { serverUrl } from "../../http/server-url.ts";
import { publishedManifest, verify } from "../../publish/verify.ts";
import { ERROR_STATUS } from "../../workspace/error-codes.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { holdAfter, type NewHold } from "../../workspace/hold.ts";
import { sizeText } from "../../workspace/listed.ts";
import {
  changedProjects,
  type DeployContext,
  type DeployOptions,
  liveText,
  openDeployContext,
  planText,
  pointerLines,
  releaseStoresOf,
} from "../deploy/deploy-options.ts";
import {
  assertPreview,
  dropPreview,
  newPreview,
  previewLines,
  previewPlan,
  shownPreview,
} from "../deploy/deploy-preview.ts";
import { completeCommands } from "../output/complete-hints.ts";
import type { Remarks } from "../output/output.ts";
import { counted } from "../output/words.ts";
import { actor } from "../program/actor.ts";
import type {
  DeployedPreview,
  DeployedRelease,
  InPlaceDeploy,
  PlanLine,
  ReleaseDeploy,
} from "../results.ts";
import { commandsBelow, type Run } from "../table/table.ts";

/** `svc deploy <target>`: as a release with `--kvs`, else in place. */
export const deploy: Run<"deploy"> = async (output, options) => {
  const { target, excess } = options;
  assertTarget(target, excess);
  const { kvs, distribution, overwrite, force, out, workspace, dryRun, url } = options;
  const onlyInPlace = {
    "--overwrite": overwrite,
    "--force": force,
    "--distribution": distribution,
  };
  const [given] = Object.entries(onlyInPlace).find(([, value]) => value) ?? [];
  if (kvs !== undefined && given !== undefined) {
    throw new UsageError(
      `${given} is only for a deploy in place, without --kvs`,
      "a release is a new folder: nothing is overwritten, and nothing of it is cached",
    );
  }
  if (options.reason !== undefined && !options.hold) {
    throw new UsageError("--reason is only for a deploy that holds", "add --hold");
  }
  assertPreview(options);
  if (url !== undefined) serverUrl(url);
  const context = await openDeployContext(target, options, output);
  if (options.drop) return await dropPreview(options, context, output);
  const published = verifiedFolder(out, output);
  const workspaceIds = workspacesOf(published, workspace);
  const deployed =
    kvs === undefined
      ? deployFolderInPlace(options, context, published, workspaceIds)
      : deployReleases(
          options,
          await releaseStoresOf(context, options),
          context.work,
          published,
          workspaceIds,
        );
  const { value, text, held, preview } = await deployed;
  const shown = preview === undefined ? [] : previewLines(preview);
  const holding = dryRun
    ? "it would be held"
    : completeCommands("held: svc deploy is refused until svc deploy resume", options);
  if (dryRun || url === undefined) {
    output.result(value, [...text.split("\n"), ...shown]);
    if (options.hold) output.note(holding);
    if (held === undefined) return 0;
    output.note(`svc deploy would be refused: ${held.message}`);
    return ERROR_STATUS.held;
  }
  output.note(text);
  if (options.hold) output.note(holding);
  const live = await awaitAll(
    published,
    workspaceIds,
    context,
    { url, token: preview?.token },
    options.wait,
  ).catch((error) => {
    // The preview is there, and nothing else has its token; on stderr it would be in the log of CI.
    if (!output.json && preview !== undefined) output.result(value, shown);
    throw error;
  });
  output.result({ ...value, live }, [
    `${url} serves it, ${(live.milliseconds / 1000).toFixed(1)} s later`,
    ...shown,
  ]);
  return 0;
};

/** L3a. */
function holderOf({ hold, reason }: DeployOptions): NewHold | undefined {
  return hold ? { by: actor(), reason } : undefined;
}

/** To commander, a misspelt subcommand is a target, and the target after it is an excess argument. */
function assertTarget(target: string | undefined, excess: string | undefined): void {
  if (target !== undefined && !target.startsWith("s3:")) {
    const names = commandsBelow("deploy").map((words) => words.slice("deploy ".length));
    throw new UsageError(
      `"${target}" is neither a deploy target nor a command of svc deploy`,
      `a target is s3://bucket or s3://bucket/prefix; the commands are ${names.join(", ")}`,
    );
  }
  if (excess === undefined) return;
  throw new UsageError(
    `"${excess}" is an argument too many`,
    "svc deploy --help lists its arguments and options",
  );
}

/**
 * A folder of published files, after every file was verified against the manifest.
 *
 * @throws SvcError `out-differs`, `manifest-missing`, `workspace-not-published`.
 */
function verifiedFolder(out: string, output: Remarks): PublishedFolder {
  const { ok, differs } = verify(out, output.progress);
  const manifest = publishedManifest(out);
  if (ok) return { folder: out, ...manifest };
  const [first] = differs;
  const reason =
    first === undefined
      ? "a write was interrupted"
      : `${counted(differs.length, "file differs", "files differ")}, first ${first.path}`;
  throw new SvcError("out-differs", `"${out}" differs from what was published: ${reason}`, {
    hint: "restore the files with svc publish <folder> or, with a store, svc write; then deploy again",
    problems: { kind: "files", list: differs },
  });
}

/** The workspaces to deploy: the named one, or all. */
function workspacesOf({ folder, workspaces }: PublishedFolder, named?: string): string[] {
  const all = Object.keys(workspaces).sort();
  if (named === undefined) return all;
  if (Object.hasOwn(workspaces, named)) return [named];
  throw new SvcError("workspace-not-published", `workspace "${named}" is not in "${folder}"`, {
    hint: `workspaces in it: ${all.join(", ")}`,
  });
}

/** Waits for every project: each has a pointer or an object of its own. */
async function awaitAll(
  { workspaces }: PublishedFolder,
  workspaceIds: readonly string[],
  { work }: DeployContext,
  { url: baseUrl, token }: { readonly url: string; readonly token?: string | undefined },
  wait: number,
): Promise<{ url: string; milliseconds: number }> {
  const startedAt = performance.now();
  const awaitOptions = { baseUrl, token, deadline: startedAt + wait * 1000, signal: work.signal };
  for (const id of workspaceIds) {
    const { versionId = "", files = {} } = workspaces[id] ?? {};
    for (const path of Object.keys(files)) {
      const address = addressOfFilePath(path);
      if (address?.kind !== "project") continue;
      await awaitVersion(address.projectId, versionId, awaitOptions);
    }
  }
  return { url: baseUrl, milliseconds: Math.round(performance.now() - startedAt) };
}

interface Deployed<Value> {
  readonly value: Value;
  readonly text: string;
  /** L3a: of a dry run, the error of the deploy. */
  readonly held?: SvcError | undefined;
  /** L15. */
  readonly preview?: DeployedPreview | undefined;
}

export async function deployFolderInPlace(
  options: DeployOptions,
  context: DeployContext,
  published: PublishedFolder,
  workspaceIds: readonly string[],
): Promise<Deployed<InPlaceDeploy>> {
  const { objects, manifestStore, work } = context;
  const { distribution, overwrite = false, dryRun, maxDeletes, force } = options;
  const state = await readManifest(objects);
  if (!dryRun && !force) assertNotRunning(state);
  if (state.etag === undefined) await assertNoReleases(objects);
  const unheld = planInPlace(published, workspaceIds, await settled(state.manifest, objects, work));
  const holder = holderOf(options);
  const plan = holder === undefined ? unheld : withHolds(unheld, workspaceIds, holder);
  const { uploads, deletes, unchanged, manifest } = plan;
  const { workspaces: live } = state.manifest;
  const isOther = (id: string) => live[id] !== manifest.workspaces[id];
  const bound = holder === undefined ? workspaceIds.filter(isOther) : [];
  const isInvalidated = distribution !== undefined && hasChanges(plan, state);
  const value: InPlaceDeploy = {
    mode: "in-place",
    workspaces: manifest.workspaces,
    objects: { uploaded: uploads.length, unchanged, removed: deletes.length },
    bytes: sizeOf(uploads),
  };
  if (dryRun) {
    const lines = linesInPlace(plan, isInvalidated ? distribution : undefined);
    const text = planText(lines, unchanged);
    return {
      value: { ...value, dryRun: true, plan: lines },
      text,
      held: heldBy(manifest.holds, bound),
    };
  }
  assertNotHeld(manifest.holds, bound);
  assertDeleteLimit(deletes.length, maxDeletes, objects.name);
  if (isDeployed(plan, state) && holder === undefined) {
    const text = `${objects.name}: nothing to do, ${counted(unchanged, "object")} unchanged`;
    return { value, text };
  }
  await deployInPlace(published, plan, state, objects, { manifestStore, overwrite }, work);
  const { deploy: killed } = state.manifest;
  const text = [
    `${objects.name}: ${counted(uploads.length, "object")} uploaded (${sizeText(value.bytes)}), ${unchanged} unchanged, ${deletes.length} removed`,
    ...(killed === undefined ? [] : [`took over from ${textOf(killed)}`]),
  ].join("\n");
  if (!isInvalidated) return { value, text };
  const invalidation = { distribution, id: await invalidated(distribution, context) };
  return {
    value: { ...value, invalidation },
    text: `${text}\n${distribution}: invalidation ${invalidation.id} of /* accepted`,
  };
}

function withHolds(
  plan: InPlacePlan,
  workspaceIds: readonly string[],
  holder: NewHold,
): InPlacePlan {
  const { holds: before } = plan.manifest;
  const now = new Date();
  const held = workspaceIds.map((id) => [id, holdAfter(before[id], holder, now)] as const);
  const holds = { ...before, ...Object.fromEntries(held) };
  return { ...plan, manifest: { ...plan.manifest, holds } };
}

function sizeOf(uploads: readonly { readonly object: { readonly size: number } }[]): number {
  return uploads.reduce((sum, { object }) => sum + object.size, 0);
}

/** L7. */
async function invalidated(distribution: string, { signal }: DeployContext): Promise<string> {
  const { invalidateAll } = await import("../../deploy/aws/cloudfront-cdn.ts");
  try {
    return await invalidateAll(distribution, signal);
  } catch (error) {
    if (!(error instanceof SvcError)) throw error;
    const { code, hint = "", message } = error;
    const what = `the files are deployed, but caches still serve earlier ones: ${message}`;
    throw new SvcError(code, what, { hint });
  }
}

function linesInPlace({ uploads, deletes }: InPlacePlan, distribution?: string): PlanLine[] {
  return [
    ...uploads.map(({ key, reason }) => ({ action: "upload", what: key, reason }) as const),
    ...deletes.map(({ key, reason }) => ({ action: "delete", what: key, reason }) as const),
    ...(distribution === undefined
      ? []
      : [{ action: "invalidate", what: "/*", reason: distribution } as const]),
  ];
}

/** Deploys each workspace as a release, and makes all of them live together. */
export async function deployReleases(
  options: DeployOptions,
  stores: ReleaseStores,
  work: Work,
  published: PublishedFolder,
  workspaceIds: readonly string[],
): Promise<Deployed<ReleaseDeploy>> {
  const preview = newPreview(options);
  const how = { holder: holderOf(options), preview };
  const plan = await planRelease(published, workspaceIds, stores, work, how);
  const holds = holdsOf(plan.pointers);
  const reports = plan.uploads.map((upload) => releaseReport(upload, plan.pointerUpdate));
  const shown = preview && shownPreview(preview, plan.releases, options);
  const value = { mode: "release", workspaces: reports, ...(shown && { preview: shown }) } as const;
  if (options.dryRun) {
    const lines = [...linesOfRelease(plan), ...previewPlan(preview, plan.releases)];
    const unchanged = plan.uploads.reduce((sum, { present }) => sum + present, 0);
    const text = planText(lines, unchanged);
    return {
      value: { ...value, dryRun: true, plan: lines },
      text,
      held: heldBy(holds, plan.bound),
    };
  }
  assertNotHeld(holds, plan.bound);
  const gone = reports.flatMap(({ removed }) => removed);
  assertDeleteLimit(gone.length, options.maxDeletes, "what is live", "project");
  await uploadReleases(published, plan, stores.objects, work);
  await makeLive(plan, stores, work);
  const text = reports.map((one) => summary(one, shown !== undefined)).join("\n");
  return { value, text, preview: shown };
}

function releaseReport(
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
    bytes: sizeOf(uploads),
    ...changedProjects(pointerUpdate, workspaceId),
  };
}

function linesOfRelease({ uploads, errorDocuments, pointerUpdate }: ReleasePlan): PlanLine[] {
  const all = [...errorDocuments, ...uploads.flatMap((one) => one.uploads)];
  return [
    ...all.map(({ key, reason }) => ({ action: "upload", what: key, reason }) as const),
    ...pointerLines(pointerUpdate),
  ];
}

function summary(
  { workspaceId, release, objects, bytes, projects, removed }: DeployedRelease,
  isPreview: boolean,
): string {
  const done =
    objects.uploaded === 0
      ? `${counted(objects.present, "object")} existed`
      : `${counted(objects.uploaded, "object")} uploaded (${sizeText(bytes)}), ${objects.present} existed`;
  const live = isPreview ? "not made live" : liveText({ projects, removed }, "live now ");
  return `${workspaceId}: release ${release}: ${done}; ${live}`;
}
