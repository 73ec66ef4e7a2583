import { cpSync, renameSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";

/** Runs a command that must fail and leave every file unchanged. */
function failsAndChangesNothing(bed: CliBed, status: 2 | 4, ...args: readonly string[]): string[] {
  const before = bytesBelow(bed.folder);
  const lines = bed.failure(status, ...args);
  expect(bytesBelow(bed.folder)).toEqual(before);
  return lines;
}

describe("cli.md: exit status 2 or 4 if a command fails whatever the content is", () => {
  it("names what is missing: a store, a folder, a workspace, a token, out/", () => {
    const bed = new CliBed(STARTER);
    expect(failsAndChangesNothing(bed, 2, "check", "--store", "other.db")[0]).toBe(
      'error: there is no store at "other.db"',
    );
    expect(failsAndChangesNothing(bed, 2, "import", "nowhere")[0]).toContain('"nowhere"');
    const [error, hint] = failsAndChangesNothing(bed, 2, "publish", "--workspace", "nobody");
    expect(error).toContain('"nobody"');
    expect(hint).toContain('"starter"');
    expect(failsAndChangesNothing(bed, 2, "token", "revoke", "tok_0")[0]).toBe(
      'error: workspace "starter" has no token with the id "tok_0"',
    );
    expect(failsAndChangesNothing(bed, 4, "verify", "--out", "gone")[0]).toContain("gone");
    expect(bed.json(2, "check", "--workspace", "nobody")).toEqual({
      error: {
        code: "workspace-not-found",
        message: 'the store "workspace.db" has no workspace "nobody"',
        hint: expect.stringContaining('"starter"'),
      },
    });
  });

  it("prints the next command as a shell takes it", () => {
    expect(new CliBed().ok("init", "my shop").stderr).toBe(
      "next: svc dev 'my shop', or svc publish 'my shop'\n",
    );
  });

  it("refuses to write into a workspace folder, unless it has published files already", () => {
    const bed = new CliBed();
    bed.ok("init", "shop");
    bed.ok("import", "shop");
    const { versionId } = bed.json(0, "publish");
    for (const args of [
      ["publish", "--dry-run"],
      ["publish"],
      ["write"],
      ["rollback", versionId],
    ]) {
      const [error] = failsAndChangesNothing(bed, 2, ...args, "--out", "shop");
      expect(error).toBe('error: "shop" is a workspace folder');
    }
    expect(bed.json(2, "write", "--out", "shop").error.code).toBe("out-is-workspace");
    renameSync(bed.path("shop/workspace.json"), bed.path("shop/workspace.jsonc"));
    expect(bed.json(2, "write", "--out", "shop").error.code).toBe("out-is-workspace");
    for (const out of ["shop/entries", "shop/models/out"]) {
      const [error] = failsAndChangesNothing(bed, 2, "publish", "--out", out);
      expect(error).toBe(`error: "${out}" is part of a workspace folder`);
    }
    cpSync(bed.path("out"), bed.path("shop"), { recursive: true });
    expect(bed.json(0, "write", "--out", "shop").files.unchanged).toBe(6);
  });
});

describe("cli.md: exit status 70 for a bug in svc", () => {
  it("says what to report, and prints the stack only with --debug", () => {
    const bed = new CliBed();
    // No input has this effect, or it would be a bug.
    const broken = "Map.prototype.values = undefined";
    bed.env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(broken)}` };
    const { status, stderr } = bed.runAlone("check", STARTER);
    expect(status).toBe(70);
    const [error, hint, ...more] = stderr.trimEnd().split("\n");
    expect(error).toMatch(/^error: internal error: /);
    expect(hint).toMatch(/report.*--debug.*v\d+\.\d+/);
    expect(more).toEqual([]);
    const debugged = bed.runAlone("check", STARTER, "--debug");
    expect(debugged.status).toBe(70);
    expect(debugged.stderr).toMatch(/^hint: .*\nTypeError: .*\n +at /m);
  });
});
