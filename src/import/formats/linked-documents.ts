import { MAXIMUM_DEPTH } from "../../documents/references.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { UnpublishedEdit } from "../format.ts";
import { type Found, type FoundDocument, foundIn, type Member } from "./found.ts";
import type { Notes } from "./notes.ts";
import { isOfSite, type SiteEntry, siteNameOf } from "./site-name.ts";
import {
  type Changed,
  type ResolvedType,
  type StoredContext,
  storedData,
  type Types,
} from "./stored-data.ts";

type Linked = Omit<FoundDocument, "members" | "lost" | "names" | "placeOf"> & {
  /** X9: the locales that its values are in, if all are left out. */
  readonly emptied: readonly string[];
};

/** The documents of an export and the references between them: a few dozen bytes of each. */
export class LinkedDocuments {
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
  readonly #notes: Notes;
  readonly #entryNamed: StoredContext["entryNamed"];
  readonly #numbers = new Map<string, number>();
  readonly #targets: (number[] | undefined)[] = [];
  /** By type; undefined: it has several. */
  readonly #ofSite = new Map<string, SiteEntry | undefined>();

  constructor(types: Types, notes: Notes, entryNamed?: StoredContext["entryNamed"]) {
    this.#types = types;
    this.#notes = notes;
    this.#entryNamed = entryNamed;
    this.addresses = new PageAddresses(types.all.model);
  }

