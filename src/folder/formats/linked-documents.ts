import type { FoundDocument } from "./found.ts";
import { LinkGraph, NumberColumn } from "./link-graph.ts";
import type { Notes } from "./notes.ts";
import { PageAddresses } from "./page-types.ts";
import type { ResolvedTypes } from "./resolved-types.ts";
import type { RootsContext } from "./roots.ts";
import { storedData } from "./stored-data.ts";

/** The documents of an export and the references between them: a few dozen bytes of each. */
export class LinkedDocuments {
  readonly #types: ResolvedTypes;
  readonly #numbers = new Map<string, number>();
  readonly #ids: string[] = [];
  readonly #typeIds: (string | undefined)[] = [];
  readonly #drafts = new Set<number>();
  readonly #names: (string | undefined)[] = [];
  readonly #from = new NumberColumn();
  readonly #to = new NumberColumn();
  readonly #addresses: PageAddresses;
  /** How many documents there are. */
  size = 0;
  draftCount = 0;

  constructor(types: ResolvedTypes) {
    this.#types = types;
    this.#addresses = new PageAddresses(types.withTexts());
  }

  add({ id, type, members, draft }: FoundDocument): void {
    const number = this.#numberOf(id);
    this.size += 1;
    this.#typeIds[number] = type;
    if (draft) {
      this.#drafts.add(number);
      this.draftCount += 1;
    }
    const onTarget = (target: string) => {
      this.#from.push(number);
      this.#to.push(this.#numberOf(target));
    };
    const data = storedData(members, this.#types.model(type), this.#types, onTarget);
    const texts = new Map(members.map(([name, { kind, tree }]) => [name, kind === "text" && tree]));
    const isName = (text: unknown) => typeof text === "string" && text.trim() !== "";
    this.#names[number] = NAMES.map((name) => texts.get(name)).find(isName) as string | undefined;
    this.#addresses.add(number, type, data);
  }

  #numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.#ids.length;
    this.#numbers.set(id, number);
    this.#ids.push(id);
    return number;
  }

  context(notes: Notes): RootsContext {
    return {
      typeIds: this.#ids.map((_, number) => this.#typeIds[number]),
      idOf: (number) => this.#ids[number] as string,
      isDraft: (number) => this.#drafts.has(number),
      names: this.#names,
      addresses: this.#addresses,
      graph: new LinkGraph(this.#ids.length, this.#from, this.#to),
      modelKeyOf: (type) => this.#types.model(type).key,
      notes,
      languages: [],
    };
  }
}

/** The members that name a document, the most telling one first. */
const NAMES = ["title", "name", "heading", "headline", "label"];
