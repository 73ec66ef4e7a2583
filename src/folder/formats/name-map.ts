import { isKey, isSchemaKeyword } from "../../workspace/ids.ts";

/**
 * Maps the names of an export to valid ids or keys: unchanged where they are valid, and always distinct. A
 * converted name never takes the place of a valid one.
 */
export class NameMap {
  /** Of the names that are not mapped to themselves. */
  readonly #changed = new Map<string, string>();
  /** What is mapped to a name; undefined: nothing. */
  readonly #used = new Map<string, string | undefined>();
  /** The next number for names that are converted to the same. */
  readonly #next = new Map<string, number>();
  readonly #convert: (name: string) => string;
  readonly #fold: (name: string) => string;
  readonly #onChange: (from: string, to: string) => void;

  constructor(
    convert: (name: string) => string,
    options: {
      /** Known names, in the order in which they are mapped. Others may follow. */
      readonly names?: Iterable<string>;
      readonly taken?: Iterable<string>;
      /** Whether names that differ only in letter case count as equal. */
      readonly ignoreCase?: boolean;
      readonly onChange?: (from: string, to: string) => void;
    } = {},
  ) {
    this.#convert = convert;
    this.#fold = options.ignoreCase ? (name) => name.toLowerCase() : (name) => name;
    this.#onChange = options.onChange ?? (() => {});
    for (const name of options.taken ?? []) this.#used.set(this.#fold(name), undefined);
    const names = [...(options.names ?? [])];
    for (const name of names) if (this.#convert(name) === name) this.of(name);
    for (const name of names) this.of(name);
  }

  of(original: string): string {
    if (this.#used.get(this.#fold(original)) === original) return original;
    const known = this.#changed.get(original);
    if (known !== undefined) return known;
    const name = this.another(original);
    if (name === original) this.#used.set(this.#fold(name), original);
    else {
      this.#changed.set(original, name);
      this.#onChange(original, name);
    }
    return name;
  }

  /** A name of its own, also for an original that has one. */
  another(original: string): string {
    const converted = this.#convert(original);
    let name = converted;
    for (let n = this.#next.get(converted) ?? 2; this.#used.has(this.#fold(name)); n += 1) {
      name = `${converted.slice(0, 120)}-${n}`;
      this.#next.set(converted, n + 1);
    }
    this.#used.set(this.#fold(name), undefined);
    return name;
  }
}

/** Converts texts to keys (I2); those that do not begin with a letter get the prefix. */
export function toKey(prefix: string): (text: string) => string {
  return (text) => {
    if (isKey(text)) return text;
    const key = text.replace(/[^A-Za-z0-9_-]/g, "_");
    return (/^[A-Za-z]/.test(key) ? key : `${prefix}${key}`).slice(0, 128);
  };
}

/** Converts a text to the key of a model (I2, I3). */
export function toModelKey(text: string): string {
  const key = toKey("type_")(text);
  return isSchemaKeyword(key) ? `${key}_` : key;
}
