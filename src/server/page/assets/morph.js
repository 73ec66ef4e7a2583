/** The handlers that are copied from the new element. */
const HANDLERS = /** @type {const} */ ([
  "onclick",
  "oninput",
  "onkeydown",
  "onsubmit",
  "ontoggle",
  "onchange",
]);
/** Attributes that the user changes and an update must not. */
const USER_STATE = new Set(["open"]);

/**
 * An element that updates itself from a new one, instead of being morphed.
 *
 * @typedef {Element & { adopt?: (fresh: Element) => void }} Adopting
 */

/**
 * Updates a DOM tree to match a new one with minimal changes, so that focus, selection, scroll
 * positions, open folds and frames are kept. Children are matched by `data-key`. An element with
 * `data-flash` is highlighted briefly when text in it changes.
 *
 * @param {Element} old
 * @param {Element} fresh
 */
export function morph(old, fresh) {
  const adopting = /** @type {Adopting} */ (old);
  if (adopting.adopt !== undefined) return adopting.adopt(fresh);
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !USER_STATE.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !USER_STATE.has(name)) old.setAttribute(name, value);
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
