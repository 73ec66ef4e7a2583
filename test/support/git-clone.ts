import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { temporaryFolder } from "./test-bed.ts";

const ENV = {
  PATH: process.env.PATH ?? "",
  GIT_CONFIG_NOSYSTEM: "1",
  GIT_CONFIG_GLOBAL: "/dev/null",
  GIT_EDITOR: "true",
};

/** A bare repository, to which clones push. */
export function bareRepository(): string {
  const folder = temporaryFolder();
  git(folder, ["init", "--quiet", "--bare", "--initial-branch=main"]);
  return folder;
}

/** Runs git, which must not fail, and returns what it prints. */
function git(cwd: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync("git", args, { cwd, env: ENV, encoding: "utf8" });
  expect(status, `git ${args.join(" ")}: ${stdout}${stderr}`).toBe(0);
  return stdout;
}

/** A repository of one person. */
export class GitClone {
  readonly folder: string;

  /** @param folder where it is; default: a new one */
  constructor(author: string, remote?: string, folder = temporaryFolder()) {
    this.folder = folder;
    this.git("init", "--quiet", "--initial-branch=main");
    this.git("config", "user.name", author);
    this.git("config", "user.email", `${author.toLowerCase()}@example.com`);
    if (remote !== undefined) this.git("remote", "add", "origin", remote);
  }

  git(...args: readonly string[]): string {
    return git(this.folder, args);
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  read(path: string): string {
    return readFileSync(this.path(path), "utf8");
  }

  write(path: string, text: string): void {
    mkdirSync(dirname(this.path(path)), { recursive: true });
    writeFileSync(this.path(path), text);
  }

  commit(message = "change"): string {
    this.git("add", "--all");
    this.git("commit", "--quiet", `--message=${message}`);
    return this.git("rev-parse", "HEAD").trim();
  }

  push(): void {
    this.git("push", "--quiet", "--set-upstream", "origin", "HEAD:main");
  }

  pull(): void {
    this.git("pull", "--quiet", "--ff-only", "--set-upstream", "origin", "main");
  }
}
