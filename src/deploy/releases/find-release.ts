import { SvcError } from "../../workspace/errors.ts";
import type { Work } from "../concurrent-work.ts";
import type { KeyValues } from "../key-value-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { type ListedRelease, listReleases } from "./list-releases.ts";
import type { ReleaseStores } from "./plan-release.ts";
import { liveLog } from "./pointers.ts";
import { manifestKey, parseRelease, partsOfName, type Release } from "./release.ts";

/**
 * Finds a release by its name or by a unique prefix of its id or version id; without `text`, the one
 * that was live before the current one.
 *
 * @throws SvcError `release-not-found`, `release-ambiguous`, `no-earlier-release`,
 *   `workspace-ambiguous`.
 */
export async function findRelease(
  stores: ReleaseStores,
  work: Work,
  wanted: { readonly text?: string | undefined; readonly workspaceId?: string | undefined },
): Promise<ListedRelease> {
  const { releases, state } = await listReleases(stores, work, wanted.workspaceId);
  const complete = releases.filter(({ deployedAt }) => deployedAt !== null);
  if (wanted.text === undefined) return previousRelease(complete, state);
  const text = wanted.text;
  const found = complete.filter(
    ({ release }) => release === text || partsOfName(release)?.id.startsWith(text),
  );
  const [one, another] = found;
  if (one === undefined) {
    throw new SvcError("release-not-found", `there is no release "${text}"`, {
      hint: "run svc deploy list to see the releases",
    });
  }
  if (another === undefined) return one;
  const names = found.map(({ release }) => release);
  throw new SvcError("release-ambiguous", `"${text}" matches ${names.length} releases`, {
    hint: `give one of them: ${names.join(", ")}`,
  });
}

function previousRelease(releases: readonly ListedRelease[], state: KeyValues): ListedRelease {
  const live = releases.filter((one) => one.live.length > 0);
  const workspaces = [...new Set(live.map(({ workspaceId }) => workspaceId))];
  const [workspaceId, other] = workspaces;
  if (other !== undefined) {
    throw new SvcError(
      "workspace-ambiguous",
      `several workspaces are live: ${workspaces.join(", ")}`,
      {
        hint: "choose one with --workspace",
      },
    );
  }
  const log = workspaceId === undefined ? [] : liveLog(state, workspaceId);
  const earlier = log
    .map((name) => releases.find(({ release }) => release === name))
    .find((one) => one !== undefined && one.live.length === 0);
  if (earlier !== undefined) return earlier;
  throw new SvcError("no-earlier-release", "no earlier release has been live", {
    hint: "run svc deploy list, and give one of its releases",
  });
}

/**
 * Reads a release's manifest from the bucket.
 *
 * @throws SvcError `release-not-found`, `release-differs` when the manifest's hash is not in the name.
 */
export async function readRelease(objects: ObjectStore, name: string): Promise<Release> {
  const stored = await objects.get(manifestKey(name));
  if (stored === undefined) {
    throw new SvcError(
      "release-not-found",
      `${objects.name} has no release ${name}, or an incomplete one`,
      {
        hint: "run svc deploy list to see the releases",
      },
    );
  }
  const release = parseRelease(name, stored.bytes.toString());
  if (release !== undefined) return release;
  throw new SvcError(
    "release-differs",
    `the manifest of release ${name} was changed after the deploy`,
    {
      hint: "another program wrote there: choose another release, or deploy this version again",
    },
  );
}
