import type { Found } from "./found.ts";
import type { ResolvedType } from "./stored-data.ts";

/** The fields that a page has its address in, the most telling one first. */
const ADDRESS_FIELDS = ["slug", "url", "path"];

/** What is known about the addresses of a type. */
interface TypeAddresses {
  /** The member that has it. */
  readonly member: string;
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

  constructor(types: ReadonlyMap<string, ResolvedType>) {
    for (const [id, { fields }] of types) {
      const texts = [...fields].flatMap(
        ([
          name,
          {
            definition: { type, repeatable },
          },
        ]) => ((type === "text" || type === "select") && !repeatable ? [name] : []),
      );
      const [member] = ADDRESS_FIELDS.flatMap((address) =>
        texts.filter((name) => name.toLowerCase() === address),
      );
      if (member !== undefined) {
        this.#types.set(id, { member, distinct: new Set(), count: 0, foreign: 0 });
      }
    }
  }

  add(number: number, typeId: string, members: ReadonlyMap<string, Found>): void {
    const type = this.#types.get(typeId);
    const value = type && textOf(members.get(type.member));
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

function textOf(value: Found | undefined): unknown {
  if (value?.kind === "stated") return value.main;
  return value !== undefined && "text" in value ? value.text : value?.tree;
}

/** An address as the beginning of an id: `/blog/first/` is `blog-first`, `/` is `index`. */
export function addressId(address: string): string {
  const path = address.trim().replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "") || "index";
}
