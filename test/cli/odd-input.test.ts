import { spawnSync } from "node:child_process";
import { openSync, readFileSync, truncateSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { checkDraft } from "../../src/documents/check-draft.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { TestBed } from "../support/test-bed.ts";

describe("cli.md: each bad input gets a clear error", () => {
  it("a store name with leading or trailing spaces, which SQLite would trim", () => {
    const bed = new CliBed(STARTER);
    const foreign = new Database(bed.path("foreign.db"));
    foreign.exec("CREATE TABLE t (x)");
    foreign.close();
    const before = readFileSync(bed.path("foreign.db"));
    expect(bed.failure(2, "check", "--store", "foreign.db ")[0]).toContain("white space");
    expect(readFileSync(bed.path("foreign.db")).equals(before)).toBe(true);
  });

  it("an empty --host, which would listen on every address", () => {
    const bed = new CliBed(STARTER);
    expect(bed.failure(2, "serve", "--host", "")[0]).toContain("0.0.0.0");
  });

  it("an asset that is too large", () => {
    const bed = new CliBed();
    bed.ok("init", "shop");
    truncateSync(bed.path("shop/files/leaf.svg"), 3 * 2 ** 30);
    expect(bed.failure(1, "import", "shop").join("\n")).toContain("larger than 512 MiB");
  });

  it.runIf(process.platform === "linux")(
    "an output that cannot be written is reported in one line",
    () => {
      const full = openSync("/dev/full", "w");
      const { status, stderr } = spawnSync(process.execPath, ["bin/svc.ts", "--help"], {
        stdio: ["ignore", full, "pipe"],
        encoding: "utf8",
      });
      expect([status, stderr]).toEqual([
        4,
        expect.stringMatching(/^error: cannot write [^\n]*\n$/),
      ]);
    },
  );
});

describe("P1: any number of problems", () => {
  it("are all listed", () => {
    const fields = [{ key: "a", type: "text", repeatable: true }];
    const data = { a: Array.from({ length: 150_000 }, () => 1) };
    const bed = new TestBed({
      models: [{ id: "m", key: "m", name: "M", fields }],
      entries: [{ id: "e", modelId: "m", data }],
    });
    const { store } = bed;
    const problems = store.read(() => checkDraft(new Rendering(store.draft(store.workspace("w")))));
    expect(problems).toHaveLength(150_000);
  });
});
