import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { KeptState } from "../../src/cli/preview/kept-state.ts";
import { RunningCommand } from "../cli/running-command.ts";
import { CliBed } from "../support/cli-bed.ts";
import { temporaryFolder } from "../support/test-bed.ts";

describe("H22: what is kept of a folder or store for its preview", () => {
  let state: string;
  let folder: string;
  let notes: string[];
  beforeEach(() => {
    [state, folder, notes] = [temporaryFolder(), temporaryFolder(), []];
  });

  const kept = (of = folder) =>
    new KeptState(of, (note) => notes.push(note), { XDG_STATE_HOME: state });
  const files = () => readdirSync(join(state, "svc")).map((name) => join(state, "svc", name));
  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it("the key is the same at each start, by any path of the folder, and another for another folder", () => {
    const { key } = kept();
    expect(Buffer.from(key, "base64url").length * 8).toBeGreaterThan(128);
    const link = join(temporaryFolder(), "link");
    symlinkSync(folder, link);
    expect([kept().key, kept(`${folder}/`).key, kept(link).key]).toEqual([key, key, key]);
    expect(kept(temporaryFolder()).key).not.toBe(key);
    expect(notes).toEqual([]);
  });

  it("the folder and the file are the user's alone, and nothing else is left", () => {
    mkdirSync(join(state, "svc"), { mode: 0o755 });
    kept();
    expect([modeOf(join(state, "svc")), ...files().map(modeOf)]).toEqual([0o700, 0o600]);
  });

  it("another key replaces the kept one; what else is kept stays", () => {
    const first = kept();
    const { key } = first;
    first.change({ imageHosts: ["images.example.com"] });
    first.changeKey();
    expect(first.key).not.toBe(key);
    expect(kept()).toMatchObject({ key: first.key, imageHosts: ["images.example.com"] });
  });

  it("another key is not undone by a preview that knew the one before", () => {
    const [first, second] = [kept(), kept()];
    second.changeKey();
    first.change({ imageHosts: ["images.example.com"] });
    expect(kept()).toMatchObject({ key: second.key, imageHosts: ["images.example.com"] });
  });

  it.each([
    ["is damaged", (file: string) => writeFileSync(file, '{"key":"')],
    ["has no key", (file: string) => writeFileSync(file, '{"key":"short"}')],
    ["is huge", (file: string) => writeFileSync(file, " ".repeat(100_000))],
    ["others may read", (file: string) => chmodSync(file, 0o644)],
  ])("a file that %s is replaced by one with a new key, which is noted", (_, damage) => {
    const { key } = kept();
    damage(files()[0] as string);
    const next = kept();
    expect(next.key).not.toBe(key);
    expect(notes).toEqual([
      expect.stringMatching(/^the kept access key is replaced by a new one: /),
    ]);
    expect(kept().key).toBe(next.key);
    expect(files().map(modeOf)).toEqual([0o600]);
    expect(notes.join()).not.toContain(key);
  });

  it("a link is not followed: neither read nor written through", () => {
    const { key } = kept();
    const [file = ""] = files();
    const elsewhere = join(temporaryFolder(), "elsewhere.json");
    writeFileSync(elsewhere, readFileSync(file), { mode: 0o600 });
    const before = readFileSync(elsewhere, "utf8");
    rmSync(file);
    symlinkSync(elsewhere, file);
    expect(kept().key).not.toBe(key);
    expect(readFileSync(elsewhere, "utf8")).toBe(before);
    expect(statSync(file).isFile()).toBe(true);
    expect(notes).toHaveLength(1);
  });

  it("where it cannot be written the preview has a key nevertheless, and says that it is not kept", () => {
    writeFileSync(join(state, "svc"), "a file");
    expect(kept().key).not.toBe(kept().key);
    expect(notes.at(-1)).toMatch(/^the access key is not kept for the next start: /);
  });
});

describe("H8: the access key of svc dev and svc preview", () => {
  it("is the same for a folder, and for a store, until --new-key", async () => {
    const bed = new CliBed();
    bed.env = { XDG_STATE_HOME: bed.path("state") };
    bed.ok("init", "content");
    bed.ok("import", "content");
    const keyOf = async (...args: readonly string[]) => {
      const command = new RunningCommand(bed, ...args, "--port", "0");
      await command.until(({ stdout }) => stdout.includes("#key="));
      command.signal("SIGINT");
      await command.end();
      return /#key=([\w-]+)/.exec(command.stdout)?.[1];
    };
    for (const args of [["dev", "content"], ["preview"]]) {
      const first = await keyOf(...args);
      const next = await keyOf(...args, "--new-key");
      expect(next).not.toBe(first);
      expect(await keyOf(...args)).toBe(next);
    }
    expect(readdirSync(bed.path("state/svc"))).toHaveLength(2);
    expect(existsSync(bed.path("content/.svc"))).toBe(false);
  });
});
