import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { CliBed, NEIGHBOUR } from "../support/cli-bed.ts";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** The store is tried again within a second after a failure. */
const LOST = expect.stringMatching(
  /^the store ".*" was replaced or removed; put it back, or start the preview again$/,
);

const folderWith = (title: string) =>
  workspaceFolder({
    "workspace.json": { id: "w", name: "W" },
    "models.json": [PAGE_MODEL],
    "projects.json": [projectOf("site", "home")],
    "entries.json": [page("home", title)],
  });

let bed: PreviewBed;
let store: string;
beforeEach(async () => {
  bed = await PreviewBed.ofStore(folderWith("Before"));
  store = bed.path("workspace.db");
});

/** Longer than the time between two attempts. */
const attempt = () => new Promise((resolve) => setTimeout(resolve, 1200));

async function ask(name: string): Promise<string> {
  const headers = { Authorization: `Bearer ${bed.key}` };
  const answer = await fetch(new URL(`/_svc/data/${name}`, bed.link), { headers });
  return answer.text();
}

const messages = async () =>
  JSON.parse(await ask("overview")).faults.map(({ message }: { message: string }) => message);
const entry = () => ask("entry?workspace=w&id=home");

const reports = () => bed.server.stderr.match(/^(error|hint):.*/gm);

describe("svc preview without its store", () => {
  it("reports once that the store was overwritten, and recovers when it is restored", async () => {
    const intact = readFileSync(store);
    writeFileSync(store, Buffer.alloc(60_000, "no database "));
    await expect.poll(() => bed.server.stderr).toMatch(/^error: /m);
    await attempt();
    expect(reports()).toEqual([
      expect.stringMatching(/^error: the store ".*" is (damaged|not an SQLite file)/),
      expect.stringMatching(/^hint: (restore it from a backup|name the store)/),
    ]);
    writeFileSync(store, intact);
    await expect.poll(entry).toContain("Before");
    bed.ok("import", folderWith("After"));
    await expect.poll(entry).toContain("After");
    await expect.poll(messages).toEqual([]);
  });

  it("reports that the store was moved away, creates no new one, and recovers when it is back", async () => {
    renameSync(store, bed.path("moved.db"));
    await expect.poll(messages).toEqual([LOST]);
    await attempt();
    expect(existsSync(store)).toBe(false);
    expect(reports()).toEqual([
      expect.stringMatching(/^error: the store ".*" was replaced or removed$/),
      "hint: put it back, or start the preview again",
    ]);
    renameSync(bed.path("moved.db"), store);
    await expect.poll(messages).toEqual([]);
    expect(await entry()).toContain("Before");
  });

  it("reports that the store was replaced by another, and does not change that one", async () => {
    const { folder } = new CliBed(NEIGHBOUR);
    const other = join(folder, "workspace.db");
    const bytes = readFileSync(other);
    renameSync(other, store);
    await expect.poll(messages).toEqual([LOST]);
    await attempt();
    expect(readFileSync(store).equals(bytes)).toBe(true);
    expect(reports()).toHaveLength(2);
  });
});
