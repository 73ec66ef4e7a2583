import { SvcError } from "../workspace/errors.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { VersionStore } from "./version-store.ts";

/** @throws SvcError `not-published` when the workspace has no version yet. */
export function currentVersion(store: VersionStore, { number, id }: WorkspaceRow): string {
  const versionId = store.history.current(number);
  if (versionId !== undefined) return versionId;
  throw new SvcError("not-published", `the workspace "${id}" was never published`, {
    hint: "svc publish makes its first version",
  });
}

/**
 * The version that an id, or the beginning of one, names.
 *
 * @throws SvcError `version-not-found`, `version-pruned`, or `version-ambiguous`.
 */
export function findVersion(
  { history }: VersionStore,
  { number, id }: WorkspaceRow,
  prefix: string,
): string {
  const begins = (versionId: string) => prefix !== "" && versionId.startsWith(prefix.toLowerCase());
  const held = history.list(number).map(({ versionId }) => versionId);
  const [found, ...others] = held.filter(begins);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const message = `${others.length + 1} versions of "${id}" begin with "${prefix}"`;
    throw new SvcError("version-ambiguous", message, {
      hint: `give more of the id: ${[found, ...others].join(", ")}`,
    });
  }
  const pruned = history.journal(number).find(({ to }) => begins(to))?.to;
  if (pruned !== undefined) {
    throw new SvcError("version-pruned", `the version ${pruned} of "${id}" was pruned`, {
      hint: "svc versions lists those that are kept; publish --keep says how many",
    });
  }
  throw new SvcError("version-not-found", `the workspace "${id}" has no version "${prefix}"`, {
    hint: "svc versions lists them",
  });
}
