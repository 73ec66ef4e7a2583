import fc from "fast-check";
import { expect } from "vitest";
import { deployFolderInPlace } from "../../../src/cli/commands/deploy.ts";
import { resumeInPlace } from "../../../src/deploy/holds.ts";
import {
  type InPlaceManifest,
  readManifest,
  unmarked,
  unsettled,
} from "../../../src/deploy/in-place/manifest.ts";
import type { ObjectStore } from "../../../src/deploy/object-store.ts";
import type { PublishedFolder } from "../../../src/deploy/published-folder.ts";
import type { ReleaseStores } from "../../../src/deploy/releases/list-releases.ts";
import { MemoryKeyValueStore } from "../../support/deploy/memory-key-value-store.ts";
import { MemoryBucket } from "../../support/deploy/memory-object-store.ts";
import type { Texts } from "../published-texts.ts";
import { type Command, HOUR, MINUTE, stoppedClock, type World } from "./commands.ts";
import { endOf, foretold, type How, recorded } from "./processes.ts";
import { md5, textsOf, Versions } from "./versions.ts";

/** The clock stands until the test ends. */
export async function inPlaceWorlds() {
  const pass = stoppedClock();
  const versions = await Versions.make();
  const worldOf = (bucket = new MemoryBucket(), prefix = "") => {
    const stores = { objects: bucket.open({ prefix }), pointers: new MemoryKeyValueStore() };
    return new InPlaceWorld(stores, versions, pass);
  };
  return { pass, worldOf };
}

/** A deploy or, without a version, a resume. */
interface InPlaceCommand extends Command {
  readonly of: readonly string[];
  readonly version: number | undefined;
  readonly force: boolean;
  readonly hold: boolean;
}

/** Refusals of a deploy that others disturb. */
const REFUSALS = ["deploy-manifest-changing", "deploy-running", "deploy-superseded", "held"];

const { signal } = new AbortController();

const MANIFEST = ".svc-deploy.json";
const ERRORS = /^\d{3}\.json$/;
const PHASES = [/^assets/, /content$/, /schema$/, /projects\/[^/]+$/];
/** Of a put; error documents are as assets. */
const phaseOf = (put: string) =>
  Math.max(
    0,
    PHASES.findIndex((phase) => phase.test(put.slice(4))),
  );

type Dry = Awaited<ReturnType<typeof deployFolderInPlace>>;

/** MD5 hashes by key, of these files as they are deployed. */
function wanted(texts: Texts): Map<string, string> {
  const keys = Object.entries(texts).map(([path, text]) => {
    return [
      path.replace(/\/index\.json$|(?<=\/(?:content|schema))\.json$/, ""),
      md5(text),
    ] as const;
  });
  return new Map(keys);
}

/** What a bucket has, and what its manifest says. */
interface State {
  readonly manifest: InPlaceManifest;
  /** ETags by key, without those of files that are the same for all. */
  readonly objects: ReadonlyMap<string, string>;
}

type Deploy = Pick<InPlaceCommand, "of" | "version" | "force" | "hold"> & How;

/** A bucket to which two workspaces are deployed in place. */
export class InPlaceWorld implements World<InPlaceCommand> {
  readonly stores: ReleaseStores;
  readonly pass: (milliseconds: number) => void;
  readonly #versions: Versions;
  /** Workspaces of which a deploy may have written something that none has completed yet. */
  readonly #unfinished = new Set<string>();

  constructor(stores: ReleaseStores, versions: Versions, pass: (milliseconds: number) => void) {
    [this.stores, this.#versions, this.pass] = [stores, versions, pass];
  }

  command(parts: Omit<InPlaceCommand, "name" | "run">): InPlaceCommand {
    const { of, version, force, hold } = parts;
    const act = version === undefined ? "resume" : "deploy";
    const flags = [force ? "--force" : "", hold ? "--hold" : ""];
    const name = [act, ...of, version, ...flags].filter((one) => one !== "").join(" ");
    const run = ({ objects }: ReleaseStores) =>
      version === undefined ? resumeInPlace(objects, of[0]) : this.#deploy(parts, objects);
    return { ...parts, name, run };
  }

  #deploy({ of, version, ...more }: Deploy, objects: ObjectStore) {
    const work = { concurrency: 4, signal, onProgress: () => {} };
    const options = { out: "out", wait: 0, concurrency: 4, maxDeletes: 1_000, ...more };
    const context = { objects, manifestStore: objects, work, signal };
    const folder = this.#versions.folders[version ?? 0] as PublishedFolder;
    return deployFolderInPlace(options, context, folder, of);
  }

  commands(): fc.Arbitrary<InPlaceCommand> {
    const of = fc.constantFrom(["w"], ["w"], ["v"], ["w", "v"]);
    const version = this.#versions.number();
    const rarely = fc.nat(9).map((n) => n === 0);
    const deploy = fc.record({ of, version, force: fc.boolean(), hold: rarely });
    const resume = of.map((ids) => ({
      of: ids.slice(0, 1),
      version: undefined,
      force: false,
      hold: false,
    }));
    const parts = fc.oneof({ weight: 6, arbitrary: deploy }, { weight: 1, arbitrary: resume });
    return parts.map((one) => this.command(one));
  }

