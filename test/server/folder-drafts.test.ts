import { unlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { FolderDrafts } from "../../src/cli/preview/folder-drafts.ts";
import { FolderReader } from "../../src/folder/folder-reader.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import type { PreviewedDrafts } from "../../src/server/previewed-drafts.ts";
import { assetFilePath } from "../../src/workspace/asset.ts";
import { ownerOf } from "../support/server/owner-of.ts";
import { newStore } from "../support/store/new-store.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const STOREFRONT = join(import.meta.dirname, "../../fixtures/storefront");

const inMemory = (reader: FolderReader) => {
  const drafts = new FolderDrafts();
  drafts.change(reader.read());
  return drafts;
};

/** What answers every query of the page. */
function pageOf(drafts: PreviewedDrafts) {
  const state = { revision: 1, faults: [], changedAt: "" };
  const owner = ownerOf(drafts, { now: () => 0, live: { state: () => state } });
  const page = { key: "k", sites: new Map(), actions: [] };
  return async (name: string, query: Record<string, string>) => {
    const asked = new URLSearchParams(query).toString();
    const answer = await owner.answer(name, asked, undefined, page);
    return JSON.parse(String(answer).replaceAll(/"revision":\d+/g, '"revision":0'));
  };
}

describe("H19: the draft of a folder in memory", () => {
  it("H19: has the same page as one in a store", async () => {
    const store = newStore(join(temporaryFolder(), "w.db"));
    store.import(readFolder(STOREFRONT), new Date());
    const drafts = inMemory(new FolderReader(STOREFRONT));
    const [stored, held] = [pageOf(store), pageOf(drafts)];
    const draft = drafts.draft();
    const queries: [string, Record<string, string>][] = [
      ...["overview", "problems", "standing", "changes", "entries"].map(
        (name): [string, Record<string, string>] => [name, {}],
      ),
      ["entries", { q: "a" }],
      ...Array.from(draft.entries.keys(), (id): [string, Record<string, string>] => [
        "entry",
        { id },
      ]),
      ...draft.projects.flatMap(({ id: project, experiences }) => [
        ["project", { project }] as [string, Record<string, string>],
        ...experiences.flatMap(({ id: experience }) =>
          ["experience", "content", "documents", "experience-changes"].map(
            (name): [string, Record<string, string>] => [name, { project, experience, most: "9" }],
          ),
        ),
      ]),
    ];
    for (const [name, query] of queries) {
      const all = { workspace: draft.workspace.id, ...query };
      // The commands that the page names differ.
      const shown = { ...(await held(name, all)), ...(name === "overview" && { source: "store" }) };
      expect(shown, name).toEqual(await stored(name, all));
    }
    const files = [...draft.assets.values()].flatMap(({ sha256, fileName }) =>
      sha256 === undefined ? [] : assetFilePath({ sha256, fileName }),
    );
    expect(files.length).toBeGreaterThan(0);
    for (const path of files) {
      expect(Buffer.from(drafts.draftFile(path) ?? "")).toEqual(store.draftFile(path));
    }
    store.close();
  });

  it("H10, H19: serves texts of files that were changed since, and no wrong bytes of others", () => {
    const folder = workspaceFolder({
      "models.json": [PAGE_MODEL],
      "projects.json": [projectOf("site", "home")],
      "entries.json": [page("home", "Home")],
      "assets.json": ["a.html", "b.bin"].map((file) => ({ id: file, fileName: file, file })),
      "a.html": "<p>was</p>",
      "b.bin": Uint8Array.of(0xff, 0xfe),
    });
    const drafts = inMemory(new FolderReader(folder));
    const [html, binary] = [...drafts.draft().assets.values()].map(({ sha256 = "", fileName }) =>
      assetFilePath({ sha256, fileName }),
    ) as [string, string];
    expect([...(drafts.draftFile(binary) ?? [])]).toEqual([0xff, 0xfe]);
    writeFileSync(join(folder, "a.html"), "<p>is</p>");
    unlinkSync(join(folder, "b.bin"));
    expect(String(drafts.draftFile(html))).toBe("<p>was</p>");
    expect(drafts.draftFile(binary)).toBeUndefined();
  });
});
