import { el } from "./element.js";
import { morph } from "./morph.js";

/**
 * A fold whose content is created when it is opened.
 *
 * @param {string} summary
 * @param {() => Element} make
 */
export function lazyFold(summary, make) {
  let current = make;
  const line = el("summary", {}, summary);
  const fold = el("details", { class: "rest" }, line);
  const fill = () => {
    if (fold.open && fold.children.length === 1) fold.append(current());
  };
  fold.ontoggle = fill;
  return Object.assign(fold, {
    make,
    /** Opens it and creates its content synchronously; the toggle event comes later. */
    unfold() {
      fold.open = true;
      fill();
    },
    /** @param {Element} fresh */
    adopt(fresh) {
      const next = /** @type {HTMLDetailsElement & { make: () => Element }} */ (fresh);
      current = next.make;
      morph(line, /** @type {Element} */ (next.firstElementChild));
      const content = fold.children[1];
      if (fold.open && content) morph(content, current());
      else content?.remove();
    },
  });
}
