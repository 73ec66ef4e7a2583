import { cpSync } from "node:fs";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { type Parts, source } from "../support/test-bed.ts";
import { heldAsset, PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { DeployBed } from "./deploy-bed.ts";

/** The projects of every version. */
export const PROJECTS = ["site", "shop"] as const;

/** A workspace that is published anew in a moment: `next` makes the version to deploy. */
export class VersionsBed extends DeployBed {
  #number = 0;

  constructor(env: Readonly<Record<string, string>>) {
    super(env, workspaceFolder({}));
    this.next();
  }

  /** Publishes a further version to `out/`: every document differs, some come, some go. */
  next(): void {
    this.#number += 1;
    this.nextOf(versionOf(this.#number));
  }

  /** The same in a folder of its own, whose name it gives back. */
  nextApart(): string {
    this.next();
    const name = `out-${this.#number}`;
    cpSync(this.path("out"), this.path(name), { recursive: true });
    return name;
  }

  /** What the program would publish here is not asked for. */
  override publish(): void {}

  /** Publishes what a test has made up. */
  nextOf(parts: Parts): void {
    const store = openStore(this.path("workspace.db"), { create: true });
    store.import(source(parts), new Date());
    const how = { strict: false, keep: 3, now: new Date(), onProgress: () => {} };
    publish(store, store.workspace("w"), this.path("out"), how);
    store.close();
  }
}

const PAGES = ["home", "about", "news", "help", "team"];

/** Six pages of two projects, one of which no other version has, and so with two assets. */
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
