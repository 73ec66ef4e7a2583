import { hashed, isHashed, transliterated } from "../../documents/to-id.ts";
import { isId, isKey, isSchemaKeyword } from "../../workspace/ids.ts";

interface KeyOptions {
  /** Of a key that would not begin with a letter. */
  readonly prefix: string;
  /** Whether they are keys of models or blocks (I3). */
  readonly ofTypes?: boolean;
  readonly onChange?: (from: string, to: string) => void;
}

/**
 * X25b: names as keys that are distinct among themselves: unchanged where they are valid; with a hash
 * where another one would have the same key, or where more is lost than blanks and dots.
 */
export class KeyMap {
  readonly #keys = new Map<string, string>();
  readonly #options: KeyOptions;

  constructor(names: Iterable<string>, options: KeyOptions) {
    this.#options = options;
    const all = new Set(names);
    const byKey = Map.groupBy(all, (name) => this.#wanted(name));
    for (const name of all) {
      const key = this.#wanted(name);
      this.#add(name, key === name || byKey.get(key)?.length === 1 ? key : undefined);
    }
  }

  /** @param name may be one that was not given at first. */
  of(name: string): string {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const key = this.#wanted(name);
    const isTaken = key !== name && [...this.#keys.values()].includes(key);
    return this.#add(name, isTaken ? undefined : key);
  }

  /** The id of the type with this name: the name itself, or its key. */
  idOf(name: string): string {
    return isId(name) && !isHashed(name) ? name : this.of(name);
  }

  #add(name: string, wanted: string | undefined): string {
    const key = wanted ?? hashedKey(name, this.#options.prefix);
    this.#keys.set(name, key);
    if (key !== name) this.#options.onChange?.(name, key);
    return key;
  }

  #wanted(name: string): string {
    const { prefix, ofTypes = false } = this.#options;
    const text = transliterated(name);
    const plain = plainKey(text, prefix);
    const key = ofTypes && isSchemaKeyword(plain) ? `${plain}_` : plain;
    const isPlain = /^[\w\s.-]*$/.test(text) && /[A-Za-z0-9]/.test(text);
    return isPlain && isKey(key) && !isHashed(key) ? key : hashedKey(name, prefix);
  }
}

/** Blanks and dots are `_`, as in `my_field`. */
export function plainKey(text: string, prefix: string): string {
  const key = text.replace(/[\s.]/g, "_");
  return /^[A-Za-z]/.test(key) ? key : `${prefix}${key}`;
}

function hashedKey(name: string, prefix: string): string {
  const text = transliterated(name.slice(0, 256)).replace(/[^\w-]+/g, "_");
  const key = plainKey(text.replace(/^_+/, ""), prefix).slice(0, 128);
  return hashed(key.replace(/_+$/, ""), name, "_");
}

/** X25c: names beside those that are taken. */
export class FreeNames {
  readonly #taken: Set<string>;
  readonly #fold: (name: string) => string;

  /** @param fold makes names that count as equal the same. */
  constructor(taken: readonly string[], fold = (name: string) => name) {
    this.#taken = new Set(taken.map(fold));
    this.#fold = fold;
  }

  /** Takes the wanted name, else one with a hash of its owner. */
  take(wanted: string, owner: string, separator?: string): string {
    let name = wanted;
    for (let text = owner; this.#taken.has(this.#fold(name)); text += " ") {
      name = hashed(wanted, text, separator);
    }
    this.#taken.add(this.#fold(name));
    return name;
  }
}
