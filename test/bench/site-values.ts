import { type Letters, Prose } from "./prose.ts";
import type { Random } from "./random.ts";
import { BLOCKS, DELETED_BLOCK, MODELS, type SiteField } from "./site-models.ts";
import type { PlannedEntry, SitePlan } from "./site-plan.ts";

type Data = Record<string, unknown>;

/** The number of assets. */
export function assetCounts({ options }: SitePlan): { images: number; pages: number } {
  const { experiences } = options;
  return { images: Math.max(50, experiences), pages: Math.max(10, Math.ceil(experiences / 100)) };
}

/** The values of an entry; `index` is its position among all. */
export function dataOf(plan: SitePlan, entry: PlannedEntry, index: number): Data {
  const random = plan.random("values", index);
  const letters = random.chance(0.1) ? "any" : random.chance(0.2) ? "latin1" : "ascii";
  const left = [...entry.pointers];
  const values = new Values(plan, random, letters, left);
  const fields: readonly SiteField[] = MODELS[entry.model];
  const data = values.of(fields);
  // The last reference field takes the remaining references.
  const last = fields.findLast(isLink);
  const [first] = left;
  if (last !== undefined && first !== undefined) {
    data[last.key] = last.repeatable ? left.map(pointer) : pointer(first);
  }
  const forPerson = fields.find(({ models }) => models !== undefined);
  if (entry.person !== undefined && forPerson) data[forPerson.key] = pointer(entry.person);
  return data;
}

class Values {
  readonly #plan: SitePlan;
  readonly #random: Random;
  readonly #prose: Prose;
  /** The references that are not in a field yet. */
  readonly #left: string[];
  readonly #assets: { images: number; pages: number };

  constructor(plan: SitePlan, random: Random, letters: Letters, left: string[]) {
    this.#plan = plan;
    this.#random = random;
    this.#prose = new Prose(random, letters);
    this.#left = left;
    this.#assets = assetCounts(plan);
  }

  of(fields: readonly SiteField[]): Data {
    const data: Data = {};
    for (const field of fields) {
      const value = this.#value(field);
      if (value !== undefined) data[field.key] = value;
    }
    return data;
  }

  #value(field: SiteField): unknown {
    const random = this.#random;
    switch (field.type) {
      case "text":
        return this.#text(field);
      case "number":
        return random.chance(0.5) ? random.integer(0, 5000) : random.integer(0, 500_000) / 100;
      case "boolean":
        return random.chance(0.5);
      case "date-time":
        return new Date(Date.UTC(2019, 0, 1) + random.integer(0, 2e8) * 1000).toISOString();
      case "asset":
        if (random.chance(0.1)) return undefined;
        return { assetId: this.#plan.id("image", random.integer(0, this.#assets.images - 1)) };
      case "html-asset":
        return { assetId: this.#plan.id("html", random.integer(0, this.#assets.pages - 1)) };
      case "content-block":
        if (!field.repeatable) return this.#block(field.category);
        return Array.from({ length: random.integer(0, 3) }, () => this.#block(field.category));
      default:
        return this.#link(field);
    }
  }

  #text({ key, length }: SiteField): string {
    if (key === "slug") return this.#prose.slug();
    if (key === "url") return `https://example.com/${this.#prose.slug()}`;
    return length === undefined ? this.#prose.title() : this.#prose.text(...length);
  }

  #block(category: string | undefined): unknown {
    const fitting = Object.keys(BLOCKS).filter(
      (key) => category === undefined || BLOCKS[key]?.category === category,
    );
    const isDeleted = this.#random.chance(this.#plan.options.dangling);
    const key = isDeleted ? DELETED_BLOCK : this.#random.pick(fitting);
    const data = this.of(BLOCKS[key]?.fields ?? []);
    return { contentBlockId: this.#plan.id(`block ${key}`, 0), data };
  }

  /** Single fields take a reference in half of all cases; repeatable ones and the last take all. */
  #link(field: SiteField): unknown {
    if (!isLink(field)) return undefined;
    if (field.repeatable) return this.#left.splice(0).map(pointer);
    const id = this.#random.chance(0.5) ? this.#left.shift() : undefined;
    return id === undefined ? undefined : pointer(id);
  }
}

function isLink({ type, models }: SiteField): boolean {
  return type === "reference" && models === undefined;
}

function pointer(contentEntryId: string): { contentEntryId: string } {
  return { contentEntryId };
}
