import {
  cpSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { FolderDrafts } from "../../src/cli/preview/folder-drafts.ts";
import { FollowedFolder } from "../../src/follow/followed-folder.ts";
import type { LiveState } from "../../src/server/live.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import type { PreviewedDrafts } from "../../src/server/previewed-drafts.ts";
import { entryOf } from "../../src/workspace/draft.ts";
import type { FolderFault } from "../../src/workspace/errors.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** A folder that is followed. */
class Following {
  readonly folder: string;
  readonly live: LiveDrafts;
  readonly followed: FollowedFolder;
  readonly #drafts: PreviewedDrafts;

  private constructor(
    folder: string,
    drafts: PreviewedDrafts,
    live: LiveDrafts,
    followed: FollowedFolder,
  ) {
    this.folder = folder;
    this.followed = followed;
    this.#drafts = drafts;
    this.live = live;
  }

  static async start(folder: string): Promise<Following> {
    const drafts = new FolderDrafts();
    const live = new LiveDrafts(drafts, (error) => expect.fail(String(error)));
    onTestFinished(() => live.close());
    const task = { folder, except: [join(folder, "out"), join(folder, "entries/unseen.json")] };
    const followed = await FollowedFolder.start(task, {
      changed: (records) => drafts.change(records),
      read: (faults) => live.poll(faults),
      updated() {},
      failed() {},
    });
    onTestFinished(() => followed.close());
    return new Following(folder, drafts, live, followed);
  }

  path(name: string): string {
    return join(this.folder, name);
  }

  title(id: string): unknown {
    return this.#drafts.read(() => {
      const [row] = this.#drafts.workspaces();
      return row && entryOf(this.#drafts.draft(row), id)?.data.title;
    });
  }

  /** Resolves at the first state that passes, which may be the current one. */
  async until(passes: (state: LiveState) => boolean): Promise<void> {
    while (!passes(this.live.state())) {
      await new Promise<void>((resolve) => {
        const end = this.live.onChange(() => {
          end();
          resolve();
        });
      });
    }
  }

  /** Resolves as soon as the entry `home` has the title. */
  shows(title: string | undefined): Promise<void> {
    return this.until(() => this.title("home") === title);
  }
}

const placesOf = (faults: readonly FolderFault[]) =>
  faults.map(({ file, line, column }) => [file, line, column].join(":"));

const files = (title: string) => ({
  "models.json": [PAGE_MODEL],
  "projects.json": [projectOf("site", "home")],
  "entries/home.json": page("home", title),
});

const text = (title: string) => JSON.stringify(page("home", title));

const followNew = () => Following.start(workspaceFolder(files("At the start")));

