import type { Attrs, MarkType, Node, NodeType } from "prosemirror-model";
import { NodeRange } from "prosemirror-model";
import { liftListItem, wrapInList } from "prosemirror-schema-list";
import type { Command, EditorState } from "prosemirror-state";

/** The blocks of text as another kind; each keeps what it was made of. */
export function setBlock(type: NodeType, attrs?: Attrs | null): Command {
  return ({ doc, selection: { from, to }, tr }, dispatch) => {
    let canBe = false;
    doc.nodesBetween(from, to, (node, at) => {
      if (!node.isTextblock || node.hasMarkup(type, { ...node.attrs, ...attrs })) return;
      const place = doc.resolve(at);
      canBe ||= place.parent.canReplaceWith(place.index(), place.index() + 1, type);
    });
    if (canBe) dispatch?.(tr.setBlockType(from, to, type, (node) => ({ ...node.attrs, ...attrs })));
    return canBe;
  };
}

export function listAround({ selection: { $from } }: EditorState) {
  for (let depth = $from.depth; depth > 0; depth -= 1) {
    const node = $from.node(depth);
    if (/_list$/.test(node.type.name)) return { node, at: $from.before(depth) };
  }
  return undefined;
}

/** A list of a kind, out of text or of the other kind; none, where it is that already. */
export function setList(type: NodeType): Command {
  return (state, dispatch, view) => {
    const around = listAround(state);
    if (around === undefined) return wrapInList(type)(state, dispatch, view);
    if (around.node.type === type) {
      return liftListItem(state.schema.nodes.list_item as NodeType)(state, dispatch, view);
    }
    dispatch?.(state.tr.setNodeMarkup(around.at, type, around.node.attrs));
    return true;
  };
}

/** Moves the selected blocks, or items of a list, over the next one. */
export function move(by: -1 | 1): Command {
  return ({ doc, selection: { $from, $to }, tr }, dispatch) => {
    let range = $from.blockRange($to);
    if (range?.parent.type.name === "list_item") {
      const [from, to] = [doc.resolve(range.start), doc.resolve(range.end)];
      range = new NodeRange(from, to, range.depth - 1);
    }
    if (!range) return false;
    const { parent, start, end, startIndex, endIndex } = range;
    const other = parent.maybeChild(by < 0 ? startIndex - 1 : endIndex);
    if (!other) return false;
    const at = by < 0 ? start - other.nodeSize : end;
    const to = by < 0 ? end - other.nodeSize : start;
    dispatch?.(
      tr
        .delete(at, at + other.nodeSize)
        .insert(to, other)
        .scrollIntoView(),
    );
    return true;
  };
}

/** The link at the selection, as far as it goes. */
export function linkAt({ doc, schema, selection }: EditorState) {
  const { $from, from, to, empty } = selection;
  const type = schema.marks.link as MarkType;
  if (!empty) {
    let mark = undefined as ReturnType<MarkType["isInSet"]>;
    doc.nodesBetween(from, to, (node) => {
      mark ??= type.isInSet(node.marks);
    });
    return { from, to, mark };
  }
  const { parent } = $from;
  const index = $from.index();
  const mark = type.isInSet($from.marks()) ?? type.isInSet(parent.maybeChild(index)?.marks ?? []);
  if (!mark) return { from, to, mark: undefined };
  const has = (one: Node | null) => one !== null && mark.isInSet(one.marks);
  let first = has(parent.maybeChild(index)) ? index : index - 1;
  let last = first;
  while (has(parent.maybeChild(first - 1))) first -= 1;
  while (has(parent.maybeChild(last + 1))) last += 1;
  const sizes = (count: number) =>
    parent.children.slice(0, count).reduce((sum, one) => sum + one.nodeSize, $from.start());
  return { from: sizes(first), to: sizes(last + 1), mark };
}

/** A link at the selection; without a text, its address is that. Undefined: none. */
export function setLink(to: Attrs | undefined, text: string): Command {
  return (state, dispatch) => {
    const { schema, tr } = state;
    const type = schema.marks.link as MarkType;
    const { from, to: end, mark } = linkAt(state);
    if (to === undefined) {
      dispatch?.(tr.removeMark(from, end, type));
      return true;
    }
    const link = type.create({ of: mark?.attrs.of ?? null, href: null, pointer: null, ...to });
    if (from === end) dispatch?.(tr.replaceSelectionWith(schema.text(text, [link]), false));
    else dispatch?.(tr.addMark(from, end, link).removeStoredMark(type));
    return true;
  };
}
