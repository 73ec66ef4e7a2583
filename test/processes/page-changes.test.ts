import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { textChanges } from "../../src/page/text-changes.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { deadUrl, hostOf } from "../support/server/hosts.ts";
import { PreviewBed } from "../support/server/preview-bed.ts";
import { ServerProcess } from "../support/server/server-process.ts";
import { TestBed } from "../support/test-bed.ts";
import { PAGE_MODEL, page, projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

/** A bed with a workspace folder `content` of these entries, of which an experience shows `home`. */
function contentBed(...entries: readonly Entry[]): PreviewBed {
  const bed = new PreviewBed();
  const models = [{ ...PAGE_MODEL, fields: [{ ...PAGE_MODEL.fields[0], name: "Headline" }] }];
  const parts = { models, projects: [projectOf("site", "home")], entries };
  workspaceFolder(
    {
      "workspace.json": { id: "w", name: "W" },
      "models.json": [{ ...models[0], fields: [...models.flatMap((one) => one.fields), NEXT] }],
      "projects.json": parts.projects,
      "entries.json": entries,
    },
    bed.content,
  );
  return bed;
}

/** The machine may be busy. */
const NEXT = { key: "next", name: "Next page", type: "reference" };

const save = (bed: PreviewBed, ...entries: readonly Entry[]) =>
  writeFileSync(bed.file("entries.json"), JSON.stringify(entries));

/** What the page of a running preview is answered. */
function asking(bed: PreviewBed) {
  const headers = { Authorization: `Bearer ${bed.key}` };
  const ask = async (name: string, query = "") => {
    const url = new URL(`/_svc/data/${name}?workspace=w&${query}`, bed.link);
    return (await fetch(url, { headers })).json();
  };
  const changed = async () => (await ask("standing")).changed;
  const act = async (name: string, body: object = {}, more: Record<string, string> = {}) => {
    const response = await fetch(new URL(`/_svc/do/${name}?workspace=w`, bed.link), {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", ...more },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: await response.json() };
  };
  /** Runs a task to its end. */
  const done = async (name: string, body: object = {}) => {
    const begun = await act(name, body);
    expect(begun.status).toBe(200);
    const state = async () => (await act("publish-state")).body.state;
    await expect.poll(async () => (await state()).isRunning).toBe(false);
    return state();
  };
  return { ask, changed, act, done };
}

describe("H30: what changes are shown against", () => {
  it("H30, H32: is out/ without a store, and again when another process publishes", async () => {
    const bed = contentBed(page("home", "Home"));
    const out = bed.path("out");
    await bed.start("--out", out);
    const { ask, changed } = asking(bed);
    expect(await changed()).toMatchObject({
      base: { kind: "out", versionId: null },
      counts: { added: 1 },
      entries: {},
    });
    bed.ok("publish", "content", "--out", out);
    await expect.poll(() => changed()).toMatchObject({ counts: { changed: 0, added: 0 } });
    expect((await changed()).base.at).toMatch(/^20/);
    save(bed, page("home", "Main", { next: { contentEntryId: "more" } }), page("more", "More"));
    await expect
      .poll(async () => (await changed()).entries)
      .toEqual({
        home: { change: "changed", fields: ["Headline", "Next page"] },
        more: { change: "added", fields: [] },
      });
    const { entries, base } = await ask("entry-changes", "id=home");
    expect(base.versionId).toMatch(/^[0-9a-f]{32}$/);
    expect(entries[0].values).toMatchObject([
      {
        place: ["Headline"],
        pieces: [
          ["before", "Home"],
          ["after", "Main"],
        ],
      },
      { place: ["Next page"], before: null, after: { target: { title: "More" } } },
    ]);
    // A file that somebody changed.
    const documents = join(out, "api/v1/projects/site");
    writeFileSync(join(documents, "schema.json"), "{}");
    bed.ok("publish", "content", "--out", bed.path("other"));
    writeFileSync(join(out, "manifest.json"), `${readFileSync(join(out, "manifest.json"))} `);
    await expect
      .poll(async () => (await ask("changes")).base.problem)
      .toMatchObject({ code: "out-differs" });
    writeFileSync(join(out, "manifest.json"), "[");
    expect((await changed()).base.problem).toMatchObject({ code: "manifest-invalid" });
    rmSync(out, { recursive: true });
    expect((await changed()).base).toMatchObject({ versionId: null });
  });

  it("H30: is out/ for a store without a version, too", async () => {
    const bed = contentBed(page("home", "Home"));
    const config = ["--store", bed.path("workspace.db")];
    bed.json(0, "publish", "content", "--out", bed.path("out"));
    bed.json(0, "import", "content", ...config);
    await bed.startStore();
    expect(await asking(bed).changed()).toMatchObject({
      base: { kind: "out", versionId: expect.any(String) },
      counts: { changed: 0, added: 0 },
    });
  });

  it("H30: is an address, which need not be on this machine", async () => {
    const published = new TestBed({
      models: [PAGE_MODEL],
      projects: [projectOf("site", "home")],
      entries: [page("home", "Before")],
    });
    const { versionId } = published.publish();
    const url = await hostOf(published);
    const bed = contentBed(page("home", "Now"));
    await bed.start("--out", bed.path("out"), "--against", url);
    const { changed } = asking(bed);
    const { base, entries } = await changed();
    expect(base).toMatchObject({ kind: "url", name: url, versionId });
    expect(Object.keys(entries)).toEqual(["home"]);
  });

  it("H33a, H30: History lists the versions of the store that the configuration names; changes are shown against it", async () => {
    const bed = contentBed(page("home", "One"));
    writeFileSync(bed.file("svc.config.json"), '{ "store": "../w.db", "out": "../out" }');
    const config = ["--config", bed.file("svc.config.json")];
    const first = bed.json(0, "publish", "content", ...config);
    save(bed, page("home", "Two"));
    const second = bed.json(0, "publish", "content", ...config);
    await bed.start("--against", first.versionId.slice(0, 8));
    const { ask, changed } = asking(bed);
    expect((await changed()).base).toMatchObject({
      kind: "store",
      versionId: first.versionId,
    });
    const { versions, hasStore } = await ask("history");
    expect(hasStore).toBe(true);
    expect(versions).toMatchObject([
      { versionId: second.versionId, isCurrent: true, before: first.versionId },
      { versionId: first.versionId, isCurrent: false, before: "" },
    ]);
    const query = `from=${first.versionId}&to=${second.versionId}`;
    const { entries } = await ask("version-changes", query);
    expect(entries[0].values[0].pieces).toEqual([
      ["before", "One"],
      ["after", "Two"],
    ]);
    // The store is damaged while it is open.
    writeFileSync(bed.path("w.db"), "no store");
    await expect.poll(async () => (await changed()).base?.problem?.code).toMatch(/^store-/);
    expect((await ask("history")).problem.message).toContain("w.db");
    expect(bed.server.stderr).not.toMatch(/^\s+at /m);
  });

  it("H30: is checked at the start", async () => {
    const bed = contentBed(page("home", "Home"));
    mkdirSync(bed.path("empty"));
    const refusals: [side: string, says: string][] = [
      [bed.path("nowhere"), "is neither a version nor a folder"],
      [bed.path("empty"), "cannot be compared with"],
      ["draft", "cannot be compared with"],
      ["0123abc", 'there is no version "0123abc": there is no store'],
      ["https://user:secret@example.com/", "is not a base URL"],
    ];
    const start = ["dev", "content", "--port", "0", "--against"];
    for (const [side, says] of refusals) {
      const { status, stderr } = bed.run(...start, side);
      expect(status, side).toBe(2);
      expect(stderr).toContain(says);
      expect(stderr).not.toContain("secret");
    }
    const { status, stderr } = bed.run(...start, await deadUrl());
    expect({ status, stderr }).toMatchObject({ status: 3 });
    expect(stderr).toContain("does not answer");
  });
});

describe("H33: publishing by the page", () => {
  it("H33: needs a loopback host and --allow-publish, and refuses other origins", async () => {
    const bed = contentBed(page("home", "Home"));
    const [error] = await ServerProcess.refusal(
      ...["dev", bed.content, "--allow-publish", "--host", "0.0.0.0"],
    );
    expect(error).toContain("--allow-publish is refused with --host 0.0.0.0");
    await bed.start("--out", bed.path("out"));
    expect((await asking(bed).act("publish")).status).toBe(404);
    expect((await asking(bed).ask("overview")).actions).not.toContain("publish");
  });

  it("H33: publishes a folder to out/ after a plan, and one at a time", async () => {
    const bed = contentBed(page("home", "Home"));
    const out = bed.path("out");
    await bed.start("--out", out, "--allow-publish");
    const { ask, changed, act, done } = asking(bed);
    const plan = await done("publish-plan");
    expect(plan).toMatchObject({
      result: { published: true, documents: { added: 3 }, from: null },
    });
    expect(readdirSync(bed.folder)).not.toContain("out");
    const begun = await Promise.all([act("publish"), act("publish")]);
    expect(begun.map(({ status }) => status).sort()).toEqual([200, 409]);
    const refused = await act("publish", {}, { Origin: "http://127.0.0.1:1" });
    expect(refused.body.code).toBe("origin-refused");
    await expect.poll(async () => (await changed()).base.versionId).toBe(plan.result.versionId);
    expect(bed.json(0, "verify", "--out", out).differs).toEqual([]);
    save(bed, { ...page("home", "Home"), data: { title: 1 } });
    await expect.poll(async () => (await ask("changes")).errors.count).toBe(1);
    expect(await done("publish-plan")).toMatchObject({
      failure: { code: "draft-has-problems", errors: 1 },
    });
    expect(await done("rollback", { versionId: "0".repeat(32) })).toHaveProperty("failure.hint");
  });

  it("H33: compares a plan with what is published, whatever --against names", async () => {
    const bed = contentBed(page("home", "One"));
    const [old, out] = [bed.path("old"), bed.path("out")];
    const first = bed.json(0, "publish", "content", "--out", old);
    save(bed, page("home", "Two"));
    const { versionId } = bed.json(0, "publish", "content", "--out", out);
    await bed.start("--out", out, "--against", old, "--allow-publish");
    const { changed, done } = asking(bed);
    expect((await changed()).base.versionId).toBe(first.versionId);
    expect(await done("publish-plan")).toMatchObject({
      result: { published: false, from: versionId, documents: { changed: 0 } },
    });
  });

  it("H33: makes a version of the store current, which holds it until that is ended", async () => {
    const bed = contentBed(page("home", "One"));
    const config = ["--store", bed.path("workspace.db"), "--out", bed.path("out")];
    const { versionId } = bed.json(0, "publish", "content", ...config);
    save(bed, page("home", "Two"));
    bed.json(0, "publish", "content", ...config);
    await bed.startStore("--allow-publish");
    const { act, ask, changed, done } = asking(bed);
    const reason = "<b>wrong</b> prices";
    const odd = await act("rollback", { versionId, reason: "wrong\tprices" });
    expect(odd).toMatchObject({ status: 422, body: { code: "edit-refused" } });
    expect(await done("rollback", { versionId, reason })).toMatchObject({ result: { versionId } });
    await expect.poll(async () => (await ask("history")).current).toBe(versionId);
    expect((await ask("history")).hold).toMatchObject({ reason });
    expect((await changed()).base).toMatchObject({ versionId });
    expect(await done("publish-plan")).toMatchObject({ result: { hold: { reason } } });
    expect(await done("publish")).toMatchObject({ failure: { code: "held" } });
    expect(await done("resume")).not.toHaveProperty("failure");
    expect(await done("publish")).toMatchObject({ result: { published: true } });
  });
});

describe("H31: what a reference led to", () => {
  it("H31: has the title that is published, where the draft has no such entry", async () => {
    const home = page("home", "Home", { next: { contentEntryId: "more" } });
    const bed = contentBed(home, page("more", "More"));
    bed.ok("publish", "content", "--out", bed.path("out"));
    await bed.start("--out", bed.path("out"));
    save(bed, home);
    const { ask } = asking(bed);
    await expect
      .poll(async () => (await ask("entry-changes", "id=home")).entries[0]?.values)
      .toMatchObject([
        {
          place: ["Next page"],
          before: { text: "More" },
          after: { target: { id: "more", state: "deleted" } },
        },
      ]);
  });
});

describe("H31: two texts", () => {
  it("H31: differ by whole words, and what is the same is shortened", () => {
    expect(textChanges("Carry less, sleep better", "Carry less, rest better")).toEqual([
      ["both", "Carry less, "],
      ["before", "sleep"],
      ["after", "rest"],
      ["both", " better"],
    ]);
    const same = "word ".repeat(1000);
    const [before] = textChanges(`${same}a${same}`, `${same}b${same}`);
    expect(before?.[1].length).toBeLessThan(300);
  });

  it("H31: that are huge or have nothing in common are compared in a moment", () => {
    const words = (seed: number) =>
      Array.from({ length: 40_000 }, (_, n) => ((n * seed) % 7919).toString(36)).join(" ");
    const started = process.threadCpuUsage();
    const pieces = textChanges(words(31), words(17));
    expect(process.threadCpuUsage(started).user / 1000).toBeLessThan(5000);
    expect(pieces.map(([where]) => where)).toContain("after");
    expect(JSON.stringify(pieces).length).toBeLessThan(40_000);
  });
});
