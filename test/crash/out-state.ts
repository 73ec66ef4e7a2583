import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foldersBelow, pathsBelow } from "../support/file-tree.ts";

/** The SHA-256 of files by their path below `out/`. */
export type OutState = ReadonlyMap<string, string>;

/** Whether the file exists only during a write: it is not served. */
export function isTransient(path: string): boolean {
  return /(^|\/)\.svc-(lock|writing\.json|writing\.tmp)$/.test(path);
}

/** Every file that is served. */
export function outState(out: string): OutState {
  const paths = pathsBelow(out).filter((path) => !isTransient(path));
  const hash = (path: string) =>
    createHash("sha256")
      .update(readFileSync(join(out, path)))
      .digest("hex");
  return new Map(paths.map((path) => [path, hash(path)]));
}

/** The paths at which a state differs from all of these. */
export function differingFromAll(state: OutState, ...others: readonly OutState[]): string[] {
  const paths = new Set([state, ...others].flatMap((one) => [...one.keys()]));
  return [...paths].filter((path) => !others.some((one) => one.get(path) === state.get(path)));
}

/** Files and empty folders that a complete write must not leave. */
export function leftovers(out: string): string[] {
  const empty = foldersBelow(out).filter((folder) => readdirSync(join(out, folder)).length === 0);
  return [...pathsBelow(out).filter(isTransient), ...empty];
}
