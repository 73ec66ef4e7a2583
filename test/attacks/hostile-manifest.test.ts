import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/documents/version-id.ts";
import { type Stored, startS3 } from "../docs/s3-stand-in.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";

// A manifest of out/ that somebody else has edited: everything in it fits, but for what it lists.

/** Files that lie in a published folder, and that svc never puts there. */
const FOREIGN = [
  "index.html",
  "sw.js",
  ".env",
  "api/index.html",
  "api/v1/projects/site/other.json",
  "api/v1/projects/.git/index.json",
  "api/v1/projects/site/experiences/.x/content.json",
  "api/v1/projects/../index.json",
  "api/v1/projects/a b/index.json",
  "assets/x.js",
  "assets/0123456789abcdef/a/b.js",
  "assets/0123456789abcdef/.htaccess",
  "assets/0123456789ABCDEF/a.js",
  "assets/0123456789abcdef/../../../x.js",
  "../outside.js",
  "manifest.json",
  "503.json",
];

interface Facts {
  [path: string]: { sha256: unknown; size: unknown };
}

interface Edited {
  files: Facts;
  workspaces: Record<string, { versionId: unknown; files: Facts }>;
}

/** A published folder whose manifest was edited. */
function publishedWith(edit: (manifest: Edited, bed: CliBed) => void): CliBed {
  const bed = new CliBed();
  bed.ok("publish", STARTER);
  const path = bed.path("out/manifest.json");
  const manifest = JSON.parse(readFileSync(path, "utf8"));
  edit(manifest, bed);
  writeFileSync(path, JSON.stringify(manifest));
  return bed;
}

/** Adds a file, and lists it rightly. */
function listing(path: string) {
  return (manifest: Edited, bed: CliBed) => {
    mkdirSync(dirname(bed.path("out", path)), { recursive: true });
    if (path !== "manifest.json") writeFileSync(bed.path("out", path), "alert(1)");
    const own = manifest.workspaces.starter as { files: Facts };
    own.files[path] = { sha256: sha256("alert(1)"), size: 8 };
  };
}

/** Runs everything that reads the manifest; nothing must reach the bucket. */
async function expectRefused(bed: CliBed): Promise<void> {
  const objects = new Map<string, Stored>();
  bed.env = {
    ...credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" }),
    SVC_DEPLOY_ENDPOINT: await startS3({ objects }),
  };
  const refused = { error: { code: "manifest-invalid" } };
  for (const args of [["deploy", "s3://site"], ["verify"], ["publish", STARTER]]) {
    const { stdout } = await bed.runBeside(...args, "--json");
    expect(JSON.parse(stdout), args.join(" ")).toMatchObject(refused);
  }
  expect([...objects.keys()]).toEqual([]);
}

describe("a manifest of out/ that was edited", () => {
  it.each(FOREIGN)("F9a: lists %s, which is neither deployed nor removed", async (path) => {
    const bed = publishedWith(listing(path));
    const before = readFileSync(bed.path("out", path), "utf8");
    await expectRefused(bed);
    expect(readFileSync(bed.path("out", path), "utf8")).toBe(before);
  });

  it.each<[what: string, edit: (manifest: Edited) => void]>([
    [
      "a file shared by all workspaces",
      ({ files }) => {
        files["index.html"] = { sha256: sha256("x"), size: 1 };
      },
    ],
    [
      "a workspace whose id leads out of its release",
      ({ workspaces }) => {
        workspaces["../../other"] = workspaces.starter as Edited["workspaces"][string];
        delete workspaces.starter;
      },
    ],
    [
      "a version id that is a path",
      ({ workspaces }) => {
        Object.assign(workspaces.starter as object, { versionId: "../../../r/other" });
      },
    ],
    [
      "a hash that is none",
      ({ files }) => {
        files["404.json"] = { sha256: "x\r\nX-Amz-Acl: public-read", size: 1 };
      },
    ],
    [
      "a size without end",
      ({ files }) => {
        files["404.json"] = { sha256: sha256("x"), size: 1e300 };
      },
    ],
  ])("F9a: has %s, and is refused", async (_what, edit) => {
    await expectRefused(publishedWith(edit));
  });
});
