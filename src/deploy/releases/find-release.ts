import { SvcError } from "../../workspace/errors.ts";
import type { Work } from "../concurrent-work.ts";
import type { KeyValues } from "../key-value-store.ts";
import type { ObjectStore } from "../object-store.ts";
import { type ListedRelease, listReleases } from "./list-releases.ts";
import type { Places } from "./plan-release.ts";
import { liveLog } from "./pointers.ts";
import { manifestKey, parseRelease, partsOfName, type Release } from "./release.ts";

/**
 * The release that is meant: by its name, or by a beginning of its id or version id that no other
 * has; without either, the one that was live before the one that is.
 *
 * @throws SvcError `release-not-found`, `release-ambiguous`, `no-earlier-release`,
 *   `workspace-ambiguous`.
 */
export async function findRelease(
  places: Places,
  work: Work,
  asked: { readonly text?: string | undefined; readonly workspaceId?: string | undefined },
): Promise<ListedRelease> {
  const { releases, state } = await listReleases(places, work, asked.workspaceId);
  const whole = releases.filter(({ deployedAt }) => deployedAt !== null);
  if (asked.text === undefined) return previousRelease(whole, state);
  const text = asked.text;
  const found = whole.filter(
    ({ release }) => release === text || partsOfName(release)?.id.startsWith(text),
  );
  const [one, another] = found;
  if (one === undefined) {
    throw new SvcError("release-not-found", `there is no release "${text}"`, {
      hint: "svc deploy list shows the releases",
    });
  }
  if (another === undefined) return one;
  const names = found.map(({ release }) => release);
  throw new SvcError("release-ambiguous", `"${text}" begins ${names.length} releases`, {
    hint: `name one: ${names.join(", ")}`,
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
        hint: "--workspace says which one is meant",
      },
    );
  }
  const log = workspaceId === undefined ? [] : liveLog(state, workspaceId);
  const earlier = log
    .map((name) => releases.find(({ release }) => release === name))
    .find((one) => one !== undefined && one.live.length === 0);
  if (earlier !== undefined) return earlier;
  throw new SvcError("no-earlier-release", "no earlier release is there that was live", {
    hint: "svc deploy list shows the releases; name one of them",
  });
}

/**
 * A release as the bucket has it.
 *
 * @throws SvcError `release-not-found`, `release-differs` when its manifest is not its own.
 */
export async function readRelease(objects: ObjectStore, name: string): Promise<Release> {
  const stored = await objects.get(manifestKey(name));
  if (stored === undefined) {
    throw new SvcError(
      "release-not-found",
      `${objects.name} has no release ${name}, or not all of it`,
      {
        hint: "svc deploy list shows the releases",
      },
    );
  }
  const release = parseRelease(name, stored.bytes.toString());
  if (release !== undefined) return release;
  throw new SvcError(
    "release-differs",
    `the manifest of release ${name} is not the one it was deployed with`,
    {
      hint: "someone wrote there by other means: choose another release, or deploy this version again",
    },
  );
}
