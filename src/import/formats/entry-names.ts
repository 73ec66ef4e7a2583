import type { Found, FoundDocument } from "./found.ts";

interface Named {
  readonly id: string;
  readonly type: string;
}

/** X24c: the entries of an export by what texts may call them: id, `slug`, path, and the last part of that. */
export class EntryNames {
  readonly #exact = new Map<string, Named[]>();
  readonly #folded = new Map<string, Named[]>();

  add({ id, type, members, names = [] }: FoundDocument): void {
    const addresses = members.flatMap(([name, value]) =>
      name === "slug" || name === "path" ? textsOf(value) : [],
    );
    const all = [id, ...names, ...addresses].map(bare);
    for (const name of new Set([...all, ...all.map((one) => one.split("/").at(-1) ?? one)])) {
      add(this.#exact, name, { id, type });
      add(this.#folded, name.toLowerCase(), { id, type });
    }
  }

  /** @returns its id in the export; undefined: none of these types has the name, or several have it. */
  find(name: string, isAccepted: (type: string) => boolean): string | undefined {
    const wanted = bare(name);
    const of = (known: readonly Named[] = []) => known.filter(({ type }) => isAccepted(type));
    const exact = of(this.#exact.get(wanted));
    const found = exact.length > 0 ? exact : of(this.#folded.get(wanted.toLowerCase()));
    return found.length === 1 ? found[0]?.id : undefined;
  }
}

function add(names: Map<string, Named[]>, name: string, named: Named): void {
  const known = names.get(name);
  if (known === undefined) names.set(name, [named]);
  else if (known.every(({ id }) => id !== named.id)) known.push(named);
}

function bare(name: string): string {
  return name.trim().replace(/^\.?\/+|\/+$/g, "");
}

function textsOf(value: Found): string[] {
  if (value.kind === "localized") return [...value.values.values()].flatMap(textsOf);
  return value.kind === "text" ? [value.tree as string] : [];
}
