/** The handlers that are copied from the new element. */
const HANDLERS = ["onclick", "oninput", "onkeydown", "onsubmit", "ontoggle", "onchange"] as const;
/** Attributes that the user changes and an update must not. */
const USER_STATE = new Set(["open"]);

/** An element that updates itself from a new one, instead of being morphed. */
type Adopting = Element & { adopt?: (fresh: Element) => void };

/**
 * Updates a DOM tree to match a new one with minimal changes, so that focus, selection, scroll
 * positions, open folds and frames are kept. Children are matched by `data-key`. An element with
 * `data-flash` is highlighted briefly when text in it changes.
 */
export function morph(old: Element, fresh: Element) {
  const adopting = old as Adopting;
  if (adopting.adopt !== undefined) return adopting.adopt(fresh);
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && !USER_STATE.has(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (old.getAttribute(name) !== value && !USER_STATE.has(name)) old.setAttribute(name, value);
  }
  for (const name of HANDLERS) {
    const [from, to] = [fresh as HTMLElement, old as HTMLElement];
    if (from[name] !== to[name]) Object.assign(to, { [name]: from[name] });
  }
  morphChildren(old, fresh);
}

function morphChildren(old: Element, fresh: Element) {
  const keyed = new Map(
    [...old.children].flatMap((child) => {
      const key = keyOf(child);
      return key === undefined ? [] : [[key, child]];
    }),
  );
  let cursor: ChildNode | null = old.firstChild;
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

function update(old: Node, fresh: Node) {
  if (old instanceof Element) return morph(old, fresh as Element);
  if (old.nodeValue === fresh.nodeValue) return;
  old.nodeValue = fresh.nodeValue;
  flash(old.parentElement?.closest("[data-flash]"));
}

function flash(element: Element | null | undefined) {
  if (!element) return;
  element.setAttribute("data-flash", "on");
  element.addEventListener("animationend", () => element.setAttribute("data-flash", ""), {
    once: true,
  });
}

function isLike(old: Node, fresh: Node) {
  return old.nodeName === fresh.nodeName && keyOf(old) === keyOf(fresh);
}

function keyOf(node: Node) {
  return node instanceof Element ? (node.getAttribute("data-key") ?? undefined) : undefined;
}
