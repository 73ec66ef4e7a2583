import { useContext, useEffect, useState } from "preact/hooks";
import type { JsonValue } from "../../workspace/json.ts";
import type { Edited, OpenedField } from "../edited.ts";
import { act, type RequestError } from "./access.ts";
import { Shown } from "./answers.ts";
import { announce } from "./parts.tsx";

interface Said {
  readonly text: string;
  readonly isBad?: boolean;
  /** What undo would undo next. */
  readonly undo: string | null;
  /** Where the form is of which this speaks. */
  readonly form?: string;
}

/** What was typed and not saved. */
export interface Unsaved {
  readonly opened: OpenedField;
  readonly typed: JsonValue;
}

const CHANGED = "svc-edited";
let said: Said | undefined;
/** How many forms are open: the view below them stays, whatever became of its entry. */
let openForms = 0;

/** By field, then by language: it outlives its form (H42). */
const unsaved = new Map<string, Map<string | null, Unsaved>>();

export const isEditing = () => openForms > 0;

export const unsavedOf = (field: string): ReadonlyMap<string | null, Unsaved> =>
  unsaved.get(field) ?? new Map();

/** Whether there is such a text in a field, or in one below it. */
export const hasUnsaved = (field: string) =>
  [...unsaved.keys()].some((one) => one === field || one.startsWith(`${field}/`));

/** Keeps what is typed in a language of a field; what is stored already is forgotten. */
export function keep(field: string, { opened, typed }: Unsaved) {
  const kept = new Map(unsavedOf(field)).set(opened.locale, { opened, typed });
  if (JSON.stringify(opened.value) === JSON.stringify(typed)) kept.delete(opened.locale);
  if (kept.size > 0) unsaved.set(field, kept);
  else unsaved.delete(field);
}

const CLOSED = "svc-form-closed";

/** Forgets what was typed, and closes the form of a field, wherever it is now. */
export function closeForm(field: string) {
  unsaved.delete(field);
  dispatchEvent(new CustomEvent(CLOSED, { detail: field }));
}

/** Calls `close` when the form of a field is closed, until the returned function is called. */
export function onClosed(field: string, close: () => void) {
  const listen = (event: Event) => (event as CustomEvent<string>).detail === field && close();
  addEventListener(CLOSED, listen);
  return () => removeEventListener(CLOSED, listen);
}

/** Of one that has opened a form: it presses no button there. */
export const isHeldEnter = ({ key, repeat }: KeyboardEvent) => key === "Enter" && repeat;

/** A form that is left, by whatever way, says that its text is kept. */
export function useOpenForm(field: string, name: string) {
  useEffect(() => {
    const form = location.hash;
    openForms += 1;
    if (said?.form === form) say(undefined);
    return () => {
      openForms -= 1;
      if (unsaved.has(field)) {
        say({ text: `${name} is not saved yet. Your text is kept.`, undo: null, form });
      }
    };
  }, []);
}

/** H42a: whether the server takes changes. */
export const useCanEdit = () => useContext(Shown).actions.includes("edit");

function say(next: Said | undefined) {
  said = next;
  if (next) announce(next.text);
  dispatchEvent(new Event(CHANGED));
}

/** What to tell an author about a failure. */
export function reasonOf(error: unknown): string {
  const { message, hint, status } = error as RequestError;
  if (status === 0)
    return "The preview does not answer. Your text stays here: save again when it is back.";
  return hint === undefined ? sentence(message) : `${sentence(message)} ${sentence(hint)}`;
}

const sentence = (text: string) =>
  `${text.charAt(0).toUpperCase()}${text.slice(1).replace(/\.$/, "")}.`;

/**
 * Changes something, and says so in the bar.
 *
 * @param file H60: its bytes.
 * @throws RequestError
 */
export async function change(
  action: string,
  body: object,
  done: string,
  file?: ArrayBuffer,
): Promise<Edited> {
  const edited = await act<Edited>(action, body, file);
  if (edited.equal) return edited;
  const warnings = edited.warnings.map((one) => ` ${sentence(one)}`).join("");
  say({
    text: `${edited.undone === undefined ? done : `Undone: ${edited.undone}.`}${warnings}`,
    undo: edited.undo,
  });
  return edited;
}

/** H44: what was done last, and the way back: also Ctrl+Z, where no text is being written. */
export function EditBar() {
  const canEdit = useCanEdit();
  const [, redraw] = useState({});
  const undo = () =>
    change("undo", {}, "").catch((error) =>
      say({ text: reasonOf(error), isBad: true, undo: null }),
    );
  useEffect(() => {
    const update = () => redraw({});
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      const target = event.target as Element;
      if (!isUndo || !canEdit || target.closest("input, textarea, select, dialog")) return;
      event.preventDefault();
      void undo();
    };
    addEventListener(CHANGED, update);
    addEventListener("keydown", onKey);
    return () => {
      removeEventListener(CHANGED, update);
      removeEventListener("keydown", onKey);
    };
  }, [canEdit]);
  if (!canEdit || said === undefined) return null;
  return (
    <aside class={said.isBad ? "edit-bar is-bad" : "edit-bar"} aria-label="What was changed">
      <p>{said.text}</p>
      {said.form !== undefined && <a href={said.form}>Continue</a>}
      {said.undo !== null && (
        <button type="button" title={`Undo ${said.undo} (Ctrl+Z)`} onClick={undo}>
          Undo
        </button>
      )}
      <button type="button" class="quiet" aria-label="Hide this" onClick={() => say(undefined)}>
        ✕
      </button>
    </aside>
  );
}

addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