  async alone(command: InPlaceCommand): Promise<void> {
    const { of, version, force, hold } = command;
    const before = await this.#state();
    const { deploy, holds, workspaces } = before.manifest;
    const isRunning =
      deploy !== undefined && (await readManifest(this.stores.objects)).age < 10 * MINUTE;
    const isHeld = of.some(
      (id) => Object.hasOwn(holds, id) && workspaces[id] !== this.#versionOf(id, version),
    );
    const held = version !== undefined && isHeld && !hold ? "held" : undefined;
    const code = isRunning && !force ? "deploy-running" : (held ?? "done");
    const run = ({ objects }: ReleaseStores, how: How) =>
      this.#deploy({ ...command, ...how }, objects);
    const [, dry] =
      version === undefined
        ? []
        : await foretold(this.stores, run, ({ value }) =>
            code === "done" ? value.objects.removed : 0,
          );
    expect(dry?.held?.code).toBe(held);
    const { stores, requests, writes } = recorded(this.stores);
    expect(await endOf(command.run(stores))).toBe(code);
    const after = await this.#checked();
    if (code !== "done") {
      expect(writes()).toEqual([]);
      return expect(after).toEqual(before);
    }
    if (version === undefined) {
      const { [of[0] ?? ""]: ended, ...others } = holds;
      const kept = ended === undefined ? before.manifest : unmarked(before.manifest);
      return expect(after).toEqual({ ...before, manifest: { ...kept, holds: others } });
    }
    if (dry !== undefined) this.#expectReported(command, dry, before, writes());
    // L10: no object is read before it is written, unless a deploy that was killed may have written it.
    const heads = new Set(
      requests.filter((one) => one.startsWith("head ") && !one.endsWith(MANIFEST)),
    );
    const unknown = Object.keys(unsettled(before.manifest)).map((key) => `head ${key}`);
    if (!command.isResent) expect([...heads].sort()).toEqual(unknown.sort());
    expect(unsettled(after.manifest)).toEqual({});
    expect(after.manifest.deploy).toBeUndefined();
    expect(Object.keys(after.manifest.holds).sort()).toEqual(
      [...new Set([...Object.keys(holds), ...(hold ? of : [])])].sort(),
    );
    for (const id of of) this.#unfinished.delete(id);
    const isWhole = this.#unfinished.size === 0;
    this.#expectVersions(after, isWhole ? Object.keys(after.manifest.workspaces) : of, isWhole);
    // Deployed again, it changes nothing.
    expect(
      await endOf(this.command({ ...command, force: false, hold: false }).run(this.stores)),
    ).toBe("done");
    expect(await this.#state()).toEqual(after);
  }

  /** F3, L5: only what changed was written, in order, as the dry run said; L6: between two writes of the manifest. */
  #expectReported(
    { of, version, isResent }: InPlaceCommand,
    dry: Dry,
    before: State,
    writes: readonly string[],
  ): void {
    const { plan = [], objects } = dry.value;
    const latest = of.flatMap((id) => [...wanted(textsOf(id, version ?? 0))]);
    const changed = latest.filter(([key, md5]) => before.objects.get(key) !== md5);
    const planned = (action: string) =>
      plan.flatMap((one) => (one.action === action ? one.what : []));
    const [uploads, deletes] = [planned("upload"), planned("delete")];
    const documents = uploads.filter((key) => !ERRORS.test(key));
    expect(documents.sort()).toEqual([...new Set(changed.map(([key]) => key))].sort());
    const unchanged = new Set(latest.map(([key]) => key)).size + 2 - uploads.length;
    expect(objects).toEqual({ uploaded: uploads.length, removed: deletes.length, unchanged });
    expect(dry.text).toMatch(new RegExp(`(?:^|\\s)${unchanged} unchanged$`));
    const isManifest = (one: string) => one === `put ${MANIFEST}`;
    const sent = writes.filter((one) => !isManifest(one));
    expect(sent.length - new Set(sent).size).toBeLessThanOrEqual(isResent ? 1 : 0);
    const written = [...new Set(sent)].flatMap((one) => {
      const [act = "", keys = ""] = one.split(/ (.*)/s);
      return keys.split("\n").map((key) => `${act} ${key}`);
    });
    const named = [...uploads.map((key) => `put ${key}`), ...deletes.map((key) => `delete ${key}`)];
    expect(written.toSorted()).toEqual(named.sort());
    const order = written.map((one) => (one.startsWith("delete") ? 9 : phaseOf(one)));
    expect(order).toEqual(order.toSorted());
    const kinds = writes.map(isManifest).filter((one, at, all) => one !== all[at - 1]);
    // L6b: and between them, where time passes.
    expect(kinds.length).not.toBe(2);
    expect([kinds[0] ?? true, kinds.at(-1) ?? true]).toEqual([true, true]);
  }

