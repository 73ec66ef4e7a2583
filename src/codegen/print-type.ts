import type { Member, SchemaModel, Type } from "./schema-model.ts";

/** The maximum line width. */
const WIDTH = 100;

/** Prints types, and collects the declarations of shared types that they use. */
export class TypePrinter {
  /** Declarations of the shared types that were used, by name. */
  readonly shared = new Map<string, string>();
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
      case "json":
        this.shared.set("Json", JSON_TYPE);
        return "Json";
      case "literals":
        return choice(
          type.values.map((value) => JSON.stringify(value)),
          indent,
          used,
        );
      case "list":
        return list(this.type(type.items, indent, used + "[]".length));
      case "object":
        return this.#object(type.members, indent);
      case "pointer":
        return this.#keyed("Pointer", type.modelKeys, this.#modelCount, indent, used);
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

  /** `Pointer<"a" | "b">`; without type arguments if all keys are listed. */
  #keyed(name: string, keys: readonly string[], all: number, indent: string, used: number): string {
    if (keys.length === all) return name;
    const quoted = keys.map((key) => JSON.stringify(key));
    return `${name}<${choice(quoted, indent, used + name.length + 2)}>`;
  }

  /** The name of a shared type, or the object type inline. */
  #object(members: readonly Member[], indent: string): string {
    const text = this.members(members, indent);
    const name = SHARED.get(members.map((member) => member.name).join(" "));
    if (name === undefined) return text;
    const declaration = `${DESCRIPTIONS[name]}\nexport interface ${name} ${this.members(members)}\n`;
    const known = this.shared.get(name);
    if (known !== undefined && known !== declaration) return text;
    this.shared.set(name, declaration);
    return name;
  }

  #tree(pointers: readonly Type[], indent: string, used: number): string {
    this.shared.set("RichText", RICH_TEXT_TYPE);
    const name = "RichText";
    const texts = pointers.map((type) => this.type(type, indent, used + name.length));
    // A tree without blocks: none is accepted.
    const some = texts.filter((text) => text !== "never");
    return `${name}<${choice(some, indent, used + name.length + 2)}>`;
  }

  #union(types: readonly Type[], indent: string, used: number): string {
    const texts = types.map((type) => this.type(type, indent));
    if (texts.join(" ") === "AssetFile MissingAsset") {
      this.shared.set("Asset", ASSET_TYPE);
      return "Asset";
    }
    return choice(texts, indent, used);
  }
}

/** Names of shared object types, by their sorted member names. */
const SHARED: ReadonlyMap<string, string> = new Map([
  ["description fileName height id mimeType sizeBytes title url width", "AssetFile"],
  ["fileName height id mimeType sizeBytes url width", "AssetFile"],
  ["id versionId", "MissingAsset"],
  ["content id", "HtmlAsset"],
]);

const DESCRIPTIONS: Readonly<Record<string, string>> = {
  AssetFile: "/** A file. `width` and `height` are null if it is not an image. */",
  MissingAsset: "/** A deleted asset. Unlike an `AssetFile`, it has no `url`. */",
  HtmlAsset: "/** An HTML file as uploaded. `content` is null if the file cannot be read. */",
};

const ASSET_TYPE = "export type Asset = AssetFile | (MissingAsset & { url?: never });\n";

const RICH_TEXT_TYPE = `/** A tree of JSON as authored, with pointers of these types anywhere in it. */
export type RichText<P> = { [member: string]: RichTextValue<P> } | RichTextValue<P>[];
export type RichTextValue<P> = null | boolean | number | string | P | RichText<P>;
`;

const JSON_TYPE =
  "export type Json = null | boolean | number | string | Json[] | { [member: string]: Json };\n";

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
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** A doc comment on its own line; empty without text. */
export function comment(text: string | undefined, indent = ""): string {
  // A leading "@" could be read as a directive, such as @ts-nocheck.
  const clean = text
    ?.toWellFormed()
    .replaceAll("*/", "*\\/")
    .replaceAll(/\s+/g, " ")
    .trim()
    .replace(/^@/, "\\@");
  return clean ? `${indent}/** ${clean} */\n` : "";
}
