import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import type { Verified } from "../../src/publish/verify.ts";
import {
  HOME,
  INDEX,
  NEWS,
  PHOTO,
  publishedPagesBed,
} from "../support/publish/published-pages-bed.ts";

/** Verifies as a user without root rights, and prints the result. */
const VERIFY_AS_USER = `
  import { verify } from ${JSON.stringify(new URL("../../src/publish/verify.ts", import.meta.url))};
  if (process.getuid?.() === 0) {
    process.setegid(65534);
    process.seteuid(65534);
  }
  console.log(JSON.stringify(verify(process.argv[1], () => {})));`;

function verifyAsUser(out: string): Verified {
  const args = ["--input-type=module", "--eval", VERIFY_AS_USER, out];
  return JSON.parse(execFileSync(process.execPath, args, { encoding: "utf8" }));
}

describe("F6: verify and unreadable files", { timeout: 60_000 }, () => {
  it.each([
    ["a document", INDEX, INDEX],
    ["an asset", PHOTO.path, PHOTO.path],
    ["each file of a folder", "assets", PHOTO.path],
    ["each file of a folder that has documents", "api/v1/projects/site/experiences/news", NEWS],
  ])("reports %s without read permission, and compares the rest", (_what, closed, path) => {
    const bed = publishedPagesBed();
    chmodSync(bed.folder, 0o755);
    rmSync(join(bed.out, HOME));
    chmodSync(join(bed.out, closed), 0o000);
    onTestFinished(() => chmodSync(join(bed.out, closed), 0o755));
    const { ok, files, differs } = verifyAsUser(bed.out);
    expect({ ok, files }).toEqual({ ok: false, files: 6 });
    const detail = "cannot be read (EACCES)";
    expect(differs).toContainEqual({ path: HOME, reason: "missing", detail: "is not there" });
    expect(differs).toContainEqual({ path, reason: "unreadable", detail });
  });

  it("reports each file below a folder that is a link to itself", () => {
    const bed = publishedPagesBed();
    const experiences = join(bed.out, "api/v1/projects/site/experiences");
    rmSync(experiences, { recursive: true });
    symlinkSync(experiences, experiences);
    const unreadable = bed.verify().differs.filter(({ reason }) => reason === "unreadable");
    const detail = "cannot be read (ELOOP)";
    expect(unreadable).toEqual(
      [HOME, NEWS].map((path) => ({ path, reason: "unreadable", detail })),
    );
  });

  it("compares the files when .svc-lock is a folder", () => {
    const bed = publishedPagesBed();
    rmSync(join(bed.out, HOME));
    mkdirSync(join(bed.out, ".svc-lock"));
    expect(bed.verify().differs).toContainEqual(
      expect.objectContaining({ path: HOME, reason: "missing" }),
    );
  });
});
