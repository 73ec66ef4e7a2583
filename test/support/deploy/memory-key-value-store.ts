import {
  type KeyValueChange,
  type KeyValueStore,
  MOST_KEYS,
} from "../../../src/deploy/key-value-store.ts";
import { SvcError } from "../../../src/workspace/errors.ts";

/** CloudFront's limits, in bytes. */
const LONGEST = { key: 512, value: 1_024 };

/** A KeyValueStore in memory. */
export class MemoryKeyValueStore implements KeyValueStore {
  readonly arn = "arn:aws:cloudfront::123456789012:key-value-store/memory";
  /** What is stored now. */
  values: ReadonlyMap<string, string>;
  /** The changes that were made by `update`, in order. */
  readonly updates: KeyValueChange[] = [];
  /** Awaited before each operation, which fails with what it throws. */
  before: (operation: "read" | "update") => unknown = () => {};
  /** So many updates to come are carried out, and "stale" is their answer: it got lost, and the retry was refused. */
  lostAnswers = 0;
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
    const keys = [...puts.keys(), ...deletes];
    if (keys.length > MOST_KEYS) throw new RangeError(`${keys.length} keys in one update`);
    await this.before("update");
    refuseInvalid(keys, [...puts.values()]);
    if (etag !== this.#etag()) return "stale";
    const values = new Map(this.values);
    for (const key of deletes) values.delete(key);
    for (const [key, value] of puts) values.set(key, value);
    this.#become(values);
    this.updates.push(change);
    if (this.lostAnswers === 0) return { etag: this.#etag() };
    this.lostAnswers -= 1;
    return "stale";
  }

  /** A write of another program. */
  write(key: string, value: string): void {
    this.#become(new Map(this.values).set(key, value));
  }

  #etag(): string {
    return `ETAG${this.#version}`;
  }

  #become(values: ReadonlyMap<string, string>): void {
    this.values = values;
    this.#version += 1;
  }
}

/** @throws SvcError `kvs-refused`. */
function refuseInvalid(keys: readonly string[], values: readonly string[]): void {
  const isInvalid =
    keys.length === 0 ||
    new Set(keys).size < keys.length ||
    keys.some((key) => key === "" || Buffer.byteLength(key) > LONGEST.key) ||
    values.some((value) => Buffer.byteLength(value) > LONGEST.value);
  if (isInvalid) throw new SvcError("kvs-refused", "a key or a value is not valid");
}
