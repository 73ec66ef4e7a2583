import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { openStore } from "../../src/store/store.ts";
import { pathsBelow } from "../support/file-tree.ts";
import type { Random } from "../support/workspaces/random.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { type Command, CrashBed } from "./crash-bed.ts";

const VARIANTS = 5;
const EXPERIENCES = 90;
const PHOTOS = 9;

const STORE = "workspace.db";
/** The states of a shop differ in most of their documents. */
const MOST = ["--max-removals", "100%"];
/** Few versions are kept, so that some are pruned too. */
export const PUBLISH: Command = { args: ["publish", "--keep", "3", ...MOST], store: STORE };

/** The shop in each of its states, and its neighbour, as workspace folders. */
export class Folders {
  readonly #root = mkdtempSync(join(tmpdir(), "svc-crash-"));
  readonly shops = Array.from({ length: VARIANTS }, (_, at) =>
    this.#folder(`shop-${at}`, shop(at)),
  );
  readonly neighbours = [0, 1].map((at) => this.#folder(`neighbour-${at}`, neighbour(at)));
  #first: CrashBed | undefined;

  /** Of all tests of a file. */
  constructor() {
    afterAll(() => rmSync(this.#root, { recursive: true }));
  }

  #folder(name: string, files: Files): string {
    return workspaceFolder(files, join(this.#root, name));
  }

  /** A store with two versions of the shop, and all that is made of it beside the neighbour's files. */
  bed(): CrashBed {
    this.#first ??= this.#make(join(this.#root, "bed"));
    return this.#first.copy();
  }

  #make(folder: string): CrashBed {
    mkdirSync(folder);
    const bed = new CrashBed(folder);
    const [first = "", second = ""] = this.shops;
    for (const from of [second, first]) {
      bed.ok({ args: ["import", from], store: STORE });
      bed.ok(PUBLISH);
    }
    bed.ok({ args: ["import", this.neighbours[0] as string], store: "neighbour.db" });
    bed.ok({ args: ["publish"], store: "neighbour.db" });
    bed.ok({ args: ["publish", first, "--out", "folder-out"] });
    bed.ok({ args: ["export", "exported"], store: STORE });
    bed.ok({ args: ["export", "content"], store: STORE });
    return bed;
  }
}

export interface Planned {
  /** Prepares the bed, and returns the command; undefined: it has nothing to do. */
  readonly plan: (bed: CrashBed, folders: Folders, random: Random) => Command | undefined;
  /** How often it is killed. */
  readonly weight: number;
  /** What it changes: after a kill that is not repaired, only commands of the same one run. */
  readonly area: string;
  /** A file that shows that it changes something now. */
  readonly decision: string;
}

function importOne(bed: CrashBed, { shops }: Folders, random: Random): void {
  bed.ok({ args: ["import", random.pick(shops)], store: STORE });
}

const inOut = { area: "out", decision: "out/.svc-writing.json" };

export const COMMANDS: Readonly<Record<string, Planned>> = {
  publish: {
    ...inOut,
    weight: 30,
    plan(bed, folders, random) {
      if (random.chance(0.9)) importOne(bed, folders, random);
      // R6a: of a rollback before.
      bed.ok({ args: ["resume"], store: STORE });
      return PUBLISH;
    },
  },
  rollback: {
    ...inOut,
    weight: 12,
    plan(bed, _folders, random) {
      const store = openStore(join(bed.stores, STORE));
      const [{ number } = { number: 0 }] = store.workspaces();
      const current = store.history.current(number);
      const others = store.history.list(number).filter((one) => one.versionId !== current);
      store.close();
      if (others.length === 0) return undefined;
      return { args: ["rollback", random.pick(others).versionId], store: STORE };
    },
  },
  write: {
    ...inOut,
    weight: 12,
    plan(bed, _folders, random) {
      damage(bed, random);
      return { args: ["write"], store: STORE };
    },
  },
  neighbour: {
    weight: 6,
    area: "neighbour",
    decision: inOut.decision,
    plan(bed, { neighbours }, random) {
      bed.ok({ args: ["import", random.pick(neighbours)], store: "neighbour.db" });
      return { args: ["publish", ...MOST], store: "neighbour.db" };
    },
  },
  "publish a folder": {
    weight: 10,
    area: "folder-out",
    decision: "folder-out/.svc-writing.json",
    plan: (_bed, { shops }, random) => ({
      args: ["publish", random.pick(shops), "--out", "folder-out", ...MOST],
    }),
  },
  import: {
    weight: 8,
    area: "store",
    decision: `${STORE}-wal`,
    plan: (_bed, { shops }, random) => ({ args: ["import", random.pick(shops)], store: STORE }),
  },
  "first import": {
    weight: 8,
    area: "first",
    decision: "first.db",
    plan(bed, { shops }, random) {
      for (const name of readdirSync(bed.stores).filter((one) => one.startsWith("first.db"))) {
        rmSync(join(bed.stores, name));
      }
      return { args: ["import", random.pick(shops)], store: "first.db" };
    },
  },
  export: {
    weight: 12,
    area: "exported",
    decision: "exported/.svc-lock",
    plan(bed, folders, random) {
      importOne(bed, folders, random);
      return { args: ["export", "exported"], store: STORE };
    },
  },
  migrate: {
    weight: 12,
    area: "content",
    decision: "content/.svc-migration",
    plan(bed) {
      const isNew = readFileSync(bed.path("content/models/m-page.json"), "utf8").includes(
        "headline",
      );
      const names = isNew ? ["headline", "title"] : ["title", "headline"];
      return { args: ["migrate", "content", "rename-field", "page", ...names, "--write"] };
    },
  },
};

/** Deletes, cuts and overwrites some of the shop's files, as no `svc` does. */
function damage(bed: CrashBed, random: Random): void {
  const own = pathsBelow(bed.path("out")).filter((path) => /^api\/.*\/(?!other)/.test(path));
  for (const path of own.filter((path) => !path.includes("/other/") && random.chance(0.2))) {
    const file = bed.path(`out/${path}`);
    if (random.chance(0.3)) rmSync(file);
    else writeFileSync(file, random.chance(0.5) ? readFileSync(file).subarray(0, 100) : "damaged");
  }
}

/** Both workspaces have it. */
const SHARED_PHOTO = 0;

/**
 * The workspace `shop` in one of its states. They differ in projects, experiences, assets, titles,
 * and in the bytes of one photo.
 */
function shop(variant: number): Files {
  const projects = ["alpha", "beta", "gamma"].filter((_, at) => at === 0 || (variant + at) % 3 > 0);
  const shown = (at: number) => (at * 7 + variant * 3) % 5 > 0;
  const indexes = Array.from({ length: EXPERIENCES }, (_, at) => at).filter(shown);
  const pages = indexes.map((at) => {
    const isNews = at % 3 === variant % 3;
    const picture = { assetId: `photo-${at % PHOTOS}` };
    return page(`page-${at}`, `Page ${at} ${isNews ? `of state ${variant}` : ""}`, {
      ...(at % 4 === 0 && { picture }),
      ...(at % 2 === 0 && { next: { contentEntryId: `page-${at + 1}` } }),
    });
  });
  const inProject = (id: string) =>
    pages.filter((_, at) => projects[at % projects.length] === id).map((one) => one.id);
  const photos = Array.from({ length: PHOTOS }, (_, at) => at).filter(
    (at) => at === SHARED_PHOTO || (at + variant) % 3 > 0,
  );
  return {
    "workspace.json": { id: "shop", name: `Shop ${variant}` },
    "models.json": [PAGE_MODEL],
    "projects.json": projects.map((id) => projectOf(id, ...inProject(id))),
    "entries.ndjson": pages.map((one) => `${JSON.stringify(one)}\n`).join(""),
    "assets.json": photos.map((at) => ({
      id: `photo-${at}`,
      fileName: photoName(at),
      mimeType: "image/jpeg",
      file: `files/${photoName(at)}`,
    })),
    ...Object.fromEntries(
      photos.map((at) => [`files/${photoName(at)}`, photoBytes(at, at === 1 ? variant : 0)]),
    ),
  };
}

/** Another workspace in one of its states, published to the same folder. */
function neighbour(state: number): Files {
  const entries = Array.from({ length: 12 }, (_, at) =>
    page(`n-${at}`, `Neighbour ${at} ${state}`, { picture: { assetId: "photo" } }),
  );
  const file = `files/${photoName(SHARED_PHOTO)}`;
  return {
    "workspace.json": { id: "neighbour", name: "Neighbour" },
    "models.json": [PAGE_MODEL],
    "projects.json": [projectOf("other", ...entries.map(({ id }) => id))],
    "entries.json": entries,
    "assets.json": [{ id: "photo", fileName: photoName(SHARED_PHOTO), file }],
    [file]: photoBytes(SHARED_PHOTO, 0),
  };
}

function photoName(at: number): string {
  return `photo-${at}.jpg`;
}

function photoBytes(at: number, state: number): Buffer {
  return Buffer.alloc(20_000 + at, `photo ${at} in state ${state}; `);
}
