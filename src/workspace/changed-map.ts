/** With more changes than this a map is copied. */
const MOST = 1000;

/**
 * A map that differs from another in few keys: a copy of 100,000 would take longer than all else that
 * a saved file needs. What is new comes last.
 */
class ChangedMap<K, V> implements ReadonlyMap<K, V> {
  readonly base: ReadonlyMap<K, V>;
  readonly put: ReadonlyMap<K, V>;
  /** Of the keys of the base. */
  readonly removed: ReadonlySet<K>;
  readonly size: number;

  constructor({ base, put, removed }: Changes<K, V>) {
    this.base = base;
    this.put = put;
    this.removed = removed;
    const added = [...put.keys()].filter((key) => !base.has(key)).length;
    this.size = base.size - removed.size + added;
  }

  get(key: K): V | undefined {
    return this.put.get(key) ?? (this.removed.has(key) ? undefined : this.base.get(key));
  }

  has(key: K): boolean {
    return this.put.has(key) || (this.base.has(key) && !this.removed.has(key));
  }

  *entries(): MapIterator<[K, V]> {
    for (const [key, value] of this.base) {
      if (!this.removed.has(key)) yield [key, this.put.get(key) ?? value];
    }
    for (const entry of this.put) if (!this.base.has(entry[0])) yield entry;
  }

  *keys(): MapIterator<K> {
    for (const [key] of this.entries()) yield key;
  }

  *values(): MapIterator<V> {
    for (const [, value] of this.entries()) yield value;
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(each: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) each(value, key, this);
  }
}

type Changes<K, V> = Pick<ChangedMap<K, V>, "base" | "put" | "removed">;

function changesOf<K, V>(map: ReadonlyMap<K, V>): Changes<K, V> {
  return map instanceof ChangedMap ? map : { base: map, put: new Map(), removed: new Set() };
}

/** The map with these changes; it is the same object if there are none. */
export function changedMap<K, V>(
  before: ReadonlyMap<K, V>,
  change: { readonly put: ReadonlyMap<K, V>; readonly removed: readonly K[] },
): ReadonlyMap<K, V> {
  if (change.put.size === 0 && change.removed.length === 0) return before;
  if (before.size === 0) return change.put;
  const { base, ...old } = changesOf(before);
  const removed = new Set(old.removed);
  const put = new Map(old.put);
  for (const key of change.removed) {
    put.delete(key);
    if (base.has(key)) removed.add(key);
  }
  for (const [key, value] of change.put) {
    removed.delete(key);
    put.set(key, value);
  }
  const changed = new ChangedMap({ base, put, removed });
  return put.size + removed.size > MOST ? new Map(changed) : changed;
}

/** The keys of values that may differ; undefined: any may. */
export function maybeChanged<K, V>(
  before: ReadonlyMap<K, V>,
  after: ReadonlyMap<K, V>,
): ReadonlySet<K> | undefined {
  const [was, is] = [changesOf(before), changesOf(after)];
  if (was.base !== is.base) return undefined;
  const keys = [was, is].flatMap(({ put, removed }) => [...put.keys(), ...removed]);
  return new Set(keys);
}
