import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { isListening } from "../server/slow-reader.ts";
import { PROGRAM } from "../support/program.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
import { smallWorkspace } from "../support/workspaces/small-workspace.ts";

/** A folder with a published workspace, where npm finds `svc`. */
function project(): string {
  const bed = new TestBed(smallWorkspace());
  bed.publish();
  bed.store.close();
  const folder = temporaryFolder();
  const bin = join(folder, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  const program = `#!/bin/sh\nexec "${process.execPath}" "${PROGRAM}" "$@"\n`;
  writeFileSync(join(bin, "svc"), program, { mode: 0o755 });
  const svc = `svc serve --port 0 --out "${bed.out}"`;
  const scripts = { svc: "svc", serve: svc, "check-and-serve": `svc --version && ${svc}` };
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, scripts }));
  writeFileSync(
    join(folder, "commands.sh"),
    `OUT="${bed.out}" STORE="${bed.store.file}"\nprogram() { exec "${process.execPath}" "${PROGRAM}" "$@"; }\n`,
  );
  return folder;
}

/** Waits for the address in the file `printed`. */
const AWAIT_ADDRESS = "until grep -q http://127 printed; do sleep 0.05; done";

/** Runs lines in a shell that is not interactive, so that its background jobs ignore SIGINT. */
async function bash(folder: string, ...lines: readonly string[]) {
  const script = ["set -eu", ". ./commands.sh", ...lines].join("\n");
  const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);
  const env = { PATH, HOME: folder, npm_config_update_notifier: "false" };
  const shell = spawn("bash", ["-c", script], {
    cwd: folder,
    env,
    detached: true,
    stdio: "ignore",
  });
  onTestFinished(() => {
    try {
      process.kill(-(shell.pid as number), "SIGKILL");
    } catch {
      // Everything has ended.
    }
  });
  const [status] = await once(shell, "exit");
  const printed = readFileSync(join(folder, "printed"), "utf8");
  const [url = ""] = /http:\/\/127[^/]+/.exec(printed) ?? [];
  expect(url).not.toBe("");
  return { status, url };
}

/** Whether the server still listens after at most 30 s. */
async function listens(url: string): Promise<boolean> {
  for (const until = Date.now() + 30_000; Date.now() < until; ) {
    if (!(await isListening(url))) return false;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return true;
}

it.each([
  ["svc serve", 'program serve --port 0 --out "$OUT"', "kill %1"],
  ["svc serve, by SIGINT", 'program serve --port 0 --out "$OUT"', "kill -INT %1"],
  ["npx svc preview", 'npx --no-install svc preview --port 0 --store "$STORE"', "kill %1"],
  ["npm run svc --", 'npm run svc -- serve --port 0 --out "$OUT"', "kill %1"],
  ["the last of two commands of a script of npm", "npm run check-and-serve", "kill %1"],
])("H18: a background job that is killed ends: %s", async (_, command, kill) => {
  const end = [AWAIT_ADDRESS, kill, 'wait "$!" || [ $? = 143 ]'];
  const { status, url } = await bash(project(), `${command} > printed & ${end.join("\n")}`);
  expect(status).toBe(0);
  expect(await listens(url)).toBe(false);
});

it("H18: a server without a runner keeps running when its shell ends", async () => {
  const { status, url } = await bash(
    project(),
    `program serve --port 0 --out "$OUT" > printed &\n${AWAIT_ADDRESS}`,
  );
  expect(status).toBe(0);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  expect(await isListening(url)).toBe(true);
});
