import { addressOfFilePath } from "../documents/address.ts";
import { type EntryKey, shownEntry } from "./shown-entries.ts";

/** Entries that disappeared from a document, and those that appeared in one. */
export class MovedEntries {
  /** The paths of those documents, by the entries' keys. */
  readonly #disappeared = new Map<EntryKey, string[]>();
  readonly #appeared = new Map<EntryKey, string[]>();

  get hasDisappeared(): boolean {
    return this.#disappeared.size > 0;
  }

  disappears(path: string, key: EntryKey): void {
    note(this.#disappeared, key, path);
  }

  appears(path: string, key: EntryKey): void {
    note(this.#appeared, key, path);
  }

  /** The documents of an entry that changed. */
  documentsOf(before: EntryKey, after: EntryKey): string[] {
    return [...(this.#disappeared.get(before) ?? []), ...(this.#appeared.get(after) ?? [])];
  }

  /** Entries that moved to another document, under another key. */
  *changed(
    isReported: (key: EntryKey) => boolean,
  ): Generator<{ readonly was: EntryKey; readonly is: EntryKey }> {
    const come = [...this.#appeared.keys()].filter(
      (key) => !this.#disappeared.has(key) && !isReported(key),
    );
    const gone = [...this.#disappeared.keys()].filter(
      (key) => !this.#appeared.has(key) && !isReported(key),
    );
    if (come.length === 0) return;
    const byId = Map.groupBy(gone, (key) => shownEntry(key).id);
    if (byId.size === 0) return;
    for (const is of come) {
      const projects = projectsOf(this.#appeared.get(is));
      const sameId = byId.get(shownEntry(is).id) ?? [];
      // B1: the entry may have another text in each project.
      const isNear = (key: EntryKey) =>
        projectsOf(this.#disappeared.get(key)).some((one) => projects.includes(one));
      const was = sameId.find(isNear) ?? sameId[0];
      if (was !== undefined) yield { was, is };
    }
  }
}

function projectsOf(paths: readonly string[] = []): (string | undefined)[] {
  return [...new Set(paths.map((path) => addressOfFilePath(path)?.projectId))];
}

function note(where: Map<EntryKey, string[]>, key: EntryKey, path: string): void {
  const paths = where.get(key);
  if (paths === undefined) where.set(key, [path]);
  else paths.push(path);
}
