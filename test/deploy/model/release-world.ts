import fc from "fast-check";
import { expect } from "vitest";
import { deployReleases } from "../../../src/cli/commands/deploy.ts";
import type { PlanLine } from "../../../src/cli/results.ts";
import { resumeReleases } from "../../../src/deploy/holds.ts";
import type { ObjectFacts } from "../../../src/deploy/object-store.ts";
import type { PublishedFolder } from "../../../src/deploy/published-folder.ts";
import { makeLive, planRollback } from "../../../src/deploy/releases/deploy-release.ts";
import {
  listReleases,
  pinRelease,
  type ReleaseStores,
} from "../../../src/deploy/releases/list-releases.ts";
import { deletesOf, type PrunePlan, planPrune, prune } from "../../../src/deploy/releases/prune.ts";
import { bodyOf } from "../../support/deploy/object-bodies.ts";
import { MemoryReleaseBed } from "../releases/memory-release-bed.ts";
import { HOUR, stoppedClock, type World } from "./commands.ts";
import { endOf, foretold, type How, recorded } from "./processes.ts";
import {
  ALIENS,
  expected,
  liveOf,
  newestFirst,
  plain,
  projectsOf,
  type ReleaseCommand,
  type State,
  stateOf,
  verdictsOf,
} from "./release-rules.ts";
import { Versions, type WorkspaceId, work } from "./versions.ts";

type Parts = Omit<ReleaseCommand, "name" | "run">;

/** The clock stands until the test ends. Eight releases, of which a prune removes the first three. */
export async function releaseWorlds() {
  const pass = stoppedClock();
  const versions = await Versions.make();
  const start = new MemoryReleaseBed();
  const worldOf = (bed = start.copy()) => new ReleaseWorld(bed.places, versions, pass);
  const world = worldOf(start);
  for (let version = 0; version < 8; version += 1) {
    await world.alone(world.command({ act: "deploy", of: ["w"], version, hold: false }));
    pass(HOUR);
  }
  for (const key of ALIENS) {
    if (key.endsWith("theirs.png")) start.bucket.put(key, "x");
    else await start.places.objects.put(key, bodyOf("x"), {});
  }
  pass(48 * HOUR);
  return { pass, start, worldOf };
}

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

/** What a deploy or a prune reports. */
interface Report {
  readonly deployed?: Awaited<ReturnType<typeof deployReleases>>;
  readonly pruned?: PrunePlan;
  readonly removed?: number;
  readonly spared?: readonly string[];
}

const textOf = ({ action, what, reason }: PlanLine) => `${action} ${what} ${reason}`;

/** A bucket with releases of two workspaces that share assets, and their pointers. */
export class ReleaseWorld implements World<ReleaseCommand> {
  readonly stores: ReleaseStores;
  readonly pass: (milliseconds: number) => void;
  readonly #versions: Versions;

  constructor(stores: ReleaseStores, versions: Versions, pass: (milliseconds: number) => void) {
    [this.stores, this.#versions, this.pass] = [stores, versions, pass];
  }

  command(parts: Parts): ReleaseCommand {
    const { act, of, version, hold } = parts;
    const name = [act, ...of, version, hold ? "--hold" : ""].join(" ").trim();
    return { ...parts, name, run: (stores) => this.#run(parts, stores) };
  }

  async #run(parts: Parts, stores: ReleaseStores, more: How = {}): Promise<Report> {
    const { act, of, version, hold } = parts;
    const { objects, pointers } = stores;
    const release = this.#nameOf(parts);
    if (act === "deploy") {
      const options = { out: "out", wait: 0, concurrency: 4, maxDeletes: 1e6, hold, ...more };
      const folder = this.#versions.folders[version ?? 0] as PublishedFolder;
      return { deployed: await deployReleases(options, stores, work, folder, of) };
    }
    if (act === "prune") {
      const now = new Date();
      const plan = await planPrune(stores, work, { now, workspaceId: of[0] });
      if (more.dryRun) return { pruned: plan };
      const how = { now, maxDeletes: 1e6, ...more };
      return { pruned: plan, ...(await prune(plan, stores, work, how)) };
    }
    if (act === "rollback") {
      const wanted = { text: release, workspaceId: of[0] };
      const holder = { by: "anna", reason: undefined };
      await makeLive(await planRollback(stores, work, wanted, holder), stores, work);
    } else if (act === "resume") await resumeReleases(pointers, of[0]);
    else if (act === "pin") await pinRelease(stores, release ?? "");
    else await objects.delete([`pins/${release}`]);
    return {};
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
        any(4, ["prune"], { of: fc.constantFrom([], [], ["w"]) }),
      )
      .map((parts) => this.command(parts as unknown as ReleaseCommand));
  }

