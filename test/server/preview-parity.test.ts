import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import type { Model } from "../../src/workspace/records.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset, smallWorkspace } from "../support/workspaces/small-workspace.ts";

const FIXTURES = join(import.meta.dirname, "../../fixtures");

describe("the two surfaces", () => {
  it("H5: preview serves the same bytes as publishing except for version id and source", async () => {
    const bed = new TestBed();
    for (const name of ["neighbour", "storefront"]) {
      bed.store.import(readFolder(join(FIXTURES, name)), new Date());
    }
    const { versionId } = bed.publish({ workspace: "storefront" });
    const server = await serve(bed);
    const documents = pathsBelow(bed.out).filter((path) => path.startsWith("api/"));
    expect(documents).toHaveLength(10);
    for (const file of documents) {
      const path = `/${file.replace(/\/index\.json$|\.json$/, "")}`;
      const published = await server.request(path);
      const preview = await server.request(`${path}?preview_token=storefront-demo-token`);
      expect([published.status, preview.status], path).toEqual([200, 200]);
      expect(preview.headers.get("Content-Type")).toBe(published.headers.get("Content-Type"));
      expect(preview.text, path).not.toBe(published.text);
      expect(preview.text, path).toBe(
        published.text
          .replace(`"${versionId}"`, "null")
          .replace('"x-svc-source": "published"', '"x-svc-source": "preview"'),
      );
    }
  });
});

const TYPES = {
  "a.png": "image/png",
  "a.avif": "image/avif",
  "a.svg": "image/svg+xml",
  "a.html": "text/html; charset=utf-8",
  "a.js": "text/javascript; charset=utf-8",
  "a.mp4": "video/mp4",
  "a.woff": "font/woff",
  a: "application/octet-stream",
};

const GALLERY: Model = {
  id: "m-gallery",
  key: "gallery",
  name: "Gallery",
  fields: [{ key: "pictures", type: "asset", repeatable: true }],
};

/** A draft of one page with an asset for each name. */
function withAssets(...names: readonly string[]) {
  const held = names.map((name, index) => heldAsset(`asset-${index}`, name, `bytes of ${name}`));
  const pictures = held.map(({ asset }) => ({ assetId: asset.id }));
  const bed = new TestBed(
    smallWorkspace({
      previewToken: "t0ken",
      models: [GALLERY],
      entries: [{ id: "home", modelId: "m-gallery", data: { pictures } }],
      assets: held.map(({ asset }) => asset),
      files: new Map(held.map(({ file }) => file)),
    }),
  );
  return { bed, paths: held.map(({ path }) => `/${path}`) };
}

describe("assets of a draft", () => {
  it("are served only by a server with preview until they are published", async () => {
    const { bed, paths } = withAssets("draft.png");
    const [path = ""] = paths;
    const preview = await serve(bed);
    const published = await serve(bed, { preview: false });
    expect((await preview.request(path)).text).toBe("bytes of draft.png");
    expect((await published.request(path)).status).toBe(404);
    bed.publish();
    expect((await published.request(path)).text).toBe("bytes of draft.png");
  });

  it("have the same type as when published", async () => {
    const { bed, paths } = withAssets(...Object.keys(TYPES));
    const server = await serve(bed);
    const types = async () => {
      const answers = await Promise.all(paths.map((path) => server.request(path)));
      return answers.map(({ headers }) => headers.get("Content-Type"));
    };
    const before = await types();
    bed.publish();
    expect(await types()).toEqual(before);
    expect(before).toEqual(Object.values(TYPES));
  });

  it("can run no script in the origin of the API", async () => {
    const { bed, paths } = withAssets("page.html", "page.xhtml", "logo.svg", "feed.xml");
    const server = await serve(bed);
    for (const stage of ["draft", "published"]) {
      for (const path of paths) {
        const { headers } = await server.request(path);
        expect(headers.get("Content-Security-Policy"), `${stage} ${path}`).toMatch(/^sandbox\b/);
        expect(headers.get("X-Content-Type-Options"), `${stage} ${path}`).toBe("nosniff");
      }
      bed.publish();
    }
  });
});
