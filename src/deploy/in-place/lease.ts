import { randomUUID } from "node:crypto";
import { conditionsIgnored, honoursConditions } from "../conditions.ts";
import { UNCACHED_JSON } from "../object-headers.ts";
import type { ObjectStore } from "../object-store.ts";
import { pause } from "../pause.ts";
import { textBody } from "../published-folder.ts";
import {
  EMPTY,
  IN_PLACE_MANIFEST,
  type InPlaceManifest,
  inPlaceManifestText,
  type LeaseRecord,
  unsureOf,
} from "./in-place-manifest.ts";
import { deployRunning, leaseLost, manifestChanging } from "./lease-errors.ts";
import {
  ATTEMPTS,
  type ManifestState,
  readManifestState,
  reportLateWrites,
} from "./manifest-state.ts";
import { hasEnded, type RunningProcess, thisProcess } from "./running-process.ts";

/** Milliseconds between two heartbeats. */
const HEARTBEAT = 10_000;
/** Milliseconds without a heartbeat after which a lease has expired. */
const EXPIRY = 3 * HEARTBEAT;
/** Milliseconds after which the lease is renewed before a write: the process may have been suspended. */
const STALE = 1.5 * HEARTBEAT;

/**
 * Reads the manifest once no other deploy holds the lease. A lease has expired when it does not
 * change for half a minute of this machine's clock; clocks are not compared.
 *
 * @param onWait is called before a wait, with its maximum in seconds.
 * @throws SvcError `deploy-running` when the lease is renewed meanwhile.
 */
export async function awaitFreeManifest(
  objects: ObjectStore,
  signal: AbortSignal,
  onWait: (by: RunningProcess, seconds: number) => void,
): Promise<ManifestState> {
  const first = await readManifestState(objects);
  const { claim } = first.manifest;
  if (claim === undefined || hasStopped(claim)) return first;
  onWait(claim.by, EXPIRY / 1000);
  for (let waited = 0; waited < EXPIRY; waited += HEARTBEAT / 2) {
    await pause(HEARTBEAT / 2, signal);
    const now = await readManifestState(objects);
    if (now.etag === first.etag) continue;
    if (now.manifest.claim === undefined || hasStopped(now.manifest.claim)) return now;
    throw deployRunning(now.manifest.claim);
  }
  return first;
}

function hasStopped({ isStopped, by }: LeaseRecord): boolean {
  return isStopped || hasEnded(by);
}

/** The exclusive right to write into a bucket, kept in its manifest and renewed by heartbeats. */
export class Lease {
  readonly #objects: ObjectStore;
  #manifest: InPlaceManifest;
  #etag: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** Writes of the manifest run one after the other. */
  #lastWrite: Promise<void> = Promise.resolve();
  readonly #lost = new AbortController();
  /** When the last successful write began. */
  #renewedAt = 0;
  #renewal: Promise<void> | undefined;
  #confirmation: Promise<void> | undefined;
  #isAcquired = false;
  /** Writes of objects that may have ended after the last renewal. */
  #writes: { readonly keys: readonly string[]; endedAt: number }[] = [];

  private constructor(objects: ObjectStore, { manifest, etag }: ManifestState) {
    this.#objects = objects;
    this.#manifest = manifest;
    this.#etag = etag;
  }

  /**
   * Writes a lease into the manifest if it has not changed since it was read. In a store where svc
   * has not done so before, it then tries whether conditions are honoured.
   *
   * @throws SvcError `deploy-running` when another deploy was faster; `conditional-writes-unsupported`.
   */
  static async acquire(
    objects: ObjectStore,
    state: ManifestState,
    what: Pick<LeaseRecord, "workspaces" | "touches">,
  ): Promise<Lease> {
    const lease = new Lease(objects, state);
    const claim = { deploy: randomUUID(), by: thisProcess(), beat: 0, isStopped: false, ...what };
    const { late: _unsure, ...manifest } = state.manifest;
    const leased = { ...manifest, unsure: unsureOf(state.manifest), claim };
    await lease.write(leased);
    lease.#isAcquired = true;
    try {
      if (leased.conditional !== objects.name) await lease.#assertConditional(state);
    } catch (error) {
      await lease.markStopped().catch(() => {});
      throw error;
    }
    const heartbeat = () => void lease.#heartbeat().catch((error) => lease.#lost.abort(error));
    lease.#timer = setInterval(heartbeat, HEARTBEAT).unref();
    return lease;
  }

