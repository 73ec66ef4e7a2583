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
  /** Objects of others. */
  readonly aliens: Set<string>;
}

/** Names as of releases and assets that svc does not give, or did not put there. */
export const ALIENS = [
  "assets/logo.svg",
  "assets/0123456789abcdef/theirs.png",
  "r/file.json",
  "r/w/notes/manifest.json",
];

/** A state without times. */
export function plain({ live, log, ...state }: State) {
  const { held, pins, releases, incomplete, assets, aliens } = state;
  const names = { held, pins, releases, incomplete, assets, aliens };
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
    aliens: new Set(ALIENS.filter((key) => objects.has(key))),
  };
  for (const { key, lastModified } of objects.values()) {
    const [folder, ...rest] = key.split("/");
    const at = +lastModified;
    if (ALIENS.includes(key)) continue;
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
    const isHeld = names.some(
      (name) =>
        before.held.has(workspaceOf(name)) && !liveOf(before, workspaceOf(name)).includes(name),
    );
    if (isHeld && !hold) return refused("held");
    for (const name of names) {
      after.incomplete.delete(name);
      if (!after.releases.has(name)) after.releases.set(name, Date.now());
      for (const asset of versions.assetsOf(name))
        if (!after.assets.has(asset)) after.assets.set(asset, Date.now());
    }
    return makeLive(names, hold);
  }
  if (act === "resume") {
    for (const id of of) after.held.delete(id);
    return { code: "done", after };
  }
  if (act === "prune") return expectedOfPrune(versions, of[0], before, after);
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

interface Verdict {
  readonly release: string;
  readonly keep: boolean;
  readonly reason: string;
}

const isOld = (at: number) => Date.now() - at >= 24 * HOUR;

/** L4: what a prune says of each release of a workspace, or of all. */
export function verdictsOf(before: State, workspaceId: string | undefined): Verdict[] {
  const newest = newestFirst(before.releases);
  const verdict = (release: string): Omit<Verdict, "release"> => {
    const id = workspaceOf(release);
    const projects = projectsOf(before, release);
    if (projects.length > 0) return { keep: true, reason: `live for ${projects.join(", ")}` };
    if (before.pins.has(release)) return { keep: true, reason: "pinned" };
    const at = before.releases.get(release);
    if (at === undefined) {
      const keep = !isOld(before.incomplete.get(release) ?? 0);
      const recent = ", younger than 24 hours: a deploy may be running";
      return { keep, reason: `incomplete${keep ? recent : ""}` };
    }
    if (!isOld(at)) return { keep: true, reason: "younger than 24 hours" };
    const all = newest.filter((one) => workspaceOf(one) === id);
    const logged = (before.log.get(id) ?? []).filter((one) => all.includes(one));
    const keep = [...new Set([...logged, ...all])].slice(0, 5).includes(release);
    return { keep, reason: `${keep ? "one of" : "older than"} the last 5` };
  };
  return [...before.releases.keys(), ...before.incomplete.keys()]
    .filter((name) => (workspaceId ?? workspaceOf(name)) === workspaceOf(name))
    .map((release) => ({ release, ...verdict(release) }));
}

/** L3: sorted by workspace. */
export function newestFirst(releases: ReadonlyMap<string, number>): string[] {
  return [...releases]
    .sort(([a, x], [b, y]) => a.charCodeAt(0) - b.charCodeAt(0) || y - x || (a < b ? -1 : 1))
    .map(([name]) => name);
}

/** The projects that are served from a release. */
export const projectsOf = ({ live }: State, release: string): string[] =>
  [...live].flatMap(([project, one]) => (one === release ? project : [])).sort();

function expectedOfPrune(
  versions: Versions,
  workspaceId: string | undefined,
  before: State,
  after: State,
): Expected {
  for (const id of new Set([...before.releases.keys()].map(workspaceOf)))
    if ((workspaceId ?? id) === id && liveOf(before, id).length === 0)
      return { code: "nothing-live", after };
  for (const { release, keep } of verdictsOf(before, workspaceId)) {
    if (keep || before.marks.has(release)) continue;
    after.releases.delete(release);
    after.incomplete.delete(release);
  }
  const used = [...after.releases.keys()].flatMap((name) => versions.assetsOf(name));
  for (const [key, at] of before.assets) {
    const isKept = used.includes(key) || after.incomplete.size > 0 || before.marks.has("assets");
    if (!isKept && isOld(at)) after.assets.delete(key);
  }
  return { code: "done", after };
}
