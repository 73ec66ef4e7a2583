import fc from "fast-check";
import { expect } from "vitest";
import { resumeReleases } from "../../../src/deploy/holds.ts";
import type { ObjectFacts } from "../../../src/deploy/object-store.ts";
import type { PublishedFolder } from "../../../src/deploy/published-folder.ts";
import {
  makeLive,
  planRelease,
  planRollback,
  uploadReleases,
} from "../../../src/deploy/releases/deploy-release.ts";
import { pinRelease, type ReleaseStores } from "../../../src/deploy/releases/list-releases.ts";
import { planPrune, prune } from "../../../src/deploy/releases/prune.ts";
import { MemoryReleaseBed } from "../releases/memory-release-bed.ts";
import { HOUR, type World } from "./commands.ts";
import { endOf } from "./processes.ts";
import {
  expected,
  liveOf,
  plain,
  type ReleaseCommand,
  type State,
  stateOf,
} from "./release-rules.ts";
import { type Versions, type WorkspaceId, work } from "./versions.ts";

/** Refusals of a command that others disturb. */
const REFUSALS = [
  "deployed-meanwhile",
  "held",
  "no-earlier-release",
  "nothing-live",
  "release-being-removed",
  "release-incomplete",
  "release-not-found",
];

/** A bucket with releases of two workspaces that share assets, and their pointers. */
export class ReleaseWorld implements World<ReleaseCommand> {
  readonly stores: ReleaseStores;
  readonly pass: (milliseconds: number) => void;
  readonly #versions: Versions;

