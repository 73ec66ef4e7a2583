import {
  assertFewKeys,
  type KeyValueChange,
  type KeyValueStore,
} from "../../../src/deploy/key-value-store.ts";

/** A KeyValueStore in memory. */
export class MemoryKeyValueStore implements KeyValueStore {
  readonly arn = "arn:aws:cloudfront::123456789012:key-value-store/memory";
  /** The stored values. */
  values: ReadonlyMap<string, string>;
  /** The changes made by `update`, in order. */
  readonly updates: KeyValueChange[] = [];
  /** Awaited before each operation; throws to make it fail. */
  before: (operation: "read" | "update") => unknown = () => {};
  /** This number of next updates are made but return "stale", as if a retry followed a lost response. */
  lostResponses = 0;
  #version = 1;

  constructor(values: Iterable<readonly [string, string]> = []) {
    this.values = new Map(values);
  }

  async read() {
    await this.before("read");
    return { etag: this.#etag(), values: this.values };
  }

  async update(etag: string, change: KeyValueChange): Promise<{ etag: string } | "stale"> {
    const { puts = new Map<string, string>(), deletes = [] } = change;
    assertFewKeys(change);
    await this.before("update");
    if (etag !== this.#etag()) return "stale";
    const values = new Map(this.values);
    for (const key of deletes) values.delete(key);
    for (const [key, value] of puts) values.set(key, value);
    this.#replaceValues(values);
    this.updates.push(change);
    if (this.lostResponses === 0) return { etag: this.#etag() };
    this.lostResponses -= 1;
    return "stale";
  }

  /** A write by another program. */
  write(key: string, value: string): void {
    this.#replaceValues(new Map(this.values).set(key, value));
  }

  #etag(): string {
    return `ETAG${this.#version}`;
  }

  #replaceValues(values: ReadonlyMap<string, string>): void {
    this.values = values;
    this.#version += 1;
  }
}
