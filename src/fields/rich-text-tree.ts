import { didYouMean } from "../workspace/did-you-mean.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../workspace/json.ts";
import type { MalformedRichText } from "../workspace/value-messages.ts";

export type PointerKind = "reference" | "asset" | "block";

interface TreeVisitor {
  /** The value in place of a pointer; undefined: none. */
  pointer(kind: PointerKind, stored: JsonObject): JsonValue | undefined;
  /** Whether a node is kept. */
  isServed?(node: JsonObject): boolean;
  /** Meets the name of a node or a mark; undefined: it has none. */
  named?(option: "nodeTypes" | "marks", name: string | undefined): void;
  /** Meets an object that would be read as a served pointer. */
  reserved?(): void;
  /** Meets what is surely a mistake, though it is served as it is stored. */
  malformed?(what: MalformedRichText): void;
  /** Moves one step down, until `leave`. */
  enter?(segment: string | number): void;
  leave?(): void;
}

/** V11a: the kind of pointer of which this is exactly the stored form. */
export function pointerKind(value: JsonValue): PointerKind | undefined {
  if (!isJsonObject(value)) return undefined;
  const names = Object.keys(value);
  if (names.length > 2) return undefined;
  const isText = (name: string) => typeof ownMember(value, name) === "string";
  if (names.length === 1) {
    return isText("contentEntryId") ? "reference" : isText("assetId") ? "asset" : undefined;
  }
  if (isText("assetId")) return isText("versionId") ? "asset" : undefined;
  return isText("contentBlockId") && isJsonObject(ownMember(value, "data")) ? "block" : undefined;
}

const POINTER_MEMBERS = ["contentEntryId", "assetId", "contentBlockId"] as const;

/** V11g: the member by which an object that is no pointer seems to be meant as one. */
function nearPointer(value: JsonObject): MalformedRichText | undefined {
  const member = POINTER_MEMBERS.find((name) => Object.hasOwn(value, name));
  if (member !== undefined) return { found: "pointer", member };
  const names = Object.keys(value);
  for (const name of names.length < 3 ? names : []) {
    if (typeof value[name] !== "string") continue;
    const suggestion = didYouMean(name, POINTER_MEMBERS, 1);
    if (suggestion !== undefined) return { found: "pointer", member: name, suggestion };
  }
  return undefined;
}

const LIST_MEMBERS = ["content", "children", "marks"];

/** V11i: a member of a node with nearly the name, and what may be the value, of one that it lacks. */
function nearMember(node: JsonObject): MalformedRichText | undefined {
  // Contentful names it so.
  const textMember = node.nodeType === "text" ? "value" : "text";
  for (const member in node) {
    const value = node[member];
    const isText = typeof value === "string";
    if ((!isText && !Array.isArray(value)) || KNOWN_MEMBERS.has(member)) continue;
    const lacked = (isText ? [textMember] : LIST_MEMBERS).filter(
      (name) => !Object.hasOwn(node, name),
    );
    const suggestion = didYouMean(member, lacked, 1);
    if (suggestion !== undefined) return { found: "member", member, suggestion };
  }
  return undefined;
}

/** V11h: whether rich text is empty: of one node, with nothing but its name. */
export function isEmptyTree(tree: JsonValue): boolean {
  if (!isJsonObject(tree)) return isNothing(tree);
  return Object.entries(tree).every(([name, value]) => {
    return isNothing(value) || (NAME_MEMBERS.includes(name) && typeof value === "string");
  });
}

function isNothing(value: JsonValue): boolean {
  return typeof value === "object" && (value === null || Object.keys(value).length === 0);
}

/** V11d: the members that have lists of nodes, and of marks. */
export const NODE_LISTS: readonly string[] = ["content", "children"];
export const MARK_LISTS: readonly string[] = ["marks", "markDefs"];
/** V11e: the first of them that is a string is the name of a node or a mark. */
export const NAME_MEMBERS: readonly string[] = ["nodeType", "_type", "type"];
/** V11c: only served pointers have both members. */
export const RESERVED_MEMBERS = [
  ["contentEntryId", "contentModelKey"],
  ["contentBlockId", "contentBlockKey"],
] as const;

const KNOWN_MEMBERS: ReadonlySet<string> = new Set([
  ...LIST_MEMBERS,
  ...MARK_LISTS,
  ...NAME_MEMBERS,
  ...["_key", "style", "text", "value"],
]);

