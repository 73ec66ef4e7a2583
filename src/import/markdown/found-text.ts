import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Found, Ids, Member } from "../formats/found.ts";
import { addressOf, endingOf, isMarkdown } from "./file-kinds.ts";
import type { MarkdownText } from "./front-matter.ts";
import type { NamedFiles } from "./named-files.ts";
import type { TextFile, TextFiles } from "./text-files.ts";

interface TextContext extends Ids {
  /** X19g: whether a link between texts is a reference. */
  readonly hasReferences: boolean;
  readonly named: NamedFiles;
}

/** X19: what the members of an entry are made of. */
export class FoundText {
  readonly #files: TextFiles;
  readonly #context: TextContext;

  constructor(files: TextFiles, context: TextContext) {
    this.#files = files;
    this.#context = context;
  }

  /** The front matter, the text, its address, and where its links and images lead. */
  members(
    path: TextFile,
    { matter, body }: MarkdownText,
    { stem, type }: { readonly stem: string; readonly type: string },
  ): Member[] {
    const own = Object.entries(matter).flatMap(([name, value]): Member[] => {
      const found = this.#value(value, path, `${type}_${name}`);
      return found === undefined ? [] : [[name, found]];
    });
    const name = (wanted: string) =>
      Object.hasOwn(matter, wanted) ? `markdown_${wanted}` : wanted;
    const links = this.#links(path);
    // X23a, X23b: what is no Markdown is not said to be some, and data has no rest.
    const text: Found = { kind: "text", tree: body };
    const rest: Member = isMarkdown(path)
      ? [name("body"), { ...text, format: "markdown" }]
      : [name(endingOf(path).slice(1)), text];
    return [
      ...own,
      [name("path"), { kind: "text", tree: addressOf(stem) }],
      ...(this.#files.isData(path) ? [] : [rest]),
      ...(links.length > 0
        ? [[name("links"), { kind: "list", items: links, tree: [] }] as const]
        : []),
    ];
  }

  /**
   * X19a: a block for each link to a file of the folder: the text has the address as it is written. X19g: of
   * links to texts only where they are wanted, since a page then has all pages that it leads to.
   */
  #links(path: TextFile): Found[] {
    return this.#context.named.linksOf(path).flatMap(({ href, file }): Found[] => {
      const target = this.#pointer(file);
      if (target.kind === "reference" && !this.#context.hasReferences) return [];
      const members: Member[] = [
        ["href", { kind: "text", tree: href }],
        [target.kind, target],
      ];
      return [{ kind: "block", type: "link", members, tree: null }];
    });
  }

  #pointer(file: string): Found & { kind: "reference" | "asset" } {
    const { entry, asset } = this.#context;
    return this.#context.named.isEntry(file)
      ? { kind: "reference", as: "reference", tree: { contentEntryId: entry(file) } }
      : { kind: "asset", as: "asset", tree: { assetId: asset(file) } };
  }

  /** Undefined: no value. `place` names maps. */
  #value(value: JsonValue, path: TextFile, place: string): Found | undefined {
    if (value === null) return undefined;
    if (typeof value === "string") return this.#text(value, path);
    if (typeof value === "boolean") return { kind: "boolean", tree: value };
    if (typeof value === "number") return { kind: "number", tree: value };
    if (isJsonObject(value)) return this.#map(value, path, place);
    const list = value as readonly JsonValue[];
    const items = list.map(
      (item): Found => this.#value(item, path, place) ?? { kind: "json", tree: item },
    );
    return { kind: "list", items, tree: items.map(({ tree }) => tree) };
  }

  /** X19b: a wiki link alone, or the path of a file of the folder, is a pointer. */
  #text(value: string, path: TextFile): Found {
    const file = this.#context.named.valueOf(path, value);
    return file === undefined
      ? { kind: "text", tree: value }
      : { ...this.#pointer(file), text: value };
  }

  #map(object: JsonObject, path: TextFile, place: string): Found {
    const members = Object.entries(object).flatMap(([name, value]): Member[] => {
      const found = this.#value(value, path, `${place}_${name}`);
      return found === undefined ? [] : [[name, found]];
    });
    return { kind: "block", type: place, members, tree: object };
  }
}
