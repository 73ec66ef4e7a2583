import { createElement, Fragment, type ReactNode } from "react";
import { elements, type Handlers, type PointersOf, walk } from "./rich-text.ts";

/**
 * Rich text as React elements: those of `toHtml()`, with the same handlers as properties, which return elements
 * (K18).
 *
 * @throws RangeError as `walk()`.
 */
export function RichText<Tree extends object>({
  value,
  ...handlers
}: { value: Tree } & Partial<Handlers<PointersOf<Tree>, ReactNode>>): ReactNode {
  return walk<Tree, ReactNode>(value, {
    text: (text) => text,
    join(parts) {
      const some = parts.filter(Boolean);
      return some.length > 1 ? createElement(Fragment, null, ...some) : (some[0] ?? "");
    },
    ...elements<ReactNode>(createElement),
    ...handlers,
  });
}