  /**
   * Confirms the lease before a write: while this process was suspended (a closed laptop), another
   * deploy may have taken over.
   *
   * @throws SvcError `deploy-superseded`.
   */
  async renewIfStale(): Promise<void> {
    if (Date.now() - this.#renewedAt < STALE) return;
    this.#renewal ??= this.#heartbeat().finally(() => {
      this.#renewal = undefined;
    });
    await this.#renewal;
  }

  /**
   * Confirms that no other deploy had taken over when this was called.
   *
   * @throws SvcError `deploy-superseded`.
   */
  confirm(): Promise<void> {
    // One that has not begun yet serves all.
    this.#confirmation ??= this.#lastWrite.then(() => {
      this.#confirmation = undefined;
      return this.#heartbeat();
    });
    return this.#confirmation;
  }

  /** Aborted when a heartbeat fails: nothing may be written any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Replaces the manifest.
   *
   * @throws SvcError `deploy-superseded` when another process has changed it;
   * `deploy-manifest-changing` when others change it at each attempt.
   */
  write(manifest: InPlaceManifest): Promise<void> {
    const written = this.#lastWrite.then(() => this.#put(manifest));
    this.#lastWrite = written.catch(() => {});
    return written;
  }

  /**
   * Marks the lease as stopped, so that the next deploy need not wait for it to expire. When another
   * deploy has taken over, what this one wrote since it last held the lease is added to the manifest.
   */
  async markStopped(): Promise<void> {
    clearInterval(this.#timer);
    const { claim } = this.#manifest;
    if (claim === undefined) return;
    try {
      await this.write({ ...this.#manifest, claim: { ...claim, isStopped: true } });
    } catch {
      const late = this.#writes.flatMap(({ keys }) => keys);
      await reportLateWrites(this.#objects, [...new Set(late)], claim.workspaces);
    }
  }

  /** Carries out a write of objects. */
  async during<T>(keys: readonly string[], write: () => Promise<T>): Promise<T> {
    const started = { keys, endedAt: Number.POSITIVE_INFINITY };
    this.#writes.push(started);
    try {
      return await write();
    } finally {
      started.endedAt = Date.now();
    }
  }

  /** Writes the final manifest, which has no lease. */
  async finish(manifest: InPlaceManifest): Promise<void> {
    clearInterval(this.#timer);
    await this.write(manifest);
  }

  #heartbeat(): Promise<void> {
    if (this.#manifest.claim === undefined) return Promise.resolve();
    return this.write(withHeartbeat(this.#manifest));
  }

  /** Writes a heartbeat with conditions that do not hold; where they are ignored, takes the lease back. */
  async #assertConditional({ manifest, etag }: ManifestState): Promise<void> {
    const body = textBody(inPlaceManifestText(withHeartbeat(this.#manifest)));
    if (!(await honoursConditions(this.#objects, IN_PLACE_MANIFEST, body, UNCACHED_JSON))) {
      if (etag === undefined) await this.#objects.delete([IN_PLACE_MANIFEST]);
      else await this.write(manifest);
      this.#manifest = EMPTY;
      throw conditionsIgnored(this.#objects);
    }
    this.#manifest = { ...this.#manifest, conditional: this.#objects.name };
  }

  async #put(changed: InPlaceManifest, attempt = 1): Promise<void> {
    const { conditional, late } = this.#manifest;
    const manifest = {
      ...changed,
      ...(conditional !== undefined && { conditional }),
      ...(this.#isAcquired && late !== undefined && { late }),
    };
    const body = textBody(inPlaceManifestText(manifest));
    const condition =
      this.#etag === undefined ? ({ ifAbsent: true } as const) : { ifMatch: this.#etag };
    const startedAt = Date.now();
    let etag = await this.#objects.put(IN_PLACE_MANIFEST, body, UNCACHED_JSON, condition);
    if (etag === undefined) {
      // A retry fails its condition when the first attempt succeeded and its response was lost.
      const stored = await readManifestState(this.#objects);
      const { claim, late } = stored.manifest;
      if (inPlaceManifestText(stored.manifest) !== body.bytes.toString()) {
        if (!this.#isAcquired) throw deployRunning(claim);
        if (claim === undefined || claim.deploy !== this.#manifest.claim?.deploy)
          throw leaseLost(this.#objects, claim);
        // An earlier deploy has reported late writes.
        this.#manifest = { ...this.#manifest, ...(late !== undefined && { late }) };
        this.#etag = stored.etag;
        if (attempt === ATTEMPTS) throw manifestChanging(this.#objects);
        return this.#put(changed, attempt + 1);
      }
      etag = stored.etag;
    }
    this.#manifest = manifest;
    this.#etag = etag;
    this.#renewedAt = startedAt;
    this.#writes = this.#writes.filter(({ endedAt }) => endedAt >= startedAt);
  }
}

function withHeartbeat(manifest: InPlaceManifest): InPlaceManifest {
  const { claim } = manifest;
  return claim === undefined
    ? manifest
    : { ...manifest, claim: { ...claim, beat: claim.beat + 1 } };
}
