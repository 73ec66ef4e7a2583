import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect } from "vitest";
import { publishedHashes } from "../../src/documents/version-id.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { writeFolder } from "../../src/folder/write-folder.ts";
import { publish } from "../../src/publish/publish.ts";
import { write } from "../../src/publish/rollback.ts";
import { verify } from "../../src/publish/verify.ts";
import type { Store } from "../../src/store/store.ts";
import { withStore } from "../../src/store/with-store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { STARTER } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { draftSnapshot, inStore, versionSnapshot } from "../support/publish/draft-source.ts";
import { promisedDocuments } from "../support/publish/stored-documents.ts";
import { TestBed } from "../support/test-bed.ts";
import { TIME_LIMIT } from "./fuzzing.ts";

/** Bytes by path below `out/`. */
export type Tree = Readonly<Record<string, string>>;

/** A store with a draft and two published versions, to make damaged copies of. */
export class StoreTemplate {
  /** The published files of each version, by version id. */
  readonly versions = new Map<string, Tree>();
  readonly token: string;
  readonly #bed = new TestBed();

  constructor() {
    const { store, out } = this.#bed;
    for (const headline of ["The first", "The second"]) {
      this.#importWith(headline);
      this.versions.set(this.#bed.publish().versionId, bytesBelow(out));
    }
    const options = { name: "of the template", createdAt: new Date(0) };
    this.token = store.write(() => store.tokens.create(1, options)).token;
    const database = new Database(store.file);
    database.pragma("wal_checkpoint(TRUNCATE)");
    database.close();
    copyFileSync(store.file, join(this.#bed.folder, "whole.db"));
    this.#importWith("The draft");
  }

  #importWith(headline: string): void {
    const shop = join(this.#bed.folder, "shop");
    cpSync(STARTER, shop, { recursive: true });
    const page = join(shop, "entries/home-page.json");
    writeFileSync(page, readFileSync(page, "utf8").replace("Welcome to your workspace", headline));
    this.#bed.store.import(readFolder(shop), new Date(0));
  }

  /** Copies `out/` and `workspace.db`, with the last changes in its main file or still in its WAL. */
  copyTo(folder: string, changesIn: "file" | "log"): void {
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder, { recursive: true });
    cpSync(this.#bed.out, join(folder, "out"), { recursive: true });
    const [from, ends] =
      changesIn === "log"
        ? [this.#bed.store.file, ["", "-wal"]]
        : [`${this.#bed.folder}/whole.db`, [""]];
    for (const end of ends) copyFileSync(from + end, join(folder, `workspace.db${end}`));
  }
}

const options = {
  strict: false,
  program: "tests",
  keep: Number.POSITIVE_INFINITY,
  now: new Date(1),
  onProgress: () => {},
};

/** The work of commands, in process. */
const STORE_WORK = {
  check: (store: Store) => inStore(store).check({ program: "tests" }),
  publish: (store: Store, folder: string) => publish(inStore(store), join(folder, "out"), options),
  diff: (store: Store) =>
    store.read(() => {
      const current = store.history.current(store.workspace(undefined).number);
      const version = current && [versionSnapshot(store, undefined, current)];
      for (const side of [draftSnapshot(store), ...(version || [])]) {
        for (const path of side.documents.keys()) side.document(path);
      }
    }),
  write: (store: Store, folder: string) =>
    write(store, store.workspace(undefined), join(folder, "out"), { onProgress: () => {} }),
  verify: (_store: Store, folder: string) => verify(join(folder, "out"), () => {}),
  export: (store: Store, folder: string) =>
    store.read(() =>
      writeFolder(store.draft(store.workspace(undefined)), join(folder, "exported")),
    ),
  tokens: (store: Store) => store.read(() => store.tokens.list(store.workspace(undefined).number)),
  token: (store: Store) =>
    store.read(() => store.tokens.of(store.workspace(undefined).number).isValid("t", new Date())),
  import: (store: Store) => store.import(readFolder(STARTER), new Date(2)),
} satisfies Record<string, (store: Store, folder: string) => unknown>;

/** The identity of every file of every version of a store, as far as it is readable. */
function promisedBy(file: string): Set<string> {
  const promised = new Set<string>();
  for (const files of [promisedDocuments, promisedFiles]) {
    try {
      for (const one of files(file)) promised.add(one);
    } catch {
      // Too damaged to read: it promises nothing.
    }
  }
  return promised;
}

function promisedFiles(file: string): string[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare<unknown[], string>("SELECT path || ' ' || sha256 FROM version_files")
      .pluck()
      .all();
  } finally {
    database.close();
  }
}

const DAMAGED = [
  "store-damaged",
  "store-not-sqlite",
  "store-foreign",
  "store-newer",
  "store-older",
];
const UNREADABLE = ["store-not-found", "store-unreadable", "store-unwritable"];
const GONE = ["workspace-not-found", "workspace-ambiguous", "not-published", "draft-has-problems"];
export const REFUSALS = [
  ...DAMAGED,
  ...UNREADABLE,
  ...GONE,
  "project-taken",
  "out-taken",
  "disk-full",
];

type Work = keyof typeof STORE_WORK;
export const WORKS = Object.keys(STORE_WORK) as Work[];

/** Every file is complete, as in some version of the template or of the store. */
export function expectCompleteFiles(template: StoreTemplate, folder: string): void {
  const promised = promisedBy(join(folder, "workspace.db"));
  for (const [path, bytes] of Object.entries(bytesBelow(join(folder, "out")))) {
    // Not of a version: the manifest, the 404 document, and files of svc itself.
    if (["manifest.json", "404.json"].includes(path) || path.startsWith(".svc-")) continue;
    const isOld = [...template.versions.values()].some((tree) => tree[path] === bytes);
    const { file, unversioned, versionId } = publishedHashes(Buffer.from(bytes, "latin1"));
    const identity =
      versionId === undefined ? `${path} ${file}` : `${path} ${unversioned} ${versionId}`;
    expect(isOld || promised.has(identity), `out/${path} is of no version`).toBe(true);
  }
}

/** R1, R3: every file of a version that was reported as written exists. */
function expectVersion(template: StoreTemplate, folder: string, versionId: string): void {
  const tree = template.versions.get(versionId);
  if (tree === undefined) return;
  const written = bytesBelow(join(folder, "out"));
  expect(below("api/", written)).toEqual(below("api/", tree));
  // Version ids do not cover asset names: a damaged name goes unnoticed and adds a file beside the
  // right one. Their bytes are covered.
  const bytes = (all: Tree) => new Set(Object.values(below("assets", all)));
  expect(bytes(written)).toEqual(bytes(tree));
}

function below(start: string, tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => path.startsWith(start)));
}

/** Runs the work of a command, which must succeed or be refused in time and leave `out/` complete. */
export async function attempt(work: Work, template: StoreTemplate, folder: string): Promise<void> {
  const startedAt = process.cpuUsage();
  const result = await tried(work, folder);
  expect(process.cpuUsage(startedAt).user / 1000, "milliseconds").toBeLessThan(TIME_LIMIT);
  expectCompleteFiles(template, folder);
  const { versionId } = (result ?? {}) as { versionId?: string };
  if (versionId !== undefined) expectVersion(template, folder, versionId);
}

async function tried(work: Work, folder: string): Promise<unknown> {
  try {
    const file = join(folder, "workspace.db");
    return await withStore(file, (store) => STORE_WORK[work](store, folder));
  } catch (error) {
    // An error of the file system: exit status 4 ("system") in the command.
    if (/^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    if (!(error instanceof SvcError)) throw error;
    if (error.code === "folder-not-empty" && existsSync(join(folder, "exported"))) return undefined;
    expect(REFUSALS, error.message).toContain(error.code);
    return undefined;
  }
}
