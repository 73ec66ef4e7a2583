import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { codeBlocks, DOCUMENTS, ROOT } from "../docs/documents.ts";
import { PROGRAM } from "../support/program.ts";
import { freePort } from "../support/server/free-port.ts";
import { temporaryFolder } from "../support/test-bed.ts";

const BLOCKS = [...DOCUMENTS].flatMap(([path, text]) => {
  // A block that names a file is there for the walks of its document.
  const files = codeBlocks(text).filter(({ language }) => language === "js");
  return codeBlocks(text)
    .filter(({ language }) => language === "sh" || language === "bash")
    .map((block) => ({ ...block, path, files }));
});

const WALKS = BLOCKS.filter(({ info }) => info === "");

/** Why a block that is marked `no-run` cannot be run by a test. */
const NEEDS: readonly [what: string, sign: RegExp][] = [
  ["an installation or the whole test suite", /^npm /m],
  ["general tools, with which test:types runs them", /^ *npx /m],
  ["minutes", /npm run (?:bench|soak)/],
  [
    "an account or a store elsewhere",
    /^(?:aws|contentful|sanity|storyblok|litestream|svc deploy) |^svc diff .*(?:s3|https):|--url <Url>/m,
  ],
];

describe("the walks of README.md and docs", () => {
  it.each(
    WALKS.map(({ path, code, files }) => [path, code.split("\n", 1)[0], code, files] as const),
  )("%s: %s …", async (_path, _first, code, files) => {
    const [folder, tools] = [temporaryFolder(), temporaryFolder()];
    const port = await freePort();
    installSvc(tools, port);
    for (const { info, code } of files) writeFileSync(join(folder, info), code);
    symlinkSync(join(ROOT, "fixtures"), join(folder, "fixtures"));
    // For the scripts of a reader who has installed ajv.
    symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
    const before = readdirSync(folder);
    const { status, printed } = await bash(code.replaceAll(":4400", `:${port}`), folder, tools);
    expect(status, printed).toBe(0);
    expect(readdirSync(folder), "what the walk made is removed").toEqual(before);
  });

  it("end when a host answers curl with an error", () => {
    const calls = WALKS.flatMap(({ code }) => code.match(/\bcurl .*/g) ?? []);
    expect(calls.filter((call) => !/^curl (?:-\w*f|--fail\b)/.test(call))).toEqual([]);
    expect(calls.length).toBeGreaterThan(7);
  });

  it("are run, but for those that need what a test has not", () => {
    expect(WALKS.length).toBeGreaterThanOrEqual(8);
    expect(WALKS.some(({ path }) => path === "README.md")).toBe(true);
    for (const { path, info, code } of BLOCKS.filter((block) => !WALKS.includes(block))) {
      expect(info, path).toBe("no-run");
      expect(
        NEEDS.filter(([, sign]) => sign.test(code)).length,
        `${path}: ${code}`,
      ).toBeGreaterThan(0);
    }
  });
});

/** The program as `svc`, whose servers listen on a free port: 4400 may be taken here. */
function installSvc(folder: string, port: number): void {
  const program = `"${process.execPath}" "${PROGRAM}"`;
  const text = `#!/bin/sh
case "$1" in
  serve | preview | dev) exec ${program} "$@" --port ${port} ;;
  *) exec ${program} "$@" ;;
esac
`;
  writeFileSync(join(folder, "svc"), text);
  symlinkSync(process.execPath, join(folder, "node"));
  chmodSync(join(folder, "svc"), 0o755);
}

/** Runs a script, which must end all that it has begun. */
async function bash(code: string, folder: string, tools: string) {
  const home = join(tools, "home");
  mkdirSync(home);
  const { PATH = "" } = process.env;
  const env = { PATH: `${tools}:${PATH}`, HOME: home };
  const script = `set -euo pipefail\n${code}`;
  const walk = spawn("bash", ["-c", script], { cwd: folder, env, detached: true });
  onTestFinished(() => endGroup(walk.pid as number));
  let printed = "";
  for (const stream of [walk.stdout, walk.stderr]) {
    stream.setEncoding("utf8").on("data", (text) => {
      printed += text;
    });
  }
  const [status] = await once(walk, "exit");
  return { status, printed };
}

/** Ends what a failed walk has left running. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