  add({ members, lost: _lost, names: _names, placeOf, ...document }: FoundDocument): void {
    const { id, source, type, draft, changed } = document;
    const number = this.#numberOf(id);
    if (draft) this.draftCount += 1;
    if (changed) this.unpublishedEdits.push({ kind: "entry", id: source });
    const model = this.#types.model(type);
    const targets: number[] = [];
    const data = storedData(members, model, {
      types: this.#types,
      entryNamed: this.#entryNamed,
      onTarget: (target) => targets.push(this.#numberOf(target)),
      onChange: (changed) => {
        const at = placeOf?.(changed.member, changed.locale) ?? source;
        noteChange(changed, at, this.#notes);
      },
    });
    const emptied = Object.keys(data).length === 0 ? localesIn(members) : [];
    if (emptied.length > 0) {
      const at = `${source} (${emptied.join(", ")})`;
      this.#notes.warnAt(
        at,
        ["entry has", "entries have"],
        "no value in a locale that is imported",
      );
    }
    const linked = { ...document, emptied };
    this.documents[number] = linked;
    this.all.push(linked);
    for (const target of targets) this.targets.add(target);
    this.#targets[number] = targets;
    const found = new Map(members);
    const main = this.#types.language?.slice(-1) ?? [];
    const { draftLocales = [] } = document;
    const isDraft = (locale: string) => draftLocales.includes(locale);
    // X3b: other projects show the name and the address too.
    const shown = main.some(isDraft) ? localesIn(members).filter((one) => !isDraft(one)) : main;
    this.names[number] = nameOf(found, model, shown);
    this.addresses.add(number, type, found, shown);
    if (!isOfSite(type)) return;
    const isPublic = !draft && document.publishAt === undefined;
    const texts = isPublic
      ? members.map(([name, value]) => [name, textOf(value, shown)] as const)
      : [];
    this.#ofSite.set(type, this.#ofSite.has(type) ? undefined : { number, texts });
  }

  /** X27: what the export calls its site in an entry. */
  get siteName(): string | undefined {
    const alone = [...this.#ofSite].flatMap(([type, entry]) =>
      entry === undefined || this.targets.has(entry.number) ? [] : [[type, entry] as const],
    );
    return siteNameOf(new Map(alone));
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

/** X24: says of a field how many values it takes in another form than they have, or not at all, and where. */
function noteChange({ field, change }: Changed, at: string, notes: Notes): void {
  const { place = "", definition, basis = "", isGiven } = field;
  const type = `${definition.type}${definition.repeatable ? "[]" : ""}`;
  const how = isGiven ? "" : `; --types ${place}=<type> decides otherwise`;
  const which = `${place} (${type}, ${basis}${how})`;
  if (change === "outlier") {
    const what = `not fit ${which}, stored as written and refused by svc check`;
    notes.warnAt(at, ["value does", "values do"], what);
  } else if (change === "blank") {
    notes.leaveOut("empty values in fields that are no text", 1, place);
  } else if (!isGiven && change === "text") {
    notes.warnAt(at, ["value becomes", "values become"], `text as written in ${which}`);
  } else if (!isGiven) {
    notes.warnAt(at, ["single value becomes", "single values become"], `a list in ${which}`);
  }
}

/** The locales of values; of fields of stated types those that are left out (X9). */
function localesIn(members: readonly Member[]): string[] {
  const all = members.flatMap(([, value]) => {
    if (value.kind === "stated") return value.others;
    return value.kind === "localized" ? [...value.values.keys()] : [];
  });
  return [...new Set(all)].sort(byCodeUnit);
}

/** @param language X3b: the locales that names and addresses are in */
function nameOf(
  members: ReadonlyMap<string, Found>,
  { names }: ResolvedType,
  language: Language,
): string | undefined {
  const texts = names.map((name) => {
    const found = foundIn(members.get(name), language);
    return found?.kind === "stated" ? found.main : found?.kind === "text" && found.tree;
  });
  return texts.find((text) => typeof text === "string" && text.trim() !== "") as string | undefined;
}

/** The fields that a page has its address in, the most telling one first; of an object in it only the first. */
const ADDRESS_FIELDS = ["slug", "url", "path"] as const;
const [SLUG] = ADDRESS_FIELDS;

interface TypeAddresses {
  /** Undefined: it is looked for in the objects that a document has (X1d). */
  readonly member: string | undefined;
  readonly fieldCount: number;
  readonly distinct: Set<string>;
  count: number;
  /** How many are addresses of other sites. */
  foreign: number;
}

class PageAddresses {
  readonly #types = new Map<string, TypeAddresses>();
  readonly #addresses: (string | undefined)[] = [];

  constructor(types: ReadonlyMap<string, ResolvedType>) {
    for (const [id, { fields }] of types) {
      const singles = [...fields].filter(([, { definition }]) => !definition.repeatable);
      const [member] = ADDRESS_FIELDS.flatMap((address) =>
        singles.flatMap(([name, { definition }]) =>
          name.toLowerCase() === address && canHold(definition.type, address) ? [name] : [],
        ),
      );
      const fieldCount = fields.size;
      this.#types.set(id, { member, fieldCount, distinct: new Set(), count: 0, foreign: 0 });
    }
  }

  add(number: number, typeId: string, members: ReadonlyMap<string, Found>, main: Language): void {
    const type = this.#types.get(typeId);
    if (type === undefined) return;
    const { member } = type;
    const value =
      member === undefined ? nestedSlug(members, main) : textOf(members.get(member), main);
    if (typeof value !== "string" || value.trim() === "") return;
    this.#addresses[number] = value;
    type.count += 1;
    type.distinct.add(value);
    if (/^[a-z][a-z0-9+.-]*:/i.test(value.trim())) type.foreign += 1;
  }

  of(number: number): string | undefined {
    return this.#addresses[number];
  }

  /** X1f: how much entries of a type are like pages, the most first: their address is a slug, they have many fields. */
  rank(typeId: string): readonly number[] {
    const { member = SLUG, fieldCount = 0 } = this.#types.get(typeId) ?? {};
    return [Number(member.toLowerCase() !== SLUG), -fieldCount];
  }

  /**
   * X1a: the types whose entries are pages: those that have an address, of which few are of another
   * entry too, as those of buttons and banners are, and few of another site.
   */
  pageTypes(): string[] {
    return [...this.#types]
      .filter(([id, { count, distinct, foreign }]) => {
        if (count === 0 || foreign >= 0.5 * count) return false;
        const [isNoSlug] = this.rank(id);
        // X1h: one doubled address says nothing about the others.
        const isOneTwice = count > 3 && count - distinct.size === 1;
        return distinct.size >= (isNoSlug ? 0.9 : 0.5) * count || isOneTwice;
      })
      .map(([id]) => id);
  }
}

function canHold(type: string, address: (typeof ADDRESS_FIELDS)[number]): boolean {
  // A slug may be an object with `current`.
  return type === "text" || type === "select" || (type === "content-block" && address === SLUG);
}

/** X1d: the slug in one of the objects of a document, as `metadata.slug.current` of Sanity. */
function nestedSlug(members: ReadonlyMap<string, Found>, main: Language): unknown {
  for (const member of members.values()) {
    const value = foundIn(member, main);
    const slug = value?.kind === "block" && namedIn(value.members, SLUG);
    if (slug) return textOf(slug, main);
  }
  return undefined;
}

function textOf(member: Found | undefined, main: Language): unknown {
  const value = foundIn(member, main);
  if (value?.kind === "stated") return value.main;
  if (value?.kind === "block") return namedIn(value.members, "current")?.tree;
  return value !== undefined && "text" in value ? value.text : value?.tree;
}

function namedIn(members: readonly Member[], wanted: string): Found | undefined {
  return members.find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** X1d: an address as the beginning of an id: `/blog/first/` is `blog--first`, `/` is `index`. */
export function addressId(address: string): string {
  const path = address.trim().replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, "");
  return path.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "") || "index";
}

const UNREACHED = MAXIMUM_DEPTH + 1;

export class LinkGraph {
  readonly #targets: readonly (readonly number[] | undefined)[];
  readonly #referenced: ReadonlySet<number>;

  /** @param targets of each entry; undefined: it is only a target. */
  constructor(targets: readonly (readonly number[] | undefined)[]) {
    this.#targets = targets;
    const referenced = new Set<number>();
    for (const [from, all = []] of targets.entries()) {
      for (const to of all) if (to !== from) referenced.add(to);
    }
    this.#referenced = referenced;
  }

  unreferenced(numbers: readonly number[]): number[] {
    return numbers.filter((number) => !this.#referenced.has(number));
  }

  /**
   * The roots that entries need beside `roots`, so that each one is at most 5 references away from
   * one (X1c, E2): those that nothing references, those that are too far away, and the first of each cycle.
   *
   * @param inOrder the entries, in the order in which one of a cycle is taken.
   */
  rootsBeside(
    roots: readonly number[],
    inOrder: readonly number[],
  ): { unreached: number[]; added: number[] } {
    const depths = new Uint8Array(this.#targets.length);
    for (const number of inOrder) depths[number] = UNREACHED;
    const isUnreached = (number: number) => depths[number] === UNREACHED;
    const tooFar = this.#spread(roots, depths);
    const unreached = inOrder.filter(isUnreached);
    const added: number[] = [];
    const add = (sources: readonly number[]) => {
      for (const number of sources) added.push(number);
      return this.#spread(sources, depths);
    };
    const addAll = (sources: readonly number[]) => {
      for (let wave = sources; wave.length > 0; ) {
        wave = add([...new Set(wave)]).filter(isUnreached);
      }
    };
    const unreferenced = this.unreferenced(unreached);
    addAll([...tooFar, ...add(unreferenced)].filter(isUnreached));
    for (const number of unreached) if (isUnreached(number)) addAll([number]);
    return { unreached, added };
  }

  /** Notes the depths from these roots on. Returns what the deepest of them reference. */
  #spread(roots: readonly number[], depths: Uint8Array): number[] {
    for (const root of roots) depths[root] = 0;
    const targetsOf = (number: number) => this.#targets[number] ?? [];
    let level: readonly number[] = roots;
    for (let depth = 1; depth <= MAXIMUM_DEPTH; depth += 1) {
      const next: number[] = [];
      for (const number of level) {
        for (const target of targetsOf(number)) {
          // What is no entry has depth 0.
          if ((depths[target] as number) <= depth) continue;
          depths[target] = depth;
          next.push(target);
        }
      }
      level = next;
    }
    return level.flatMap(targetsOf);
  }
}
