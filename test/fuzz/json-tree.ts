/** A parsed JSON text that can be serialized incorrectly: members are a list. */
export type JsonTree =
  | { readonly kind: "raw"; text: string }
  | { readonly kind: "array"; items: JsonTree[] }
  | { readonly kind: "object"; members: [name: string, value: JsonTree][] };

export function raw(text: string): JsonTree {
  return { kind: "raw", text };
}

export function toTree(value: unknown): JsonTree {
  if (typeof value !== "object" || value === null) return raw(JSON.stringify(value));
  if (Array.isArray(value)) return { kind: "array", items: value.map(toTree) };
  const members = Object.entries(value).map(([name, member]): [string, JsonTree] => [
    JSON.stringify(name),
    toTree(member),
  ]);
  return { kind: "object", members };
}

export function textOf(tree: JsonTree): string {
  if (tree.kind === "raw") return tree.text;
  if (tree.kind === "array") return `[${tree.items.map(textOf).join(",")}]`;
  return `{${tree.members.map(([name, value]) => `${name}:${textOf(value)}`).join(",")}}`;
}

/** A value of a tree, with operations on it. */
export interface Place {
  readonly value: JsonTree;
  put(value: JsonTree): void;
  delete(): void;
  /** Duplicates the member or element. */
  repeat(value: JsonTree): void;
  /** Renames a member (to a JSON text); absent for elements. */
  rename(name: string): void;
}

/** The places of all values below the root. */
export function placesIn(tree: JsonTree): Place[] {
  if (tree.kind === "raw") return [];
  const list: unknown[] = tree.kind === "array" ? tree.items : tree.members;
  return [...list.keys()].flatMap((index) => {
    const element = list[index];
    const named = tree.kind === "object" ? (element as [string, JsonTree]) : undefined;
    const value = named?.[1] ?? (element as JsonTree);
    const entry = (given: JsonTree, name = named?.[0]) =>
      name === undefined ? given : [name, given];
    const place: Place = {
      value,
      put: (given) => void list.splice(index, 1, entry(given)),
      delete: () => void list.splice(index, 1),
      repeat: (given) => void list.splice(index, 0, entry(given)),
      rename: (name) => void (named && list.splice(index, 1, entry(value, name))),
    };
    return [place, ...placesIn(value)];
  });
}
