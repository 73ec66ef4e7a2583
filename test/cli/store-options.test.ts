import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { write } from "../../src/publish/rollback.ts";
import { StoreSource } from "../../src/publish/store-source.ts";
import { verify } from "../../src/publish/verify.ts";
import { CliBed, NEIGHBOUR, STARTER } from "../support/cli-bed.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { TestBed } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

describe("cli.md: which store", () => {
  it("--store takes precedence over SVC_STORE, and that over workspace.db", () => {
    const bed = new CliBed(STARTER);
    bed.env = { SVC_STORE: "of-env.db" };
    bed.ok("import", STARTER);
    bed.ok("import", STARTER, "--store", "of-option.db");
    expect(pathsBelow(bed.folder)).toEqual(["of-env.db", "of-option.db", "workspace.db"]);
  });

  it.each([
    ["--store", { args: ["--store", ""], env: {} }],
    ["SVC_STORE", { args: [], env: { SVC_STORE: "" } }],
  ])(
    "an empty %s never makes an import succeed of which nothing is kept",
    (_what, { args, env }) => {
      const bed = new CliBed();
      bed.env = env;
      const { status } = bed.run("import", STARTER, ...args);
      expect(status === 0).toBe(pathsBelow(bed.folder).includes("workspace.db"));
    },
  );
});

describe("cli.md: which workspace", () => {
  it("--workspace is optional if the store has one workspace, and required if it has several", () => {
    expect(new CliBed(STARTER).ok("check").stdout).toBe("no problems\n");
    const bed = new CliBed(STARTER, NEIGHBOUR);
    for (const command of [
      "check",
      "publish",
      "export x",
      "token list",
      "versions",
      "rollback 0",
    ]) {
      const [error, hint] = bed.failure(2, ...command.split(" "));
      expect(error).toContain("several workspaces");
      expect(hint).toMatch(/--workspace.*"neighbour", "starter"/);
    }
    expect(bed.json(0, "publish", "--workspace", "neighbour").workspaceId).toBe("neighbour");
    expect(pathsBelow(bed.path("out", "api", "v1", "projects"))[0]).toMatch(/^prj_neighbour/);
  });
});

describe("cli.md: which out/", () => {
  it("--out names the folder of published files, also the current folder", () => {
    const bed = new CliBed();
    bed.env = { SVC_STORE: new CliBed(STARTER).path("workspace.db") };
    bed.ok("publish", "--out", ".");
    expect(pathsBelow(bed.folder)).toContain("api/v1/projects/site/index.json");
    expect(bed.json(0, "verify", "--out", ".")).toEqual({
      ok: true,
      files: 5,
      differs: [],
      counts: { errors: 0, warnings: 0, byCode: {} },
    });
    const unchanged = { written: 0, unchanged: 6, removed: 0 };
    expect(bed.json(0, "publish", "--out", ".").files).toEqual(unchanged);
  });
});

describe("cli.md: --out may be any folder name", () => {
  const cwd = process.cwd();
  afterEach(() => process.chdir(cwd));

  it.each(["./out", "out/", "a/../out", "out//", "out/.", "../x/out", ".", "./", ""])(
    "%j",
    (name) => {
      const bed = new TestBed(smallWorkspace());
      const folder = join(bed.folder, "x");
      mkdirSync(folder);
      process.chdir(folder);
      const out = name === "" ? `${folder}//out/` : name;
      const how = { strict: false, keep: 20, now: new Date(), onProgress: () => {} };
      const workspace = bed.store.workspace("w");
      publish(new StoreSource(bed.store, workspace), out, how);
      expect(verify(out, () => {})).toMatchObject({ ok: true, files: 4 });
      expect(write(bed.store, workspace, out, { onProgress: () => {} }).files.written).toBe(0);
    },
  );
});
