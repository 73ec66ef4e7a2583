import { createHash } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { ENDPOINTS, type HttpClient, refusal, serve } from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** Far enough in the past for any clock. */
const PAST = new Date(0);

/** The endpoints of an existing and of a missing project. */
const EXISTING = [...ENDPOINTS, "/api/v1/projects/site/experiences/none/content"];
const MISSING = EXISTING.map((path) => path.replace("site", "nowhere"));

let bed: TestBed;
let server: HttpClient;
beforeEach(async () => {
  bed = new TestBed(
    smallWorkspace({ previewToken: "folder-token" }),
    smallWorkspace({
      id: "other",
      previewToken: "token-of-another",
      projects: [projectOf("shop", "home")],
      entries: [page("home", "Shop")],
    }),
  );
  bed.publish({ workspace: "w" });
  server = await serve(bed);
});

function create(expiresAt: Date | undefined, workspace = "w") {
  const { number } = bed.store.workspace(workspace);
  return bed.store.tokens.create(number, { name: "test", createdAt: PAST, expiresAt });
}

/** A response without its date. */
async function said(path: string, method = "GET"): Promise<string> {
  const { status, headers, text } = await server.target(path, { method });
  return JSON.stringify([status, [...headers].filter(([name]) => name !== "date"), text]);
}

/** Reasons for an invalid token, each with a query. */
const INVALID: Record<string, () => string> = {
  "empty, without =": () => "preview_token",
  empty: () => "preview_token=",
  "empty, among other parameters": () => "a=1&preview_token&b=2",
  "empty, after a second question mark": () => "a?b=1&preview_token=",
  "percent-encoded in its name": () => "preview%5Ftoken=wrong",
  "percent-encoded in every letter of its name": () =>
    `${"preview_token".replace(/./g, (c) => `%${c.charCodeAt(0).toString(16)}`)}=`,
  "valid, but doubled": () => "preview_token=folder-token&preview_token=folder-token",
  "doubled, and one is valid": () => "preview_token=folder-token&preview_token=wrong",
  "doubled, and one is empty": () => "preview%5ftoken=&preview_token=folder-token",
  wrong: () => "preview_token=wrong",
  "valid but for its last letter": () => "preview_token=folder-toke",
  "valid but for a letter more": () => "preview_token=folder-token1",
  "valid but for its case": () => "preview_token=Folder-Token",
  "valid but for a space": () => "preview_token=folder-token%20",
  "the hash of a valid one": () => `preview_token=${sha256("folder-token")}`,
  "of another workspace": () => "preview_token=token-of-another",
  "created for another workspace": () => `preview_token=${create(undefined, "other").token}`,
  expired: () => `preview_token=${create(PAST).token}`,
  "the id of a token": () => `preview_token=${create(undefined).record.id}`,
  revoked: () => {
    const { token, record } = create(undefined);
    bed.store.tokens.revoke(bed.store.workspace("w").number, record.id);
    return `preview_token=${token}`;
  },
  "replaced by an import": () => {
    bed.import(smallWorkspace({ previewToken: "new-folder-token" }));
    return "preview_token=folder-token";
  },
  "malformed in its percent-encoding": () => "preview_token=%ZZ%C3",
  "8 kB long": () => `preview_token=${"t".repeat(8000)}`,
};

describe("H3: a preview_token that is not valid is 401 on every endpoint", () => {
  it.each(Object.keys(INVALID))(
    "H3: %s: the same response whether or not the project exists",
    async (how) => {
      const query = INVALID[how]?.();
      const answers = new Set<string>();
      for (const path of [...EXISTING, ...MISSING]) answers.add(await said(`${path}?${query}`));
      expect(answers.size).toBe(1);
      expect(refusal(await server.target(`${MISSING[0]}?${query}`))).toBe(
        "401 preview-token-invalid",
      );
    },
  );

  it("H3: a token of another workspace: the same response whether or not the project exists", async () => {
    const wrong = await said(`${MISSING[0]}?preview_token=wrong`);
    for (const path of MISSING) {
      expect(await said(`${path}?preview_token=folder-token`)).toBe(wrong);
    }
  });

  it("H3: HEAD gets the same response as GET, without the body", async () => {
    const bare = JSON.parse(await said(`${EXISTING[0]}?preview_token=wrong`)).with(2, "");
    for (const path of [...EXISTING, ...MISSING]) {
      expect(JSON.parse(await said(`${path}?preview_token=wrong`, "HEAD"))).toEqual(bare);
    }
  });

  it("H3: a server without preview responds 401 too, never with published content", async () => {
    server = await serve(bed, { preview: false });
    for (const [how, query] of Object.entries(INVALID)) {
      const asked = query();
      for (const path of [...EXISTING, ...MISSING]) {
        const answer = await server.target(`${path}?${asked}`);
        expect(refusal(answer), how).toBe("401 preview-token-invalid");
      }
    }
  });

  it("H3: a server without preview responds 401 to a valid token too, never from a cache", async () => {
    server = await serve(bed, { preview: false });
    for (const path of EXISTING) {
      const answer = await server.request(`${path}?preview_token=folder-token`, {
        headers: { "If-None-Match": "*" },
      });
      expect(refusal(answer)).toBe("401 preview-token-invalid");
      expect(answer.headers.get("Cache-Control")).toBe("no-store");
    }
  });
});

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
