import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readFolderInThread } from "../../src/cli/threads/reading-thread.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import type { SourceItem } from "../../src/workspace/source.ts";
import { TestBed } from "../support/test-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const ENTRIES = 3000;

const IN_THREAD = { minSize: 0 };

function manyEntries(): string {
  const lines = Array.from({ length: ENTRIES }, (_, at) =>
    JSON.stringify({ id: `e${at}`, modelId: "page", data: { title: `Page ${at} Grüße 𝐀`, at } }),
  );
  return workspaceFolder({
    "models.json": [{ id: "page", key: "page", name: "Page", fields: [] }],
    "entries.ndjson": `${lines.join("\n")}\n`,
    "assets.json": [{ id: "logo", fileName: "logo.txt", file: "files/logo.txt" }],
    "files/logo.txt": "a logo",
  });
}

/** As the store sees them: each entry on its own. */
function records(items: Iterable<SourceItem>): unknown[] {
  return [...items].flatMap((item): unknown[] => {
    if (item.kind === "file") return [{ ...item, bytes: Buffer.from(item.bytes).toString() }];
    if (item.kind !== "rows") return [item];
    return item.rows.map(([id, modelId, data]) => ({
      kind: "entries",
      record: { id, modelId, data: JSON.parse(data) },
    }));
  });
}

function errorOf(items: Iterable<SourceItem>): SvcError {
  try {
    for (const _ of items);
  } catch (error) {
    if (error instanceof SvcError) return error;
    throw error;
  }
  throw new Error("the folder has no fault");
}

describe("a large folder that another thread reads", () => {
  it("gives the same records in the same order", () => {
    const folder = manyEntries();
    const read = [...readFolderInThread(folder, IN_THREAD)];
    expect(read.some(({ kind }) => kind === "rows")).toBe(true);
    expect(records(read)).toEqual(records(readFolder(folder)));
  });

  it("becomes the same draft, whose rows are intact", () => {
    const folder = manyEntries();
    const bed = new TestBed();
    const { counts } = bed.store.import(readFolderInThread(folder, IN_THREAD), new Date());
    expect(counts).toMatchObject({ entries: ENTRIES, assets: 1 });
    const { revision } = bed.store.workspace("w");
    bed.store.import(readFolder(folder), new Date());
    expect(bed.store.workspace("w").revision, "nothing is left to write").toBe(revision);
    expect(bed.store.draft(bed.store.workspace("w")).entry("e7")?.data).toMatchObject({ at: 7 });
  });

  it("is refused with the same faults", () => {
    const folder = manyEntries();
    appendFileSync(join(folder, "entries.ndjson"), '{"id":"e0","modelId":"page","data":{}}\n{');
    const { code, message, hint, problems } = errorOf(readFolder(folder));
    expect(errorOf(readFolderInThread(folder, IN_THREAD))).toMatchObject({
      ...{ code, message, hint, problems },
    });
  });

  it("is read by the main thread from where the other one stopped", () => {
    const folder = manyEntries();
    for (const timeout of [0, 5, 50]) {
      const read = records(readFolderInThread(folder, { ...IN_THREAD, timeout }));
      expect(read).toEqual(records(readFolder(folder)));
    }
  });

  it("is left alone when the import ends early", () => {
    const folder = manyEntries();
    const [first] = readFolderInThread(folder, IN_THREAD);
    expect(first).toMatchObject({ kind: "workspace" });
  });
});
