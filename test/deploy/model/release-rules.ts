import type { ObjectFacts } from "../../../src/deploy/object-store.ts";
import { type Command, HOUR, MINUTE } from "./commands.ts";
import type { Versions, WorkspaceId } from "./versions.ts";

/** A command, and what it is to do. */
export interface ReleaseCommand extends Command {
  readonly act: "deploy" | "rollback" | "resume" | "pin" | "unpin" | "prune";
  readonly of: readonly WorkspaceId[];
  /** Undefined of a rollback: to the release before. */
  readonly version: number | undefined;
  readonly hold: boolean;
}

/** What a bucket and a KeyValueStore say, read without svc. */
export interface State {
  /** Releases by project. */
  readonly live: Map<string, string>;
  readonly log: Map<string, string[]>;
  readonly held: Set<string>;
  readonly pins: Set<string>;
  /** When their manifests were uploaded. */
  readonly releases: Map<string, number>;
  /** Those of them that lack an object: a prune removed it, and the deploy was refused. */
  readonly torn: Set<string>;
  /** When an object was last added. */
  readonly incomplete: Map<string, number>;
  readonly assets: Map<string, number>;
  /** What is being removed. */
  readonly marks: Set<string>;
  /** When objects of releases were written. */
  readonly times: Map<string, number>;
}

/** A state without times. */
export function plain({ live, log, held, pins, releases, incomplete, assets }: State) {
  const names = { held, pins, releases, incomplete, assets };
  const sorted = Object.entries(names).map(([what, all]) => [what, [...all.keys()].sort()]);
  return { live: [...live].sort(), log: [...log].sort(), ...Object.fromEntries(sorted) };
}

export const liveOf = ({ live }: State, id: string) =>
  [...live.values()].filter((name) => workspaceOf(name) === id);

const workspaceOf = (release: string) => release.slice(0, 1);

export function stateOf(
  versions: Versions,
  objects: ReadonlyMap<string, ObjectFacts>,
  values: ReadonlyMap<string, string>,
): State {
  const of = (prefix: string) =>
    [...values].flatMap(([key, value]) =>
      key.startsWith(prefix) ? [[key.slice(prefix.length), value] as const] : [],
    );
  const marks = of("d:").filter(
    ([what, value]) => what !== "last" && Date.now() - Number(value.split(" ")[0]) < 30 * MINUTE,
  );
  const logs = of("l:").map(
    ([id, text]) => [id, (JSON.parse(text) as string[]).map((one) => `${id}/${one}`)] as const,
  );
  const state: State = {
    live: new Map(of("p:")),
    log: new Map(logs),
    held: new Set(of("h:").map(([id]) => id)),
    marks: new Set(marks.map(([what]) => what)),
    pins: new Set(),
    releases: new Map(),
    torn: new Set(),
    incomplete: new Map(),
    assets: new Map(),
    times: new Map(),
  };
  for (const { key, lastModified } of objects.values()) {
    const [folder, ...rest] = key.split("/");
    const at = +lastModified;
    if (folder === "pins") state.pins.add(rest.join("/"));
    if (folder === "assets") state.assets.set(key, at);
    if (folder === "assets" || folder === "r") state.times.set(key, at);
    if (folder !== "r") continue;
    const name = rest.slice(0, 2).join("/");
    if (rest[2] === "manifest.json") state.releases.set(name, at);
    else state.incomplete.set(name, Math.max(at, state.incomplete.get(name) ?? 0));
  }
  for (const name of state.releases.keys()) {
    state.incomplete.delete(name);
    if (Object.keys(versions.objectsOf(name)).some((key) => !objects.has(key)))
      state.torn.add(name);
  }
  return state;
}

/** How a command ends, and what there is then. */
interface Expected {
  readonly code: string;
  readonly after: State;
}

/** What L1 to L4b say that a command does, which it is alone to do. */
export function expected(versions: Versions, command: ReleaseCommand, before: State): Expected {
  const { act, of, version, hold } = command;
  const after: State = structuredClone(before);
  const refused = (code: string) => ({ code, after });
  const isMarked = (name: string) => before.marks.has(name) || before.marks.has("assets");
  const makeLive = (names: readonly string[], isHolding: boolean) => {
    for (const name of names) {
      const id = workspaceOf(name);
      for (const [project, one] of after.live)
        if (workspaceOf(one) === id) after.live.delete(project);
      for (const project of versions.projectsOf(name)) after.live.set(project, name);
      const others = (after.log.get(id) ?? []).filter((one) => one !== name);
      after.log.set(id, [name, ...others].slice(0, 12));
      if (isHolding) after.held.add(id);
    }
    return { code: "done", after };
  };
  if (act === "deploy") {
    const names = of.map((id) => versions.names[id][version ?? 0] as string);
    if (names.some(isMarked)) return refused("release-being-removed");
    for (const name of names) {
      after.incomplete.delete(name);
      if (!after.releases.has(name)) after.releases.set(name, Date.now());
      for (const asset of versions.assetsOf(name))
        if (!after.assets.has(asset)) after.assets.set(asset, Date.now());
    }
    const isHeld = names.some(
      (name) =>
        before.held.has(workspaceOf(name)) && !liveOf(before, workspaceOf(name)).includes(name),
    );
    return isHeld && !hold ? refused("held") : makeLive(names, hold);
  }
  if (act === "resume") {
    for (const id of of) after.held.delete(id);
    return { code: "done", after };
  }
  if (act === "prune") return expectedOfPrune(versions, before, after);
  const id = of[0] ?? "w";
  const wereLive = (before.log.get(id) ?? []).filter(
    (name) => before.releases.has(name) && !liveOf(before, id).includes(name),
  );
  const name = version === undefined ? wereLive[0] : versions.names[id][version];
  if (act === "unpin") {
    after.pins.delete(name ?? "");
    return { code: "done", after };
  }
  if (name === undefined || (version === undefined && liveOf(before, id).length === 0))
    return refused("no-earlier-release");
  if (!before.releases.has(name)) return refused("release-not-found");
  if (isMarked(name)) return refused("release-being-removed");
  if (act === "rollback" && before.torn.has(name)) return refused("release-incomplete");
  if (act === "rollback") return makeLive([name], true);
  after.pins.add(name);
  return { code: "done", after };
}

function expectedOfPrune(versions: Versions, before: State, after: State): Expected {
  const now = Date.now();
  const isOld = (at: number) => now - at >= 24 * HOUR;
  for (const id of new Set([...before.releases.keys()].map(workspaceOf)))
    if (liveOf(before, id).length === 0) return { code: "nothing-live", after };
  const newest = [...before.releases]
    .sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .map(([name]) => name);
  for (const [name, at] of before.releases) {
    const all = newest.filter((one) => workspaceOf(one) === workspaceOf(name));
    const logged = (before.log.get(workspaceOf(name)) ?? []).filter((one) => all.includes(one));
    const last = [...new Set([...logged, ...all])].slice(0, 5);
    const isKept = [...before.live.values(), ...before.pins, ...before.marks, ...last].includes(
      name,
    );
    if (!isKept && isOld(at)) after.releases.delete(name);
  }
  for (const [name, at] of before.incomplete) {
    if (isOld(at) && ![...before.pins, ...before.marks, ...before.live.values()].includes(name))
      after.incomplete.delete(name);
  }
  const used = [...after.releases.keys()].flatMap((name) => versions.assetsOf(name));
  for (const [key, at] of before.assets) {
    const isKept = used.includes(key) || after.incomplete.size > 0 || before.marks.has("assets");
    if (!isKept && isOld(at)) after.assets.delete(key);
  }
  return { code: "done", after };
}
