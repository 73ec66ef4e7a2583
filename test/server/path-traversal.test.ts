import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  ENDPOINTS,
  type HttpClient,
  problemOf,
  refusal,
  serve,
} from "../support/server/serving.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

const SECRET = "text of a file beside out";
const HASH = "0123456789abcdef";

let server: HttpClient;
/** Files beside `out/`, and symbolic links to them in every folder that is served. */
beforeEach(async () => {
  const bed = new TestBed(smallWorkspace({ previewToken: "t0ken" }));
  bed.publish();
  const secrets = join(bed.folder, "secrets");
  mkdirSync(secrets);
  for (const name of ["secret.txt", "index.json"]) writeFileSync(join(secrets, name), SECRET);
  writeFileSync(join(bed.folder, "secret.txt"), SECRET);
  const [assets, projects] = [join(bed.out, "assets"), join(bed.out, "api/v1/projects")];
  for (const folder of [join(assets, HASH), join(projects, "link")]) {
    mkdirSync(folder, { recursive: true });
  }
  writeFileSync(join(assets, HASH, "real.txt"), "text of an asset");
  symlinkSync(join(secrets, "secret.txt"), join(assets, HASH, "link.txt"));
  symlinkSync(join(secrets, "secret.txt"), join(projects, "link/index.json"));
  symlinkSync(secrets, join(assets, "aaaaaaaaaaaaaaaa"));
  symlinkSync(secrets, join(projects, "linked-folder"));
  server = await serve(bed);
});

afterEach(async () => {
  // The server must still work after each test.
  expect((await server.request(ENDPOINTS[0])).status).toBe(200);
});

describe("files that are not published", () => {
  it("no path with .. serves a file outside of out/", async () => {
    const targets = [
      ...["/../secret.txt", "/%2e%2e/secret.txt", "/..%2fsecret.txt", "/%252e%252e%252fsecret.txt"],
      ...[
        "/api/v1/projects/../../../../secret.txt",
        "/api/v1/projects/..%2f..%2f..%2f..%2fsecret.txt",
      ],
      ...["/assets/../../secret.txt", `/assets/${HASH}/../../../secret.txt`],
      ...[
        `/assets/${HASH}/..%2f..%2f..%2fsecret.txt`,
        `/assets/${HASH}/%2e%2e%2f%2e%2e%2fsecret.txt`,
      ],
      ...[`/assets/${HASH}/..%5c..%5c..%5csecret.txt`, `/assets/${HASH}/..`, `/assets/${HASH}/%2e`],
      ...[`/assets/${HASH}/`, `/assets/${HASH}`, "/assets/..%2f..%2fsecrets/secret.txt"],
      ...["/../workspace.db", "/..%2fworkspace.db", "/etc/passwd", "//etc/passwd"],
    ];
    for (const target of targets) {
      expect(refusal(await server.target(target)), target).toBe("404 not-found");
    }
  });

  it.each([
    ["a linked asset", `/assets/${HASH}/link.txt`],
    ["a linked document", "/api/v1/projects/link"],
    ["an asset in a linked folder", "/assets/aaaaaaaaaaaaaaaa/secret.txt"],
    ["a document in a linked folder", "/api/v1/projects/linked-folder"],
  ])("nothing outside of out/ is served: %s", async (_what, target) => {
    const answer = await server.target(target);
    expect(answer.text).not.toContain(SECRET);
    expect(problemOf(answer).status).toBe(404);
  });

  it("no random path serves a file outside of out/ or causes a server error", async () => {
    const pieces = [
      "/",
      "//",
      "..",
      ".",
      "%2e",
      "%2F",
      "%5c",
      "\\",
      "%00",
      "%",
      "%25",
      "?",
      "#",
      ";",
    ];
    const names = ["assets", HASH, "real.txt", "secret.txt", "api", "v1", "projects", "site"];
    const targets = fc.array(fc.constantFrom(...pieces, "/", "/", ...names), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(targets, async (parts) => {
        const answer = await server.target(`/${parts.join("")}`);
        expect(answer.text).not.toContain(SECRET);
        if (answer.status !== 200) expect([400, 404]).toContain(problemOf(answer).status);
      }),
      { numRuns: 200 },
    );
  });
});
