/** Handlers that an element takes over from the one that replaces it. */
const HANDLERS = /** @type {const} */ ([
  "onclick",
  "oninput",
  "onkeydown",
  "onsubmit",
  "ontoggle",
  "onchange",
]);
/** What the reader changes, and an update must not: whether something is folded. */
const OF_THE_READER = new Set(["open"]);

/**
 * An element that updates itself from a fresh one, rather than node by node.
 *
 * @typedef {Element & { adopt?: (fresh: Element) => void }} Adopting
 */

/**
 * Makes a tree look like a fresh one and changes nothing that is the same already, so that focus,
 * selection, scrolling, open folds and frames stay. Children are told apart by `data-key`. An
 * element with `data-flash` shows for a moment that text in it changed.
 *
 * @param {Element} old
 * @param {Element} fresh
 */
export function morph(old, fresh) {
  const adopting = /** @type {Adopting} */ (old);
  if (adopting.adopt !== undefined) return adopting.adopt(fresh);
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !OF_THE_READER.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !OF_THE_READER.has(name)) old.setAttribute(name, value);
  }
  for (const name of HANDLERS) {
    const [from, to] = [/** @type {any} */ (fresh), /** @type {any} */ (old)];
    if (from[name] !== to[name]) to[name] = from[name];
  }
  morphChildren(old, fresh);
}

/**
 * @param {Element} old
 * @param {Element} fresh
 */
function morphChildren(old, fresh) {
  const keyed = new Map(
    [...old.children].flatMap((child) => {
      const key = keyOf(child);
      return key === undefined ? [] : [[key, child]];
    }),
  );
  /** @type {ChildNode | null} */
  let cursor = old.firstChild;
  for (const next of [...fresh.childNodes]) {
    const key = keyOf(next);
    const match = key === undefined ? cursor : (keyed.get(key) ?? null);
    if (match !== null && isLike(match, next)) {
      if (match === cursor) cursor = match.nextSibling;
      else old.insertBefore(match, cursor);
      update(match, next);
    } else {
      old.insertBefore(next, cursor);
    }
  }
  while (cursor !== null) {
    const after = cursor.nextSibling;
    cursor.remove();
    cursor = after;
  }
}

/**
 * @param {Node} old
 * @param {Node} fresh
 */
function update(old, fresh) {
  if (old instanceof Element) return morph(old, /** @type {Element} */ (fresh));
  if (old.nodeValue === fresh.nodeValue) return;
  old.nodeValue = fresh.nodeValue;
  flash(old.parentElement?.closest("[data-flash]"));
}

/** @param {Element | null | undefined} element */
function flash(element) {
  if (!element) return;
  element.setAttribute("data-flash", "on");
  element.addEventListener("animationend", () => element.setAttribute("data-flash", ""), {
    once: true,
  });
}

/**
 * @param {Node} old
 * @param {Node} fresh
 */
function isLike(old, fresh) {
  return old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);
}

/** @param {Node} node */
function keyOf(node) {
  return node instanceof Element ? (node.getAttribute("data-key") ?? undefined) : undefined;
}
