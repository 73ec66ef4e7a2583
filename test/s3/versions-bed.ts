import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { NOT_FOUND_DOCUMENT } from "../../src/http/problem-document.ts";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { CliBed } from "../support/cli-bed.ts";
import { startCli } from "../support/deploy/start-cli.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { type Parts, source } from "../support/test-bed.ts";
import { heldAsset, PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";

/** The projects of every version. */
const PROJECTS = ["site", "shop"] as const;

/** A generated workspace `w`, deployed with the real program: `next` quickly publishes another version. */
export class VersionsBed extends CliBed {
  #number = 0;

  constructor(env: Readonly<Record<string, string>>) {
    super();
    this.env = env;
    this.next();
  }

  /** Publishes the next version to `out/`: every document differs, some are added, some removed. */
  next(): void {
    this.#number += 1;
    this.nextOf(versionOf(this.#number));
  }

  /** Publishes a generated workspace, in this process, which is faster. */
  nextOf(parts: Parts): void {
    const store = openStore(this.path("workspace.db"), { create: true });
    store.import(source(parts), new Date());
    const how = { strict: false, keep: 3, now: new Date(), onProgress: () => {} };
    publish(inStore(store, "w"), this.path("out"), how);
    store.close();
  }

  /** The expected objects of a bucket that it is deployed to in place, by key; bytes as latin1. */
  expected(): Map<string, string> {
    const { files } = JSON.parse(readFileSync(this.path("out/manifest.json"), "utf8")).workspaces.w;
    const objects = Object.keys(files).map(
      (path) => [keyOf(path), readFileSync(this.path("out", path), "latin1")] as const,
    );
    return new Map([["404.json", NOT_FOUND_DOCUMENT], ...objects]);
  }

  /** What a command of `svc deploy` that must succeed reports. */
  // biome-ignore lint/suspicious/noExplicitAny: tests access results without types
  async deployed(...args: readonly string[]): Promise<any> {
    const { status, stdout, stderr } = await this.runBeside("deploy", ...args, "--json");
    expect({ status, stderr }, stdout).toEqual({ status: 0, stderr: "" });
    return JSON.parse(stdout);
  }

  /** Starts a command and returns its process. */
  start(...args: readonly string[]): ReturnType<typeof startCli> {
    return startCli(this, ...args);
  }
}

/** The key of the object for a file of `out/`. */
function keyOf(path: string): string {
  return path.replace(/\/index\.json$/, "").replace(/(\/(?:content|schema))\.json$/, "$1");
}

const PAGES = ["home", "about", "news", "help", "team"];

/** Two projects of six pages, one of them only in this version, and two assets, one of them only in this version. */
function versionOf(number: number): Parts {
  const logo = heldAsset("logo", "logo.png", "a logo");
  const photo = heldAsset("photo", "photo.png", `photo ${number}`);
  const ids = [...PAGES, `only-${number}`];
  return {
    models: [PAGE_MODEL],
    projects: PROJECTS.map((id) => projectOf(id, ...ids.map((name) => `${id}-${name}`))),
    entries: PROJECTS.flatMap((project) =>
      ids.map((id, at) =>
        page(`${project}-${id}`, `Version ${number} of ${id}`, {
          picture: { assetId: at === 0 ? "logo" : "photo" },
        }),
      ),
    ),
    assets: [logo.asset, photo.asset],
    files: new Map([logo.file, photo.file]),
  };
}
