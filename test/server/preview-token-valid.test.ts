import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { ENDPOINTS, type HttpClient, serve } from "../support/server/serving.ts";
import { storeRows } from "../support/store/store-rows.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(smallWorkspace({ previewToken: "folder-token" }));
  server = await serve(bed);
});

function create(expiresAt: Date | undefined) {
  const { number } = bed.store.workspace("w");
  return bed.store.tokens.create(number, { name: "test", createdAt: new Date(0), expiresAt });
}

/** Far enough in the future for any clock. */
const IN_YEARS = new Date(Date.UTC(9999, 0));

describe("valid tokens", () => {
  it.each([
    ["of workspace.json", () => "folder-token"],
    ["that never expires", () => create(undefined).token],
    ["that expires in years", () => create(IN_YEARS).token],
    ["that expires after the year 9999", () => create(new Date(Date.UTC(12000, 0))).token],
  ])("H3: a token %s opens all three endpoints, however its name is encoded", async (_, token) => {
    const query = `preview_token=${token()}`;
    for (const path of ENDPOINTS) {
      for (const encoded of [query, query.replace("preview", "%70review")]) {
        const { status, text } = await server.target(`${path}?${encoded}`);
        expect(status).toBe(200);
        expect(text).toMatch(/"(versionId|x-svc-version-id)": ?null/);
      }
    }
  });

  it("H3: several tokens are valid at the same time, and revoking one leaves the others", async () => {
    const [one, two] = [create(undefined), create(IN_YEARS)];
    bed.store.tokens.revoke(bed.store.workspace("w").number, one.record.id);
    const status = async (token: string) =>
      (await server.request(`${ENDPOINTS[0]}?preview_token=${token}`)).status;
    expect([await status(one.token), await status(two.token)]).toEqual([401, 200]);
    expect(await status("folder-token")).toBe(200);
  });

  it("H3: only SHA-256 hashes of tokens are stored", () => {
    const { token } = create(undefined);
    const rows = JSON.stringify(storeRows(bed.store.file));
    for (const text of [token, "folder-token"]) {
      expect(rows).toContain(createHash("sha256").update(text).digest("hex"));
      expect(rows).not.toContain(text);
    }
  });
});
