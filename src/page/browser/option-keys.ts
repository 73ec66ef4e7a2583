import { useEffect, useState } from "preact/hooks";

const MAC = /Mac|iPhone|iPad/.test(navigator.platform);

/** How the key is written that is held with another one. */
export const CONTROL = MAC ? "⌘" : "Ctrl+";

export const isControl = ({ ctrlKey, metaKey }: KeyboardEvent) => (MAC ? metaKey : ctrlKey);

/**
 * H38, H42: in a search field the arrow keys choose one of the options below it, which Enter takes.
 *
 * @param list the id of the options, each of which has it with its number: `found-0`
 * @param take gets -1 where there is no option
 */
export function useOptionKeys(list: string, count: number, take: (at: number) => void) {
  const [active, setActive] = useState(0);
  const at = Math.min(active, count - 1);
  useEffect(() => {
    document.getElementById(`${list}-${at}`)?.scrollIntoView({ block: "nearest" });
  }, [at, count]);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined && count > 0) {
      event.preventDefault();
      setActive((at + step + count) % count);
    }
    if (event.key !== "Enter" || event.isComposing) return;
    event.preventDefault();
    // One that is held has opened the list.
    if (!event.repeat) take(at);
  };
  const keys = {
    role: "combobox",
    "aria-expanded": count > 0,
    "aria-controls": list,
    "aria-autocomplete": "list",
    "aria-activedescendant": count > 0 ? `${list}-${at}` : undefined,
    onKeyDown,
  } as const;
  return { at, setActive, keys };
}
