import type { SvcError } from "../../workspace/errors.ts";
import type { Cdn } from "../cdn.ts";
import type { PendingInvalidation } from "./in-place-manifest.ts";

/** More paths than this are asked for as one. */
const MOST_PATHS = 1_000;

/** What a CDN in front of the bucket has to fetch anew when these objects have changed. */
export function pathsToInvalidate(keys: readonly string[]): string[] {
  if (keys.length > MOST_PATHS) return ["/*"];
  return keys.map((key) => `/${key.split("/").map(encoded).join("/")}`).sort();
}

function encoded(segment: string): string {
  // A star would stand for anything.
  return encodeURIComponent(segment).replaceAll("*", "%2A");
}

/** An invalidation that CloudFront has accepted. */
export interface Accepted {
  readonly distribution: string;
  readonly id: string;
  /** How many. */
  readonly paths: number;
}

/** Asks for each, whatever becomes of the others; `rest` is what may be asked for again. */
export async function invalidateAll(
  cdn: Cdn,
  pending: readonly PendingInvalidation[],
): Promise<{ accepted: Accepted[]; rest: PendingInvalidation[]; failures: Error[] }> {
  const accepted: Accepted[] = [];
  const rest: PendingInvalidation[] = [];
  const failures: Error[] = [];
  for (const one of pending) {
    const { distribution, reference, paths } = one;
    try {
      const id = await cdn.invalidate(distribution, reference, paths);
      accepted.push({ distribution, id, paths: paths.length });
    } catch (error) {
      failures.push(error as Error);
      // One that does not exist would be asked for ever.
      if ((error as SvcError).code !== "distribution-not-found") rest.push(one);
    }
  }
  return { accepted, rest, failures };
}
