import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CliBed, NEIGHBOUR } from "../support/cli-bed.ts";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** The store is polled, and the folder imported, again within a second after a failure. */
const SOON = { timeout: 5000, interval: 100 };
const LOST = expect.stringMatching(
  /^the store ".*" was replaced or removed; put it back, or start the preview again$/,
);

let bed: PreviewBed;
beforeEach(async () => {
  bed = await PreviewBed.of(
    workspaceFolder({
      "workspace.json": { id: "w", name: "W" },
      "models.json": [PAGE_MODEL],
      "projects.json": [projectOf("site", "home")],
      "entries.json": [page("home", "Before")],
    }),
  );
});

const edit = (title: string) =>
  writeFileSync(bed.file("entries.json"), JSON.stringify([page("home", title)]));

async function ask(name: string): Promise<string> {
  const headers = { Authorization: `Bearer ${bed.key}` };
  const answer = await fetch(new URL(`/_svc/data/${name}`, bed.link), { headers });
  return answer.text();
}

const messages = async () =>
  JSON.parse(await ask("overview")).faults.map(({ message }: { message: string }) => message);
const entry = () => ask("entry?workspace=w&id=home");

describe("svc preview <folder> without its store", { timeout: 30_000 }, () => {
  it("reports once that the store was overwritten, and recovers when it is restored", async () => {
    const store = bed.path("workspace.db");
    const intact = readFileSync(store);
    writeFileSync(store, Buffer.alloc(60_000, "no database "));
    edit("While it is damaged");
    await expect.poll(() => bed.server.stderr, SOON).toMatch(/^error: /m);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(bed.server.stderr.trimEnd().split("\n").slice(2)).toEqual([
      expect.stringMatching(/^error: the store ".*" is (damaged|not an SQLite file)/),
      expect.stringMatching(/^hint: (restore it from a backup|name the store)/),
    ]);
    writeFileSync(store, intact);
    await expect.poll(entry, SOON).toContain("While it is damaged");
    expect(await messages()).toEqual([]);
  });

  it("reports that the store was moved away, creates no new one, and recovers when it is back", async () => {
    const store = bed.path("workspace.db");
    renameSync(store, bed.path("moved.db"));
    edit("While it is away");
    await expect.poll(messages, SOON).toEqual([LOST]);
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(existsSync(store)).toBe(false);
    expect(bed.server.stderr.match(/^(error|hint|imported).*/gm)?.slice(1)).toEqual([
      expect.stringMatching(/^error: the store ".*" was replaced or removed$/),
      "hint: put it back, or start the preview again",
    ]);
    renameSync(bed.path("moved.db"), store);
    await expect.poll(entry, SOON).toContain("While it is away");
    expect(await messages()).toEqual([]);
  });

  it("reports that the store was replaced by another, and does not change that one", async () => {
    const { folder } = new CliBed(NEIGHBOUR);
    const other = join(folder, "workspace.db");
    const bytes = readFileSync(other);
    renameSync(other, bed.path("workspace.db"));
    await expect.poll(messages, SOON).toEqual([LOST]);
    edit("After the replacement");
    await new Promise((resolve) => setTimeout(resolve, 2500));
    expect(readFileSync(bed.path("workspace.db")).equals(bytes)).toBe(true);
    expect(bed.server.stderr.match(/^(error|imported).*/gm)).toHaveLength(2);
  });
});
