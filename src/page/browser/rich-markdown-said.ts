import type { Node } from "prosemirror-model";
import { WRITTEN } from "./rich-markdown-inline.ts";

/** What is read of a text: its letters with their marks, and what is kept between them. */
export function saidBy(node: Node): string {
  let said = "";
  for (const { type, text, marks, attrs } of node.children) {
    const own = marks.filter(({ type: { name } }) => WRITTEN.test(name));
    const key = own.map((one) => one.type.name + (one.attrs.href ?? "")).sort();
    for (const letter of text?.replace(/[ \t\r\n]/g, "") ?? "") said += `${letter}${key.join()}\n`;
    if (type.name === "opaque_inline") said += `${attrs.of?.text}${key.join()}\n`;
    if (type.name === "hard_break" && attrs.of !== "\n" && node.type.name === "paragraph")
      said += "\\\n";
  }
  return said.replace(/(?:\\\n)+/g, "\\\n").replace(/^\\\n|\\\n$/g, "");
}

/** Whether two blocks say the same, however they are written. */
export function isSame(one: Node, other: Node): boolean {
  const { name, isTextblock } = { name: one.type.name, isTextblock: one.isTextblock };
  if (one.type !== other.type || one.attrs.level !== other.attrs.level) return false;
  if (name === "opaque") return one.attrs.of.text.trimStart() === other.attrs.of.text.trimStart();
  if (name === "code_block") return one.textContent === other.textContent;
  if (isTextblock) return saidBy(one) === saidBy(other);
  const [all, others] = [one, other].map(({ children }) => children.filter((n) => !isEmpty(n)));
  const isAs = (own: Node, at: number) => isSame(own, others?.[at] as Node);
  return all?.length === others?.length && all?.every(isAs) === true;
}

/** Whether nothing is written of it. */
export function isEmpty(node: Node): boolean {
  if (node.type.name === "paragraph") return saidBy(node) === "";
  return /_list$|^list_item$|^blockquote$/.test(node.type.name) && node.children.every(isEmpty);
}
