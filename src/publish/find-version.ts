import type { Store } from "../store/store.ts";
import { SvcError } from "../workspace/errors.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";

/** @throws SvcError `not-published` when the workspace has no version yet. */
export function currentVersion(store: Store, { number, id }: WorkspaceRow): string {
  const versionId = store.history.current(number);
  if (versionId !== undefined) return versionId;
  throw new SvcError("not-published", `the workspace "${id}" was never published`, {
    hint: "publish it with svc publish",
  });
}

/**
 * The version with this id or unique prefix of an id.
 *
 * @throws SvcError `version-not-found`, `version-pruned`, or `version-ambiguous`.
 */
export function findVersion(
  { history }: Store,
  { number, id }: WorkspaceRow,
  prefix: string,
): string {
  const matches = (versionId: string) =>
    prefix !== "" && versionId.startsWith(prefix.toLowerCase());
  const stored = history.list(number).map(({ versionId }) => versionId);
  const [found, ...others] = stored.filter(matches);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const message = `"${prefix}" matches ${others.length + 1} versions of "${id}"`;
    throw new SvcError("version-ambiguous", message, {
      hint: `give a longer prefix: ${[found, ...others].join(", ")}`,
    });
  }
  const pruned = history.journal(number).find(({ to }) => matches(to))?.to;
  if (pruned !== undefined) {
    throw new SvcError("version-pruned", `the version ${pruned} of "${id}" was pruned`, {
      hint: "svc versions lists the stored versions; publish --keep sets how many are kept",
    });
  }
  throw new SvcError("version-not-found", `the workspace "${id}" has no version "${prefix}"`, {
    hint: "svc versions lists its versions",
  });
}
