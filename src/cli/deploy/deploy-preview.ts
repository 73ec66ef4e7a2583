import { dropPreviews, type Preview } from "../../deploy/releases/previews.ts";
import type { Release } from "../../deploy/releases/release.ts";
import { projectIdsOf } from "../../diff/published-documents.ts";
import { urlPath } from "../../documents/address.ts";
import { newToken, tokenHash } from "../../store/tokens.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { Output } from "../output/output.ts";
import type { DeployedPreview, PlanLine, Results } from "../results.ts";
import { type DeployContext, type DeployOptions, releaseStoresOf } from "./deploy-options.ts";

/** L15: a preview, and its token, which is stored nowhere. */
export type NewPreview = Preview & { readonly token: string };

/** @throws UsageError for options that do not go with a preview, or need one. */
export function assertPreview({ preview, drop, hold, kvs, expires }: DeployOptions): void {
  if (preview === undefined) {
    const [given] =
      Object.entries({ "--drop": drop, "--expires": expires }).find(([, value]) => value) ?? [];
    if (given === undefined) return;
    throw new UsageError(`${given} is only for a preview`, "add --preview <name>");
  }
  if (kvs === undefined) {
    throw new UsageError(
      "--preview needs --kvs",
      "only releases can be shown before they are live: give --kvs <arn>, or --kvs bucket",
    );
  }
  if (hold) throw new UsageError("--hold is not for a preview", "a preview makes nothing live");
  if (expires !== Number.POSITIVE_INFINITY) return;
  throw new UsageError("a preview has an end", "give --expires a time, such as 7d");
}

/** Milliseconds. */
const WEEK = 7 * 24 * 3_600_000;

export function newPreview({
  preview: name,
  expires = WEEK,
}: DeployOptions): NewPreview | undefined {
  if (name === undefined) return undefined;
  const token = newToken();
  return { name, token, sha256: tokenHash(token), expiresAt: new Date(Date.now() + expires) };
}

export function shownPreview(
  { name, token, expiresAt }: NewPreview,
  releases: readonly Release[],
  { url, dryRun }: DeployOptions,
): DeployedPreview {
  const shown = { name, expiresAt: expiresAt.toISOString() };
  if (dryRun) return shown;
  const ids = releases.flatMap(({ manifest }) => projectIdsOf(Object.keys(manifest.files)));
  // A base URL ends in /api/v1.
  const host = url?.replace(/\/api\/v1\/*$/, "");
  const urls = ids.map((projectId) => {
    return `${host}${urlPath({ kind: "project", projectId })}?preview_token=${token}`;
  });
  return { ...shown, token, ...(url !== undefined && { urls }) };
}

export function previewLines({ name, token, expiresAt, urls = [] }: DeployedPreview): string[] {
  return [`preview ${name} until ${expiresAt}: token ${token}`, ...urls];
}

export function previewPlan(
  preview: Preview | undefined,
  releases: readonly Release[],
): PlanLine[] {
  if (preview === undefined) return [];
  const { name, expiresAt } = preview;
  return releases.map((release) => ({
    action: "point",
    what: `preview ${name}`,
    reason: `to ${release.name}, until ${expiresAt.toISOString()}`,
  }));
}

/** Ends a preview; its release goes with the next prune. */
export async function dropPreview(
  options: DeployOptions,
  context: DeployContext,
  output: Output<Results["deploy"]>,
): Promise<number> {
  const { preview = "", dryRun } = options;
  if (dryRun) throw new UsageError("--dry-run is not for --drop", "leave one of them out");
  const { pointers } = await releaseStoresOf(context, options);
  const dropped = await dropPreviews(pointers, ({ name }) => name === preview);
  const text = dropped ? `preview ${preview} has ended` : `there is no preview ${preview}`;
  output.result({ preview, dropped }, text);
  return 0;
}
