import { Prose } from "./prose.ts";
import { Random } from "./random.ts";
import { HUB_MODELS, MODELS, type ModelKey, OWN_MODELS, type SiteField } from "./site-models.ts";

export interface SiteOptions {
  readonly experiences: number;
  readonly seed: number;
  /** The share of entries with references to deleted entries, deleted assets and deleted blocks. */
  readonly dangling: number;
  /** The share of entries that reference a hub. */
  readonly hubs: number;
  /** The share of experiences whose entries form one chain, cut off at depth 5. */
  readonly chains: number;
  readonly projects: number;
}

/** An entry without its values. */
export interface PlannedEntry {
  readonly id: string;
  readonly model: ModelKey;
  /** The entries that it references, from any field. */
  readonly pointers: string[];
  /** The value of its person field. */
  person?: string;
}

export interface PlannedExperience {
  readonly record: { id: string; key: string; name: string; stepIds: readonly string[] };
  readonly steps: readonly Step[];
  readonly entries: readonly PlannedEntry[];
}

interface Step {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly layoutName: string;
  readonly layoutContentId?: string;
}

export const ENTRIES_OF_EXPERIENCE = 10;

/** The reference graph. Every part is computed on demand, so memory use does not grow. */
export class SitePlan {
  readonly options: SiteOptions;
  readonly hubs: number;

  constructor(options: SiteOptions) {
    this.options = options;
    this.hubs = Math.max(8, Math.ceil(options.experiences / 40));
  }

  random(purpose: string, index: number): Random {
    return new Random(this.options.seed, purpose, index);
  }

  /** The id of a record, by its number. */
  id(kind: string, index: number): string {
    return this.random(`id of ${kind}`, index).uuid();
  }

  hub(index: number): PlannedEntry {
    const random = this.random("hub", index);
    const others = random.chance(0.5) ? [this.#hubId(random.integer(0, this.hubs - 1))] : [];
    return { id: this.#hubId(index), model: hubModel(index), pointers: others };
  }

  experience(index: number): PlannedExperience {
    const random = this.random("experience", index);
    const entries = Array.from({ length: ENTRIES_OF_EXPERIENCE }, (_, position): PlannedEntry => {
      const id = this.id("entry", index * ENTRIES_OF_EXPERIENCE + position);
      return { id, model: random.pick(OWN_MODELS), pointers: [] };
    });
    const layouts = random.integer(3, 5);
    this.#connect(entries, layouts, random);
    const steps = this.#steps(entries.slice(0, layouts), index, random);
    const id = this.id("experience", index);
    const record = { id, key: `experience-${index + 1}`, name: new Prose(random).title() };
    return { record: { ...record, stepIds: steps.map((step) => step.id) }, steps, entries };
  }

  #connect(entries: readonly PlannedEntry[], layouts: number, random: Random): void {
    const at = (position: number) => entries[position] as PlannedEntry;
    const last = entries.length - 1;
    const isChain = random.chance(this.options.chains);
    for (let position = layouts; position <= last; position += 1) {
      const parent = isChain ? position - 1 : random.integer(0, position - 1);
      at(parent).pointers.push(at(position).id);
    }
    // Back references: cycles, also of a single entry.
    if (random.chance(0.15)) {
      random.pick(entries).pointers.push(at(random.integer(0, layouts - 1)).id);
    }
    if (random.chance(0.1)) at(last).pointers.push(at(random.integer(layouts, last)).id);
    for (const entry of entries) {
      if (random.chance(this.options.hubs)) this.#pointAtHub(entry, random);
      if (random.chance(this.options.dangling)) entry.pointers.push(random.uuid());
    }
  }

  #pointAtHub(entry: PlannedEntry, random: Random): void {
    const hub = this.#someHub(random);
    const isForPerson = MODELS[entry.model].some(({ models }: SiteField) => models !== undefined);
    if (isForPerson && hubModel(hub) === "person" && random.chance(0.5)) {
      entry.person = this.#hubId(hub);
    } else entry.pointers.push(this.#hubId(hub));
  }

  #steps(layouts: readonly PlannedEntry[], index: number, random: Random): Step[] {
    const prose = new Prose(random);
    const step = (name: string, layoutName: string, layoutContentId?: string): Step => {
      const key = `experience-${index + 1}-${name}`;
      const settings = { id: random.uuid(), key, name: prose.title(), layoutName };
      return { ...settings, ...(layoutContentId !== undefined && { layoutContentId }) };
    };
    const steps = layouts.map(({ id, model }, position) => step(`${position + 1}`, model, id));
    if (random.chance(0.3)) steps.splice(random.integer(0, steps.length), 0, step("blank", "none"));
    if (random.chance(0.05)) {
      steps.push(step("shared", "shared", this.#hubId(this.#someHub(random))));
    }
    return steps;
  }

  /** A few hubs get most of the references. */
  #someHub(random: Random): number {
    return Math.floor(this.hubs * random.share() ** 2);
  }

  #hubId(index: number): string {
    return this.id("hub", index);
  }
}

function hubModel(index: number): ModelKey {
  return HUB_MODELS[index % HUB_MODELS.length] as ModelKey;
}
