import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planPublish, publish } from "../../src/publish/publish.ts";
import { rollback } from "../../src/publish/rollback.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import type { Problem } from "../../src/workspace/problem.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { draftProblems } from "../support/publish/publishing.ts";
import { randomRuns } from "../support/random-runs.ts";
import { newStore } from "../support/store/new-store.ts";
import { source, temporaryFolder } from "../support/test-bed.ts";
import {
  drawnEdits,
  edited,
  FIRST,
  type Pick,
  pickBy,
  type World,
  withoutErrors,
} from "../support/workspaces/edits.ts";

const WHOSE = ["w", "neighbour"] as const;
type Whose = (typeof WHOSE)[number];

interface Result {
  /** Undefined: it has errors (R4). */
  readonly versionId?: string;
  readonly problems: readonly Problem[];
}

type Wanted = Result & { readonly files: Readonly<Record<string, string>> };

function resultOf(work: () => Result): Result {
  try {
    const { versionId, problems } = work();
    return { versionId, problems } as Result;
  } catch (error) {
    const problems = error instanceof SvcError && draftProblems(error);
    if (problems) return { problems };
    throw error;
  }
}

/** The result of a publish from a new store with both workspaces. */
function wantedOf(folder: string, world: World, whose: Whose): Wanted {
  const [file, out] = [join(folder, "new.db"), join(folder, "new")];
  const store = newStore(file);
  try {
    for (const one of WHOSE) store.import(source(world[one]), new Date());
    const how = { strict: false, now: new Date(), at: world.at };
    const result = resultOf(() => publish(inStore(store, whose), out, how));
    return { ...result, files: result.versionId === undefined ? {} : bytesBelow(out) };
  } finally {
    store.close();
    for (const path of [file, `${file}-wal`, `${file}-shm`, out]) {
      rmSync(path, { recursive: true, force: true });
    }
  }
}

/** A store that two processes read and change. */
class EditedStore {
  readonly folder = temporaryFolder();
  readonly #file = join(this.folder, "workspace.db");
  readonly #stores: readonly [Store, Store] = [newStore(this.#file), openStore(this.#file)];
  /** The files of each version, by workspace and version. */
  readonly #published = new Map<string, Readonly<Record<string, string>>>();
  world: World = FIRST;
  program = "p";

  store(by: number): Store {
    return this.#stores[by % 2] as Store;
  }

  out(whose: Whose): string {
    return join(this.folder, `out-${whose}`);
  }

  close(): void {
    for (const store of this.#stores) store.close();
  }

  import(world: World, by: number): void {
    for (const whose of WHOSE) this.store(by).import(source(world[whose]), new Date());
    this.world = world;
  }

  #how(keep: number) {
    const { program, world } = this;
    return { strict: false, keep, program, now: new Date(), at: world.at };
  }

