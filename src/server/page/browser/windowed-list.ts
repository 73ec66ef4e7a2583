import { el } from "./element.ts";
import { morph } from "./morph.ts";

/** How many rows outside of the window are rendered, so that scrolling shows no gaps. */
const BEYOND = 10;
/** The maximum height of the sticky bar at the top of the window, in pixels. */
const COVERED = 96;

/** The usual height of a row in pixels. */
const ROW = 60;

interface Rows {
  label: string;
  count: number;
  height: number;
  row: (index: number) => Element;
  onShown?: (first: number, last: number) => void;
}

/**
 * A virtual list: renders only the rows in the window. Arrow keys, Home and End move between rows.
 * The event `rows` signals that missing rows were loaded.
 */
class WindowedList extends HTMLElement {
  rows: Rows = { label: "", count: 0, height: 1, row: () => el("span") };
  #drawn = el("ul");
  #onWindow = () => this.draw();
  /** The row to focus once it is loaded, after keyboard navigation to it. */
  #awaited: number | undefined;

  connectedCallback() {
    this.append(this.#drawn);
    this.onkeydown = (event: KeyboardEvent) => this.#move(event);
    addEventListener("scroll", this.#onWindow, { passive: true });
    addEventListener("resize", this.#onWindow);
    this.addEventListener("rows", this.#onWindow);
    this.draw();
  }

  disconnectedCallback() {
    removeEventListener("scroll", this.#onWindow);
    removeEventListener("resize", this.#onWindow);
  }

  adopt(fresh: Element) {
    this.rows = (fresh as WindowedList).rows;
    this.draw();
  }

  draw() {
    const { label, count, height, row, onShown } = this.rows;
    this.style.height = `${count * height}px`;
    const top = -this.getBoundingClientRect().top;
    const first = Math.max(0, Math.min(count, Math.floor(top / height)) - BEYOND);
    const last = Math.min(count, Math.ceil((top + innerHeight) / height) + BEYOND);
    const indexes = new Set(Array.from({ length: Math.max(0, last - first) }, (_, n) => first + n));
    // The focused row stays rendered outside of the window, so that it keeps the focus.
    const focused = this.#focused();
    if (focused !== undefined && focused < count) indexes.add(focused);
    const items = [...indexes]
      .sort((a, b) => a - b)
      .map((index) => {
        const place = { "aria-setsize": count, "aria-posinset": index + 1 };
        return el("li", { "data-key": index, ...place }, row(index));
      });
    morph(this.#drawn, el("ul", { role: "list", "aria-label": label }, items));
    for (const child of this.#drawn.children) {
      const { dataset, style } = child as HTMLElement;
      // Translated, so that adding a row does not move the others.
      style.transform = `translateY(${Number(dataset.key) * height}px)`;
      style.height = `${height}px`;
    }
    onShown?.(Math.max(0, first), last);
    this.#focusAwaited();
  }

  #focusAwaited() {
    if (this.#awaited === undefined) return;
    const link = this.#drawn.querySelector(`[data-key="${this.#awaited}"] :is(a, button)`);
    if (!(link instanceof HTMLElement)) return;
    link.focus({ preventScroll: true });
    this.#awaited = undefined;
  }

  #focused() {
    const row = document.activeElement?.closest("li");
    return row?.parentElement === this.#drawn ? Number(row.dataset.key) : undefined;
  }

  #move(event: KeyboardEvent) {
    const at = this.#awaited ?? this.#focused();
    if (at === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const { count, height } = this.rows;
    const aims = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
    const aim = aims[event.key as keyof typeof aims];
    if (aim === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(count - 1, aim));
    const top = this.getBoundingClientRect().top + index * height;
    if (top < COVERED) scrollBy({ top: top - COVERED, behavior: "instant" });
    const below = top + height + 16 - innerHeight;
    if (below > 0) scrollBy({ top: below, behavior: "instant" });
    this.#awaited = index;
    this.draw();
  }
}

customElements.define("windowed-list", WindowedList);

/** What is listed: an array, or what has its length and gives its items as they are loaded. */
interface Listed<T> extends Pick<Rows, "label" | "onShown"> {
  items: Pick<readonly T[], "length" | "at">;
  row: (item: T) => Element;
  height?: number;
}

export function windowedList<T>({ items, row, ...more }: Listed<T>): HTMLElement {
  const list = document.createElement("windowed-list") as WindowedList;
  const rowAt = (index: number) => row(items.at(index) as T);
  list.rows = { height: ROW, ...more, count: items.length, row: rowAt };
  return list;
}
