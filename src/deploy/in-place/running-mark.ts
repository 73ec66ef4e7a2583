import { randomUUID } from "node:crypto";
import { hostname } from "node:os";
import { SvcError } from "../../workspace/errors.ts";
import { type ObjectStore, unchangedSince } from "../object-store.ts";
import { textBody } from "../published-folder.ts";
import { conditionsIgnored, honoursConditions, IN_PLACE_MANIFEST } from "../refusals.ts";
import { deploySuperseded, UNCACHED_JSON } from "../upload.ts";
import {
  type InPlaceManifest,
  type ManifestState,
  manifestText,
  mergedTouched,
  type RunningDeploy,
  readManifest,
  type Touched,
  unmarked,
  unsettled,
} from "./manifest.ts";

/** Milliseconds after which a deploy looks whether it was taken over: it may have been suspended. */
const LOOK_AGAIN = 10_000;

/** L6b, in milliseconds: without progress for so long, a deploy was killed. */
const ABANDONED = 10 * 60_000;

/** Milliseconds after which a deploy that makes progress writes its mark anew. */
const RENEW = 2 * 60_000;

/** Attempts to change a manifest that others change too. */
const ATTEMPTS = 5;

/** @throws SvcError `deploy-running` when a deploy is marked in the manifest, unless it was abandoned (L6b). */
export function assertNotRunning({ manifest: { deploy }, age }: ManifestState): void {
  if (deploy !== undefined && age < ABANDONED) throw deployRunning(deploy);
}

/** The mark of a running deploy in a bucket's manifest (L6). */
export class RunningMark {
  readonly #objects: ObjectStore;
  readonly #running: RunningDeploy;
  #etag: string | undefined;
  /** As it was written or read last: `touched` is what other deploys have reported since. */
  #marked: InPlaceManifest;
  #writtenAt = Date.now();
  #lookedAt = Date.now();
  #look: Promise<void> | undefined;
  #conditional: Pick<InPlaceManifest, "conditional"> = {};