describe("H10, H19: a followed folder", () => {
  it("H10: is read at the start, and whenever one of its files is written", async () => {
    const following = await followNew();
    expect(following.title("home")).toBe("At the start");
    for (const title of ["First", "Second"]) {
      writeFileSync(following.path("entries/home.json"), text(title));
      await following.shows(title);
    }
    expect(following.live.state().faults).toEqual([]);
  });

  it("H42: a file that this program has changed is read when it says so, whatever the watcher tells", async () => {
    const following = await followNew();
    for (const title of ["First", "Second"]) {
      // Its changes are not watched.
      writeFileSync(following.path("entries/unseen.json"), JSON.stringify(page("unseen", title)));
      following.followed.read(["entries/unseen.json"]);
      expect(following.title("unseen")).toBe(title);
    }
  });

  it("H10: notices files that are replaced by renaming, repeatedly", async () => {
    const following = await followNew();
    for (const title of ["First", "Second", "Third"]) {
      writeFileSync(following.path("entries/home.json.tmp"), text(title));
      renameSync(following.path("entries/home.json.tmp"), following.path("entries/home.json"));
      await following.shows(title);
    }
  });

  it("H10: notices a file that is moved to a backup and written again, as editors do", async () => {
    const following = await followNew();
    renameSync(following.path("entries/home.json"), following.path("entries/home.json~"));
    await following.shows(undefined);
    writeFileSync(following.path("entries/home.json"), text("Again"));
    await following.shows("Again");
  });

  it("H10: notices changes in new folders, at any depth", async () => {
    const following = await followNew();
    unlinkSync(following.path("entries/home.json"));
    await following.shows(undefined);
    mkdirSync(following.path("entries/en/pages"), { recursive: true });
    writeFileSync(following.path("entries/en/pages/home.json"), text("Deep"));
    await following.shows("Deep");
    writeFileSync(following.path("entries/en/pages/home.json"), text("Deeper"));
    await following.shows("Deeper");
  });

  it("H10: notices that the folder is replaced, and follows the new one", async () => {
    const following = await followNew();
    const next = workspaceFolder(files("Replaced"));
    renameSync(following.folder, `${following.folder}.old`);
    onTestFinished(() => rmSync(`${following.folder}.old`, { recursive: true }));
    cpSync(next, `${following.folder}.new`, { recursive: true });
    renameSync(`${following.folder}.new`, following.folder);
    await following.shows("Replaced");
    writeFileSync(following.path("entries/home.json"), text("And edited"));
    await following.shows("And edited");
  });

  it("H10: notices that a symbolic link to the folder is changed", async () => {
    const [first, second] = [workspaceFolder(files("One")), workspaceFolder(files("Two"))];
    const link = join(temporaryFolder(), "current");
    symlinkSync(first, link);
    const linked = await Following.start(link);
    expect(linked.title("home")).toBe("One");
    symlinkSync(second, `${link}.new`);
    renameSync(`${link}.new`, link);
    await linked.shows("Two");
    writeFileSync(join(second, "entries/home.json"), text("Two, edited"));
    await linked.shows("Two, edited");
  });

  it("H10: keeps the last good draft when the folder is deleted, reports a fault, and follows it when it is back", async () => {
    const following = await followNew();
    // At once: an import might find a part of it.
    const gone = `${following.folder}-gone`;
    renameSync(following.folder, gone);
    rmSync(gone, { recursive: true });
    await following.until(({ faults }) => faults.some(({ message }) => /no folder/.test(message)));
    expect(following.title("home")).toBe("At the start");
    workspaceFolder(files("Back"), following.folder);
    await following.shows("Back");
    await following.until(({ faults }) => faults.length === 0);
  });

  it("H10a: with faults, which are reported with their places, shows the edits of all other files", async () => {
    const following = await followNew();
    writeFileSync(following.path("entries/home.json"), '{\n  "id": 7,\n  "modelId": }');
    writeFileSync(following.path("projects.json"), '[\n  { "id": "site" }\n]');
    await following.until(({ faults }) => faults.length > 1);
    const { faults } = following.live.state();
    expect(placesOf(faults)[0]).toBe("entries/home.json:3:12");
    expect(new Set(faults.slice(1).map(({ file, line }) => `${file}:${line}`))).toEqual(
      new Set(["projects.json:2"]),
    );
    expect(following.title("home")).toBe("At the start");
    writeFileSync(following.path("entries/more.json"), JSON.stringify(page("more", "More")));
    await following.until(() => following.title("more") === "More");
    expect(following.live.state().faults).toEqual(faults);
    workspaceFolder(files("Fixed"), following.folder);
    await following.until((state) => state.faults.length === 0);
    expect(following.title("home")).toBe("Fixed");
  });

  it("H10a: with faults at the start is followed too, and shown as far as it has none", async () => {
    const folder = workspaceFolder({ ...files("Fixed"), "models.json": "[" });
    const broken = await Following.start(folder);
    expect(placesOf(broken.live.state().faults)).toEqual(["models.json:1:1"]);
    expect(broken.title("home")).toBe("Fixed");
    writeFileSync(join(folder, "entries/home.json"), text("Changed"));
    await broken.shows("Changed");
    writeFileSync(join(folder, "models.json"), JSON.stringify([PAGE_MODEL]));
    await broken.until(({ faults }) => faults.length === 0);
    expect(broken.title("home")).toBe("Changed");
  });

  it("H10: is refused if it is missing at the start", async () => {
    const nowhere = join(temporaryFolder(), "nowhere");
    await expect(Following.start(nowhere)).rejects.toMatchObject({ code: "folder-not-found" });
  });

  it("H10: that has no room for temporary files has a fault itself", async () => {
    const folder = workspaceFolder(files("At the start"));
    const temporary = join(temporaryFolder(), "tmp");
    mkdirSync(temporary);
    vi.stubEnv("TMPDIR", temporary);
    onTestFinished(() => void vi.unstubAllEnvs());
    const following = await Following.start(folder);
    rmSync(temporary, { recursive: true });
    writeFileSync(following.path("entries/home.json"), text("x".repeat(9_000_000)));
    writeFileSync(following.path("entries/more.json"), JSON.stringify(page("more", "More")));
    // Before it, a file that is half written may be a fault.
    await following.until(({ faults }) => faults[0]?.code === "temporary-file-unwritable");
    expect(following.live.state().faults).toMatchObject([{ subject: "folder" }]);
  });

  it("H19: is not read again because of published files inside it", async () => {
    const following = await followNew();
    const states: LiveState[] = [];
    following.live.onChange((state) => states.push(state));
    mkdirSync(following.path("out/api"), { recursive: true });
    writeFileSync(following.path("out/manifest.json"), "{}");
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(states).toEqual([]);
  });

  it("H19: is read in part: only the entry that has changed", async () => {
    const following = await followNew();
    // A fault, if it were read.
    writeFileSync(following.path("entries/unseen.json"), "{");
    writeFileSync(following.path("entries/home.json"), text("Changed"));
    await following.shows("Changed");
    expect(following.live.state().faults).toEqual([]);
  });

  it("H10: is read once after a burst of changes", async () => {
    const following = await followNew();
    const { revision } = following.live.state();
    // No turn of the loop in between, so that it is one burst on any machine.
    for (let number = 0; number < 50; number += 1) {
      const entry = page(`page-${number}`, `Page ${number}`);
      writeFileSync(following.path(`entries/page-${number}.json`), JSON.stringify(entry));
    }
    await following.until(() => following.title("page-49") === "Page 49");
    expect(following.live.state().revision).toBe(revision + 1);
  });

  it("H10: is read during a burst that does not end", async () => {
    const following = await followNew();
    const { revision } = following.live.state();
    let writes = 0;
    for (; following.live.state().revision === revision && writes < 300; writes += 1) {
      writeFileSync(following.path("entries/home.json"), text(`Page ${writes}`));
      await pause(2);
    }
    // 75 in 150 ms at most: a busy machine makes fewer, as one thread writes and reads.
    expect(writes).toBeLessThan(300);
  });
});