  publish(whose: Whose, { files, ...wanted }: Wanted, by: number, keep: number): void {
    const from = inStore(this.store(by), whose);
    const found = resultOf(() => publish(from, this.out(whose), this.#how(keep)));
    expect(found).toEqual(wanted);
    if (wanted.versionId === undefined) return;
    expect(bytesBelow(this.out(whose))).toEqual(files);
    this.#published.set(`${whose} ${wanted.versionId}`, files);
  }

  dryRun(whose: Whose, { files: _files, ...wanted }: Wanted, by: number): void {
    const state = () => bytesBelow(this.out(whose));
    const before = state();
    const from = inStore(this.store(by), whose);
    expect(resultOf(() => planPublish(from, this.out(whose), this.#how(1)))).toEqual(wanted);
    expect(state()).toEqual(before);
  }

  check(whose: Whose, { problems }: Wanted, by: number): void {
    expect(inStore(this.store(by), whose).check(this.#how(1))).toEqual(problems);
  }

  /** An import of other records, or of the same ones, that fails at its end. */
  failedImport(by: number): void {
    const { w } = this.world;
    const failing = function* () {
      yield* source({ ...w, models: [], assets: [], entries: w.entries.slice(1) });
      throw new Error("failed");
    };
    expect(() => this.store(by).import(failing(), new Date())).toThrow("failed");
  }

  damage(pick: Pick): void {
    const database = new Database(this.#file);
    database.exec(
      pick([
        "DELETE FROM outcomes",
        "UPDATE outcomes SET row_check = row_check + 1",
        "UPDATE outcomes SET outcome = coalesce(substr(outcome, 2), x'')",
        "UPDATE outcomes SET outcome = x''",
      ]),
    );
    database.close();
  }

  rollback(whose: Whose, by: number, choose: (ids: readonly string[]) => readonly string[]): void {
    const store = this.store(by);
    const row = store.workspace(whose);
    for (const versionId of choose(store.history.list(row.number).map((one) => one.versionId))) {
      rollback(store, row, versionId, this.out(whose), { now: new Date() });
      const files = this.#published.get(`${whose} ${versionId}`);
      expect(bytesBelow(this.out(whose))).toEqual(files);
    }
  }
}

/** Events before an edit, which change no draft. */
const EVENTS: Readonly<Record<string, (bed: EditedStore, by: number, pick: Pick) => void>> = {
  "a failed import": (bed, by) => bed.failedImport(by),
  "a rollback": (bed, by, pick) =>
    bed.rollback(pick(WHOSE), by, (ids) => (ids.length > 0 ? [pick(ids)] : [])),
  "another program": (bed) => {
    bed.program += ".";
  },
  "a damaged cache": (bed, _by, pick) => bed.damage(pick),
  nothing: () => {},
};

type Command = (bed: EditedStore, whose: Whose, wanted: Wanted, by: number, keep: number) => void;

/** Commands after an edit, in any order: each may fill the cache for the next. */
const COMMANDS: Readonly<Record<string, Command>> = {
  publish: (bed, ...how) => bed.publish(...how),
  "publish by another": (bed, whose, wanted, by) => bed.publish(whose, wanted, by + 1, 20),
  "publish --dry-run": (bed, ...how) => bed.dryRun(how[0], how[1], how[2]),
  check: (bed, ...how) => bed.check(how[0], how[1], how[2]),
  "check by another": (bed, whose, wanted, by) => bed.check(whose, wanted, by + 1),
};

const step = fc.record({
  drawn: drawnEdits,
  event: fc.constantFrom(...Object.keys(EVENTS), "nothing", "nothing"),
  whose: fc.constantFrom<Whose>("w", "w", "w", "neighbour"),
  by: fc.nat(1),
  commands: fc.shuffledSubarray(Object.keys(COMMANDS), { minLength: 1 }),
  keep: fc.constantFrom(1, 2, 3, 20),
});

const RUNS = randomRuns(20);

describe("R10, R3: the outcome that a store keeps changes no result", () => {
  it("R10: a publish and a check find what those of a new store find, after any edits and commands", () => {
    const steps = fc.array(step, { minLength: 2, maxLength: 10, size: "max" });
    const property = fc.property(steps, (drawn) => {
      const bed = new EditedStore();
      try {
        bed.import(FIRST, 0);
        for (const { drawn: edits, event, whose, by, commands, keep } of drawn) {
          const pick = pickBy(edits.choices);
          EVENTS[event]?.(bed, by, pick);
          bed.import(edited(bed.world, edits, pick), by);
          const wanted = wantedOf(bed.folder, bed.world, whose);
          for (const name of commands) COMMANDS[name]?.(bed, whose, wanted, by, keep);
          // R4: errors are fixed in the next step.
          if (wanted.versionId === undefined) bed.world = withoutErrors(bed.world);
        }
        for (const whose of WHOSE) bed.rollback(whose, 0, (ids) => ids);
      } finally {
        bed.close();
      }
    });
    fc.assert(property, { numRuns: RUNS });
  });
});
