import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect } from "vitest";
import { InstalledPackage, ok, PATH } from "../package/installed-package.ts";
import { atEnd } from "../support/at-end.ts";
import { CliBed, STOREFRONT } from "../support/cli-bed.ts";
import { PROGRAM, ROOT } from "../support/program.ts";
import { freePort } from "../support/server/free-port.ts";
import { ServerProcess } from "../support/server/server-process.ts";

const SITES = join(ROOT, "fixtures/sites");

/** What is made beside the sources, where somebody tried a site in its place. */
const MADE = ["node_modules", ".next", ".astro", "dist", "out", "content.ts", "next-env.d.ts"];

/** In the environment of each build; no built file may have it. */
export const BUILD_TOKEN = "a-token-that-no-built-file-has";

/** A copy of the example sites, installed, and a copy of the storefront that they show. */
export class SitesBed extends CliBed {
  readonly content = this.path("content");
  #env: readonly string[] = [];

  static async start(): Promise<SitesBed> {
    const bed = new SitesBed();
    bed.#install();
    cpSync(STOREFRONT, bed.content, { recursive: true });
    bed.publish();
    const { stdout } = await ServerProcess.start("serve", "--out", bed.path("out"));
    const [origin] = /http:\/\/[^/\s]+/.exec(stdout) ?? [];
    bed.#env = [
      `SVC_URL=${origin}/api/v1`,
      "NEXT_TELEMETRY_DISABLED=1",
      "ASTRO_TELEMETRY_DISABLED=1",
    ];
    return bed;
  }

  /** By the one lock file, with the client as it is packed, and the command `svc` as an installed one. */
  #install(): void {
    const filter = (path: string) => !MADE.includes(basename(path));
    cpSync(SITES, this.path("sites"), { recursive: true, filter });
    const client = new InstalledPackage("src/client");
    const packed = join(client.folder, "node_modules/@svc-publish/client");
    cpSync(packed, this.path("sites/client"), { recursive: true });
    client.remove();
    ok(this.path("sites"), "npm", "ci", "--prefer-offline", "--no-audit", "--no-fund");
    const command = this.path("sites/node_modules/.bin/svc");
    writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`);
    chmodSync(command, 0o755);
  }

  site(name: string, ...segments: readonly string[]): string {
    return this.path("sites", name, ...segments);
  }

  publish(): void {
    const config = join(this.content, "svc.config.json");
    this.ok("publish", this.content, "--out", this.path("out"), "--config", config);
  }

  /** Changes a file of the content. */
  edit(file: string, from: string, to: string): void {
    const path = join(this.content, file);
    const text = readFileSync(path, "utf8");
    expect(text).toContain(from);
    writeFileSync(path, text.replace(from, to));
  }

  /** Adds a file of the content: another one with other words. */
  copy(file: string, to: string, from: string, words: string): void {
    const text = readFileSync(join(this.content, file), "utf8");
    writeFileSync(join(this.content, to), text.replaceAll(from, words));
  }

  /** Makes the types of a site, and builds it by a script of its `package.json`. */
  build(site: string, script = "build"): void {
    const run = ["env", ...this.#env] as const;
    ok(this.site(site), ...run, "npm", "run", "types");
    ok(this.site(site), ...run, `SVC_PREVIEW_TOKEN=${BUILD_TOKEN}`, "npm", "run", script);
  }

  /**
   * Starts a command of a site until the end of the test; returns the origin once it answers there.
   *
   * @param more variables beside the address of what is published
   */
  async serve(
    site: string,
    command: string,
    more: Readonly<Record<string, string>> = {},
  ): Promise<string> {
    const port = await freePort();
    const origin = `http://localhost:${port}`;
    const bin = [this.site(site, "node_modules/.bin"), this.path("sites/node_modules/.bin")];
    // Nothing else: Vitest's own variables (NODE_ENV, MODE, …) would be the mode of the site.
    const { HOME, TMPDIR } = process.env;
    const env = {
      HOME,
      TMPDIR,
      ...Object.fromEntries(this.#env.map((one) => one.split("=") as [string, string])),
      ...more,
      PORT: `${port}`,
      PATH: [...bin, PATH].join(delimiter),
    };
    const program = spawn("sh", ["-c", `exec ${command}`], {
      cwd: this.site(site),
      env,
      // A group of its own: frameworks start processes.
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    for (const stream of [program.stdout, program.stderr]) {
      stream.setEncoding("utf8").on("data", (text) => {
        printed += text;
      });
    }
    atEnd(() => {
      if (program.pid && program.exitCode === null) process.kill(-program.pid, "SIGKILL");
    });
    const answers = () =>
      fetch(origin).then(
        () => true,
        () => false,
      );
    await expect
      .poll(async () => program.exitCode !== null || (await answers()), { timeout: 3 * 60_000 })
      .toBe(true);
    expect(program.exitCode, `${command}: ${printed}`).toBe(null);
    return origin;
  }

  /** The variables by which a site reads the draft, as `svc dev --env` writes them. */
  async preview(): Promise<Record<string, string>> {
    const file = this.path("preview.env");
    const config = join(this.content, "svc.config.json");
    await ServerProcess.start("dev", this.content, "--config", config, "--env", file);
    while (!existsSync(file)) await pause(50);
    const lines = readFileSync(file, "utf8").matchAll(/^(SVC_\w+)="?([^"\n]*)"?$/gm);
    return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
  }
}
