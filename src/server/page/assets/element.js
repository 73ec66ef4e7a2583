/** @typedef {Node | string | number | null | undefined | false | readonly Child[]} Child */
/** @typedef {Readonly<Record<string, unknown>>} Props */

const SVG = "http://www.w3.org/2000/svg";

/**
 * Creates an element. Content is added as text and attributes only, never as markup. Props that
 * start with `on` are handlers; false, null and undefined set no attribute, true an empty one.
 *
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function el(tag, props = {}, ...children) {
  return filled(document.createElement(tag), props, children);
}

/**
 * Creates an SVG element.
 *
 * @template {keyof SVGElementTagNameMap} T
 * @param {T} tag
 * @param {Props} [props]
 * @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export function svg(tag, props = {}, ...children) {
  return filled(document.createElementNS(SVG, tag), props, children);
}

/**
 * @template {Element} E
 * @param {E} element
 * @param {Props} props
 * @param {readonly Child[]} children
 * @returns {E}
 */
function filled(element, props, children) {
  for (const [name, value] of Object.entries(props)) {
    if (name.startsWith("on")) Object.assign(element, { [name]: value });
    else if (value !== false && value !== undefined && value !== null) {
      element.setAttribute(name, value === true ? "" : String(value));
    }
  }
  append(element, children);
  return element;
}

/**
 * @param {Element} element
 * @param {readonly Child[]} children
 */
function append(element, children) {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    if (Array.isArray(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}
