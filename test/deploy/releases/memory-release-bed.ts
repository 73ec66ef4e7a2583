import type { Work } from "../../../src/deploy/concurrent-work.ts";
import {
  makeLive,
  planRelease,
  planRollback,
  type ReleasePlan,
  uploadReleases,
} from "../../../src/deploy/releases/deploy-release.ts";
import type { NewHold } from "../../../src/workspace/hold.ts";
import { MemoryKeyValueStore } from "../../support/deploy/memory-key-value-store.ts";
import { MemoryBucket } from "../../support/deploy/memory-object-store.ts";
import { siteTexts, type Workspaces, writtenFolder } from "../published-texts.ts";

const HOUR = 3_600_000;

/** A bucket and a KeyValueStore in memory, for deploys of generated workspaces as releases. */
export class MemoryReleaseBed {
  readonly bucket = new MemoryBucket();
  readonly kvs = new MemoryKeyValueStore();
  readonly places = { objects: this.bucket.open(), pointers: this.kvs };
  readonly work: Work = {
    concurrency: 4,
    signal: new AbortController().signal,
    onProgress: () => {},
  };

  plan(workspaces: Workspaces): Promise<ReleasePlan> {
    return planRelease(writtenFolder(workspaces), Object.keys(workspaces), this.places, this.work);
  }

  async deploy(workspaces: Workspaces, work = this.work, hold?: NewHold): Promise<ReleasePlan> {
    const published = writtenFolder(workspaces);
    const plan = await planRelease(published, Object.keys(workspaces), this.places, work, {
      holder: hold,
    });
    await uploadReleases(published, plan, this.places.objects, work);
    await makeLive(plan, this.places, work);
    return plan;
  }

  /** To the release before, of workspace `w`. */
  async rollBack(hold?: NewHold): Promise<void> {
    const wanted = { text: undefined, workspaceId: "w" };
    await makeLive(
      await planRollback(this.places, this.work, wanted, hold),
      this.places,
      this.work,
    );
  }

  /** Deploys this number of versions an hour apart, the last one now; returns their releases, in order. */
  async deployMany(count: number): Promise<string[]> {
    const releases: string[] = [];
    for (let n = 0; n < count; n += 1) {
      const at = new Date(Date.now() - (count - 1 - n) * HOUR);
      this.bucket.now = () => at;
      await this.deploy({ w: siteTexts({ [CONTENT]: `content ${n}` }) });
      releases.push(this.live("site") ?? "");
    }
    return releases;
  }

  /** The same stores as they are now. */
  copy(): MemoryReleaseBed {
    const bed = new MemoryReleaseBed();
    for (const [key, stored] of this.bucket.objects) bed.bucket.objects.set(key, stored);
    for (const [key, value] of this.kvs.values) bed.kvs.write(key, value);
    return bed;
  }

  /** The release that a project is served from. */
  live(projectId: string): string | undefined {
    return this.kvs.values.get(`p:${projectId}`);
  }

  /** The number of writes to both stores. */
  get writes(): number {
    return this.bucket.changes.length + this.kvs.updates.length;
  }

  /** The names of the releases with any object, sorted. */
  folders(): string[] {
    const names = this.bucket.keys("r/").map((key) => key.split("/").slice(1, 3).join("/"));
    return [...new Set(names)];
  }
}

export const INDEX = "api/v1/projects/site/index.json";
export const CONTENT = "api/v1/projects/site/experiences/home/content.json";
export const ASSET = "assets/0123456789abcdef/a b.png";
