import type { JsonObject, JsonValue } from "../../workspace/json.ts";

/** A type of entries with its fields of single texts. */
export interface TypeWithTexts {
  readonly id: string;
  readonly texts: readonly (readonly [key: string, name: string])[];
}

/** The fields that a page has its address in, the most telling one first. */
const ADDRESS_FIELDS = ["slug", "url", "path"];

/** What is known about the addresses of a type. */
interface TypeAddresses {
  readonly key: string;
  readonly distinct: Set<string>;
  count: number;
  /** How many are addresses of other sites. */
  foreign: number;
}

/** The addresses that entries have in a field for it. */
export class PageAddresses {
  /** By type. */
  readonly #types = new Map<string, TypeAddresses>();
  readonly #addresses: (string | undefined)[] = [];

  constructor(types: readonly TypeWithTexts[]) {
    for (const { id, texts } of types) {
      const [key] = ADDRESS_FIELDS.flatMap((address) =>
        texts.filter(([, name]) => name.toLowerCase() === address),
      ).map(([key]) => key);
      if (key !== undefined) {
        this.#types.set(id, { key, distinct: new Set(), count: 0, foreign: 0 });
      }
    }
  }

  /** @param data the entry's stored values. */
  add(number: number, typeId: string, data: JsonObject): void {
    const type = this.#types.get(typeId);
    const value: JsonValue | undefined = type && data[type.key];
    if (type === undefined || typeof value !== "string" || value.trim() === "") return;
    this.#addresses[number] = value;
    type.count += 1;
    type.distinct.add(value);
    if (/^[a-z][a-z0-9+.-]*:/i.test(value.trim())) type.foreign += 1;
  }

  of(number: number): string | undefined {
    return this.#addresses[number];
  }

  /**
   * The types whose entries are pages: those that have an address, of which few are of another
   * entry too, as those of buttons and banners are, and few of another site.
   */
  pageTypes(): string[] {
    return [...this.#types]
      .filter(([, { count, distinct, foreign }]) => {
        return count > 0 && distinct.size >= 0.9 * count && foreign < 0.5 * count;
      })
      .map(([id]) => id);
  }
}

/** An address as the beginning of an id: `/blog/first/` is `blog-first`, `/` is `index`. */
export function addressId(address: string): string {
  const path = address.trim().replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "") || "index";
}
