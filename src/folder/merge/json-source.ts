import jsonc, { type Node } from "jsonc-parser";
import type { Path } from "./merge-values.ts";

/** A JSON text and where its values are. */
export class JsonSource {
  readonly text: string;
  readonly root: Node;
  readonly eol: string;
  /** The text by which it is indented. */
  readonly unit: string;

  /** @param text valid JSON. */
  constructor(text: string) {
    this.text = text;
    this.root = jsonc.parseTree(text) as Node;
    this.eol = text.includes("\r\n") ? "\r\n" : "\n";
    this.unit = /\n([ \t]+)\S/.exec(text)?.[1] ?? "  ";
  }

  nodeAt(path: Path): Node {
    return jsonc.findNodeAtLocation(this.root, [...path]) as Node;
  }

  textOf({ offset, length }: Node): string {
    return this.text.slice(offset, offset + length);
  }

  /** The name and colon before the value of a member; "" for another value. */
  labelOf(value: Node): string {
    const { parent } = value;
    return parent?.type === "property" ? this.text.slice(parent.offset, value.offset) : "";
  }

  /** The indentation of the line on which a node begins. */
  marginOf({ offset }: Node): string {
    const start = this.text.lastIndexOf("\n", offset - 1) + 1;
    return /^[ \t]*/.exec(this.text.slice(start, offset))?.[0] ?? "";
  }

  /** A value as text for another place: its lines get another indentation. */
  movedText(node: Node, margin: string, eol: string): string {
    const own = this.marginOf(node);
    const [first = "", ...lines] = this.textOf(node).split(/\r?\n/);
    const moved = lines.map(
      (line) => margin + (line.startsWith(own) ? line.slice(own.length) : line),
    );
    return [first, ...moved].join(eol);
  }

  /** The space before each child of an object or array, and behind the last one. */
  gapsOf(container: Node): { leads: readonly string[]; tail: string } {
    let end = container.offset + 1;
    const leads = (container.children ?? []).map(({ offset, length }) => {
      const lead = this.text.slice(end, offset).replace(/^\s*,/, "");
      end = offset + length;
      return lead;
    });
    return { leads, tail: this.text.slice(end, container.offset + container.length - 1) };
  }
}