  private constructor(objects: ObjectStore, { manifest, etag }: ManifestState, touches: Touched) {
    this.#objects = objects;
    this.#etag = etag;
    this.#running = {
      id: randomUUID(),
      host: hostname(),
      pid: process.pid,
      since: new Date().toISOString(),
      touches: mergedTouched(unsettled(manifest), touches),
    };
    this.#marked = { ...manifest, touched: {}, deploy: this.#running };
  }

  /**
   * Marks the manifest if it is still as it was read. In a store where svc has not done so before, it
   * then tries whether conditions are honoured.
   *
   * @throws SvcError `deploy-running` when another deploy was faster; `conditional-writes-unsupported`.
   */
  static async begin(
    objects: ObjectStore,
    state: ManifestState,
    touches: Touched,
  ): Promise<RunningMark> {
    const mark = new RunningMark(objects, state, touches);
    const { conditional } = state.manifest;
    const marked = mark.#marked;
    try {
      if (!(await mark.#write(marked))) {
        throw deployRunning((await readManifest(objects)).manifest.deploy);
      }
      if (conditional !== objects.name) await mark.#assertConditional(state, marked);
      mark.#conditional = { conditional: objects.name };
      return mark;
    } catch (error) {
      await mark.#release({ reports: false }).catch(() => {});
      throw error;
    }
  }

  /** L10a: confirms the mark if the last look was some time ago. */
  async confirmAgain(): Promise<void> {
    if (Date.now() - this.#lookedAt < LOOK_AGAIN) return;
    this.#look ??= this.confirm().finally(() => {
      this.#look = undefined;
    });
    await this.#look;
  }

  /**
   * L10a: confirms that no other deploy has taken over; L6b: renews the mark, if it was written some time ago.
   *
   * @throws SvcError `deploy-superseded`.
   */
  async confirm(): Promise<void> {
    const lookedAt = Date.now();
    if ((await this.#objects.head(IN_PLACE_MANIFEST))?.etag !== this.#etag) {
      const { manifest, etag } = await readManifest(this.#objects);
      if (manifest.deploy?.id !== this.#running.id) throw superseded(this.#objects, manifest);
      this.#etag = etag;
      this.#marked = manifest;
    }
    if (lookedAt - this.#writtenAt > RENEW) await this.#write(this.#marked);
    this.#lookedAt = lookedAt;
  }

  /**
   * Writes the final manifest, which has no mark.
   *
   * @throws SvcError `deploy-superseded`, `deploy-manifest-changing`.
   */
  async finish(manifest: InPlaceManifest): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const final = { ...manifest, ...this.#conditional, touched: this.#marked.touched };
      if (await this.#write(final)) return;
      // A deploy that was taken over may have reported what it has written.
      await this.confirm();
    }
    throw manifestChanging(this.#objects);
  }

  /** L6a: removes the mark of a deploy that has failed; what it may have written is left to the next. */
  async abandon(): Promise<void> {
    await this.#release({ reports: true });
  }

  /** @param reports adds to the manifest of a deploy that has taken over what this one may have written. */
  async #release({ reports }: { reports: boolean }): Promise<void> {
    for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
      const { manifest, etag } = await readManifest(this.#objects);
      const isOurs = manifest.deploy?.id === this.#running.id;
      if (etag === undefined || !(isOurs || reports)) return;
      this.#etag = etag;
      const touched = mergedTouched(manifest.touched, this.#running.touches);
      if (await this.#write(isOurs ? unmarked(manifest) : { ...manifest, touched })) return;
    }
  }

  /** Writes the mark with conditions that do not hold; where they are ignored, takes it back. */
  async #assertConditional({ manifest, etag }: ManifestState, marked: InPlaceManifest) {
    const body = textBody(`${manifestText(marked)}\n`);
    if (await honoursConditions(this.#objects, IN_PLACE_MANIFEST, body, UNCACHED_JSON)) return;
    if (etag === undefined) await this.#objects.delete([IN_PLACE_MANIFEST]);
    else
      await this.#objects.put(IN_PLACE_MANIFEST, textBody(manifestText(manifest)), UNCACHED_JSON);
    throw conditionsIgnored(this.#objects);
  }

  /** Whether the manifest was written: only over the one that was read or written last. */
  async #write(manifest: InPlaceManifest): Promise<boolean> {
    const writtenAt = Date.now();
    const text = manifestText(manifest);
    const condition = unchangedSince(this.#etag);
    const put = this.#objects.put(IN_PLACE_MANIFEST, textBody(text), UNCACHED_JSON, condition);
    let etag = await put;
    if (etag === undefined) {
      // A retry fails its condition when the first attempt succeeded and its response was lost.
      const stored = await readManifest(this.#objects);
      if (manifestText(stored.manifest) === text) etag = stored.etag;
    }
    if (etag === undefined) return false;
    this.#etag = etag;
    this.#writtenAt = writtenAt;
    return true;
  }
}

function deployRunning(deploy: RunningDeploy | undefined): SvcError {
  const what =
    deploy === undefined
      ? "another deploy has changed the target meanwhile"
      : `another deploy to the target is running (${textOf(deploy)})`;
  return new SvcError("deploy-running", what, {
    hint: "wait for it to finish, then run this one again; one that was killed is taken over after ten minutes, or at once by svc deploy --force",
  });
}

function superseded(objects: ObjectStore, { deploy }: InPlaceManifest): SvcError {
  const process = deploy === undefined ? "" : ` (${textOf(deploy)})`;
  return deploySuperseded(objects, `has taken over${process}`);
}

function manifestChanging({ name }: ObjectStore): SvcError {
  const manifest = `${name}/${IN_PLACE_MANIFEST}`;
  return new SvcError(
    "deploy-manifest-changing",
    `cannot update ${manifest}: it was changed by others at each of ${ATTEMPTS} attempts`,
    { hint: "end what changes it, then run the deploy again" },
  );
}

/** "process 12 on ci-7, since 2026-11-23T05:41:00.000Z" */
export function textOf({ host, pid, since }: RunningDeploy): string {
  return `process ${pid} on ${host}, since ${since}`;
}