  constructor(stores: ReleaseStores, versions: Versions, pass: (milliseconds: number) => void) {
    [this.stores, this.#versions, this.pass] = [stores, versions, pass];
  }

  /** Eight releases, deployed an hour apart two days ago, of which a prune removes the first three. */
  static async started(
    versions: Versions,
    pass: (milliseconds: number) => void,
  ): Promise<MemoryReleaseBed> {
    const bed = new MemoryReleaseBed();
    const world = new ReleaseWorld(bed.places, versions, pass);
    for (let version = 0; version < 8; version += 1) {
      await world.alone(world.command({ act: "deploy", of: ["w"], version, hold: false }));
      pass(HOUR);
    }
    pass(48 * HOUR);
    return bed;
  }

  command(parts: Omit<ReleaseCommand, "name" | "run">): ReleaseCommand {
    const { act, of, version, hold } = parts;
    const name = [act, ...of, version, hold ? "--hold" : ""].join(" ").trim();
    const run = async (stores: ReleaseStores) => {
      const { objects, pointers } = stores;
      const release = this.#nameOf(parts);
      const holder = { by: "anna", reason: undefined };
      if (act === "deploy") {
        const folder = this.#versions.folders[version ?? 0] as PublishedFolder;
        const plan = await planRelease(folder, of, stores, work, hold ? holder : undefined);
        await uploadReleases(folder, plan, objects, work);
        await makeLive(plan, stores, work);
      } else if (act === "rollback") {
        const wanted = { text: release, workspaceId: of[0] };
        await makeLive(await planRollback(stores, work, wanted, holder), stores, work);
      } else if (act === "resume") await resumeReleases(pointers, of[0]);
      else if (act === "pin") await pinRelease(stores, release ?? "");
      else if (act === "unpin") await objects.delete([`pins/${release}`]);
      else {
        const now = new Date();
        const plan = await planPrune(stores, work, { now });
        await prune(plan, stores, work, { now, maxDeletes: 1e6 });
      }
    };
    return { ...parts, name, run };
  }

  commands(): fc.Arbitrary<ReleaseCommand> {
    const version = this.#versions.number();
    const one = fc.constantFrom<WorkspaceId[]>("w", "w", "w", "v").map((id) => [id]);
    const of = fc.oneof(
      { weight: 4, arbitrary: one },
      { weight: 1, arbitrary: fc.constant(["w", "v"] as const) },
    );
    const any = (
      weight: number,
      acts: readonly ReleaseCommand["act"][],
      more: Partial<Record<keyof ReleaseCommand, fc.Arbitrary<unknown>>> = {},
    ) => {
      const [act, none, hold] = [
        fc.constantFrom(...acts),
        fc.constant(undefined),
        fc.constant(false),
      ];
      return { weight, arbitrary: fc.record({ act, of: one, version: none, hold, ...more }) };
    };
    const rarely = fc.nat(9).map((n) => n === 0);
    return fc
      .oneof(
        any(5, ["deploy"], { of, version, hold: rarely }),
        any(3, ["rollback"], { version: fc.option(version, { nil: undefined }) }),
        any(2, ["pin", "unpin"], { version }),
        any(1, ["resume"]),
        any(4, ["prune"], { of: fc.constant([]) }),
      )
      .map((parts) => this.command(parts as unknown as ReleaseCommand));
  }

  async alone(command: ReleaseCommand): Promise<void> {
    const before = await this.#state();
    const { code, after } = expected(this.#versions, command, before);
    const end = await endOf(command.run(this.stores));
    expect(end).toBe(code);
    const found = await this.#checked();
    expect(plain(found)).toEqual(plain(after));
    // L1: nothing is overwritten.
    for (const [key, at] of before.times) expect([undefined, at]).toContain(found.times.get(key));
    if (command.act !== "deploy" || command.hold || code !== "done") return;
    // Deployed again, it changes nothing.
    const values = (await this.stores.pointers.read()).etag;
    await command.run(this.stores);
    expect((await this.stores.pointers.read()).etag).toBe(values);
    expect(await this.#state()).toEqual(found);
  }

  async disturbed(
    commands: readonly ReleaseCommand[],
    run: () => Promise<readonly (string | undefined)[]>,
  ): Promise<void> {
    const before = await this.#state();
    const ends = await run();
    for (const end of ends) expect([undefined, "done", "failed", ...REFUSALS]).toContain(end);
    const after = await this.#checked();
    const now = Date.now();
    // L4: nothing young is removed. L1: nothing is overwritten.
    for (const [key, at] of before.times) {
      if (after.times.get(key) !== at) expect(now - at, key).toBeGreaterThanOrEqual(24 * HOUR);
    }
    // L1, L4: what was whole stays so, or loses its manifest first.
    for (const name of before.torn) before.releases.delete(name);
    for (const name of after.torn) {
      expect(after.releases.get(name)).not.toBe(before.releases.get(name));
    }
    const pinned = [...before.pins].filter((name) => before.releases.has(name));
    const isUnpinned = commands.some(({ act }) => act === "unpin");
    if (!isUnpinned) expect([...after.releases.keys()]).toEqual(expect.arrayContaining(pinned));
    // L3a: what is held stays.
    for (const id of before.held) {
      const isFree = commands.some(
        ({ act, hold }) => act === "resume" || act === "rollback" || hold,
      );
      if (!isFree) expect(liveOf(after, id)).toEqual(liveOf(before, id));
    }
    for (const [at, { act, of, version, hold }] of commands.entries()) {
      const release = this.#nameOf({ of, version });
      const others = commands.filter((_, other) => other !== at);
      if (ends[at] !== "done") continue;
      if (act === "pin" && !isUnpinned) expect([...after.releases.keys()]).toContain(release);
      const isHolding = act === "rollback" || hold;
      if (
        isHolding &&
        others.every((one) => one.act === "deploy" && !one.hold) &&
        release !== undefined
      )
        expect(liveOf(after, of[0] ?? "")).toContain(release);
    }
  }

  /** After an hour without commands, everything is possible, and what is of no use is removed. */
  async settle(): Promise<void> {
    this.pass(HOUR);
    const resume = (id: WorkspaceId) =>
      this.alone(this.command({ act: "resume", of: [id], version: undefined, hold: false }));
    await resume("w");
    await resume("v");
    await this.alone(this.command({ act: "deploy", of: ["w", "v"], version: 1, hold: false }));
    this.pass(48 * HOUR);
    await this.alone(this.command({ act: "prune", of: [], version: undefined, hold: false }));
    const values = [...(await this.stores.pointers.read()).values.keys()];
    expect(values.filter((key) => key.startsWith("d:") && key !== "d:last")).toEqual([]);
  }

  #nameOf({ of, version }: Pick<ReleaseCommand, "of" | "version">): string | undefined {
    return version === undefined ? undefined : this.#versions.names[of[0] ?? "w"][version];
  }

  /** The state, in which everything that is live is whole, and nothing else is in its folder. */
  async #checked(): Promise<State> {
    const objects = await this.#objects();
    const state = await this.#state(objects);
    for (const id of ["w", "v"]) expect(new Set(liveOf(state, id)).size).toBeLessThanOrEqual(1);
    for (const name of new Set([...state.live.values()])) {
      const wanted = this.#versions.objectsOf(name);
      const found = [...objects.values()].filter(
        ({ key }) => Object.hasOwn(wanted, key) || key.startsWith(`r/${name}/`),
      );
      expect(Object.fromEntries(found.map(({ key, etag }) => [key, etag]))).toEqual(wanted);
      const projects = this.#versions.projectsOf(name);
      const served = [...state.live].flatMap(([project, one]) => (one === name ? project : []));
      expect(served.sort()).toEqual(projects.sort());
    }
    return state;
  }

  async #objects(): Promise<ReadonlyMap<string, ObjectFacts>> {
    const objects = new Map<string, ObjectFacts>();
    for await (const one of this.stores.objects.list("")) objects.set(one.key, one);
    return objects;
  }

  async #state(given?: ReadonlyMap<string, ObjectFacts>): Promise<State> {
    const { values } = await this.stores.pointers.read();
    return stateOf(this.#versions, given ?? (await this.#objects()), values);
  }
}
