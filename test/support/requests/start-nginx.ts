import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { HttpClient } from "../server/serving.ts";
import { temporaryFolder } from "../test-bed.ts";
import { neededProgram } from "./edge-engines.ts";

/** A client of a running nginx. */
export class NginxClient extends HttpClient {
  readonly #folder: string;

  constructor(url: string, folder: string) {
    super(url);
    this.#folder = folder;
  }

  /** What nginx has logged so far, anywhere: requests and errors. */
  logged(): string {
    const logs = readdirSync(this.#folder).filter((name) => name.endsWith(".log"));
    return logs.map((name) => readFileSync(join(this.#folder, name), "utf8")).join("");
  }
}

/**
 * Runs nginx with a site's configuration until the test ends, with all its files in one folder.
 *
 * @param site makes the configuration, which logs to the given file.
 */
export async function startNginx(
  site: (accessLog: string) => string,
  port: number,
): Promise<NginxClient> {
  const folder = temporaryFolder();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"];
  for (const place of temporary) mkdirSync(join(folder, place));
  writeFileSync(join(folder, "site.conf"), site(join(folder, "site.log")));
  writeFileSync(
    join(folder, "nginx.conf"),
    [
      // Started as root, workers would switch to a user without access to the test's folder.
      ...(process.getuid?.() === 0 ? ["user root;"] : []),
      "daemon off;",
      "worker_processes 1;",
      `pid ${folder}/pid;`,
      `error_log ${folder}/error.log;`,
      "events { }",
      "http {",
      `  access_log ${folder}/access.log;`,
      ...temporary.map((place) => `  ${place}_temp_path ${folder}/${place};`),
      "  include site.conf;",
      "}",
    ].join("\n"),
  );
  const nginx = spawn(
    "nginx",
    ["-p", folder, "-c", "nginx.conf", "-e", join(folder, "error.log")],
    { stdio: "ignore" },
  );
  let ended: Error | undefined;
  nginx.once("error", (error) => {
    ended = neededProgram("nginx", error);
  });
  nginx.once("exit", () => {
    ended ??= new Error(`nginx ended: ${readFileSync(join(folder, "error.log"), "utf8")}`);
  });
  onTestFinished(async () => {
    if (ended !== undefined) return;
    nginx.kill("SIGTERM");
    await once(nginx, "exit");
  });
  const client = new NginxClient(`http://127.0.0.1:${port}`, folder);
  for (;;) {
    if (ended !== undefined) throw ended;
    if (await client.request("/").catch(() => undefined)) return client;
    await sleep(20);
  }
}
