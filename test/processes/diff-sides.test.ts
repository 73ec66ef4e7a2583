import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { startS3 } from "../docs/s3-stand-in.ts";
import { CliBed } from "../support/cli-bed.ts";
import { credentialsEnv } from "../support/deploy/aws-stand-in.ts";
import { startKvs } from "../support/deploy/kvs-stand-in.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const OLD: Files = {
  "models.json": [PAGE_MODEL],
  "projects.json": [projectOf("site", "home", "news"), projectOf("shop", "home")],
  "entries.json": [page("home", "Home"), page("news", "News"), page("same", "Same")],
};
/** Without the field `next`; other texts, and another experience. */
const NEW: Files = {
  "models.json": [{ ...PAGE_MODEL, fields: PAGE_MODEL.fields.slice(0, 2) }],
  "projects.json": [projectOf("site", "home", "same"), projectOf("shop", "home")],
  "entries.json": [page("home", "Welcome"), page("news", "News"), page("same", "Same")],
};
/** Without the project `shop`. */
const FEWER: Files = { ...NEW, "projects.json": [projectOf("site", "home", "same")] };

let bed: CliBed;
beforeEach(() => {
  bed = new CliBed();
  workspaceFolder(OLD, bed.path("old"));
  workspaceFolder(NEW, bed.path("new"));
  workspaceFolder(FEWER, bed.path("fewer"));
  bed.ok("publish", "old");
});

/** What `--json` prints of a diff that this process may serve. */
// biome-ignore lint/suspicious/noExplicitAny: tests access results without types
async function compared(status: number, ...args: readonly string[]): Promise<any> {
  const ran = await bed.runBeside("diff", ...args, "--json");
  expect(ran.status, ran.stdout + ran.stderr).toBe(status);
  return JSON.parse(ran.stdout);
}

/** The diff of two versions of a store. */
function storedDiff(from: string, to: string) {
  for (const folder of [from, to]) bed.ok("publish", folder, "--store", "s.db", "--out", "kept");
  const [{ versionId: second }, { versionId: first }] = bed.json(
    0,
    "versions",
    "--store",
    "s.db",
  ).versions;
  return bed.json(0, "diff", first, second, "--store", "s.db");
}

