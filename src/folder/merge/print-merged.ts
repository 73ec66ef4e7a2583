import type { Node } from "jsonc-parser";
import { jsonPointer } from "../../workspace/json.ts";
import { JsonSource } from "./json-source.ts";
import type { Merged, Path } from "./merge-values.ts";

export interface PrintedMerge {
  readonly text: string;
  /** JSON Pointers of the values that both sides changed. */
  readonly conflicts: readonly string[];
}

/**
 * G5: a merged value as text, in the layout of ours; values of theirs as they are written there.
 * Conflicts are between markers, on lines of their own.
 */
export function printMerged(
  merged: Merged,
  ours: string,
  theirs: string,
  markerSize: number,
): PrintedMerge {
  const printer = new Printer(new JsonSource(ours), new JsonSource(theirs), markerSize);
  const text = printer.value(merged, "");
  const { offset, length } = printer.ours.root;
  const whole = ours.slice(0, offset) + text + ours.slice(offset + length);
  return { text: whole, conflicts: printer.conflicts };
}

interface Child {
  readonly merged: Merged;
  /** The index in the container of ours; undefined: of theirs alone. */
  readonly index: number | undefined;
}

class Printer {
  readonly ours: JsonSource;
  readonly conflicts: string[] = [];
  readonly #theirs: JsonSource;
  readonly #markerSize: number;

  constructor(ours: JsonSource, theirs: JsonSource, markerSize: number) {
    this.ours = ours;
    this.#theirs = theirs;
    this.#markerSize = markerSize;
  }

  value(merged: Merged, margin: string): string {
    switch (merged.kind) {
      case "ours":
        return this.ours.textOf(this.ours.nodeAt(merged.path));
      case "theirs":
        return this.#moved(merged.path, margin);
      case "object":
        return this.#container(
          merged.path,
          merged.members.map(({ value }) => value),
        );
      case "array":
        return this.#container(merged.path, merged.elements);
      default:
        throw new TypeError(`a value that is ${merged.kind} has no text`);
    }
  }

  #moved(path: Path, margin: string): string {
    return this.#theirs.movedText(this.#theirs.nodeAt(path), margin, this.ours.eol);
  }

  #container(path: Path, all: readonly Merged[]): string {
    const { ours } = this;
    const node = ours.nodeAt(path);
    const [open, close] = node.type === "object" ? "{}" : "[]";
    if (all.length === 0) return `${open}${close}`;
    const { leads, tail } = ours.gapsOf(node);
    const margin = ours.marginOf(node);
    const newLine = `${ours.eol}${margin}${ours.unit}`;
    const first = leads[0] ?? newLine;
    const [rest = first.includes("\n") ? first : " "] = leads
      .slice(1)
      .sort((a, b) => a.length - b.length);
    const childMargin = first.includes("\n") ? first.slice(first.lastIndexOf("\n") + 1) : margin;
    let text = open as string;
    let wasConflict = false;
    for (const [at, { merged, index }] of this.#children(node, all).entries()) {
      const comma = at < all.length - 1 ? "," : "";
      if (merged.kind === "conflict") {
        text += this.#conflict(merged, newLine.slice(ours.eol.length), comma);
        wasConflict = true;
        continue;
      }
      const own = index === undefined || index === 0 ? undefined : leads[index];
      const lead = at === 0 ? first : (own ?? rest);
      text += wasConflict && !lead.includes("\n") ? newLine : lead;
      text += `${this.#labelled(merged, childMargin)}${comma}`;
      wasConflict = false;
    }
    const end = leads.length === 0 || (wasConflict && !tail.includes("\n"));
    return `${text}${end ? `${ours.eol}${margin}` : tail}${close}`;
  }

  #children({ children = [] }: Node, all: readonly Merged[]): Child[] {
    const indexes = new Map(children.map((child, index) => [child, index]));
    return all.map((merged) => {
      const path = oursPathOf(merged);
      const value = path && this.ours.nodeAt(path);
      const child = value?.parent?.type === "property" ? value.parent : value;
      return { merged, index: child && indexes.get(child) };
    });
  }

  /** A member with its name, or an element. */
  #labelled(merged: Merged, margin: string): string {
    if (merged.kind === "theirs") {
      const label = this.#theirs.labelOf(this.#theirs.nodeAt(merged.path));
      return label + this.value(merged, margin);
    }
    const path = oursPathOf(merged);
    const label = path === undefined ? "" : this.ours.labelOf(this.ours.nodeAt(path));
    return label + this.value(merged, margin);
  }

  #conflict(merged: Merged & { kind: "conflict" }, margin: string, comma: string): string {
    const { ours, theirs } = merged;
    const { eol } = this.ours;
    this.conflicts.push(jsonPointer((ours ?? theirs) as Path));
    const side = (kind: "ours" | "theirs", path: Path | undefined) =>
      path === undefined ? "" : `${margin}${this.#labelled({ kind, path }, margin)}${comma}${eol}`;
    const marker = (sign: string) => sign.repeat(this.#markerSize);
    return [
      `${eol}${marker("<")} ours${eol}${side("ours", ours)}`,
      `${marker("=")}${eol}${side("theirs", theirs)}${marker(">")} theirs`,
    ].join("");
  }
}

function oursPathOf(merged: Merged): Path | undefined {
  switch (merged.kind) {
    case "ours":
    case "object":
    case "array":
      return merged.path;
    case "conflict":
      return merged.ours;
    default:
      return undefined;
  }
}
