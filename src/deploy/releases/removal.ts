import { randomUUID } from "node:crypto";
import { SvcError } from "../../workspace/errors.ts";
import type { KeyValueStore, KeyValues } from "../key-value-store.ts";
import { ASSETS, LAST_REMOVAL, REMOVAL, removalKey } from "./keys.ts";
import { applyPointerUpdate, livePointers } from "./pointers.ts";
import { previewOf } from "./previews.ts";
import { isShared, type Release } from "./release.ts";

const MINUTE = 60_000;
/**
 * Minutes for which a claim means something: the prune that renews it may have been killed. S3 carries out a
 * request until 15 minutes after it was signed, and clocks differ.
 */
const GOOD_FOR = 30;
/** Minutes for which a claim that could not be renewed allows further removals. */
const ALLOWS_FOR = 5;

/** L4a: whether a prune is removing a release, or assets. A claim is the time in milliseconds and an id. */
function isBeingRemoved({ values }: KeyValues, what: string): boolean {
  const since = Number.parseInt(values.get(removalKey(what)) ?? "0", 10);
  return Date.now() - since < GOOD_FOR * MINUTE;
}

/** Whether readers, or holders of a token (L15), see it. */
function isLive(state: KeyValues, what: string): boolean {
  const isShown = previewOf(state, what, new Date()) !== undefined;
  return isShown || [...livePointers(state).values()].includes(what);
}

/** @throws SvcError `release-being-removed` when a prune is removing one of these, or assets. */
export function assertNotBeingRemoved(state: KeyValues, releases: readonly Release[]): void {
  for (const { name, manifest } of releases) {
    const usesAssets = Object.keys(manifest.files).some(isShared);
    if (isBeingRemoved(state, name)) throw beingRemoved(`the release ${name}`);
    if (usesAssets && isBeingRemoved(state, ASSETS)) throw beingRemoved("assets");
  }
}

function beingRemoved(what: string): SvcError {
  return new SvcError("release-being-removed", `svc deploy prune is removing ${what}`, {
    hint: `wait for it to end, then run the same command again; if it was killed, wait ${GOOD_FOR} minutes`,
  });
}

/** L4b: whether a prune has begun to remove something between two snapshots. */
export function hasRemovalSince(before: KeyValues, now: KeyValues): boolean {
  return before.values.get(LAST_REMOVAL) !== now.values.get(LAST_REMOVAL);
}

/** L4a: removes the claims that mean nothing any more. */
export async function removeOldClaims(store: KeyValueStore): Promise<void> {
  const state = await store.read();
  const old = [...state.values].filter(([key]) => {
    const isClaim = key.startsWith(REMOVAL) && key !== LAST_REMOVAL;
    return isClaim && !isBeingRemoved(state, key.slice(REMOVAL.length));
  });
  const changes = old.map(([key, before]) => ({ key, before, after: undefined }));
  await applyPointerUpdate(store, state, changes);
}

/** L4a: the claim in the KeyValueStore of what a prune is removing. It is renewed every minute. */
export class Removal {
  readonly #store: KeyValueStore;
  readonly #what: string;
  readonly #id = randomUUID();
  #claim: string | undefined;
  #claimedAt = 0;
  #renewal = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  private constructor(store: KeyValueStore, what: string) {
    this.#store = store;
    this.#what = what;
  }

  /** Undefined, and nothing is claimed: it is live, or another prune is removing it. */
  static async begin(store: KeyValueStore, what: string): Promise<Removal | undefined> {
    const state = await store.read();
    if (isBeingRemoved(state, what)) return undefined;
    const removal = new Removal(store, what);
    removal.#claim = state.values.get(removalKey(what));
    const last = { key: LAST_REMOVAL, before: state.values.get(LAST_REMOVAL), after: removal.#id };
    try {
      await removal.#write(state, Date.now(), [last]);
      const renew = () => removal.#renew().catch(() => {});
      removal.#timer = setInterval(() => {
        removal.#renewal = removal.#renewal.then(renew);
      }, MINUTE).unref();
      return removal;
    } catch (error) {
      if ((error as SvcError).code === "deployed-meanwhile") return undefined;
      throw error;
    }
  }

  /**
   * To be called when a request is signed: the process may have been suspended, and others may have made
   * live what a claim that is too old means.
   */
  readonly assertClaimed = (): void => {
    if (Date.now() - this.#claimedAt < ALLOWS_FOR * MINUTE) return;
    const what = `this prune was suspended, or could not renew its claim of ${this.#what}`;
    throw new SvcError("release-being-removed", what, {
      hint: `wait ${GOOD_FOR} minutes, then run svc deploy prune again: it removes the rest`,
    });
  };

  async #renew(): Promise<void> {
    this.assertClaimed();
    await this.#write(await this.#store.read(), Date.now());
  }

  /** @param isAnswered whether every removal was: the claim goes. */
  async end(isAnswered: boolean): Promise<void> {
    clearInterval(this.#timer);
    await this.#renewal;
    if (isAnswered) await this.#write(await this.#store.read(), undefined);
  }

  async #write(
    state: KeyValues,
    at: number | undefined,
    more: Parameters<typeof applyPointerUpdate>[2] = [],
  ): Promise<void> {
    const claim = at === undefined ? undefined : `${at} ${this.#id}`;
    const change = { key: removalKey(this.#what), before: this.#claim, after: claim };
    const assertFree = async (now: KeyValues) => {
      if (claim === undefined) return;
      if (isLive(now, this.#what)) throw nowLive(this.#what);
      if (this.#claimedAt > 0) this.assertClaimed();
    };
    await assertFree(state);
    await applyPointerUpdate(this.#store, state, [change, ...more], assertFree);
    this.#claim = claim;
    this.#claimedAt = at ?? 0;
  }
}

function nowLive(what: string): SvcError {
  return new SvcError("deployed-meanwhile", `the release ${what} is live now`, {
    hint: "run svc deploy prune again: it makes a new plan",
  });
}
