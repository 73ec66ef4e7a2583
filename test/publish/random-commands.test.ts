import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { publish } from "../../src/publish/publish.ts";
import { rollback, write } from "../../src/publish/rollback.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { current, journal, listed } from "../support/publish/published-versions.ts";
import { randomRuns } from "../support/random-runs.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { NEW, OLD, putForeign, stopping } from "./stopped-bed.ts";

// Publishes, rollbacks and writes of two workspaces to one folder, some stopped as by a kill.

type Id = "w" | "v";
type Files = Readonly<Record<string, string>>;

const OTHERS = { id: "v", projects: [projectOf("other", "more")] };
/** Both workspaces show the same photo. */
const DRAFTS: Readonly<Record<Id, readonly Parts[]>> = {
  w: [
    OLD,
    NEW,
    { ...OLD, ...OTHERS, id: "w", projects: [projectOf("site", "home", "more")] },
    { ...NEW, assetBaseUrl: "https://cdn.example" },
  ],
  v: [
    { ...NEW, ...OTHERS },
    { ...OLD, ...OTHERS, projects: [projectOf("other", "home")] },
  ],
};

interface Command {
  readonly act: "publish" | "rollback" | "write" | "damage";
  readonly of: Id;
  readonly number: number;
  readonly keep: number;
  /** After so many files; 0: it is not stopped. */
  readonly stop: number;
}

const command: fc.Arbitrary<Command> = fc.record({
  act: fc.constantFrom("publish", "publish", "publish", "rollback", "rollback", "write", "damage"),
  of: fc.constantFrom("w", "w", "v"),
  number: fc.nat(7),
  keep: fc.constantFrom(1, 2, 3, 20),
  stop: fc.oneof(fc.constant(0), fc.nat(8)),
});

/** What a store and `out/` have of a workspace. */
class Told {
  /** Newest first. */
  published: string[] = [];
  /** That were current last first. */
  wereCurrent: string[] = [];
  journal: { action: string; from: string | null; to: string }[] = [];
  /** What its files may be: of the current version first. */
  files: Files[] = [{}];
  isInterrupted = false;

  makeCurrent(to: string, action: "publish" | "rollback"): void {
    const [from = null] = this.wereCurrent;
    if (from === to) return;
    const isKnown = this.published.includes(to);
    const what = action === "publish" && isKnown ? "republish" : action;
    this.journal.unshift({ action: what, from, to });
    const first = (ids: readonly string[]) => [to, ...ids.filter((id) => id !== to)];
    this.wereCurrent = first(this.wereCurrent);
    if (action === "publish") this.published = first(this.published);
  }

  prune(keep: number): string[] {
    const kept = this.wereCurrent.slice(0, keep);
    const pruned = this.wereCurrent.slice(keep);
    this.published = this.published.filter((id) => kept.includes(id));
    this.wereCurrent = kept;
    return pruned;
  }
}

interface Versions {
  /** In the order of the drafts. */
  readonly ids: readonly string[];
  /** By id. */
  readonly files: ReadonlyMap<string, Files>;
}

function versionsOf(id: Id): Versions {
  const ids: string[] = [];
  const files = new Map<string, Files>();
  for (const parts of DRAFTS[id]) {
    const bed = new TestBed(parts);
    ids.push(bed.publish().versionId);
    const { "manifest.json": _manifest, "404.json": _page, ...own } = bytesBelow(bed.out);
    files.set(ids.at(-1) ?? "", own);
  }
  return { ids, files };
}

class World {
  readonly #versions: Readonly<Record<Id, Versions>>;
  readonly #bed = new TestBed();
  readonly #told = { w: new Told(), v: new Told() };
  readonly #foreign = putForeign(this.#bed.out);

  constructor(versions: Readonly<Record<Id, Versions>>) {
    this.#versions = versions;
  }

  run(one: Command): void {
    const { of, act } = one;
    const told = this.#told[of];
    const before = bytesBelow(this.#bed.out);
    if (act === "publish") this.#publish(one);
    else if (told.published.length === 0) return;
    else if (act === "rollback") this.#rollback(one);
    else if (act === "damage") this.#damage(one);
    else
      this.#written(of, one.stop, () =>
        write(this.#bed.store, this.#row(of), this.#bed.out, stopping(one.stop || undefined)),
      );
    // F3, F5: what the other workspace has written stays, also where it was interrupted.
    const after = bytesBelow(this.#bed.out);
    for (const path of this.#told[of === "w" ? "v" : "w"].files.flatMap(Object.keys))
      if (path in before) expect([path, after[path]]).toEqual([path, before[path]]);
    for (const id of ["w", "v"] as const) this.#expectTold(id);
    this.#expectFiles();
  }

  #row(of: Id) {
    return this.#bed.store.workspace(of);
  }

  #publish({ of, number, keep, stop }: Command): void {
    const { ids } = this.#versions[of];
    const told = this.#told[of];
    const draft = DRAFTS[of][number % ids.length] as Parts;
    const versionId = ids[number % ids.length] as string;
    this.#bed.import(draft);
    const wasCurrent = told.wereCurrent[0] === versionId;
    told.makeCurrent(versionId, "publish");
    const pruned = told.prune(keep);
    const done = this.#written(of, stop, () =>
      publish(inStore(this.#bed.store, of), this.#bed.out, {
        ...stopping(stop || undefined),
        keep,
      }),
    );
    if (done) expect(done).toMatchObject({ versionId, published: !wasCurrent, pruned });
  }

