import { existsSync, readFileSync, writeFileSync } from "node:fs";

/** By name of a workspace: its outputs with their hashes, as one line, so that the file is short. */
type Group = Readonly<Record<string, string>>;

type Hashes = Readonly<Record<string, string>>;

/** A file of hashes: by group, by workspace. */
export class HashList {
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
    const names = new Set([...Object.keys(expected), ...found.keys()]);
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
