import type { EntryKey } from "./shown-entries.ts";
import type { Snapshot } from "./snapshot.ts";

/** Entries that some document shows no more, and those that some document did not show before. */
export class MovedEntries {
  /** The paths of those documents, by the entries' keys. */
  readonly #gone = new Map<EntryKey, string[]>();
  readonly #come = new Map<EntryKey, string[]>();

  get hasGone(): boolean {
    return this.#gone.size > 0;
  }

  /** The document of a path shows it no more. */
  goes(path: string, key: EntryKey): void {
    note(this.#gone, key, path);
  }

  /** The document of a path shows it now. */
  comes(path: string, key: EntryKey): void {
    note(this.#come, key, path);
  }

  /** The documents of an entry that changed. */
  documentsOf(before: EntryKey, after: EntryKey): string[] {
    return [...(this.#gone.get(before) ?? []), ...(this.#come.get(after) ?? [])];
  }

  /** Entries that were in one document and are, under another key, in another one. */
  *changed(
    before: Snapshot,
    after: Snapshot,
    isTold: (key: EntryKey) => boolean,
  ): Generator<{ readonly id: string; readonly was: EntryKey; readonly is: EntryKey }> {
    const come = [...this.#come.keys()].filter((key) => !this.#gone.has(key) && !isTold(key));
    const gone = [...this.#gone.keys()].filter((key) => !this.#come.has(key) && !isTold(key));
    if (come.length === 0) return;
    const byId = new Map(gone.map((key) => [before.entry(key).id, key]));
    if (byId.size === 0) return;
    for (const is of come) {
      const { id } = after.entry(is);
      const was = byId.get(id);
      if (was !== undefined) yield { id, was, is };
    }
  }
}

function note(where: Map<EntryKey, string[]>, key: EntryKey, path: string): void {
  const paths = where.get(key);
  if (paths === undefined) where.set(key, [path]);
  else paths.push(path);
}