  async alone(command: ReleaseCommand): Promise<void> {
    const { act, hold } = command;
    const before = await this.#state();
    const { code, after } = expected(this.#versions, command, before);
    const dry = act === "deploy" || act === "prune" ? await this.#dryRun(command, code) : {};
    const { stores, writes } = recorded(this.stores);
    let report: Report = {};
    const ran = command.run(stores).then((value) => {
      report = value as Report;
    });
    expect(await endOf(ran)).toBe(code);
    const found = await this.#checked();
    expect(plain(found)).toEqual(plain(after));
    // L1: nothing is overwritten.
    for (const [key, at] of before.times) expect([undefined, at]).toContain(found.times.get(key));
    if (code !== "done") return expect(act === "pin" ? [] : writes()).toEqual([]);
    if (act === "prune") this.#expectPruned(command, report, dry, before, found);
    if (act !== "deploy") return;
    this.#expectDeployed(report, dry, before, found);
    this.#expectInOrder(command, writes());
    if (hold) return;
    // Deployed again, it changes nothing.
    const again = recorded(this.stores);
    await command.run(again.stores);
    expect(again.writes()).toEqual([]);
    expect(await this.#state()).toEqual(found);
  }

  /** What a deploy or a prune says that it will do, also where it may not. */
  async #dryRun(command: ReleaseCommand, code: string): Promise<Report> {
    const run = (stores: ReleaseStores, how: How) => this.#run(command, stores, how);
    const [end, dry = {}] = await foretold(this.stores, run, ({ deployed, pruned }) => {
      const removed = deployed?.value.workspaces.flatMap((one) => one.removed);
      if (code !== "done") return 0;
      return removed?.length ?? (pruned === undefined ? 0 : deletesOf(pruned));
    });
    expect(dry.deployed?.held?.code ?? end).toBe(code);
    return dry;
  }

  #expectPruned({ of }: Parts, report: Report, dry: Report, before: State, after: State): void {
    const { pruned, removed, spared } = report;
    expect(pruned).toEqual(dry.pruned);
    const sorted = (all: PrunePlan["verdicts"] = []) =>
      all.toSorted((a, b) => (a.release < b.release ? -1 : 1));
    expect(sorted(pruned?.verdicts)).toEqual(sorted(verdictsOf(before, of[0])));
    expect(removed).toBe([...before.times.keys()].filter((key) => !after.times.has(key)).length);
    expect(spared).toEqual(
      [...(pruned?.releases.keys() ?? [])].filter((one) => before.marks.has(one)),
    );
  }

