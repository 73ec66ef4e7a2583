import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { publishedHashes } from "../../src/documents/version-id.ts";
import { withStore } from "../../src/store/with-store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { promisedBy, STORE_WORK, type StoreTemplate, type Tree } from "./damaged-store.ts";
import { TIME_LIMIT } from "./fuzzing.ts";

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
  const startedAt = performance.now();
  const result = await tried(work, folder);
  expect(performance.now() - startedAt, "milliseconds").toBeLessThan(TIME_LIMIT);
  expectCompleteFiles(template, folder);
  const { versionId } = (result ?? {}) as { versionId?: string };
  if (versionId !== undefined) expectVersion(template, folder, versionId);
}

async function tried(work: Work, folder: string): Promise<unknown> {
  try {
    const file = join(folder, "workspace.db");
    return await withStore(file, (store) => STORE_WORK[work](store, folder));
  } catch (error) {
    // An error of the file system: exit status 3 ("system") in the command.
    if (/^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    if (!(error instanceof SvcError)) throw error;
    if (error.code === "folder-not-empty" && existsSync(join(folder, "exported"))) return undefined;
    expect(REFUSALS, error.message).toContain(error.code);
    return undefined;
  }
}
