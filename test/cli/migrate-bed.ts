import { execFileSync } from "node:child_process";
import { cpSync } from "node:fs";
import { CliBed, STARTER } from "../support/cli-bed.ts";

export const git = (bed: CliBed, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd: bed.folder,
    encoding: "utf8",
  });

/** A bed with a copy of a workspace folder, `content`. */
export function bedWith(from = STARTER): CliBed {
  const bed = new CliBed();
  cpSync(from, bed.path("content"), { recursive: true });
  return bed;
}
