import { readdirSync } from "node:fs";
import { join } from "node:path";

/**
 * The names in a folder and below it, as the file system lists them. Opening a path proves nothing:
 * where letter case does not matter, `entries` opens `Entries`.
 */
export class ListedNames {
  readonly #folder: string;
  readonly #names = new Map<string, ReadonlySet<string>>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Whether every segment of the path is listed with these letters. */
  has(...segments: readonly string[]): boolean {
    let folder = this.#folder;
    return segments
      .filter((segment) => segment !== "" && segment !== ".")
      .every((segment) => {
        const names = this.#namesIn(folder);
        folder = join(folder, segment);
        return names.has(segment.normalize());
      });
  }

  #namesIn(folder: string): ReadonlySet<string> {
    let names = this.#names.get(folder);
    if (names === undefined) {
      // Some file systems list names in another Unicode normalization than they were given.
      names = new Set(readdirSync(folder).map((name) => name.normalize()));
      this.#names.set(folder, names);
    }
    return names;
  }
}
