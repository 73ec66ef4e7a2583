import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { ContentTypeField } from "./export-file.ts";
import { fieldName } from "./filter-records.ts";
import type { ImportedType } from "./types.ts";

/** The fields that a page has its address in, the most telling one first. */
const ADDRESS_FIELDS = ["slug", "url", "path"];

/** What is known about the addresses of a content type. */
interface TypeAddresses {
  readonly key: string;
  readonly distinct: Set<string>;
  count: number;
  /** How many are addresses of other sites. */
  foreign: number;
}

/** The addresses that entries have in a field for it. */
export class PageAddresses {
  /** By content type. */
  readonly #types = new Map<string, TypeAddresses>();
  readonly #addresses: (string | undefined)[] = [];

  constructor(types: readonly ImportedType[]) {
    for (const { id, fields } of types) {
      const [key] = ADDRESS_FIELDS.flatMap((name) =>
        fields.filter(([, field]) => fieldName(field).toLowerCase() === name && isText(field)),
      ).map(([key]) => key);
      if (key !== undefined) {
        this.#types.set(id, { key, distinct: new Set(), count: 0, foreign: 0 });
      }
    }
  }

  /** @param data the entry's stored values. */
  add(number: number, { id }: ImportedType, data: JsonObject): void {
    const type = this.#types.get(id);
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
   * The content types whose entries are pages: those that have an address, of which few are of another
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

function isText({ type }: ContentTypeField): boolean {
  return type === "Symbol" || type === "Text";
}

/** An address as the beginning of an id: `/blog/first/` is `blog-first`, `/` is `index`. */
export function addressId(address: string): string {
  const path = address.trim().replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "") || "index";
}
