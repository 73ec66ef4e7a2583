import { el } from "./element.ts";
import { morph } from "./morph.ts";

/** A fold whose content is created when it is opened. */
export function lazyFold(summary: string, make: () => Element) {
  let current = make;
  const line = el("summary", summary);
  const fold = el("details.rest", line);
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
    adopt(fresh: Element) {
      const next = fresh as HTMLDetailsElement & { make: () => Element };
      current = next.make;
      morph(line, next.firstElementChild as Element);
      const content = fold.children[1];
      if (fold.open && content) morph(content, current());
      else content?.remove();
    },
  });
}
