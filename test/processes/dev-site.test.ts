import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { beforeEach, describe, expect, it } from "vitest";
import { writeEnvFile } from "../../src/cli/preview/site-access.ts";
import { RunningCommand } from "../cli/running-command.ts";
import { CliBed } from "../support/cli-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const SITE = "http://localhost:3000";

let bed: CliBed;
beforeEach(() => {
  bed = new CliBed();
  workspaceFolder(
    {
      "workspace.json": { id: "w", name: "W" },
      "models.json": [PAGE_MODEL],
      "projects.json": [projectOf("site", "home")],
      "entries.json": [page("home", "Home")],
    },
    bed.path("content"),
  );
});

async function start(printed: string, ...args: readonly string[]): Promise<RunningCommand> {
  const dev = new RunningCommand(bed, "dev", "content", "--port", "0", ...args);
  await dev.until(({ stdout }) => stdout.includes(printed));
  return dev;
}

async function stop(dev: RunningCommand): Promise<void> {
  dev.signal("SIGINT");
  expect((await dev.end()).status).toBe(0);
}

/** The status of a request for the draft by the variables in a text. */
async function statusBy(text: string): Promise<number> {
  const [, url] = /^SVC_URL=(.*)$/m.exec(text) ?? [];
  const [, token] = /^SVC_PREVIEW_TOKEN=(.*)$/m.exec(text) ?? [];
  const path = "/projects/site/experiences/home/content?preview_token=";
  return (await fetch(`${url?.trim()}${path}${token?.trim()}`)).status;
}

const policyOf = async ({ stdout }: RunningCommand) => {
  const [origin = ""] = /http:\/\/[\d.:]+/.exec(stdout) ?? [];
  return (await fetch(origin)).headers.get("Content-Security-Policy");
};

describe("svc dev --site", () => {
  it("H48: prints the address and a token by which the site reads the draft, once", async () => {
    const dev = await start("no problems\n", "--site", SITE);
    expect(await statusBy(dev.stdout)).toBe(200);
    expect(await policyOf(dev)).toContain(`frame-src 'self' ${SITE};`);
    const [token = ""] = /svc_[\w-]+/.exec(dev.stdout) ?? [];
    expect(dev.stdout.split(token)).toHaveLength(2);
    expect(dev.stderr).not.toContain("svc_");
    await stop(dev);
    const json = await start('"variables"', "--site", SITE, "--json");
    await json.until(({ stdout }) => stdout.includes('"problems"'));
    const lines = json.stdout.trimEnd().split("\n");
    const { variables, expiresAt } = lines.map((line) => JSON.parse(line))[1];
    expect(Object.keys(variables)).toEqual(["SVC_URL", "SVC_PREVIEW_TOKEN"]);
    expect(Date.parse(expiresAt) - Date.now()).toBeLessThanOrEqual(8 * 3_600_000);
    await stop(json);
  });

  it("H48a: --env writes them to a file whose other lines stay, for its owner alone", async () => {
    const file = bed.path(".env.local");
    const before = "A=1\r\nexport SVC_URL=old\r\n# SVC_PREVIEW_TOKEN=x\r\nB=SVC_URL=2";
    writeFileSync(file, before);
    chmodSync(file, 0o644);
    const dev = await start("wrote .env.local", "--env", ".env.local");
    const text = readFileSync(file, "utf8");
    const [, token = ""] = /^SVC_PREVIEW_TOKEN=(\S+)\r\n$/m.exec(text) ?? [];
    const [, url = ""] = /^SVC_URL=(\S+)\r$/m.exec(text) ?? [];
    expect(text).toBe(
      `A=1\r\nSVC_URL=${url}\r\n# SVC_PREVIEW_TOKEN=x\r\nB=SVC_URL=2\r\nSVC_PREVIEW_TOKEN=${token}\r\n`,
    );
    expect(await statusBy(text)).toBe(200);
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(dev.stdout + dev.stderr).not.toContain("svc_");
    await stop(dev);
    expect(await statusBy(text).catch(() => "gone")).toBe("gone");
  });

  it("H48a: sets each line of a variable, as readers take the last, and refuses what is not UTF-8", () => {
    const file = bed.path(".env.local");
    const variables = { SVC_URL: "http://$&", SVC_PREVIEW_TOKEN: "svc_1" };
    const before = "\ufeffSVC_URL=1\nSVC_URLS=2\n export SVC_URL = 3\n";
    writeFileSync(file, before);
    for (let at = 0; at < 2; at += 1) writeEnvFile(file, variables);
    expect(readFileSync(file, "utf8")).toBe(
      "\ufeffSVC_URL=http://$&\nSVC_URLS=2\nSVC_URL=http://$&\nSVC_PREVIEW_TOKEN=svc_1\n",
    );
    const windows = Buffer.from("\ufeffA=1\r\n", "utf16le");
    writeFileSync(file, windows);
    expect(() => writeEnvFile(file, variables)).toThrow(/is not UTF-8/);
    expect(readFileSync(file)).toEqual(windows);
  });

  it("H48a: refuses a file that Git has, and warns of one that Git does not ignore", async () => {
    const git = (...args: readonly string[]) =>
      expect(spawnSync("git", args, { cwd: bed.folder }).status).toBe(0);
    git("init", "--quiet");
    writeFileSync(bed.path(".env"), "A=1\n");
    git("add", ".env");
    const [message] = bed.failure(2, "dev", "content", "--port", "0", "--env", ".env");
    expect(message).toContain('Git has ".env"');
    symlinkSync(".env", bed.path("link"));
    const [linked] = bed.failure(2, "dev", "content", "--port", "0", "--env", "link");
    expect(linked).toContain('Git has "link"');
    expect(readFileSync(bed.path(".env"), "utf8")).toBe("A=1\n");
    const open = await start("wrote", "--env", ".env.local");
    expect(open.stderr).toContain('Git does not ignore ".env.local": add it to .gitignore');
    await stop(open);
    writeFileSync(bed.path(".gitignore"), ".env*\n");
    const ignored = await start("wrote", "--env", ".env.local");
    expect(ignored.stderr).not.toContain("Git");
    await stop(ignored);
  });

  it("H46, N2: takes sites from the config file, one for all or by project, and refuses others", async () => {
    const config = (site: unknown) =>
      writeFileSync(bed.path("svc.config.json"), JSON.stringify({ site }));
    config({ site: "https://one.example/{experience.key}", other: SITE });
    const dev = await start("no problems\n");
    expect(await policyOf(dev)).toContain(`frame-src 'self' https://one.example ${SITE};`);
    expect(dev.stderr).toContain('"site" names the project "other", which does not exist');
    expect(dev.stderr).not.toContain('"site" names the project "site"');
    await stop(dev);
    for (const [site, message] of [
      ["localhost", '"site": a site is an address'],
      [{ a: "ftp://x" }, '"site": a site is an address'],
      [{ a: 1 }, '"site.a" must be a text'],
      [[], '"site" must be a text'],
    ] as const) {
      config(site);
      expect(bed.failure(2, "dev", "content", "--port", "0")[0]).toContain(message);
    }
    config(SITE);
    expect(bed.failure(2, "dev", "content", "--site", "x")[0]).toContain("--site");
  });
});
