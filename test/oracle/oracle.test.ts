import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { randomRuns } from "../support/random-runs.ts";
import {
  fixtureWorkspaces,
  hiddenWorkspaces,
  limitWorkspaces,
  siteWorkspaces,
  workspacesIn,
} from "./made-workspaces.ts";
import { hashOf, keepOutputs, type OracleWorkspace, outputsOf } from "./outputs.ts";
import { randomWorkspaces } from "./random-workspaces.ts";

/** By name of a workspace: its outputs with their hashes, as one line, so that the file is short. */
type Group = Readonly<Record<string, string>>;

type Hashes = Readonly<Record<string, string>>;

/** A file of hashes: by group, by workspace. */
class HashList {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  get exists(): boolean {
    return existsSync(this.#path);
  }

  /**
   * What differs from the file, as lines; with nothing in the file, everything does.
   *
   * @param brief the workspaces of which outputs may be missing.
   */
  differences(
    group: string,
    found: ReadonlyMap<string, Hashes>,
    brief: ReadonlySet<string>,
  ): string[] {
    const expected = this.#read()[group] ?? {};
    // Of random workspaces, every second one is left out unless more than half of the runs are asked for.
    const isPart = group.startsWith("random workspaces") && randomRuns(100) <= 50;
    const known = isPart ? [] : Object.keys(expected);
    const names = new Set([...known, ...found.keys()]);
    return [...names].flatMap((name) => {
      const [before, now] = [parsed(expected[name] ?? ""), found.get(name) ?? {}];
      if (expected[name] === undefined) return [`${group}, ${name}: has no hashes`];
      if (before.workspace !== now.workspace) {
        return [`${group}, ${name}: the workspace itself is another one: its generator changed`];
      }
      const outputs = new Set([
        ...(brief.has(name) ? [] : Object.keys(before)),
        ...Object.keys(now),
      ]);
      return [...outputs]
        .filter((output) => before[output] !== now[output])
        .map(
          (output) =>
            `${group}, ${name}: ${output} is ${now[output] ?? "missing"}, was ${before[output] ?? "missing"}`,
        );
    });
  }

  write(group: string, found: ReadonlyMap<string, Hashes>): void {
    const lines = [...found].map(([name, hashes]) => [
      name,
      Object.entries(hashes).flat().join(" "),
    ]);
    const all = { ...this.#read(), [group]: Object.fromEntries(lines) };
    writeFileSync(this.#path, `${JSON.stringify(all, null, 2)}\n`);
  }

  #read(): Readonly<Record<string, Group>> {
    return this.exists ? JSON.parse(readFileSync(this.#path, "utf8")) : {};
  }
}

function parsed(line: string): Hashes {
  const pairs = line.matchAll(/(\S+) (\S+)/g);
  return Object.fromEntries(Array.from(pairs, ([, output, hash]) => [output, hash]));
}

// What the program makes of many workspaces may not change by a byte: every file of out/, what
// check, stats, diff and publish print with --json, and every document of the preview with its count
// of problems. Hashes of all of it are in hashes.json.
//
//   SVC_WRITE_ORACLE=1            writes hashes.json anew, after a change that is meant
//   SVC_RANDOM_RUNS=1             all outputs of all random workspaces; below 0.51 every second one, and
//                                 below 0.34 of most of them only publish, out/ and the preview
//   SVC_KEEP_ORACLE=<folder>      keeps the outputs, to compare with those of another commit (diff -r)
//   SVC_SITE_WORKSPACES=<folder>  also takes each workspace folder in it, compared with its own
//                                 hashes.json, which is written when it is missing

const HASHES = new HashList(join(import.meta.dirname, "hashes.json"));
const isWritten = process.env.SVC_WRITE_ORACLE === "1";
const kept = process.env.SVC_KEEP_ORACLE;
const sites = process.env.SVC_SITE_WORKSPACES;

function outputsNamed(group: string, workspace: OracleWorkspace) {
  try {
    return outputsOf(workspace);
  } catch (cause) {
    throw new Error(`${group}, ${workspace.name}: ${cause}`, { cause });
  }
}

function compare(list: HashList, group: string, workspaces: readonly OracleWorkspace[]): void {
  const found = new Map<string, Record<string, string>>();
  for (const workspace of workspaces) {
    const outputs = outputsNamed(group, isWritten ? { ...workspace, isBrief: false } : workspace);
    if (kept !== undefined) keepOutputs(join(kept, group, workspace.name), outputs);
    const hashes = Array.from(outputs, ([output, files]) => [output, hashOf(files)]);
    found.set(workspace.name, Object.fromEntries(hashes));
  }
  if (isWritten || (list !== HASHES && !list.exists)) list.write(group, found);
  const brief = workspaces.filter(({ isBrief }) => isBrief).map(({ name }) => name);
  const differences = list.differences(group, found, new Set(brief));
  const hint = "SVC_KEEP_ORACLE here and on the commit before shows what differs";
  expect(differences, hint).toEqual([]);
}

it.each([
  ["fixtures", fixtureWorkspaces],
  ["sites", siteWorkspaces],
  ["hidden entries", hiddenWorkspaces],
  ["limits", limitWorkspaces],
  ["random workspaces", () => randomWorkspaces(50, { haveLists: false })],
  ["random workspaces with lists", () => randomWorkspaces(12, { haveLists: true })],
] as const)(
  "R2, R10, H5, P1: what the program makes of workspaces is the same to the byte: %s",
  { timeout: 300_000 },
  (group, workspaces) => compare(HASHES, group, workspaces()),
);

if (sites !== undefined) {
  it("R2, R10, H5, P1: … of the workspace folders that SVC_SITE_WORKSPACES has", {
    timeout: 1_200_000,
  }, () => {
    compare(new HashList(join(sites, "hashes.json")), "sites", workspacesIn(sites));
  });
}
