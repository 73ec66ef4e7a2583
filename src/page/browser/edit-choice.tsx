import type { RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FileView } from "../file-view.ts";
import { Thumb } from "./files.tsx";
import { useOptionKeys } from "./option-keys.ts";
import { Button, type Children } from "./parts.tsx";

interface Option {
  readonly id: string;
  readonly title: string;
  readonly model?: string;
  /** What it has. */
  readonly below?: string;
  readonly file?: FileView;
}

/**
 * Opens a dialog, as long as it is there. Then the focus goes back to where it was, unless it has another place: what
 * is outside of a dialog takes none before.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, isOpen = true) {
  // With what is drawn, so that no key is lost that is pressed as soon as it can be seen.
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    const before = document.activeElement as HTMLElement | null;
    dialog.current?.showModal();
    return () =>
      queueMicrotask(() => {
        if (document.activeElement === document.body) before?.focus();
      });
  }, [isOpen]);
}

/** A dialog in which one of several is chosen, by keys as in the search. */
export function ChoiceDialog<T extends Option>({
  label,
  list,
  placeholder,
  q,
  setQ,
  options,
  isCurrent = true,
  pick,
  kind = "",
  beside,
  total,
}: {
  label: string;
  /** What the options are. */
  list: string;
  placeholder: string;
  q: string;
  setQ: (q: string) => void;
  options: readonly T[];
  /** Whether these are of what was typed: else Enter takes the first of those that come. */
  isCurrent?: boolean;
  /** Undefined: it was closed. */
  pick: (one: T | undefined) => void;
  kind?: string;
  /** Beside the search. */
  beside?: Children;
  /** Of the options, where it is known. */
  total: number | undefined;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  useModal(dialog);
  const [isEntered, setEntered] = useState(false);
  const { at, setActive, keys } = useOptionKeys("choices", options.length, () => setEntered(true));
  useLayoutEffect(() => {
    if (!isEntered || !isCurrent) return;
    setEntered(false);
    const one = options[at];
    if (one) pick(one);
  }, [isEntered, isCurrent]);
  return (
    <dialog ref={dialog} class="edit-picker" aria-label={label} onClose={() => pick(undefined)}>
      <div class="edit-buttons">
        <input
          class="edit-search"
          type="text"
          enterkeyhint="search"
          autocomplete="off"
          aria-label="Search"
          placeholder={placeholder}
          value={q}
          onInput={({ currentTarget }) => {
            setQ(currentTarget.value);
            setActive(0);
            setEntered(false);
          }}
          {...keys}
        />
        {beside}
        <Button onClick={() => pick(undefined)}>Close</Button>
      </div>
      <div
        id="choices"
        role="listbox"
        aria-label={list}
        aria-busy={!isCurrent}
        class={`edit-choices ${kind}`}
      >
        {options.map((one, index) => (
          <button
            key={one.id}
            id={`choices-${index}`}
            type="button"
            class="quiet"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onPointerMove={() => setActive(index)}
            onClick={() => pick(one)}
          >
            {one.file?.mimeType.startsWith("image/") && <Thumb file={one.file} />}
            <span dir="auto">{one.title}</span>
            {one.model && <span class="tag">{one.model}</span>}
            {one.below && <span class="soft">{one.below}</span>}
          </button>
        ))}
      </div>
      {total !== undefined && (total === 0 || options.length < total) && (
        <p class="soft" role="status">
          {total === 0 ? "Nothing was found." : "There are more: search for a part of the title."}
        </p>
      )}
    </dialog>
  );
}
