import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { printRequestFunction } from "../../src/deploy/edge/functions.ts";
import { linksOf } from "../docs/documents.ts";
import { atEnd } from "../support/at-end.ts";
import { CliBed, STOREFRONT } from "../support/cli-bed.ts";
import { COMPILER, STRICT } from "../support/compiler.ts";
import { bytesBelow, pathsBelow } from "../support/file-tree.ts";
import { ROOT } from "../support/program.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { InstalledPackage, install, ok, PACKAGE, PATH, run } from "./installed-package.ts";

describe("the package", () => {
  let installed: InstalledPackage;
  let folder = "";
  let bin = "";

  beforeAll(() => {
    installed = new InstalledPackage(".");
    folder = installed.folder;
    bin = join(folder, "node_modules/.bin/svc");
  });
  afterAll(() => installed.remove());

  it("N5: holds the built program, its types and schemas, and no sources or tests", () => {
    for (const file of [
      "dist/bin/svc.js",
      "dist/src/index.d.ts",
      "svc.config.schema.json",
      "svc.output.schema.json",
    ]) {
      expect(installed.packed).toContain(file);
    }
    const printed = pathsBelow(join(ROOT, "src/deploy/edge/printed"));
    expect(installed.packed).toEqual(
      expect.arrayContaining(printed.map((file) => `dist/bin/printed/${file}`)),
    );
    expect(
      installed.packed.filter((path) =>
        /^(?!fixtures\/).*(?<!\.d)\.ts$|^(test|src|bin|out)\//.test(path),
      ),
    ).toEqual([]);
  });

  it("N6: has its documents, whose links lead to files in it, and runs nothing when it is installed", () => {
    const packed = join(folder, "node_modules", PACKAGE.name);
    // Those for who changes svc need a checkout.
    const forUsers = /^(README|docs\/(?!architecture|contributing).*)\.md$/;
    const texts = installed.packed.filter((path) => forUsers.test(path));
    const links = texts.flatMap((path) =>
      linksOf(readFileSync(join(packed, path), "utf8")).map((to) =>
        join(path, "..", to.split("#")[0] || basename(path)),
      ),
    );
    expect(links.filter((path) => !existsSync(join(packed, path)))).toEqual([]);
    expect(texts.length).toBeGreaterThan(20);
    const { scripts } = JSON.parse(readFileSync(join(packed, "package.json"), "utf8"));
    expect(Object.keys(scripts)).not.toContain("prepare");
    expect(Object.keys(scripts).filter((name) => /^(pre|post)?install$/.test(name))).toEqual([]);
    expect(ok(folder, bin, "--help")).toContain(`Docs: ${join(packed, "README.md")}`);
  });

  it("takes at most 48 MB with its dependencies", () => {
    const modules = join(folder, "node_modules");
    const files = pathsBelow(modules).map((path) => lstatSync(join(modules, path)).size);
    const bytes = files.reduce((sum, size) => sum + size, 0);
    process.stdout.write(`installed: ${(bytes / 1e6).toFixed(1)} MB in ${files.length} files\n`);
    expect(bytes).toBeLessThan(48e6);
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
    expect(ok(folder, bin, "cdn", "function")).toBe(printRequestFunction({ kvs: true }));
    expect(pathsBelow(join(folder, "out"))).toContain("api/v1/projects/site/schema.json");
  });

  it("N6: the first steps of its README work from the packed file", () => {
    const away = temporaryFolder();
    const readme = readFileSync(join(ROOT, "README.md"), "utf8");
    const [, first = ""] =
      /^npm exec --yes --package=\.\/\S+ -- (svc init .*?) *#/m.exec(readme) ?? [];
    ok(
      away,
      "npm",
      "exec",
      "--yes",
      `--package=${installed.file}`,
      "--prefer-offline",
      "--",
      ...first.split(" "),
    );
    expect(readdirSync(join(away, "shop"))).toContain("workspace.json");
  });

  it("N1: is installed with a scoped name, and npx runs its command without fetching one", () => {
    expect(existsSync(join(folder, "node_modules/@svc-publish/svc/package.json"))).toBe(true);
    expect(ok(folder, "npx", "--no-install", "svc", "--version")).toBe(`${PACKAGE.version}\n`);
    const empty = temporaryFolder();
    expect(run(empty, "npx", "--no-install", "svc", "--version").status).not.toBe(0);
    expect(readdirSync(empty)).toEqual([]);
  });

  it("caches compiled code in its own folder, and starts when it cannot", () => {
    const cache = join(folder, "node_modules", PACKAGE.name, "dist", ".compile-cache");
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
      import {
        FolderSource, folderDraft, openStore, publish, readFolder, readRecords, StoreSource, urlPath, verify,
      } from "${PACKAGE.name}";
      const starter = () => readFolder("node_modules/${PACKAGE.name}/fixtures/starter");
      const options = { strict: true, now: new Date() };
      publish(new FolderSource(folderDraft(readRecords(starter()))), "other", options);
      const store = openStore("other.db", { create: true });
      store.import(starter(), new Date());
      const source = new StoreSource(store, store.workspace(undefined));
      console.log(publish(source, "other", options).files.written);
      console.log(verify("other", () => {}).ok, urlPath({ kind: "schema", projectId: "site" }));`;
    const printed = ok(folder, process.execPath, "--input-type=module", "--eval", script);
    expect(printed).toBe("0\ntrue /api/v1/projects/site/schema\n");
  });

  it("starts on Node 22.18 and newer, and fails on an older one, with what to install", () => {
    const started = (version: string) =>
      run(folder, process.execPath, "--import", asNode(version), bin, "--version");
    for (const version of ["22.18.0", "22.20.1", "23.0.0", "24.0.0", "100.0.0"]) {
      expect(started(version).status, version).toBe(0);
    }
    for (const version of ["22.17.1", "22.0.0", "20.19.0", "18.20.0"]) {
      expect(started(version), version).toEqual({
        status: 4,
        stdout: "",
        stderr: expect.stringMatching(
          `^error: svc needs Node.js 22.18 or newer; this is v${version}\nhint: .*node@24.*\n$`,
        ),
      });
    }
  });

  it("R2: works on the oldest supported Node, and publishes the same bytes there", () => {
    const other = temporaryFolder();
    install(other, `node@${PACKAGE.engines.node.replace(">=", "")}`);
    const oldest = join(other, "node_modules/node/bin/node");
    const config = join(STOREFRONT, "svc.config.json");
    const published = [oldest, process.execPath].map((node, at) => {
      const svc = (...args: readonly string[]) =>
        ok(folder, node, bin, ...args, "--store", `${at}.db`, "--config", config);
      svc("import", STOREFRONT);
      const problems = svc("check", "--json");
      svc("publish", "--out", `out-${at}`);
      svc("verify", "--out", `out-${at}`);
      const types = svc("types", "--project", "prj_kiosk");
      return { problems, types, files: bytesBelow(join(folder, `out-${at}`)) };
    });
    expect(ok(folder, oldest, "--version")).toMatch(/^v22\.18\./);
    expect(published[0]).toEqual(published[1]);
  });

  it("fails the same way on older versions of Node that are installed here", () => {
    for (const node of olderNodes()) {
      const { status, stdout, stderr } = run(folder, node, bin, "check");
      expect({ status, stdout }).toEqual({ status: 4, stdout: "" });
      expect(stderr).toMatch(
        /^error: svc needs Node\.js 22\.18 or newer; this is v[\d.]+\nhint: .*\n$/,
      );
    }
  });
});

describe("the client's package", () => {
  let installed: InstalledPackage;
  beforeAll(() => {
    installed = new InstalledPackage("src/client");
  });
  afterAll(() => installed.remove());

  it("K3, N1: holds its modules with their types, and installs nothing else", () => {
    const { folder, packed } = installed;
    const {
      name,
      private: isPrivate,
      dependencies,
    } = JSON.parse(
      readFileSync(join(folder, "node_modules/@svc-publish/client/package.json"), "utf8"),
    );
    expect({ name, isPrivate, dependencies }).toEqual({
      name: "@svc-publish/client",
      isPrivate: true,
      dependencies: undefined,
    });
    const modules = ["client", "react", "rich-text-tags", "rich-text", "types"].flatMap((one) => [
      `dist/${one}.d.ts`,
      `dist/${one}.js`,
    ]);
    expect(packed.toSorted()).toEqual(["README.md", ...modules, "package.json"]);
    expect(readdirSync(join(folder, "node_modules")).sort()).toEqual([
      ".package-lock.json",
      "@svc-publish",
    ]);
  });

  it("K3: runs alone", () => {
    const script = `
      import { createClient } from "@svc-publish/client";
      import { toHtml } from "@svc-publish/client/rich-text";
      const fetch = async (url) => Response.json({ steps: [], experiences: [], content: [], references: [{ id: "a" }] });
      const content = await createClient({ baseUrl: "http://x", projectId: "p", fetch }).content("e");
      console.log(content.resolve({ contentEntryId: "a" }).id, toHtml([{ type: "paragraph" }]));`;
    expect(ok(installed.folder, process.execPath, "--input-type=module", "--eval", script)).toBe(
      "a <p></p>\n",
    );
  });

  it.each(["blog", "magazine", "shop"])(
    "N7: svc init --template %s makes a site that runs",
    async (template) => {
      const bed = new CliBed();
      // Below the installed client.
      const folder = join(installed.folder, template);
      bed.ok("init", folder, "--template", template);
      bed.ok("check", join(folder, "content"), "--strict");
      bed.ok("publish", join(folder, "content"), "--out", bed.path("out"));
      const { client } = await ServerProcess.start("serve", "--out", bed.path("out"));
      const env = { ...process.env, SVC_URL: `${client.url}/api/v1`, PORT: "0" };
      const site = spawn(process.execPath, ["site/server.js"], { cwd: folder, env });
      atEnd(() => site.kill());
      const [line] = await once(site.stdout.setEncoding("utf8"), "data");
      const pages = await crawl(String(line).trim());
      const experiences = ["en", "de"].flatMap((id) => {
        const config = readFileSync(bed.path("out", `api/v1/projects/${id}/index.json`), "utf8");
        return JSON.parse(config).experiences.map(({ key }: { key: string }) => `/${id}/${key}`);
      });
      expect([...pages.keys()].sort()).toEqual(["/", ...experiences].sort());
      expect(new Set(pages.values())).toEqual(new Set([200]));
      expect((await fetch(`${String(line).trim()}/en/none`)).status).toBe(404);
    },
  );

  it("T5: the types that svc types generates compile with it, strictly", () => {
    const { folder } = installed;
    const bed = new CliBed(STOREFRONT);
    const types = bed.ok("types", "--draft", "--project", "prj_web").stdout;
    writeFileSync(join(folder, "content.ts"), types);
    const use = `import { createClient } from "@svc-publish/client";
      import type { Asset, Schema } from "./content.ts";
      const content = await createClient<Schema>({ baseUrl: "", projectId: "" }).content("");
      (await content.layout("product"))?.data.photos[0] satisfies Asset | undefined;
      // @ts-expect-error a product has no headline
      (await content.layout("product"))?.data.headline;`;
    writeFileSync(join(folder, "use.mts"), use);
    const options = [...STRICT, "--ignoreConfig", "--noEmit", "--lib", "es2024,dom"];
    expect(run(folder, COMPILER, ...options, "use.mts").stdout).toBe("");
  });
});

/** Follows the links of a site from its first page; returns the status of each page, by its path. */
async function crawl(origin: string): Promise<Map<string, number>> {
  const found = new Map<string, number>();
  const left = new Set(["/"]);
  for (const path of left) {
    const response = await fetch(origin + path);
    found.set(path, response.status);
    const links = (await response.text()).matchAll(/<a href="(\/[^"]*)"/g);
    for (const [, link = ""] of links) left.add(link);
  }
  return found;
}

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