  async disturbed(
    commands: readonly InPlaceCommand[],
    run: () => Promise<readonly (string | undefined)[]>,
  ): Promise<void> {
    const before = await this.#state();
    for (const id of commands.flatMap((one) => one.of)) this.#unfinished.add(id);
    const ends = await run();
    for (const end of ends) expect([undefined, "done", "failed", ...REFUSALS]).toContain(end);
    const after = await this.#checked();
    const deploys = commands.filter(({ version }) => version !== undefined);
    // L6a: a deploy that fails removes its mark.
    const marks = [undefined, before.manifest.deploy];
    if (ends[0] === "failed") expect(marks).toContainEqual(after.manifest.deploy);
    if (!commands.some(({ force }) => force)) expect(ends).not.toContain("deploy-superseded");
    // L3a: what is held stays.
    for (const id of Object.keys(before.manifest.holds)) {
      if (deploys.length < commands.length || deploys.some(({ hold }) => hold)) continue;
      expect(after.manifest.workspaces[id]).toBe(before.manifest.workspaces[id]);
    }
    // L6, L10a: of two deploys the one that was not refused is there.
    const done = deploys.filter((one) => ends[commands.indexOf(one)] === "done");
    const [one, other] = done;
    for (const id of other === undefined ? (one?.of ?? []) : []) {
      expect(after.manifest.workspaces[id]).toBe(this.#versionOf(id, one?.version));
      // What it uploaded may have been removed, where ETags are not compared, and is never another's.
      for (const [key, hash] of wanted(textsOf(id, one?.version ?? 0))) {
        if (before.objects.get(key) !== hash)
          expect([undefined, hash]).toContain(after.objects.get(key));
      }
    }
    if (commands.length === 1) this.#expectInOrder(before, after, commands[0] as InPlaceCommand);
  }

  /** Whatever was left unfinished, a deploy of everything completes it. */
  async settle(): Promise<void> {
    const all = { of: ["w", "v"], version: 1, force: true };
    this.pass(HOUR);
    await this.alone(this.command({ ...all, hold: true }));
    for (const id of all.of)
      await this.alone(this.command({ of: [id], version: undefined, force: false, hold: false }));
    this.#expectVersions(await this.#checked(), all.of, true);
  }

  #versionOf(id: string, version: number | undefined): string | undefined {
    return version === undefined
      ? undefined
      : this.#versions.folders[version]?.workspaces[id]?.versionId;
  }

  /** The objects of these workspaces are those of the versions that the manifest names. */
  #expectVersions({ manifest, objects }: State, of: readonly string[], isWhole: boolean): void {
    const all = new Map<string, string>();
    for (const id of of) {
      const version = this.#versions.folders.findIndex(
        (one) => one.workspaces[id]?.versionId === manifest.workspaces[id],
      );
      for (const [key, hash] of wanted(textsOf(id, version))) all.set(key, hash);
    }
    const isOf = ([key]: readonly [string, string]) =>
      all.has(key) ||
      (key.startsWith("assets/") ? isWhole : of.includes(key.includes("/blog") ? "v" : "w"));
    expect(Object.fromEntries([...objects].filter(isOf))).toEqual(Object.fromEntries(all));
  }

  /** L6a: the state, of which the manifest says what is there, and what may be otherwise. */
  async #checked(): Promise<State> {
    const state = await this.#state();
    const { manifest, objects } = state;
    const unknown = Object.keys(unsettled(manifest));
    for (const [key, { etag }] of Object.entries(manifest.objects)) {
      if (!unknown.includes(key) && !ERRORS.test(key))
        expect([key, objects.get(key)]).toEqual([key, etag]);
    }
    for (const key of objects.keys()) {
      if (!Object.hasOwn(manifest.objects, key)) expect(unknown).toContain(key);
    }
    return state;
  }

  /** F3: no document was written before those that it names, and none removed before all were. */
  #expectInOrder(before: State, after: State, { of, version }: InPlaceCommand): void {
    if (version === undefined || Object.keys(unsettled(before.manifest)).length > 0) return;
    const latest = of.flatMap((id) => [...wanted(textsOf(id, version))]);
    const missing = PHASES.map((phase) =>
      latest.filter(([key, hash]) => phase.test(key) && after.objects.get(key) !== hash),
    );
    for (const [at, phase] of PHASES.entries()) {
      const isBegun = [...after.objects].some(
        ([key, hash]) => phase.test(key) && before.objects.get(key) !== hash,
      );
      if (isBegun) expect(missing.slice(0, at).flat()).toEqual([]);
    }
    const isRemoving = [...before.objects.keys()].some((key) => !after.objects.has(key));
    if (isRemoving) expect(missing.flat()).toEqual([]);
  }

  async #state(): Promise<State> {
    const objects = new Map<string, string>();
    for await (const { key, etag } of this.stores.objects.list("")) {
      if (/^(?:api|assets)\//.test(key)) objects.set(key, etag);
    }
    return { manifest: (await readManifest(this.stores.objects)).manifest, objects };
  }
}
