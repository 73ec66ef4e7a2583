import { holdsOf, resumeInPlace, resumeReleases } from "../../deploy/holds.ts";
import { readManifest } from "../../deploy/in-place/manifest.ts";
import { assertNoReleases } from "../../deploy/refusals.ts";
import { makeLive, planRollback } from "../../deploy/releases/deploy-release.ts";
import { PINS } from "../../deploy/releases/keys.ts";
import {
  findRelease,
  type ListedRelease,
  listReleases,
  pinnedReleases,
  pinRelease,
  type ReleaseStores,
} from "../../deploy/releases/list-releases.ts";
import { type ListedPreview, previewsIn } from "../../deploy/releases/previews.ts";
import {
  deletesOf,
  type PrunePlan,
  planPrune,
  prune,
  removeAll,
} from "../../deploy/releases/prune.ts";
import { UsageError } from "../../workspace/errors.ts";
import { type Hold, holdText } from "../../workspace/hold.ts";
import {
  type BucketOptions,
  changedProjects,
  type DeployContext,
  liveText,
  openDeployContext,
  planText,
  pointerLines,
  pointersOf,
  releaseStoresOf,
  targetAndRelease,
} from "../deploy/deploy-options.ts";
import { completeCommands } from "../output/complete-hints.ts";
import type { Output, Remarks } from "../output/output.ts";
import { styled } from "../output/print.ts";
import { counted, resumedText } from "../output/words.ts";
import { actor } from "../program/actor.ts";
import type { Results } from "../results.ts";
import type { Options, Run } from "../table/table.ts";

interface Opened extends DeployContext {
  readonly stores: ReleaseStores;
}

async function opened(
  target: string | undefined,
  options: BucketOptions,
  output: Remarks,
): Promise<Opened> {
  const context = await openDeployContext(target, options, output);
  return { ...context, stores: await releaseStoresOf(context, options) };
}

export const deployList: Run<"deploy list"> = async (output, options) => {
  const context = await openDeployContext(options.target, options, output);
  const { objects, work } = context;
  const pointers = await pointersOf(context, options);
  const isAsked = ([id]: readonly [string | undefined, unknown]) =>
    (options.workspace ?? id) === id;
  if (pointers === undefined) {
    const { manifest, etag } = await readManifest(objects);
    if (etag === undefined) await assertNoReleases(objects);
    const live = Object.entries(manifest.workspaces).filter(isAsked);
    const lines = live.map(([id, versionId]) => `${id}/${versionId}  live in place`);
    const shown = lines.length === 0 ? [`${objects.name} has nothing live in place`] : lines;
    printList(output, [], Object.entries(manifest.holds).filter(isAsked), shown);
    return;
  }
  const { releases, state } = await listReleases({ objects, pointers }, work, options.workspace);
  const held = Object.entries(holdsOf(state)).filter(isAsked);
  const none = `${objects.name} has no release`;
  const lines = releases.length === 0 ? [none] : releases.map(releaseLine);
  const previews = previewsIn(state).filter(({ release }) => isAsked([release.split("/")[0], 0]));
  printList(output, releases, held, lines, previews);
};

function printList(
  output: Output<Results["deploy list"]>,
  releases: readonly ListedRelease[],
  held: readonly (readonly [string, Hold])[],
  lines: readonly string[],
  previews: readonly ListedPreview[] = [],
): void {
  const listed = releases.map((one) => ({
    ...one,
    deployedAt: one.deployedAt?.toISOString() ?? null,
  }));
  const holds = held.map(([workspaceId, hold]) => ({ workspaceId, ...hold }));
  const shown = previews.map((one) => ({ ...one, expiresAt: one.expiresAt.toISOString() }));
  output.result({ releases: listed, holds, previews: shown }, [
    ...lines,
    ...shown.map((one) => `preview ${one.name} until ${one.expiresAt}  ${one.release}`),
    ...held.map(([id, hold]) => `"${id}" is ${holdText(hold)}`),
  ]);
}

function releaseLine({ release, deployedAt, live, isPinned }: ListedRelease): string {
  const at = deployedAt?.toISOString().replace(/\.\d+Z$/, "Z") ?? "incomplete".padEnd(20);
  const marks = [
    ...(live.length > 0 ? [styled("green", `live for ${live.join(", ")}`, process.stdout)] : []),
    ...(isPinned ? ["pinned"] : []),
  ];
  return [at, release, ...marks].join("  ");
}

