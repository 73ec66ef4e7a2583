import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./parts.tsx";

interface Part {
  readonly element: HTMLElement;
  readonly title: string;
  readonly level: number;
}

/** H25f: above how many screens a content has an outline, and how much of one a part has that is in it. */
const SCREENS = 3;
const PART = 1 / 3;
/** One of this share of what it is in says the same as that. */
const SAME = 0.9;
const LEVELS = 3;
/** What a part is called: by the first of these that it has. */
const TITLES = [
  ".is-heading .text, .step-head h2, .target-title",
  ":is(.prose, .text):not(.rest *)",
  ".block-name",
];

/** The width of a view that has room for one, in pixels. */
const ROOM = 900;

/** The tall parts of a content, in its order. */
function partsOf(content: HTMLElement): Part[] {
  const parts: Part[] = [];
  const room = content.parentElement?.offsetWidth ?? 0;
  if (content.offsetHeight <= SCREENS * innerHeight || room < ROOM) return parts;
  const open: { element: HTMLElement; height: number; level: number }[] = [];
  for (const element of content.querySelectorAll<HTMLElement>(
    ".step, .block, .reference.is-open",
  )) {
    while (open.length > 0 && !open.at(-1)?.element.contains(element)) open.pop();
    const { height: around = Number.POSITIVE_INFINITY, level = 0 } = open.at(-1) ?? {};
    const height = element.offsetHeight;
    const isPart = height > PART * innerHeight && height < SAME * around && level < LEVELS;
    if (!isPart) continue;
    const names = TITLES.map((one) => element.querySelector(one)?.textContent?.trim());
    const title = names.find(Boolean)?.slice(0, 80) ?? "";
    open.push({ element, height, level: level + 1 });
    parts.push({ element, title, level });
  }
  return parts;
}

/** H25f: a content with an outline at its side. */
export function Outlined({ children }: { children: ComponentChildren }) {
  const content = useRef<HTMLDivElement>(null);
  const [parts, setParts] = useState<readonly Part[]>([]);
  useLayoutEffect(() => {
    const { current } = content;
    if (current === null) return;
    const growing = new ResizeObserver(() => setParts(partsOf(current)));
    growing.observe(current);
    return () => growing.disconnect();
  }, []);
  const go = ({ element }: Part) => {
    element.tabIndex = -1;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "start" });
  };
  return (
    <div class="outlined">
      {parts.length > 1 && (
        <nav class="outline" aria-label="On this page">
          {parts.map((part) => (
            <Button style={{ "--level": part.level }} onClick={() => go(part)}>
              {part.title}
            </Button>
          ))}
        </nav>
      )}
      <div ref={content}>{children}</div>
    </div>
  );
}
