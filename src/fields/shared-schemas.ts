import { createHash } from "node:crypto";
import type { JsonObject } from "../workspace/json.ts";

/** S11: the definitions that fields share. Each is made when the first field refers to it. */
export class SharedSchemas {
  readonly #at: string;
  readonly #schemas = new Map<string, JsonObject>();

  /** @param at where they stand in their document (`#/…`). */
  constructor(at: string) {
    this.#at = at;
  }

  /** A reference to the definition; `make` is told its place, if it refers to itself. */
  ref(name: string, make: (at: string) => JsonObject): JsonObject {
    const at = `${this.#at}/${name}`;
    if (!this.#schemas.has(name)) {
      // Before it is made, since definitions may refer to each other.
      this.#schemas.set(name, {});
      this.#schemas.set(name, make(at));
    }
    return { $ref: at };
  }

  /** By name. */
  get schemas(): JsonObject {
    return Object.fromEntries(this.#schemas);
  }
}

/** The records that a field accepts, in their own order; the whole list when it limits nothing. */
export function acceptedOf<R extends { readonly key: string }>(
  all: readonly R[],
  keys: readonly string[] | undefined,
): readonly R[] {
  if (keys === undefined) return all;
  const accepted = new Set(keys);
  const some = all.filter(({ key }) => accepted.has(key));
  return some.length === all.length ? all : some;
}

/** Longer names are replaced by a hash. */
const READABLE = 60;

/**
 * S11: the name of the definition of a set of accepted records. No key begins with a digit or has a
 * dot, so names never collide.
 */
export function setName(
  kind: string,
  accepted: readonly { readonly key: string }[],
  all: readonly unknown[],
): string {
  if (accepted.length === all.length) return kind;
  const keys = accepted.map(({ key }) => key).join(".");
  if (keys === "") return `${kind}.0`;
  return `${kind}.${keys.length <= READABLE ? keys : `${accepted.length}-${shortHash(keys)}`}`;
}

export function shortHash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}