export const deployRollback: Run<"deploy rollback"> = async (output, options) => {
  const [target, text] = targetAndRelease([options.target, options.release]);
  const { stores, work } = await opened(target, options, output);
  const wanted = { text, workspaceId: options.workspace };
  const holder = { by: actor(), reason: options.reason };
  const plan = await planRollback(stores, work, wanted, holder);
  const { releases, pointerUpdate } = plan;
  const [{ name: release = "", manifest } = {}] = releases;
  const { workspaceId = "", versionId = "" } = manifest ?? {};
  const changed = changedProjects(pointerUpdate, workspaceId);
  const value = { workspaceId, versionId, release, ...changed };
  if (options.dryRun) {
    const lines = pointerLines(pointerUpdate);
    output.result({ ...value, dryRun: true, plan: lines }, planText(lines, 0));
    return;
  }
  await makeLive(plan, stores, work);
  output.result(value, `release ${release} is live: ${liveText(changed, "")}`);
  output.note(completeCommands("held: svc deploy is refused until svc deploy resume", options));
};

export const deployResume: Run<"deploy resume"> = async (output, options) => {
  const context = await openDeployContext(options.target, options, output);
  const pointers = await pointersOf(context, options);
  const { workspace } = options;
  const ended = Object.entries(
    pointers === undefined
      ? await resumeInPlace(context.objects, workspace)
      : await resumeReleases(pointers, workspace),
  );
  const texts = ended.map(([id, hold]) => resumedText(id, hold));
  const of = workspace === undefined ? "" : ` of "${workspace}"`;
  output.result(
    { ended: ended.map(([workspaceId, hold]) => ({ workspaceId, ...hold })) },
    texts.length === 0 ? `${context.objects.name}: nothing${of} is held` : texts,
  );
};

export const deployPin: Run<"deploy pin"> = async (output, options) => {
  const { text, stores, work } = await releaseToPin(options, output);
  const wanted = { text, workspaceId: options.workspace };
  const { release } = await findRelease(stores, work, wanted);
  await pinRelease(stores, release);
  output.result({ release, isPinned: true }, `release ${release} is pinned`);
};

export const deployUnpin: Run<"deploy unpin"> = async (output, options) => {
  const { text, stores, objects, work } = await releaseToPin(options, output);
  // The pin of a removed release can be removed too.
  const isPinLeft = (await pinnedReleases(objects)).has(text);
  const wanted = { text, workspaceId: options.workspace };
  const release = isPinLeft ? text : (await findRelease(stores, work, wanted)).release;
  await removeAll(objects, [PINS + release]);
  output.result({ release, isPinned: false }, `release ${release} is not pinned`);
};

async function releaseToPin(
  options: Options<"deploy pin">,
  output: Remarks,
): Promise<Opened & { readonly text: string }> {
  const [target, text] = targetAndRelease([options.target, options.release]);
  if (text === undefined) {
    throw new UsageError("a release is missing", "run svc deploy list to see the releases");
  }
  return { ...(await opened(target, options, output)), text };
}

export const deployPrune: Run<"deploy prune"> = async (output, options) => {
  const { target } = options;
  const { stores, objects, work } = await opened(target, options, output);
  const now = new Date();
  const { workspace: workspaceId, maxDeletes, dryRun } = options;
  const plan = await planPrune(stores, work, { now, workspaceId });
  const value = { releases: plan.verdicts, assets: plan.assets };
  if (dryRun) {
    const lines = pruneLines(plan);
    const text = lines.length === 0 ? `${objects.name} has no release` : lines;
    output.result({ ...value, dryRun: true, deletes: deletesOf(plan) }, text);
    return;
  }
  const { removed, spared } = await prune(plan, stores, work, { now, maxDeletes });
  output.note(pruneLines(plan));
  for (const release of spared)
    output.note(`release ${release} has become live or pinned, or another prune is at it: kept`);
  const releases = counted(plan.releases.size - spared.length, "release");
  output.result(
    { ...value, removed, spared },
    `${objects.name}: ${releases} removed, ${counted(removed, "object")}`,
  );
};

function pruneLines({ verdicts, releases, assets, previews }: PrunePlan): string[] {
  const remove = styled("red", "remove", process.stdout);
  return [
    ...verdicts.map(({ release, keep, reason }) => {
      const objects = keep ? "" : `, ${counted(releases.get(release)?.length ?? 0, "object")}`;
      const verb = keep ? styled("green", "keep  ", process.stdout) : remove;
      return `${verb} ${release} (${reason}${objects})`;
    }),
    ...assets.map((key) => `${remove} ${key} (no release uses it)`),
    ...previews.map((name) => `${remove} preview ${name} (expired)`),
  ];
}
