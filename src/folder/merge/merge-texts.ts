import type { Node } from "jsonc-parser";
import { type JsonValue, jsonPointer } from "../../workspace/json.ts";
import { type Child, JsonSource, type Path } from "../json-editor.ts";
import { parseJsonText } from "../json-text.ts";
import { type Merged, mergeValues } from "./merge-values.ts";

interface MergeTexts {
  /** Empty when both sides added the file. */
  readonly base: string;
  readonly ours: string;
  readonly theirs: string;
}

/** A value that both sides changed, by its path on the sides that have it. */
export interface Conflict {
  readonly ours?: Path;
  readonly theirs?: Path;
}

/** H79: which side is taken; undefined: neither yet. */
type Choose = (conflict: Conflict) => "ours" | "theirs" | undefined;

const MARK = "\ufeff";

/**
 * G4: merges two sides of a JSON file. Undefined when one is not JSON, or when they have no common
 * structure: then the lines are to be merged.
 */
export function mergeTexts(
  texts: MergeTexts,
  markerSize: number,
  choose: Choose = () => undefined,
): PrintedMerge | undefined {
  const [base, ours, theirs] = [texts.base, texts.ours, texts.theirs].map((text) =>
    text.startsWith(MARK) ? text.slice(MARK.length) : text,
  ) as [string, string, string];
  const before = base.trim() === "" ? undefined : parsed(base);
  if (before === null) return undefined;
  const [ourValue, theirValue] = [parsed(ours), parsed(theirs)];
  if (ourValue === null || theirValue === null) return undefined;
  const merged = mergeValues({
    base: before?.value,
    ours: ourValue.value,
    theirs: theirValue.value,
    oursAt: [],
    theirsAt: [],
  });
  if (merged.kind === "conflict") return undefined;
  if (merged.kind === "theirs") return { text: texts.theirs, conflicts: [] };
  const { text, conflicts } = printMerged(merged, ours, theirs, markerSize, choose);
  return { text: texts.ours.startsWith(MARK) ? MARK + text : text, conflicts };
}

/** Null when the text is not JSON, or loses data when it is parsed. */
function parsed(text: string): { value: JsonValue } | null {
  const result = parseJsonText(text);
  return "value" in result ? result : null;
}

interface PrintedMerge {
  readonly text: string;
  /** JSON Pointers of the values that both sides changed. */
  readonly conflicts: readonly string[];
}

/**
 * G5: a merged value as text, in the layout of ours; values of theirs as they are written there.
 * Conflicts are between markers, on lines of their own.
 */
function printMerged(
  merged: Merged,
  oursText: string,
  theirsText: string,
  markerSize: number,
  choose: Choose,
): PrintedMerge {
  const [ours, theirs] = [new JsonSource(oursText), new JsonSource(theirsText)];
  const { eol } = ours.layout;
  const conflicts: string[] = [];

  function value(of: Merged, margin: string): string {
    switch (of.kind) {
      case "ours":
        return ours.textOf(ours.nodeAt(of.path));
      case "theirs":
        return movedText(theirs, theirs.nodeAt(of.path), margin, eol);
      case "object":
        return container(
          of.path,
          of.members.map((one) => one.value),
        );
      case "array":
        return container(of.path, of.elements);
      default:
        throw new TypeError(`a value that is ${of.kind} has no text`);
    }
  }

  function container(path: Path, all: readonly Merged[]): string {
    const node = ours.nodeAt(path);
    const indexes = new Map(node.children?.map((child, index) => [child, index]));
    const children = all.flatMap(chosen).map((one): Child => {
      if (one.kind === "conflict") {
        return { isLines: true, text: (margin, comma) => conflict(one, margin, comma) };
      }
      const own = "path" in one && one.kind !== "theirs" ? ours.nodeAt(one.path) : undefined;
      const child = own?.parent?.type === "property" ? own.parent : own;
      return { from: child && indexes.get(child), text: (margin) => labelled(one, margin) };
    });
    return ours.assembled(node, children, ours.style);
  }

  /** Nothing where the value is gone on the side that was chosen. */
  function chosen(of: Merged): readonly Merged[] {
    const side = of.kind === "conflict" ? choose(of) : undefined;
    if (of.kind !== "conflict" || side === undefined) return [of];
    const path = of[side];
    return path === undefined ? [] : [{ kind: side, path }];
  }

  function labelled(of: Merged & { readonly path?: Path }, margin: string): string {
    const source = of.kind === "theirs" ? theirs : ours;
    return source.labelOf(source.nodeAt(of.path as Path)) + value(of, margin);
  }

  function conflict(of: Merged & { kind: "conflict" }, margin: string, comma: string): string {
    conflicts.push(jsonPointer((of.ours ?? of.theirs) as Path));
    const side = (kind: "ours" | "theirs", path: Path | undefined) =>
      path === undefined ? "" : `${margin}${labelled({ kind, path }, margin)}${comma}${eol}`;
    const marker = (sign: string) => sign.repeat(markerSize);
    return [
      `${marker("<")} ours${eol}${side("ours", of.ours)}`,
      `${marker("=")}${eol}${side("theirs", of.theirs)}${marker(">")} theirs`,
    ].join("");
  }

  return { text: ours.withRoot(value(merged, "")), conflicts };
}

/** A value as text for another place: its lines get another indentation. */
function movedText(source: JsonSource, node: Node, margin: string, eol: string): string {
  const own = source.marginOf(node);
  const [first = "", ...lines] = source.textOf(node).split(/\r?\n/);
  const moved = lines.map(
    (line) => margin + (line.startsWith(own) ? line.slice(own.length) : line),
  );
  return [first, ...moved].join(eol);
}
