import { printable, withoutCommands } from "../workspace/printable.ts";
import type { Literal, Member, SchemaModel, Type } from "./schema-model.ts";

const WIDTH = 100;

/** Prints types, and collects the names of the client's types that they use (T5). */
export class TypePrinter {
  readonly shared = new Set<string>();
  readonly #modelCount: number;
  readonly #blockCount: number;

  constructor({ models, blocks }: SchemaModel) {
    this.#modelCount = models.length;
    this.#blockCount = blocks.length;
  }

  /**
   * `{` … `}` with one member per line, each with its title as a comment.
   *
   * @param isBlock members that are objects are then printed inline, never as a shared type.
   */
  members(members: readonly Member[], indent = "", isBlock = false): string {
    if (members.length === 0) return "{}";
    const inner = `${indent}  `;
    const lines = members.map(({ name, title, isRequired, type }) => {
      const start = `${inner}${propertyName(name)}${isRequired ? "" : "?"}: `;
      const text =
        isBlock && type.kind === "object"
          ? this.members(type.members, inner)
          : isRequired && type.kind === "pointer" && type.modelKeys.length > 0
            ? this.#pointer("RequiredPointer", type.modelKeys, inner, start.length)
            : this.type(type, inner, start.length);
      // An absent field named like `toString` reads as the inherited member.
      const inherited = !isRequired && name in Object.prototype ? ` | Object["${name}"]` : "";
      return `${comment(title, inner)}${start}${text}${inherited};\n`;
    });
    return `{\n${lines.join("")}${indent}}`;
  }

  /** @param used the width that the line already has. */
  type(type: Type, indent = "", used = 0): string {
    switch (type.kind) {
      case "integer":
        return "number";
      case "json":
        return this.#shared("Json");
      case "literals":
        return choice(quoted(type.values), indent, used);
      case "list":
        return list(this.type(type.items, indent, used + "[]".length));
      case "object":
        return this.#shared(sharedName(type)) ?? this.members(type.members, indent);
      case "pointer":
        return this.#pointer("Pointer", type.modelKeys, indent, used);
      case "block":
        if (type.blockKeys.length === 0) return "never";
        return this.#keyed("Block", type.blockKeys, this.#blockCount, indent, used);
      case "rich-text":
        return this.#tree(type.pointers, indent, used);
      case "union":
        return this.#union(type.types, indent, used);
      default:
        return type.kind;
    }
  }

  #pointer(name: string, keys: readonly string[], indent: string, used: number): string {
    return this.#keyed(name, keys, this.#modelCount, indent, used);
  }

  /** `Pointer<"a" | "b">`; without type arguments if all keys are listed. */
  #keyed(name: string, keys: readonly string[], all: number, indent: string, used: number): string {
    if (keys.length === all) return name;
    return `${name}<${choice(quoted(keys), indent, used + name.length + 2)}>`;
  }

  #shared<Name extends string | undefined>(name: Name): Name {
    if (name !== undefined) this.shared.add(name);
    return name;
  }

  #tree(pointers: readonly Type[], indent: string, used: number): string {
    const name = this.#shared("RichText");
    const texts = pointers.map((type) => this.type(type, indent, used + name.length));
    // A tree without blocks: none is accepted.
    const some = texts.filter((text) => text !== "never");
    return `${name}<${choice(some, indent, used + name.length + 2)}>`;
  }

  #union(types: readonly Type[], indent: string, used: number): string {
    if (types.map(sharedName).join(" ") === "AssetFile MissingAsset") return this.#shared("Asset");
    const texts = types.map((type) => this.type(type, indent));
    return choice(texts, indent, used);
  }
}

/** The client's object types, by their sorted member names. */
const SHARED: ReadonlyMap<string, string> = new Map([
  ["description fileName height id mimeType sizeBytes title url width", "AssetFile"],
  ["fileName height id mimeType sizeBytes url width", "AssetFile"],
  ["id versionId", "MissingAsset"],
  ["content id", "HtmlAsset"],
]);

export function sharedName(type: Type): string | undefined {
  if (type.kind !== "object") return undefined;
  return SHARED.get(type.members.map(({ name }) => name).join(" "));
}

function quoted(values: readonly Literal[]): string[] {
  return values.map(literal);
}

/** P13b: types may be printed to a log. */
export function literal(value: Literal): string {
  return inert(JSON.stringify(value));
}

export function inert(text: string): string {
  return withoutCommands(printable(text));
}

/** `a | b`, with one alternative per line if they do not fit on one. */
export function choice(texts: readonly string[], indent = "", used = 0): string {
  if (texts.length === 0) return "never";
  const line = texts.join(" | ");
  if (texts.length === 1 || (used + line.length < WIDTH && !line.includes("\n"))) return line;
  return texts.map((text) => `\n${indent}  | ${text}`).join("");
}

function list(text: string): string {
  return /[|&\n]/.test(text) && !/^(?:RichText<.*>|[\w$]+<[^<>]*>)$/s.test(text)
    ? `(${text})[]`
    : `${text}[]`;
}

export function propertyName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : literal(name);
}

export function comment(text: string | undefined, indent = ""): string {
  // A leading "@" could be read as a directive, such as @ts-nocheck.
  const clean = text
    ?.toWellFormed()
    .replaceAll("*/", "*\\/")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^@/, "\\@");
  return clean ? `${indent}/** ${inert(clean)} */\n` : "";
}
