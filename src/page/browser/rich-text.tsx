import { type ComponentChildren, h } from "preact";
import { type RichTextNode, walk } from "../../client/rich-text.ts";
import { markTag, nodeTag } from "../../client/rich-text-tags.ts";
import type { JsonValue } from "../../workspace/json.ts";
import { valueAt } from "../edited.ts";
import type { ValueView } from "../field-views.ts";
import { Media, SafeLink } from "./files.tsx";
import { below } from "./markdown.tsx";
import { Json } from "./plain-values.tsx";

type Parts = ComponentChildren;

/**
 * H25: rich text of any dialect as text, with what it embeds in place.
 *
 * @param embedded what is shown of an embedded value: in a line of text with what is in its link
 */
export function RichText({
  value,
  inside = [],
  embedded,
}: {
  value: JsonValue;
  inside?: ValueView["inside"];
  embedded: (view: ValueView, inLine: Parts | undefined) => Parts;
}) {
  return (
    <div class="prose" dir="auto">
      {laidOut(value, inside, embedded)}
    </div>
  );
}

type Embedded = Parameters<typeof RichText>[0]["embedded"];

function laidOut(value: JsonValue, inside: NonNullable<ValueView["inside"]>, embedded: Embedded) {
  const views = new Map(
    inside.flatMap((view) =>
      view.place ? [[valueAt(value, view.place.map(String)), view] as const] : [],
    ),
  );
  const pointer = (rendered: object, inner: Parts, node?: RichTextNode) => {
    const view = views.get(rendered as unknown as JsonValue);
    if (view === undefined) return inner;
    const said = isBlank(inner) ? undefined : inner;
    return embedded(view, said ?? (/inline/i.test(String(node?.nodeType)) ? null : undefined));
  };
  return walk<object, Parts>(value as object, {
    text: (text) => text,
    join: (parts) => parts,
    entry: pointer,
    asset: pointer,
    block: pointer,
    node: laidOutNode,
    mark(inner, mark, name) {
      const href = mark.attrs?.href ?? mark.href;
      if (typeof href === "string") return <SafeLink href={href}>{inner}</SafeLink>;
      const tag = markTag(name);
      return tag ? h(tag, null, inner) : inner;
    },
  });
}

function laidOutNode(inner: Parts, node: RichTextNode, name: string): Parts {
  const tag = nodeTag(name, node);
  if (tag === "a") return <SafeLink href={String(node.data?.uri ?? "")}>{inner}</SafeLink>;
  if (tag === "br" || tag === "hr") return h(tag, null);
  if (tag) return h(below(tag), null, inner);
  if ("content" in node || "children" in node || !name) return inner;
  // Nodes of other programs: pictures, code, or what only they know.
  const { src, alt, emoji } = node.attrs ?? {};
  if (typeof emoji === "string") return emoji;
  if (name === "image" && typeof src === "string")
    return <Media src={src} alt={String(alt || "Picture")} />;
  if (typeof node.code === "string")
    return (
      <pre>
        <code>{node.code}</code>
      </pre>
    );
  const { _type, _key, type, nodeType, marks, ...members } = node;
  if (Object.keys(members).length === 0) return inner;
  return (
    <section class="block" aria-label={name}>
      <p class="block-name">{name}</p>
      <Json value={members as JsonValue} />
    </section>
  );
}

function isBlank(parts: Parts): boolean {
  if (Array.isArray(parts)) return parts.every(isBlank);
  return parts === null || parts === undefined || parts === "" || typeof parts === "boolean";
}
