import { randomUUID } from "node:crypto";
import { SvcError } from "../../workspace/errors.ts";
import { UNCACHED_JSON } from "../object-headers.ts";
import type { ObjectStore } from "../object-store.ts";
import { pause } from "../pause.ts";
import { textBody } from "../published-folder.ts";
import {
  type Claim,
  EMPTY,
  IN_PLACE_MANIFEST,
  type InPlaceManifest,
  inPlaceManifestText,
  parseInPlaceManifest,
  unsureOf,
} from "./in-place-manifest.ts";
import { hasEnded, type RunningProcess, thisProcess } from "./running-process.ts";

/** Milliseconds between two signs of life of a deploy. */
const BEAT = 10_000;
/** Milliseconds without one after which a deploy counts as dead. */
const SILENCE = 3 * BEAT;
/** Milliseconds after which a deploy shows its own life before it writes: it may have been asleep. */
const STALE = 1.5 * BEAT;

/** A bucket's manifest, and the tag of its object; undefined: there is none. */
export interface ManifestState {
  readonly manifest: InPlaceManifest;
  readonly etag: string | undefined;
}

/** @throws SvcError `deploy-manifest-invalid`. */
export async function readManifestState(objects: ObjectStore): Promise<ManifestState> {
  const stored = await objects.get(IN_PLACE_MANIFEST);
  if (stored === undefined) return { manifest: EMPTY, etag: undefined };
  const where = `${objects.name}/${IN_PLACE_MANIFEST}`;
  return { manifest: parseInPlaceManifest(stored.bytes.toString(), where), etag: stored.etag };
}

/**
 * The manifest, when no other deploy is at work. One that died is recognised by its silence: its
 * claim stays as it is for half a minute, whatever the clocks say.
 *
 * @param onWait hears that one waits, and for how long at most, in seconds.
 * @throws SvcError `deploy-running` for one that is alive.
 */
export async function freeManifest(
  objects: ObjectStore,
  signal: AbortSignal,
  onWait: (by: RunningProcess, seconds: number) => void,
): Promise<ManifestState> {
  const first = await readManifestState(objects);
  const { claim } = first.manifest;
  if (claim === undefined || isOver(claim)) return first;
  onWait(claim.by, SILENCE / 1000);
  for (let waited = 0; waited < SILENCE; waited += BEAT / 2) {
    await pause(BEAT / 2, signal);
    const now = await readManifestState(objects);
    if (now.etag === first.etag) continue;
    if (now.manifest.claim === undefined || isOver(now.manifest.claim)) return now;
    throw running(now.manifest.claim);
  }
  return first;
}

function isOver({ isStopped, by }: Claim): boolean {
  return isStopped || hasEnded(by);
}

function running(claim: Claim | undefined): SvcError {
  const what =
    claim === undefined
      ? "another deploy has changed what is there meanwhile"
      : `another deploy is at work there (${processText(claim.by)})`;
  return new SvcError("deploy-running", what, {
    hint: "let it end, then run this one again: it looks at what is there anew",
  });
}

/** "process 12 on ci-7" */
export function processText({ host, pid }: RunningProcess): string {
  return `process ${pid} on ${host}`;
}

/** The right to write into a bucket: held by one deploy at a time. */
export class HeldClaim {
  readonly #objects: ObjectStore;
  #manifest: InPlaceManifest;
  #etag: string | undefined;
  #beats: NodeJS.Timeout | undefined;
  /** Writes of the manifest, one after the other. */
  #last: Promise<void> = Promise.resolve();
  readonly #lost = new AbortController();
  /** When the last write began that was accepted. */
  #shownAt = 0;
  #showing: Promise<void> | undefined;

  private constructor(objects: ObjectStore, { manifest, etag }: ManifestState) {
    this.#objects = objects;
    this.#manifest = manifest;
    this.#etag = etag;
  }

  /**
   * Writes the claim into the manifest, if that is still the one that was read.
   *
   * @throws SvcError `deploy-running` when another deploy was faster.
   */
  static async take(
    objects: ObjectStore,
    state: ManifestState,
    what: Pick<Claim, "workspaces" | "touches">,
  ): Promise<HeldClaim> {
    const held = new HeldClaim(objects, state);
    const claim = { deploy: randomUUID(), by: thisProcess(), beat: 0, isStopped: false, ...what };
    await held.write({ ...state.manifest, unsure: unsureOf(state.manifest), claim });
    try {
      // A store that takes conditions for decoration has let both of two deploys through.
      const there = await readManifestState(objects);
      if (there.manifest.claim?.deploy !== claim.deploy) throw running(there.manifest.claim);
    } catch (error) {
      await held.stop().catch(() => {});
      throw error;
    }
    held.#beats = setInterval(() => void held.#beat().catch((e) => held.#lost.abort(e)), BEAT);
    held.#beats.unref();
    return held;
  }

  /**
   * To be waited for before anything is written: a process that was stopped for a while (a laptop's
   * lid) must not write over a deploy that has taken over.
   *
   * @throws SvcError `deploy-running`.
   */
  async show(): Promise<void> {
    if (Date.now() - this.#shownAt < STALE) return;
    this.#showing ??= this.#beat().finally(() => {
      this.#showing = undefined;
    });
    await this.#showing;
  }

  /** Aborted when another deploy has taken over: nothing may be written any more. */
  get lost(): AbortSignal {
    return this.#lost.signal;
  }

  /**
   * Swaps the manifest.
   *
   * @throws SvcError `deploy-running` when it is not the one that this deploy wrote last.
   */
  write(manifest: InPlaceManifest): Promise<void> {
    const written = this.#last.then(() => this.#put(manifest));
    this.#last = written.catch(() => {});
    return written;
  }

  /** Says in the manifest that nobody need wait for this deploy, if that can still be said. */
  async stop(): Promise<void> {
    this.#end();
    const { claim } = this.#manifest;
    if (claim !== undefined)
      await this.write({ ...this.#manifest, claim: { ...claim, isStopped: true } });
  }

  /** Writes the manifest without claim. */
  async finish(manifest: InPlaceManifest): Promise<void> {
    this.#end();
    await this.write(manifest);
  }

  #end(): void {
    clearInterval(this.#beats);
  }

  #beat(): Promise<void> {
    const { claim } = this.#manifest;
    if (claim === undefined) return Promise.resolve();
    return this.write({ ...this.#manifest, claim: { ...claim, beat: claim.beat + 1 } });
  }

  async #put(manifest: InPlaceManifest): Promise<void> {
    const body = textBody(inPlaceManifestText(manifest));
    const condition =
      this.#etag === undefined ? ({ ifAbsent: true } as const) : { ifMatch: this.#etag };
    const begun = Date.now();
    let etag = await this.#objects.put(IN_PLACE_MANIFEST, body, UNCACHED_JSON, condition);
    if (etag === undefined) {
      // The answer to our own write may have been lost, and the write been tried again.
      const there = await this.#objects.get(IN_PLACE_MANIFEST);
      if (there === undefined || !there.bytes.equals(body.bytes as Buffer)) {
        throw running(there && parseInPlaceManifest(there.bytes.toString(), "").claim);
      }
      etag = there.etag;
    }
    this.#manifest = manifest;
    this.#etag = etag;
    this.#shownAt = begun;
  }
}
