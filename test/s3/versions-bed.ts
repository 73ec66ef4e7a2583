import { cpSync } from "node:fs";
import { publish } from "../../src/publish/publish.ts";
import { openStore } from "../../src/store/store.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { type Parts, source } from "../support/test-bed.ts";
import { heldAsset, PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { DeployBed } from "./deploy-bed.ts";

/** The projects of every version. */
const PROJECTS = ["site", "shop"] as const;

/** A generated workspace: `next` quickly publishes another version. */
export class VersionsBed extends DeployBed {
  #number = 0;

  constructor(env: Readonly<Record<string, string>>) {
    super(env, workspaceFolder({}));
    this.next();
  }

  /** Publishes the next version to `out/`: every document differs, some are added, some removed. */
  next(): void {
    this.#number += 1;
    this.nextOf(versionOf(this.#number));
  }

  /** Like `next`, to a separate folder; returns its name. */
  nextInOwnFolder(): string {
    this.next();
    const name = `out-${this.#number}`;
    cpSync(this.path("out"), this.path(name), { recursive: true });
    return name;
  }

  /** The base class publishes a workspace folder, which is not needed here. */
  override publish(): void {}

  /** Publishes a generated workspace. */
  nextOf(parts: Parts): void {
    const store = openStore(this.path("workspace.db"), { create: true });
    store.import(source(parts), new Date());
    const how = { strict: false, keep: 3, now: new Date(), onProgress: () => {} };
    publish(inStore(store, "w"), this.path("out"), how);
    store.close();
  }
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
