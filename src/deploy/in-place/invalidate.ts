import type { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../cdn.ts";
import type { PendingInvalidation } from "./in-place-manifest.ts";

/** More paths than this are replaced by `/*`. */
const MAX_PATHS = 1_000;

/** The URL paths to invalidate when these keys have changed. */
export function pathsToInvalidate(keys: readonly string[]): string[] {
  if (keys.length > MAX_PATHS) return ["/*"];
  return keys.map((key) => `/${key.split("/").map(encoded).join("/")}`).sort();
}

function encoded(segment: string): string {
  // An unescaped star is a wildcard.
  return encodeURIComponent(segment).replaceAll("*", "%2A");
}

export interface AcceptedInvalidation {
  readonly distribution: string;
  readonly id: string;
  /** The number of paths. */
  readonly paths: number;
}

/** Requests each invalidation, also after failures; `rest` are those to retry later. */
export async function invalidateAll(
  cdn: Cdn,
  pending: readonly PendingInvalidation[],
): Promise<{ accepted: AcceptedInvalidation[]; rest: PendingInvalidation[]; failures: Error[] }> {
  const accepted: AcceptedInvalidation[] = [];
  const rest: PendingInvalidation[] = [];
  const failures: Error[] = [];
  for (const one of pending) {
    const { distribution, reference, paths } = one;
    try {
      const id = await cdn.invalidate(distribution, reference, paths);
      accepted.push({ distribution, id, paths: paths.length });
    } catch (error) {
      failures.push(error as Error);
      // Retries would fail forever.
      if ((error as SvcError).code !== "distribution-not-found") rest.push(one);
    }
  }
  return { accepted, rest, failures };
}
