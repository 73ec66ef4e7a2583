import fc from "fast-check";
import { Fragment, type Node, Slice } from "prosemirror-model";
import type { Transform } from "prosemirror-transform";

const edit = fc.record({
  kind: fc.constantFrom("split", "join", "mark", "delete", "type", "move", "link"),
  from: fc.nat(),
  to: fc.nat(),
});

/** Some edits of a document, at places that it may have. */
export const edits = fc.array(edit, { minLength: 1, maxLength: 5 });

/** As the commands of the editor do it; what is not possible at that place is left. */
export function edited(
  transform: Transform,
  { kind, from, to }: { kind: string; from: number; to: number },
) {
  const { doc } = transform;
  const { schema } = doc.type;
  const [a, b] = [from, to].map((one) => one % (doc.content.size + 1)).sort((x, y) => x - y) as [
    number,
    number,
  ];
  const place = doc.resolve(a);
  try {
    if (kind === "split" && place.parent.isTextblock) transform.split(a);
    if (kind === "join") transform.join(a);
    if (kind === "mark") transform.addMark(a, b, schema.mark("strong"));
    if (kind === "link") transform.addMark(a, b, schema.mark("link", { href: "/new" }));
    if (kind === "delete") transform.deleteRange(a, b);
    if (kind === "type" && place.parent.inlineContent) transform.insert(a, schema.text("NEW"));
    if (kind === "move" && doc.childCount > 1) {
      const last = doc.lastChild as Node;
      transform.delete(doc.content.size - last.nodeSize, doc.content.size);
      transform.replace(0, 0, new Slice(Fragment.from(last), 0, 0));
    }
  } catch {
    // Such a place has no such edit.
  }
}
