import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { withStore } from "../../src/cli/with-store.ts";
import { publishedHashes } from "../../src/documents/version-id.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { promisedBy, STORE_WORK, type StoreTemplate, type Tree } from "./damaged-store.ts";
import { PATIENCE } from "./fuzzing.ts";

const DAMAGED = ["store-damaged", "store-not-sqlite", "store-foreign", "store-newer"];
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

/** Each file is wholly as some version has it: the template's, or one that the store now promises. */
export function expectWholeFiles(template: StoreTemplate, folder: string): void {
  const promised = promisedBy(join(folder, "workspace.db"));
  for (const [path, bytes] of Object.entries(bytesBelow(join(folder, "out")))) {
    // Of no version: the manifest, the answer for what is not there, and notes of svc itself.
    if (["manifest.json", "404.json"].includes(path) || path.startsWith(".svc-")) continue;
    const isOld = [...template.versions.values()].some((tree) => tree[path] === bytes);
    const { file, unversioned, versionId } = publishedHashes(Buffer.from(bytes, "latin1"));
    const tells =
      versionId === undefined ? `${path} ${file}` : `${path} ${unversioned} ${versionId}`;
    expect(isOld || promised.has(tells), `out/${path} is of no version`).toBe(true);
  }
}

/** R1, R3: all of a version that says it was written is there. */
function expectVersion(template: StoreTemplate, folder: string, versionId: string): void {
  const tree = template.versions.get(versionId);
  if (tree === undefined) return;
  const written = bytesBelow(join(folder, "out"));
  expect(below("api/", written)).toEqual(below("api/", tree));
  // The id does not tell the assets, so a damaged name of one cannot be told, which then stands
  // beside the right one; its bytes can.
  const bytes = (all: Tree) => new Set(Object.values(below("assets", all)));
  expect(bytes(written)).toEqual(bytes(tree));
}

function below(start: string, tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).filter(([path]) => path.startsWith(start)));
}

/** Does as a command does: what it does is done or refused in time, and `out/` stays whole. */
export async function attempt(work: Work, template: StoreTemplate, folder: string): Promise<void> {
  const begun = performance.now();
  const result = await tried(work, folder);
  expect(performance.now() - begun, "milliseconds").toBeLessThan(PATIENCE);
  expectWholeFiles(template, folder);
  const { versionId } = (result ?? {}) as { versionId?: string };
  if (versionId !== undefined) expectVersion(template, folder, versionId);
}

async function tried(work: Work, folder: string): Promise<unknown> {
  try {
    const file = join(folder, "workspace.db");
    return await withStore(file, (store) => STORE_WORK[work](store, folder));
  } catch (error) {
    // Of the file system: the command ends with status 1 ("system").
    if (/^E[A-Z]+$/.test((error as NodeJS.ErrnoException).code ?? "")) return undefined;
    if (!(error instanceof SvcError)) throw error;
    if (error.code === "folder-not-empty" && existsSync(join(folder, "exported"))) return undefined;
    expect(REFUSALS, error.message).toContain(error.code);
    return undefined;
  }
}