type Place = "node" | "mark" | "other";

/** The tree with other pointers; the same value where nothing changes. Recursive, as JSON is. */
export function mapTree(tree: JsonValue, visitor: TreeVisitor): JsonValue {
  const walk = new TreeWalk(visitor);
  return (Array.isArray(tree) ? walk.list(tree, "node") : walk.value(tree, "node")) as JsonValue;
}

class TreeWalk {
  readonly #visitor: TreeVisitor;
  /** The keys of the mark definitions of the current Portable Text block. */
  #markKeys: readonly JsonValue[] = [];

  constructor(visitor: TreeVisitor) {
    this.#visitor = visitor;
  }

  value(value: JsonValue, place: Place): JsonValue | undefined {
    if (typeof value === "string" && place === "mark" && !this.#markKeys.includes(value)) {
      this.#visitor.named?.("marks", value);
    }
    if (Array.isArray(value)) {
      if (place === "mark") this.#visitor.malformed?.({ found: place, is: "list" });
      return this.list(value, "other");
    }
    if (!isJsonObject(value)) {
      if (place !== "other" && typeof value !== "string") {
        const is = value === null ? "null" : (typeof value as "boolean" | "number");
        this.#visitor.malformed?.({ found: place, is });
      }
      return value;
    }
    const kind = pointerKind(value);
    if (kind !== undefined) return this.#visitor.pointer(kind, value);
    if (place === "node" && this.#visitor.isServed?.(value) === false) return undefined;
    if (RESERVED_MEMBERS.some((names) => names.every((name) => Object.hasOwn(value, name)))) {
      this.#visitor.reserved?.();
    } else {
      const isNode = place === "node";
      const near = this.#visitor.malformed && (nearPointer(value) ?? (isNode && nearMember(value)));
      // V11g: what is misspelt is at its own place.
      if (near && "suggestion" in near) {
        this.#step(near.member, () => this.#visitor.malformed?.(near));
      } else if (near) this.#visitor.malformed?.(near);
    }
    if (place !== "other") {
      this.#visitor.named?.(place === "node" ? "nodeTypes" : "marks", nameOf(value));
    }
    return place === "node" ? this.#node(value) : this.#object(value, "other");
  }

  list(list: readonly JsonValue[], place: Place): readonly JsonValue[] {
    let changed: JsonValue[] | undefined;
    for (const [index, element] of list.entries()) {
      const now = this.#step(index, () => this.value(element, place));
      if (now !== element) changed ??= list.slice(0, index);
      if (changed !== undefined && now !== undefined) changed.push(now);
    }
    return changed ?? list;
  }

  #node(node: JsonObject): JsonObject {
    const around = this.#markKeys;
    const definitions = ownMember(node, "markDefs");
    if (Array.isArray(definitions)) {
      this.#markKeys = definitions.flatMap((one) => (isJsonObject(one) ? (one._key ?? []) : []));
    }
    const mapped = this.#object(node, "node");
    this.#markKeys = around;
    return mapped;
  }

  #object(object: JsonObject, place: Place): JsonObject {
    let changed: Map<string, JsonValue | undefined> | undefined;
    for (const name of Object.keys(object)) {
      const had = object[name] as JsonValue;
      const now = this.#step(name, () => {
        const inside = place === "node" ? placeIn(name) : "other";
        return Array.isArray(had) ? this.list(had, inside) : this.value(had, "other");
      });
      if (now === had) continue;
      changed ??= new Map(Object.entries(object));
      changed.set(name, now);
    }
    if (changed === undefined) return object;
    const members = [...changed].filter(([, value]) => value !== undefined);
    return Object.fromEntries(members) as JsonObject;
  }

  #step<T>(segment: string | number, inside: () => T): T {
    this.#visitor.enter?.(segment);
    const result = inside();
    this.#visitor.leave?.();
    return result;
  }
}

function placeIn(name: string): Place {
  if (NODE_LISTS.includes(name)) return "node";
  return MARK_LISTS.includes(name) ? "mark" : "other";
}

function nameOf(object: JsonObject): string | undefined {
  const names = NAME_MEMBERS.map((member) => ownMember(object, member));
  return names.find((name) => typeof name === "string");
}
