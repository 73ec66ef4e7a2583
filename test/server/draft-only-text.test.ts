import { describe, expect, it } from "vitest";
import { pathsBelow } from "../support/file-tree.ts";
import { ENDPOINTS, serve } from "../support/server/serving.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { CANARY } from "../support/workspaces/canary.ts";
import {
  heldAsset,
  PAGE_MODEL,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";

/** A published workspace whose draft has the canary in every kind of value. */
function draftWithCanary(): Parts {
  const picture = heldAsset(CANARY, `${CANARY}.png`, `bytes of a ${CANARY}`);
  const field = { key: CANARY, type: "text" };
  const project = projectOf("site", "home", CANARY);
  return smallWorkspace({
    name: CANARY,
    previewToken: "t0ken",
    fields: [field],
    models: [
      { ...PAGE_MODEL, fields: [...PAGE_MODEL.fields, field] },
      { ...PAGE_MODEL, id: CANARY, key: CANARY },
    ],
    blocks: [{ id: CANARY, key: CANARY, name: CANARY, fields: [] }],
    features: [{ id: CANARY, key: CANARY, name: CANARY, type: "boolean" }],
    projects: [{ ...project, fields: { [CANARY]: CANARY } }, projectOf(CANARY, "home")],
    entries: [
      page("home", CANARY, { picture: { assetId: CANARY }, next: { contentEntryId: CANARY } }),
      page(CANARY, "Home", { [CANARY]: CANARY }),
    ],
    assets: [picture.asset],
    files: new Map([picture.file]),
  });
}

describe("H3: text that is only in the draft", () => {
  it("is in no response to a request without a token by a server with preview", async () => {
    const film = heldAsset("film", "film.mp4", "film", "video/mp4");
    const bed = new TestBed(
      smallWorkspace({
        previewToken: "t0ken",
        entries: [page("home", "Home", { picture: { assetId: "film" } })],
        assets: [film.asset],
        files: new Map([film.file]),
      }),
    );
    bed.publish();
    bed.import(draftWithCanary());
    const server = await serve(bed);
    for (const path of ENDPOINTS) {
      const { text } = await server.request(`${path}?preview_token=t0ken`);
      expect(text, path).toContain(CANARY);
    }
    const files = pathsBelow(bed.out);
    expect(files).toContain(film.path);
    const addresses = files.map((file) => file.replace(/^(api\/.*?)(\/index)?\.json$/, "$1"));
    for (const path of [...addresses, ...files, "favicon.ico"]) {
      for (const method of ["GET", "HEAD"]) {
        const { status, headers, text } = await server.request(`/${path}`, { method });
        const said = JSON.stringify([status, [...headers], text]);
        expect(said.includes(CANARY), `${method} ${path}`).toBe(false);
        expect(headers.get("X-Svc-Problems"), path).toBeNull();
      }
    }
    for (const path of [`site/experiences/${CANARY}/content`, CANARY, `${CANARY}/schema`]) {
      const { status, text } = await server.request(`/api/v1/projects/${path}`);
      expect([status, text.includes(CANARY)]).toEqual([404, false]);
    }
  });
});