  #rollback({ of, number, stop }: Command): void {
    const told = this.#told[of];
    const to = told.published[number % told.published.length] as string;
    const from = told.wereCurrent[0];
    told.makeCurrent(to, "rollback");
    const done = this.#written(of, stop, () =>
      rollback(this.#bed.store, this.#row(of), to, this.#bed.out, stopping(stop || undefined)),
    );
    if (done) expect(done).toMatchObject({ versionId: to, from, rolledBack: from !== to });
  }

  /** Another program changes a file, or removes it. */
  #damage({ of, number, keep }: Command): void {
    const told = this.#told[of];
    if (told.isInterrupted) return;
    const paths = Object.keys(told.files[0] ?? {}).filter((path) => path.startsWith("api/"));
    const path = paths[number % paths.length] as string;
    const file = join(this.#bed.out, path);
    if (keep > 2) rmSync(file, { force: true });
    else writeFileSync(file, "damaged");
    told.files[0] = { ...told.files[0], [path]: keep > 2 ? "" : "damaged" };
  }

  /** Undefined: it was stopped. */
  #written<T>(of: Id, stop: number, work: () => T): T | undefined {
    const told = this.#told[of];
    const files = this.#versions[of].files.get(told.wereCurrent[0] ?? "") as Files;
    try {
      const done = work();
      told.files = [files];
      told.isInterrupted = false;
      return done;
    } catch (error) {
      if ((error as Error).message !== "stopped" || stop === 0) throw error;
      told.files = [files, ...told.files];
      told.isInterrupted = true;
      return undefined;
    }
  }

  /** R6, R7, R8: what the store says. */
  #expectTold(id: Id): void {
    const { published, wereCurrent, journal: entries } = this.#told[id];
    if (entries.length === 0) return;
    expect([listed(this.#bed, id), current(this.#bed, id)]).toEqual([published, wereCurrent[0]]);
    expect(journal(this.#bed, id)).toMatchObject(entries);
  }

  /** F3, F5: no file is torn, each is of one of the versions, and nothing else is there. */
  #expectFiles(): void {
    const {
      ".svc-writing.json": _journal,
      "manifest.json": _list,
      "404.json": _page,
      ...found
    } = bytesBelow(this.#bed.out);
    const all = [this.#told.w, this.#told.v];
    const foreign = { files: [this.#foreign], isInterrupted: false };
    for (const path of new Set(
      [found, ...all.flatMap(({ files }) => files)].flatMap(Object.keys),
    )) {
      const whose = [...all, foreign].filter(({ files }) =>
        files.some((one) => one[path] !== undefined),
      );
      const surely = whose.filter(({ files }) => files.every((one) => one[path] !== undefined));
      const possible = whose.flatMap(({ files }) => files.flatMap((one) => one[path] ?? []));
      if (surely.length === 0) possible.push("");
      expect([path, possible]).toEqual([path, expect.arrayContaining([found[path] ?? ""])]);
    }
    if (this.#bed.file("manifest.json") === undefined) return;
    const { differs, interrupted = [] } = this.#bed.verify();
    expect(interrupted.map(({ workspaceId }) => workspaceId).sort()).toEqual(
      (["v", "w"] as const).filter((id) => this.#told[id].isInterrupted),
    );
    if (interrupted.length > 0) return;
    const odd = differs.map(({ path }) => path).filter((path) => !(path in this.#foreign));
    const damaged = (["w", "v"] as const).flatMap((id) => this.#damaged(id));
    expect(odd.sort()).toEqual(damaged.sort());
  }

  #damaged(id: Id): string[] {
    const { files, wereCurrent } = this.#told[id];
    const right = this.#versions[id].files.get(wereCurrent[0] ?? "");
    return Object.entries(files[0] ?? {}).flatMap(([path, text]) =>
      text === right?.[path] ? [] : path,
    );
  }
}

const by = (act: Command["act"], of: Id, number: number, stop = 0, keep = 20): Command => {
  return { act, of, number, keep, stop };
};

it("R3, R6, R7, R8, F3, F5: whatever publishes, rollbacks and writes run or are stopped", () => {
  const versions = { w: versionsOf("w"), v: versionsOf("v") };
  const some = fc.array(command, { minLength: 2, maxLength: 12, size: "max" });
  const property = fc.property(some, (all) => {
    const world = new World(versions);
    for (const one of all) world.run(one);
  });
  const stops = [1, 3, 5, 7].map((stop) => [
    ...[by("publish", "w", 0), by("publish", "w", 1, stop), by("rollback", "w", 1)],
    ...[by("publish", "w", 1), by("publish", "v", 0, stop), by("publish", "w", 0, 0, 2)],
  ]);
  const repairs = [0, 3].map((file) => [
    ...[by("publish", "w", 1), by("damage", "w", file, 0, file), by("publish", "w", 3)],
    ...[by("damage", "w", file, 0, 3 - file), by("rollback", "w", 1), by("damage", "w", file)],
    ...[
      by("write", "w", 0),
      by("publish", "w", 0),
      by("publish", "v", 0),
      by("publish", "w", 2, 0, 1),
    ],
  ]);
  // A photo of which an interrupted publish is the last that knows.
  const photos = [
    ...[by("publish", "w", 3, 1), by("publish", "v", 0), by("publish", "w", 0, 1)],
    by("publish", "v", 1),
  ];
  const examples = [...stops, ...repairs, photos].map((all): [Command[]] => [all]);
  fc.assert(property, { numRuns: examples.length + randomRuns(100), examples });
});
