import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync } from "node:fs";
import { CliBed, STARTER } from "../support/cli-bed.ts";

export const git = (bed: CliBed, ...args: readonly string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.example", ...args], {
    cwd: bed.folder,
    encoding: "utf8",
  });

/** A bed with a copy of a workspace folder, `content`, and of its config file. */
export function bedWith(from = STARTER): CliBed {
  const bed = new CliBed();
  cpSync(from, bed.path("content"), { recursive: true });
  const config = bed.path("content/svc.config.json");
  if (existsSync(config)) copyFileSync(config, bed.path("svc.config.json"));
  return bed;
}
