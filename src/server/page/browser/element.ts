export type Child = Node | string | number | null | undefined | false | readonly Child[];
type Props = Readonly<Record<string, unknown>>;
type Content = readonly [Props, ...Child[]] | readonly Child[];

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element: its tag and classes (`p.note.is-warn`), its props, if it has any, and its
 * children. Content is added as text and attributes only, never as markup (H9). Props that start with `on`
 * are handlers; false, null and undefined set no attribute, true an empty one.
 */
export function el<T extends keyof HTMLElementTagNameMap>(
  tag: T | `${T}.${string}`,
  ...content: Content
): HTMLElementTagNameMap[T] {
  const [name = "", ...classes] = tag.split(".");
  return filled(document.createElement(name as T), classes, content);
}

export function svg<T extends keyof SVGElementTagNameMap>(
  tag: T | `${T}.${string}`,
  ...content: Content
): SVGElementTagNameMap[T] {
  const [name = "", ...classes] = tag.split(".");
  return filled(document.createElementNS(SVG, name as T), classes, content);
}

function filled<E extends Element>(element: E, classes: string[], content: Content): E {
  const [first, ...others] = content;
  if (classes.length > 0) element.setAttribute("class", classes.join(" "));
  if (!isProps(first)) append(element, content as readonly Child[]);
  else {
    for (const [name, value] of Object.entries(first)) {
      if (name.startsWith("on")) Object.assign(element, { [name]: value });
      else if (value !== false && value !== undefined && value !== null) {
        element.setAttribute(name, value === true ? "" : String(value));
      }
    }
    append(element, others as readonly Child[]);
  }
  return element;
}

function isProps(value: Props | Child): value is Props {
  return (
    typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Node)
  );
}

function append(element: Element, children: readonly Child[]) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}
