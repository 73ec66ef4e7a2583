import { deployFolderInPlace } from "../../../src/cli/commands/deploy.ts";
import type { DeployOptions } from "../../../src/cli/deploy/deploy-options.ts";
import type { InPlaceManifest } from "../../../src/deploy/in-place/manifest.ts";
import type { ObjectStore } from "../../../src/deploy/object-store.ts";
import { MemoryBucket } from "../../support/deploy/memory-object-store.ts";
import { siteTexts, type Workspaces, writtenFolder } from "../published-texts.ts";

export const MANIFEST = ".svc-deploy.json";

/** A bucket in memory, for deploys of generated workspaces in place. */
export class MemoryInPlaceBed {
  readonly bucket = new MemoryBucket();
  prefix = "";

  /** Runs what `svc deploy` runs for a deploy in place. */
  async deploy(
    workspaces: Workspaces = SITE,
    options: Partial<DeployOptions> & { signal?: AbortSignal; objects?: ObjectStore } = {},
  ) {
    const { signal = new AbortController().signal, ...given } = options;
    const { objects = this.bucket.open({ prefix: this.prefix }), ...more } = given;
    const work = { concurrency: 1, signal, onProgress: () => {} };
    const { value, text } = await deployFolderInPlace(
      { out: "out", wait: 0, concurrency: 1, maxDeletes: 1_000, ...more },
      { objects, manifestStore: objects, work, signal },
      writtenFolder(workspaces),
      Object.keys(workspaces),
    );
    return { ...(value as unknown as Result), text };
  }

  /** The writes and removals after the first `count`, without the manifest's. */
  changesSince(count: number): string[] {
    return this.bucket.changes.slice(count).filter((change) => !change.endsWith(MANIFEST));
  }

  manifest(): InPlaceManifest {
    return JSON.parse(this.bucket.text(this.prefix + MANIFEST) ?? "{}");
  }

  /** Every text by key, without svc's own objects. */
  texts(): Record<string, string | undefined> {
    const keys = this.bucket.keys().filter((key) => !key.includes(MANIFEST) && key !== "503.json");
    return Object.fromEntries(keys.map((key) => [key, this.bucket.text(key)]));
  }
}

interface Result {
  readonly objects: { uploaded: number; unchanged: number; removed: number };
  readonly plan: { action: string; what: string; reason: string }[];
  readonly invalidation?: { distribution: string; id: string };
}

export const PROJECT = "api/v1/projects/site";
export const CONTENT = `${PROJECT}/experiences/home/content`;
export const ASSET = "assets/0123456789abcdef/a b.png";

export const SITE: Workspaces = { w: siteTexts() };

/** The site with each document changed, and its experience with another id. */
export const MOVED: Workspaces = {
  w: {
    [`${PROJECT}/index.json`]: "config 2",
    [`${PROJECT}/schema.json`]: "schema 2",
    [`${PROJECT}/experiences/hello/content.json`]: "content 2",
    [ASSET]: "picture",
  },
};

/** The expected texts of a bucket with these workspaces, by key. */
export function expectedTexts(workspaces: Workspaces): Record<string, string> {
  const texts = Object.values(workspaces).flatMap((one) => Object.entries(one));
  const keys = texts.map(([path, text]) => [
    path.replace(/\/index\.json$/, "").replace(/(\/(?:content|schema))\.json$/, "$1"),
    text,
  ]);
  return Object.fromEntries([["404.json", "not found"], ...keys]);
}
