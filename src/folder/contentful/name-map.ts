import { isId, isKey, isSchemaKeyword } from "../../workspace/ids.ts";

/**
 * Names that a workspace takes, made of names that Contentful takes: the same where they fit. Two
 * names never become one, and a name that is only made never takes the place of one that fits.
 */
export class Names {
  readonly #byOriginal = new Map<string, string>();
  readonly #taken = new Set<string>();
  readonly #fit: (name: string) => string;
  readonly #fold: (name: string) => string;
  readonly #onChange: (from: string, to: string) => void;

  constructor(
    fit: (name: string) => string,
    options: {
      /** The names to come, in order. Others may come later. */
      readonly names?: Iterable<string>;
      /** Names that differ only in letter case are the same. */
      readonly ignoreCase?: boolean;
      readonly onChange?: (from: string, to: string) => void;
    } = {},
  ) {
    this.#fit = fit;
    this.#fold = options.ignoreCase ? (name) => name.toLowerCase() : (name) => name;
    this.#onChange = options.onChange ?? (() => {});
    const names = [...(options.names ?? [])];
    for (const name of names) if (this.#fit(name) === name) this.of(name);
    for (const name of names) this.of(name);
  }

  of(original: string): string {
    const known = this.#byOriginal.get(original);
    if (known !== undefined) return known;
    const fitting = this.#fit(original);
    let name = fitting;
    for (let n = 2; this.#taken.has(this.#fold(name)); n += 1)
      name = `${fitting.slice(0, 120)}-${n}`;
    this.#taken.add(this.#fold(name));
    this.#byOriginal.set(original, name);
    if (name !== original) this.#onChange(original, name);
    return name;
  }
}

/** I1. */
export function fittingId(text: string): string {
  if (isId(text)) return text;
  const id = text.replace(/[^A-Za-z0-9._-]/g, "-").slice(0, 128);
  return id.replace(/^\.|\.$/g, "-") || "-";
}

/** I2. `prefix` stands before what begins with no letter. */
export function fittingKey(prefix: string): (text: string) => string {
  return (text) => {
    if (isKey(text)) return text;
    const key = text.replace(/[^A-Za-z0-9_-]/g, "_");
    return (/^[A-Za-z]/.test(key) ? key : `${prefix}${key}`).slice(0, 128);
  };
}

/** I2 and I3. */
export function fittingModelKey(text: string): string {
  const key = fittingKey("type_")(text);
  return isSchemaKeyword(key) ? `${key}_` : key;
}
