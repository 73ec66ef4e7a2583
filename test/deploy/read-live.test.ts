import { describe, expect, it } from "vitest";
import { textBody } from "../../src/deploy/published-folder.ts";
import { readLive } from "../../src/deploy/read-live.ts";
import { makeLive, planRelease, uploadReleases } from "../../src/deploy/releases/deploy-release.ts";
import { publishedManifest } from "../../src/publish/verify.ts";
import { MemoryKeyValueStore } from "../support/deploy/memory-key-value-store.ts";
import { MemoryBucket } from "../support/deploy/memory-object-store.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const JSON_HEADERS = { "Content-Type": "application/json" };
const work = { concurrency: 4, signal: new AbortController().signal, onProgress: () => {} };

/** A workspace with two projects, released to a bucket in memory. */
async function releasedBed() {
  const bed = new TestBed(
    smallWorkspace({ projects: [projectOf("site", "home"), projectOf("shop", "home")] }),
  );
  const bucket = new MemoryBucket();
  const places = { objects: bucket.open(), pointers: new MemoryKeyValueStore() };
  const release = async (...ids: string[]) => {
    const published = { folder: bed.out, ...publishedManifest(bed.out) };
    const plan = await planRelease(published, ids, places, work);
    await uploadReleases(published, plan, places.objects, work);
    await makeLive(plan, places, work);
  };
  const read = (wanted?: string, mode: "release" | "in-place" = "release") => {
    const pointers = mode === "release" ? places.pointers : undefined;
    return readLive(places.objects, pointers, wanted, work).then(
      ({ snapshot, workspaceId, versionId }) => {
        return (
          versionId && { workspaceId, versionId, paths: [...snapshot.documents.keys()].sort() }
        );
      },
      (error) => error.code,
    );
  };
  return { bed, bucket, places, release, read };
}

describe("D4, D4a, D4a: reading the version that is live on a target", () => {
  it("reads the documents of the workspace's live release", async () => {
    const { bed, release, read } = await releasedBed();
    expect(await read()).toBeNull();
    const { versionId } = bed.publish();
    await release("w");
    const live = await read();
    expect(live).toMatchObject({ workspaceId: "w", versionId });
    expect(live.paths).toEqual(Object.keys(publishedManifest(bed.out).workspaces.w?.files ?? {}));
    bed.import(smallWorkspace({ entries: [page("home", "Later")] }));
    bed.publish();
    expect(await read("w"), "published, but not live").toEqual(live);
    expect(await read("other")).toBeNull();
    expect(await read("w", "in-place")).toBe("target-has-releases");
  });

  it("refuses a target where releases are mixed, or where a document is another one", async () => {
    const { bed, bucket, places, release, read } = await releasedBed();
    bed.publish();
    await release("w");
    const { values, etag } = await places.pointers.read();
    const name = values.get("p:site") as string;
    await places.pointers.update(etag, { puts: new Map([["p:shop", `${name.slice(0, -1)}x`]]) });
    expect(await read()).toMatchObject({ workspaceId: "w" });
    const other = name.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    const now = await places.pointers.read();
    await places.pointers.update(now.etag, { puts: new Map([["p:shop", other]]) });
    expect(await read()).toBe("deploy-unfinished");
    const last = await places.pointers.read();
    await places.pointers.update(last.etag, { puts: new Map([["p:shop", name]]) });
    const key = bucket.keys(`r/${name}/`).find((one) => one.endsWith("content.json")) ?? "";
    const text = bucket.text(key) ?? "";
    const head = await places.objects.head(key);
    const body = textBody(text.replace("Home", "Hers"));
    await places.objects.put(key, body, JSON_HEADERS, { ifMatch: head?.etag ?? "" });
    expect(await read()).toBe("deploy-unfinished");
  });
});
