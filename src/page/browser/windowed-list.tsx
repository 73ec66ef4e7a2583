import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { listen } from "./listening.ts";

/** How many rows outside of the window are rendered, so that scrolling shows no gaps. */
const BEYOND = 10;
/** The maximum height of the sticky bar at the top of the window, in pixels. */
const COVERED = 96;
/** The usual height of a row in pixels. */
const ROW = 60;

/** What is listed: an array, or what has its length and gives its items as they are loaded. */
interface Listed<T> {
  label: string;
  items: Pick<readonly T[], "length" | "at">;
  row: (item: T) => VNode;
  height?: number;
  onShown?: (first: number, last: number) => void;
}

/**
 * A virtual list: renders only the rows in the window, and the focused one. Arrow keys, Home and End
 * move between rows.
 */
export function WindowedList<T>({ label, items, row, height = ROW, onShown }: Listed<T>) {
  const list = useRef<HTMLDivElement>(null);
  /** The row to focus once it is loaded, after keyboard navigation to it. */
  const awaited = useRef<number | undefined>(undefined);
  const [{ first, last }, setWindow] = useState({ first: 0, last: 2 * BEYOND });
  const count = items.length;
  const measure = () => {
    const top = -(list.current?.getBoundingClientRect().top ?? 0);
    const from = Math.max(0, Math.min(count, Math.floor(top / height)) - BEYOND);
    const to = Math.max(from, Math.min(count, Math.ceil((top + innerHeight) / height) + BEYOND));
    setWindow((old) => (old.first === from && old.last === to ? old : { first: from, last: to }));
  };
  useLayoutEffect(measure);
  useLayoutEffect(() => listen(["scroll", "resize"], measure), [count, height]);
  useLayoutEffect(() => onShown?.(first, last), [first, last, onShown]);
  useLayoutEffect(() => {
    if (awaited.current === undefined) return;
    const link = list.current?.querySelector(`[data-key="${awaited.current}"] :is(a, button)`);
    if (!(link instanceof HTMLElement)) return;
    link.focus({ preventScroll: true });
    awaited.current = undefined;
  });
  const focused = () => {
    const shown = document.activeElement?.closest("li");
    const isOwn = shown && shown.parentElement?.parentElement === list.current;
    return isOwn ? Number(shown.dataset.key) : undefined;
  };
  const move = (event: KeyboardEvent) => {
    const at = awaited.current ?? focused();
    if (at === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const aims = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: count - 1 };
    const aim = aims[event.key as keyof typeof aims];
    if (aim === undefined) return;
    event.preventDefault();
    const index = Math.max(0, Math.min(count - 1, aim));
    const top = (list.current?.getBoundingClientRect().top ?? 0) + index * height;
    if (top < COVERED) scrollBy({ top: top - COVERED, behavior: "instant" });
    const below = top + height + 16 - innerHeight;
    if (below > 0) scrollBy({ top: below, behavior: "instant" });
    awaited.current = index;
    // Another object, so that it is drawn again also where the window is the same.
    setWindow((old) => ({ ...old }));
    measure();
  };
  const kept = focused();
  const shown = new Set(Array.from({ length: Math.max(0, last - first) }, (_, n) => first + n));
  if (kept !== undefined) shown.add(kept);
  const indexes = [...shown].filter((index) => index < count).sort((a, b) => a - b);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the rows have the focus.
    <div
      class="windowed-list"
      ref={list}
      style={{ height: `${count * height}px` }}
      onKeyDown={move}
    >
      {/* biome-ignore lint/a11y/noRedundantRoles: the style takes the role away in Safari. */}
      <ul role="list" aria-label={label}>
        {indexes.map((index) => (
          <li
            key={index}
            data-key={index}
            aria-setsize={count}
            aria-posinset={index + 1}
            // Translated, so that adding a row does not move the others.
            style={{ transform: `translateY(${index * height}px)`, height: `${height}px` }}
          >
            {row(items.at(index) as T)}
          </li>
        ))}
      </ul>
    </div>
  );
}