  #expectDeployed({ deployed }: Report, dry: Report, before: State, after: State): void {
    const { plan = [], workspaces = [], ...value } = dry.deployed?.value ?? {};
    expect({ ...deployed?.value, dryRun: true }).toEqual({ ...value, workspaces });
    const points = [...new Set([...before.live.keys(), ...after.live.keys()])].flatMap(
      (project) => {
        const [was = "nothing", is = "nothing"] = [
          before.live.get(project),
          after.live.get(project),
        ];
        return was === is ? [] : `point ${project} from ${was} to ${is}`;
      },
    );
    const isPoint = ({ action }: PlanLine) => action === "point";
    expect(plan.filter(isPoint).map(textOf).sort()).toEqual(points.sort());
    const uploads = plan.filter((one) => !isPoint(one)).map(({ what }) => what);
    for (const { workspaceId, release, objects, projects, removed } of workspaces) {
      const [manifest = "", ...keys] = Object.keys(this.#versions.objectsOf(release)).reverse();
      const added = keys.filter((key) => !before.times.has(key));
      expect(uploads).toEqual(expect.arrayContaining(added));
      expect(uploads.includes(manifest)).toBe(!before.times.has(manifest));
      expect(objects).toEqual({ uploaded: added.length, present: keys.length - added.length });
      const wasLive = liveOf(before, workspaceId);
      expect(projects.toSorted()).toEqual(
        wasLive.includes(release) ? [] : projectsOf(after, release),
      );
      const gone = [...before.live].filter(
        ([id, one]) => wasLive.includes(one) && !after.live.has(id),
      );
      expect(removed.toSorted()).toEqual(gone.map(([id]) => id).sort());
    }
    expect(uploads.filter((key) => before.times.has(key))).toEqual([]);
    const present = workspaces.reduce((sum, { objects }) => sum + objects.present, 0);
    expect(dry.deployed?.text).toMatch(new RegExp(`(?:^|\\s)${present} unchanged$`));
  }

  /** L1, F3: no object before those that it names, the manifest last; L2: then one update. */
  #expectInOrder({ of, version, isResent }: Parts, all: readonly string[]): void {
    // Of an object of two workspaces, and of a request that is sent again, the first.
    const writes = [...new Set(all)];
    const phases = [
      /^put assets/,
      /content\.json$/,
      /schema\.json$/,
      /index\.json$/,
      /manifest\.json$/,
    ];
    for (const id of of) {
      const keys = Object.keys(this.#versions.objectsOf(this.#nameOf({ of: [id], version }) ?? ""));
      const puts = writes.filter((one) => keys.includes(one.slice("put ".length)));
      const order = puts.map((one) => phases.findIndex((phase) => phase.test(one)));
      expect(order).toEqual(order.toSorted());
    }
    if (writes.includes("update")) expect(writes.at(-1)).toBe("update");
    const updates = all.filter((one) => one === "update").length;
    expect(updates).toBeLessThanOrEqual(isResent ? 2 : 1);
  }

  async disturbed(
    commands: readonly ReleaseCommand[],
    run: () => Promise<readonly (string | undefined)[]>,
  ): Promise<void> {
    const before = await this.#state();
    const ends = await run();
    for (const end of ends) expect([undefined, "done", "failed", ...REFUSALS]).toContain(end);
    const after = await this.#checked();
    expect(after.aliens).toEqual(before.aliens);
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

  /** L3: what a list says. */
  async #expectListed(state: State): Promise<void> {
    // Of HTTP, times are in seconds.
    const seconds = (at: number) => Math.floor(at / 1_000);
    const incomplete = [...state.incomplete.keys()].map((name) => [name, 0] as const);
    const complete = [...state.releases].map(([name, at]) => [name, seconds(at)] as const);
    const times = new Map([...incomplete, ...complete]);
    const wanted = newestFirst(times).map((name) => [
      name,
      times.get(name),
      projectsOf(state, name),
      state.pins.has(name),
    ]);
    const { releases } = await listReleases(this.stores, work);
    expect(
      releases.map((one) => [one.release, seconds(+(one.deployedAt ?? 0)), one.live, one.isPinned]),
    ).toEqual(wanted);
  }

  #nameOf({ of, version }: Pick<ReleaseCommand, "of" | "version">): string | undefined {
    return version === undefined ? undefined : this.#versions.names[of[0] ?? "w"][version];
  }

  /** The state, in which everything that is live is whole, and nothing else is in its folder. */
  async #checked(): Promise<State> {
    const objects = await this.#objects();
    const state = await this.#state(objects);
    await this.#expectListed(state);
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
