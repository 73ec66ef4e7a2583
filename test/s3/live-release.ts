import { readFileSync } from "node:fs";
import { expect } from "vitest";
import type { KvsStandIn } from "../support/deploy/kvs-stand-in.ts";
import type { DeployBed } from "./deploy-bed.ts";
import type { TestBucket } from "./s3-test-bucket.ts";

/** The releases that the projects are served from, each once. */
export function liveReleases({ values }: KvsStandIn): string[] {
  return [...new Set([...values].flatMap(([key, value]) => (key.startsWith("p:") ? value : [])))];
}

/** What a version publishes: the files of `out/` with their bytes as latin1, by path. */
export function publishedTexts(bed: DeployBed, out = "out"): Map<string, string> {
  const { workspaces } = JSON.parse(readFileSync(bed.path(out, "manifest.json"), "utf8"));
  const paths = Object.keys(workspaces.w.files);
  return new Map(paths.map((path) => [path, readFileSync(bed.path(out, path), "latin1")]));
}

/** The key at which a file of a release stands. */
export function keyIn(release: string, path: string): string {
  return path.startsWith("assets/") ? path : `r/${release}/${path}`;
}

/** A release has every file of its version, byte by byte, its manifest, and nothing else. */
export async function expectReleaseWhole(
  bucket: TestBucket,
  release: string,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const folder = `r/${release}/`;
  const documents = [...texts.keys()].map((path) => keyIn(release, path));
  const below = documents.filter((key) => key.startsWith(folder));
  expect(await bucket.keys(folder)).toEqual([...below, `${folder}manifest.json`].sort());
  for (const [path, text] of texts) {
    expect((await bucket.object(keyIn(release, path))).text, path).toBe(text);
  }
}
