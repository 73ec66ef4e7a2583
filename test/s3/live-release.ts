import { expect } from "vitest";
import type { KvsStandIn } from "../support/deploy/kvs-stand-in.ts";
import type { TestBucket } from "./s3-test-bucket.ts";

/** The distinct releases that the projects are served from. */
export function liveReleases({ values }: KvsStandIn): string[] {
  return [...new Set([...values].flatMap(([key, value]) => (key.startsWith("p:") ? value : [])))];
}

/** The key of a release's file. */
function keyOf(release: string, path: string): string {
  return path.startsWith("assets/") ? path : `r/${release}/${path}`;
}

/** A release has every file of its version, byte for byte, its manifest, and nothing else. */
export async function expectCompleteRelease(
  bucket: TestBucket,
  release: string,
  texts: ReadonlyMap<string, string>,
): Promise<void> {
  const folder = `r/${release}/`;
  const documents = [...texts.keys()].map((path) => keyOf(release, path));
  const below = documents.filter((key) => key.startsWith(folder));
  expect(await bucket.keys(folder)).toEqual([...below, `${folder}manifest.json`].sort());
  for (const [path, text] of texts) {
    expect((await bucket.object(keyOf(release, path))).text, path).toBe(text);
  }
}