describe("D4: svc diff compares with what is published", () => {
  it("in out/, at an address, on a target in both modes, and in a folder, as two versions of a store", async () => {
    const expected = storedDiff("old", "new");
    expect(expected.summary).toMatchObject({ breaking: 3, entriesChanged: 1 });
    const served = await ServerProcess.start("serve", "--out", bed.path("out"));
    const url = `${served.client.url}/api/v1`;
    const [endpoint, kvs] = [await startS3(), await startKvs()];
    bed.env = { ...kvs.env, SVC_DEPLOY_ENDPOINT: endpoint };
    for (const deploy of [["s3://bucket/place"], ["s3://bucket", "--kvs", kvs.arn]]) {
      const { status, stderr } = await bed.runBeside("deploy", ...deploy);
      expect(status, stderr).toBe(0);
    }
    const { from } = expected;
    const sides: [from: string | null, args: string[]][] = [
      [from, ["out", "new"]],
      [from, ["new"]],
      [from, ["--against", "out", "new"]],
      [from, ["--against", url, "new"]],
      [from, [`${url}/`, "new"]],
      [from, ["s3://bucket/place", "new"]],
      [from, ["--against", "s3://bucket", "new", "--kvs", kvs.arn]],
      [null, ["old", "new"]],
    ];
    for (const [from, args] of sides) {
      expect(await compared(0, ...args), args.join(" ")).toEqual({ ...expected, from, to: null });
    }
    await compared(1, "--against", url, "new", "--breaking");
    const reverse = await compared(0, "new", url);
    expect(reverse.summary).toMatchObject({ entriesChanged: 1 });
    expect(reverse).toMatchObject({ from: null, to: from });
    const none = await compared(0, url, "s3://bucket/place");
    expect(none).toMatchObject({ from, to: from, documents: [], entries: [] });
    const two = await compared(0, url, url, "--project", "site", "--project", "shop");
    expect(two).toMatchObject({ workspaceId: null, from, to: from, documents: [] });
    const store = ["--store", "s.db"];
    const stored = await compared(0, "--against", url, "published", ...store);
    expect(stored).toEqual(expected);
    expect(await compared(0, "--against", url, ...store)).toEqual({ ...expected, to: null });
    expect((await compared(0, "old", ...store)).from).toBe(expected.to);
  });

  it("prints both sides, and neither changes a store nor makes one", () => {
    const before = bytesBelow(bed.folder);
    expect(bed.ok("diff", "new").stdout).toMatch(
      /^"w" out \([0-9a-f]{12}\) → new: 1 entry added, .*breaking/,
    );
    expect(bed.ok("diff", "old").stdout).toMatch(
      /^"w" out \([0-9a-f]{12}\) → old: nothing differs\n$/,
    );
    rmSync(bed.path("out"), { recursive: true });
    expect(bed.ok("diff", "old").stdout).toMatch(
      /^"w" out \(nothing published\) → old: 2 entries added, 7 documents added/,
    );
    const { ...after } = bytesBelow(bed.folder);
    for (const path of Object.keys(before)) {
      if (!path.startsWith("out/")) expect(after[path]).toBe(before[path]);
    }
    expect(Object.keys(after).filter((path) => path.includes(".db"))).toEqual([]);
    bed.ok("import", "old");
    const rows = bytesBelow(bed.folder)["workspace.db"];
    bed.ok("diff", "draft", "new");
    bed.ok("diff", "draft", "new", "--store", "workspace.db");
    expect(bed.json(0, "diff").entries).toEqual([]);
    expect(bytesBelow(bed.folder)["workspace.db"]?.length).toBeGreaterThanOrEqual(
      rows?.length ?? 0,
    );
  });

  it("a project that only the address has must be named, and is then a breaking removal", async () => {
    const served = await ServerProcess.start("serve", "--out", bed.path("out"));
    const url = `${served.client.url}/api/v1`;
    const { error } = await compared(4, "--against", url, "fewer");
    expect(error).toMatchObject({
      code: "version-incomplete",
      hint: expect.stringContaining("--project"),
    });
    const { schema } = await compared(
      1,
      "--against",
      url,
      "fewer",
      "--project",
      "shop",
      "--breaking",
    );
    expect(schema).toContainEqual(
      expect.objectContaining({ code: "removed", at: { kind: "project", key: "shop" } }),
    );
    expect(bed.json(1, "diff", "fewer", "--breaking").schema).toEqual(schema);
  });

  it("D4b: a first comparison, with an address or target that has nothing yet, passes and says so", async () => {
    const served = await ServerProcess.start("serve", "--out", bed.path("out"));
    const renamed = { ...OLD, "projects.json": [projectOf("other", "home")] };
    workspaceFolder(renamed, bed.path("renamed"));
    const { url } = served.client;
    expect(await compared(0, "--against", `${url}/api/v1`, "renamed")).toMatchObject({
      from: null,
      summary: { documents: { added: 3, removed: 0 } },
    });
    const breaking = (...args: string[]) =>
      bed.runBeside("diff", "renamed", "--breaking", "--against", ...args);
    expect(await breaking(`${url}/elsewhere/api/v1`)).toMatchObject({
      status: 4,
      stderr: expect.stringMatching(/answered 404, but not as an API .*\n.*check the address/),
    });
    bed.env = { ...credentialsEnv({ accessKeyId: "a", secretAccessKey: "b" }) };
    const target = ["s3://bucket", "--endpoint", await startS3()];
    expect(await breaking(...target)).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("s3://bucket (nothing published) → renamed"),
      stderr: expect.stringContaining("warning: s3://bucket has nothing published"),
    });
  });

  it("refuses files of out/ that are not as published", () => {
    const file = bed.path("out", "api/v1/projects/site/index.json");
    cpSync(bed.path("out"), bed.path("copy"), { recursive: true });
    for (const spoil of [
      () => writeFileSync(file, "{}"),
      () => cpSync(bed.path("out", "api/v1/projects/shop/index.json"), file),
      () => rmSync(file),
    ]) {
      spoil();
      expect(bed.json(1, "diff", "out", "new").error.code).toBe("out-differs");
    }
    expect(bed.json(0, "diff", "copy", "old").documents).toEqual([]);
  });

  it("warns that a published side has nothing of the workspace, since nothing breaks then", async () => {
    const served = await ServerProcess.start("serve", "--out", bed.path("out"));
    const url = `${served.client.url}/api/v1`;
    const renamed = { ...OLD, "projects.json": [projectOf("other", "home")] };
    workspaceFolder(renamed, bed.path("renamed"));
    const ran = await bed.runBeside("diff", "--against", url, "renamed", "--breaking");
    expect(ran).toMatchObject({
      status: 0,
      stderr: `warning: ${url} has nothing published of the projects other: right before a first deploy; else check the address, or name others with --project\n`,
    });
    const elsewhere = { ...OLD, "workspace.json": { id: "x", name: "X" } };
    workspaceFolder(elsewhere, bed.path("elsewhere"));
    expect(bed.ok("diff", "out", "elsewhere").stderr).toBe(
      'warning: out has nothing published of the workspace "x"\n',
    );
    expect(bed.ok("diff", "out", "new").stderr).toBe("");
  });

  it("compares a folder alone with --out, which the config file may name", () => {
    bed.ok("publish", "old", "--out", "live");
    rmSync(bed.path("out"), { recursive: true });
    const expected = /^"w" live \([0-9a-f]{12}\) → new: 1 entry added, /;
    expect(bed.ok("diff", "new", "--out", "live").stdout).toMatch(expected);
    writeFileSync(bed.path("svc.config.json"), '{ "out": "live" }');
    expect(bed.ok("diff", "new").stdout).toMatch(expected);
  });

  it("names the folder whose problems svc check lists", () => {
    const wrong = { ...NEW, "entries.json": [page("home", "Home", { titel: "A" })] };
    workspaceFolder(wrong, bed.path("wrong"));
    const { stderr } = bed.ok("diff", "wrong", "--store", "workspace.db", "--against", "out");
    expect(stderr).toMatch(/; svc check wrong lists them\n$/);
  });

  it("shows no password and no token of an address that it refuses", () => {
    for (const url of [
      "https://me:secret@cdn.example.com/api/v1",
      "https://cdn.example.com/api/v1?preview_token=secret",
      "https://cdn.example.com/api/v1#secret",
    ]) {
      for (const args of [
        ["diff", "--against", url, "new"],
        ["verify", "--url", url],
        ["deploy", "s3://bucket", "--url", url],
      ]) {
        const { status, stdout, stderr } = bed.run(...args);
        expect({ status, stdout }, stderr).toEqual({ status: 2, stdout: "" });
        expect(stderr).toContain('"https://cdn.example.com/api/v1" is not a base URL of the API');
        expect(stderr).not.toContain("secret");
      }
    }
  });

  it("takes hex digits as a version, and a path as a folder", () => {
    cpSync(bed.path("new"), bed.path("abc"), { recursive: true });
    expect(bed.json(2, "diff", "abc").error).toMatchObject({
      code: "store-not-found",
      hint: '"abc" names a version; write ./abc for the folder',
    });
    bed.ok("import", "old");
    expect(bed.json(2, "diff", "abc", "draft").error.hint).toContain("write ./abc");
    expect(bed.json(2, "diff", "abd", "draft").error.hint).not.toContain("./");
    expect(bed.json(0, "diff", "./abc").summary.breaking).toBe(3);
    // A first write that was interrupted: nothing is published yet.
    cpSync(bed.path("out"), bed.path("begun"), { recursive: true });
    rmSync(bed.path("begun/manifest.json"));
    writeFileSync(bed.path("begun/.svc-writing.json"), "{}");
    expect(bed.json(0, "diff", "begun", "new")).toMatchObject({
      from: null,
      summary: { breaking: 0, documents: { removed: 0, unchanged: 0 } },
    });
    mkdirSync(bed.path("empty"));
    expect(bed.json(2, "diff", "empty").error.code).toBe("folder-not-found");
    expect(bed.json(2, "diff", "none").error).toMatchObject({ code: "side-not-found" });
    for (const args of [
      ["old", "new", "--against", "out"],
      ["old", "new", "--project", "site"],
      ["old", "new", "--workspace", "w"],
      ["", "new"],
      ["http://127.0.0.1:1/api/v1", "http://127.0.0.1:1/api/v1"],
      ["http://127.0.0.1:1/api", "new"],
      ["s3:bucket", "new"],
    ]) {
      expect(bed.run("diff", ...args), args.join(" ")).toMatchObject({ status: 2, stdout: "" });
    }
    const { error } = bed.json(3, "diff", "http://127.0.0.1:1/api/v1", "new");
    expect(["url-unreachable", "url-refused"]).toContain(error.code);
    bed.ok("publish", "new", "--out", "more");
    const other = workspaceFolder({ "workspace.json": { id: "x", name: "X" } });
    bed.ok("publish", other, "--out", "more");
    expect(bed.json(2, "diff", "more", "more").error.code).toBe("workspace-ambiguous");
    expect(bed.json(0, "diff", "more", "out", "--workspace", "w").summary.documents).toMatchObject({
      unchanged: 1,
    });
  });
});
