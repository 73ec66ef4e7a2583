import { spawnSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { requestFunction } from "../src/deploy/edge/function/request-function.ts";
import { pathsBelow } from "./support/file-tree.ts";

const ROOT = join(import.meta.dirname, "..");
const PACKAGE = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
/** This Node for npm and for the installed program. */
const PATH = [dirname(process.execPath), process.env.PATH].join(delimiter);

function run(cwd: string, command: string, ...args: readonly string[]) {
  const options = { cwd, env: { ...process.env, PATH }, encoding: "utf8" } as const;
  const { status, stdout, stderr, error } = spawnSync(command, args, options);
  if (error) throw error;
  return { status, stdout, stderr };
}

function ok(cwd: string, command: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = run(cwd, command, ...args);
  expect(status, `${command} ${args.join(" ")}: ${stderr}`).toBe(0);
  return stdout;
}

describe("the package", { timeout: 60_000 }, () => {
  const copy = mkdtempSync(join(tmpdir(), "svc-test-"));
  const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  const bin = join(folder, "node_modules", ".bin", "svc");
  let packed: string[] = [];

  /** Builds and packs a copy of the sources, and installs the packed file in an empty folder. */
  beforeAll(() => {
    const parts = ["bin", "scripts", "src", "fixtures/starter", "package.json", "tsconfig.json"];
    for (const part of parts) cpSync(join(ROOT, part), join(copy, part), { recursive: true });
    symlinkSync(join(ROOT, "node_modules"), join(copy, "node_modules"));
    const [pack] = JSON.parse(ok(copy, "npm", "pack", "--json"));
    packed = pack.files.map(({ path }: { path: string }) => path);
    const quiet = ["--prefer-offline", "--no-audit", "--no-fund"];
    ok(folder, "npm", "install", "--prefix", folder, ...quiet, join(copy, pack.filename));
  }, 120_000);

  afterAll(() => {
    for (const made of [copy, folder]) rmSync(made, { recursive: true, force: true });
  });

  it("holds the built program, its types and the starter, and no sources or tests", () => {
    expect(packed).toContain("dist/bin/svc.js");
    expect(packed).toContain("dist/src/index.d.ts");
    const texts = ["src/server/page/assets", "src/deploy/edge/function/cloudfront"].flatMap(
      (path) => pathsBelow(join(ROOT, path)).map((file) => `dist/bin/${basename(path)}/${file}`),
    );
    expect(packed).toEqual(expect.arrayContaining(texts));
    const starter = pathsBelow(join(ROOT, "fixtures", "starter"));
    expect(packed.filter((path) => path.startsWith("fixtures/")).sort()).toEqual(
      starter.map((path) => `fixtures/starter/${path}`),
    );
    expect(packed.filter((path) => /(?<!\.d)\.ts$|^(test|src|bin|out)\//.test(path))).toEqual([]);
  });

  it("runs the main commands with only its dependencies installed", () => {
    for (const name of Object.keys(PACKAGE.devDependencies)) {
      expect(existsSync(join(folder, "node_modules", name)), name).toBe(false);
    }
    expect(ok(folder, bin, "--version")).toBe(`${PACKAGE.version}\n`);
    ok(folder, bin, "init", "shop");
    ok(folder, bin, "import", "shop");
    expect(ok(folder, bin, "check")).toBe("no problems\n");
    expect(JSON.parse(ok(folder, bin, "publish", "--json")).published).toBe(true);
    expect(JSON.parse(ok(folder, bin, "verify", "--json")).ok).toBe(true);
    expect(ok(folder, bin, "cdn", "function")).toBe(requestFunction({ kvs: true }));
    expect(pathsBelow(join(folder, "out"))).toContain("api/v1/projects/site/schema.json");
  });

  it("caches compiled code in its own folder, and starts when it cannot", () => {
    const cache = join(folder, "node_modules", "svc", "dist", ".compile-cache");
    rmSync(cache, { recursive: true, force: true });
    ok(folder, bin, "--version");
    expect(pathsBelow(cache)).not.toEqual([]);
    rmSync(cache, { recursive: true });
    writeFileSync(cache, "not a folder");
    expect(run(folder, bin, "--version")).toEqual({
      status: 0,
      stdout: `${PACKAGE.version}\n`,
      stderr: "",
    });
    rmSync(cache);
  });

  it("can be imported", () => {
    const script = `
      import { openStore, publish, readFolder, urlPath, verify } from "svc";
      const store = openStore("other.db", { create: true });
      store.import(readFolder("node_modules/svc/fixtures/starter"), new Date());
      const options = { strict: true, now: new Date(), onProgress() {} };
      publish(store, store.workspace(undefined), "other", options);
      console.log(verify("other", () => {}).ok, urlPath({ kind: "schema", projectId: "site" }));`;
    const printed = ok(folder, process.execPath, "--input-type=module", "--eval", script);
    expect(printed).toBe("true /api/v1/projects/site/schema\n");
  });

  it("starts on Node 22.18 and newer, and fails on an older one with a one-line error", () => {
    const started = (version: string) =>
      run(folder, process.execPath, "--import", asNode(version), bin, "--version");
    for (const version of ["22.18.0", "22.20.1", "23.0.0", "24.0.0", "100.0.0"]) {
      expect(started(version).status, version).toBe(0);
    }
    for (const version of ["22.17.1", "22.0.0", "20.19.0", "18.20.0"]) {
      expect(started(version), version).toEqual({
        status: 1,
        stdout: "",
        stderr: `error: svc needs Node.js 22.18 or newer; this is v${version}\n`,
      });
    }
  });

  it("fails the same way on older versions of Node that are installed here", () => {
    for (const node of olderNodes()) {
      const { status, stdout, stderr } = run(folder, node, bin, "check");
      expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
      expect(stderr).toMatch(/^error: svc needs Node\.js 22\.18 or newer; this is v[\d.]+\n$/);
    }
  });
});

/** A module that makes Node report another version. */
function asNode(version: string): string {
  const text = `version: { value: "v${version}" }`;
  const parts = `versions: { value: { ...process.versions, node: "${version}" } }`;
  const code = `Object.defineProperties(process, { ${text}, ${parts} })`;
  return `data:text/javascript,${encodeURIComponent(code)}`;
}

/** The installed versions of Node that are older than the package requires. */
function olderNodes(): string[] {
  const folders = [...PATH.split(delimiter), "/usr/bin", "/usr/local/bin"];
  const nodes = [...new Set(folders)].map((folder) => join(folder, "node")).filter(existsSync);
  return nodes.filter((node) => {
    const [major = 0, minor = 0] = ok(ROOT, node, "--version").slice(1).split(".").map(Number);
    return major < 22 || (major === 22 && minor < 18);
  });
}
