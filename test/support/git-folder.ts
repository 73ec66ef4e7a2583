import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { type Files, workspaceFolder } from "./workspaces/workspace-folder.ts";

/** A workspace folder that is in a Git repository of its own. */
export class GitFolder {
  readonly folder: string;

  constructor(files: Files, folder?: string) {
    this.folder = workspaceFolder(files, folder);
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", "Author");
    this.git("config", "user.email", "author@example.com");
    this.commit();
  }

  /** Runs Git, and returns what it prints. */
  git(...args: readonly string[]): string {
    const { PATH = "" } = process.env;
    const env = { PATH, HOME: this.folder, GIT_CONFIG_NOSYSTEM: "1", GIT_EDITOR: "true" };
    const { status, stdout, stderr } = spawnSync("git", args, {
      cwd: this.folder,
      env,
      encoding: "utf8",
    });
    expect(status, `git ${args.join(" ")}: ${stderr}`).toBe(0);
    return stdout;
  }

  /** Commits the folder as it is, with these files. */
  commit(files: Readonly<Record<string, string | object>> = {}): void {
    this.write(files);
    this.git("add", "--all");
    this.git("commit", "--quiet", "--allow-empty", "--message=change");
  }

  write(files: Readonly<Record<string, string | object>>): void {
    for (const [file, one] of Object.entries(files)) {
      const text = typeof one === "string" ? one : JSON.stringify(one, null, 2);
      writeFileSync(join(this.folder, file), text);
    }
  }
}
