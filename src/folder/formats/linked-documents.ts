import type { UnpublishedEdit } from "../format.ts";
import type { Found, FoundDocument } from "./found.ts";
import { LinkGraph } from "./link-graph.ts";
import { PageAddresses } from "./page-types.ts";
import type { ResolvedType, Types } from "./stored-data.ts";
import { storedData } from "./stored-data.ts";

/** What is held of a document. */
type Linked = Omit<FoundDocument, "members" | "lost">;

/** The documents of an export and the references between them: a few dozen bytes of each. */
export class LinkedDocuments {
  /** In the order of the export. */
  readonly all: Linked[] = [];
  /** By number; undefined: only a target of references. */
  readonly documents: (Linked | undefined)[] = [];
  readonly names: (string | undefined)[] = [];
  readonly addresses: PageAddresses;
  /** The ids in the export, of targets too. */
  readonly ids: string[] = [];
  readonly targets = new Set<number>();
  draftCount = 0;
  readonly unpublishedEdits: UnpublishedEdit[] = [];
  readonly #types: Types;
  readonly #numbers = new Map<string, number>();
  /** By number. */
  readonly #targets: (number[] | undefined)[] = [];

  constructor(types: Types) {
    this.#types = types;
    this.addresses = new PageAddresses(types.all.model);
  }

  add({ members, lost: _lost, ...document }: FoundDocument): void {
    const { id, source, type, draft, changed } = document;
    const number = this.#numberOf(id);
    this.documents[number] = document;
    this.all.push(document);
    if (draft) this.draftCount += 1;
    if (changed) this.unpublishedEdits.push({ kind: "entry", id: source });
    const model = this.#types.model(type);
    const targets: number[] = [];
    storedData(members, model, this.#types, (target) => targets.push(this.#numberOf(target)));
    for (const target of targets) this.targets.add(target);
    this.#targets[number] = targets;
    const found = new Map(members);
    this.names[number] = nameOf(found, model);
    this.addresses.add(number, type, found);
  }

  #numberOf(id: string): number {
    const known = this.#numbers.get(id);
    if (known !== undefined) return known;
    const number = this.ids.length;
    this.#numbers.set(id, number);
    this.ids.push(id);
    return number;
  }

  graph(): LinkGraph {
    this.#targets.length = this.ids.length;
    return new LinkGraph(this.#targets);
  }
}

function nameOf(members: ReadonlyMap<string, Found>, { names }: ResolvedType): string | undefined {
  const texts = names.map((name) => {
    const found = members.get(name);
    return found?.kind === "stated" ? found.main : found?.kind === "text" && found.tree;
  });
  return texts.find((text) => typeof text === "string" && text.trim() !== "") as string | undefined;
}
