import { createHash } from "node:crypto";
import fc from "fast-check";
import { planRelease } from "../../../src/deploy/releases/deploy-release.ts";
import type { Release } from "../../../src/deploy/releases/release.ts";
import { projectTexts, siteTexts, type Texts, writtenFolder } from "../published-texts.ts";
import { MemoryReleaseBed } from "../releases/memory-release-bed.ts";

export type WorkspaceId = "w" | "v";

export const md5 = (text: string) => createHash("md5").update(text).digest("hex");

export const { work } = new MemoryReleaseBed();

/** The photo of each version: of eight, a prune removes the first three, and a photo that the last one has too. */
const PHOTOS = [9, 9, 2, 0, 1, 2, 0, 1, 9];

/** What a workspace has in a version: both share photos. */
export function textsOf(workspaceId: string, version: number): Texts {
  const number = PHOTOS[version];
  const photo = { [`assets/${String(number).repeat(16)}/photo.png`]: `photo ${number}` };
  if (workspaceId === "v") return { ...projectTexts("blog", `blog ${version}`), ...photo };
  const shop = version % 2 === 0 ? {} : projectTexts("shop", `shop ${version}`);
  const changed = Object.entries(siteTexts()).map(([path, text]) => {
    return [path, path.startsWith("assets/") ? text : `${text} ${version}`];
  });
  return { ...Object.fromEntries(changed), ...shop, ...photo };
}

/** Published versions of both workspaces, until the test ends. */
export class Versions {
  readonly folders = PHOTOS.map((_, n) =>
    writtenFolder({ w: textsOf("w", n), v: textsOf("v", n) }),
  );
  /** By name. */
  readonly releases = new Map<string, Release>();
  /** By version. */
  readonly names = { w: [] as string[], v: [] as string[] };

  static async make(): Promise<Versions> {
    const versions = new Versions();
    const { places } = new MemoryReleaseBed();
    for (const folder of versions.folders) {
      const { releases } = await planRelease(folder, ["w", "v"], places, work);
      for (const release of releases) {
        versions.names[release.manifest.workspaceId as WorkspaceId].push(release.name);
        versions.releases.set(release.name, release);
      }
    }
    return versions;
  }

  number(): fc.Arbitrary<number> {
    return fc.nat(PHOTOS.length - 1);
  }

  assetsOf(name: string): string[] {
    return this.#paths(name).filter((path) => path.startsWith("assets/"));
  }

  projectsOf(name: string): string[] {
    return this.#paths(name).flatMap((path) => /projects\/([^/]+)\/index/.exec(path)?.[1] ?? []);
  }

  /** MD5 hashes by key, of all objects of a release. */
  objectsOf(name: string): Record<string, string> {
    const { manifest, manifestText } = this.releases.get(name) as Release;
    const files = Object.entries(manifest.files).map(([path, file]) => {
      return [path.startsWith("assets/") ? path : `r/${name}/${path}`, file.md5] as const;
    });
    return Object.fromEntries([...files, [`r/${name}/manifest.json`, md5(manifestText)]]);
  }

  #paths(name: string): string[] {
    return Object.keys(this.releases.get(name)?.manifest.files ?? {});
  }
}
