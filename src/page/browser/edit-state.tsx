import { useContext, useEffect } from "preact/hooks";
import type { JsonObject } from "../../workspace/json.ts";
import type { Conflict, Edited, OpenedForm } from "../edited.ts";
import { act, type RequestError } from "./access.ts";
import { Shown } from "./answers.ts";
import { listen, useEvents } from "./listening.ts";
import { announce, Button } from "./parts.tsx";

interface Said {
  readonly text: string;
  readonly isBad?: boolean;
  /** What undo would undo next. */
  readonly undo: string | null;
  /** The form of which this speaks, and where it is. */
  readonly form?: { readonly id: string; readonly href: string };
}

/** What was typed and not saved. */
export interface Unsaved {
  readonly opened: OpenedForm;
  readonly typed: JsonObject;
  /** In which localized fields are shown. */
  readonly locale: string | null;
  /** H81: those that are not decided. */
  readonly conflicts?: readonly Conflict[];
}

const CHANGED = "svc-edited";
let said: Said | undefined;
/** How many forms are open: the view below them stays, whatever became of its entry. */
let openForms = 0;

/** By form, which is the entry and a path, or of what is new (H67b) the view: it outlives its form (H42). */
const unsaved = new Map<string, object>();

export const isEditing = () => openForms > 0;

export const unsavedOf = <T = Unsaved>(form: string) => unsaved.get(form) as T | undefined;

/** Whether there is such a text in a form of a field, or of what is in it. */
export const hasUnsaved = (form: string) =>
  [...unsaved.keys()].some((one) => one === form || one.startsWith(`${form}/`));

/** Keeps what is typed; what is stored already, or empty, is forgotten. */
export function keep(form: string, one: object, isTyped: boolean) {
  if (isTyped) unsaved.set(form, one);
  else unsaved.delete(form);
}

const FORM = "svc-form";
const tell = (form: string, isOpen: boolean) =>
  dispatchEvent(new CustomEvent(FORM, { detail: { form, isOpen } }));

/** Opens a form, where it is drawn. */
export const openForm = (form: string) => tell(form, true);

/** Closes a form, wherever it is now; what was typed is forgotten, or kept. */
export function closeForm(form: string, keeps = false) {
  if (!keeps) unsaved.delete(form);
  tell(form, false);
}

/** Says whether a form is to be open, until the returned function is called. */
export function onForm(form: string, set: (isOpen: boolean) => void) {
  return listen([FORM], ({ detail }: CustomEvent) => detail.form === form && set(detail.isOpen));
}

/** Of one that has opened a form: it presses no button there. */
export const isHeldEnter = ({ key, repeat }: KeyboardEvent) => key === "Enter" && repeat;

/** A form that is left, by whatever way, says that its text is kept. */
export function useOpenForm(id: string, name: string, isOpen = true) {
  useEffect(() => {
    if (!isOpen) return undefined;
    const form = { id, href: location.hash };
    openForms += 1;
    if (said?.form?.href === form.href) say(undefined);
    return () => {
      openForms -= 1;
      if (unsaved.has(id)) {
        say({ text: `${name} is not saved yet. Your text is kept.`, undo: null, form });
      }
    };
  }, [isOpen]);
}

/** H42a: whether the server takes changes. */
export const useCanEdit = () => useContext(Shown).actions.includes("edit");

/** H44a: of what was made, or got another id: its address, where the author was, and what undoes it. */
const moves: { readonly to: string; readonly from: string; readonly undo: string | null }[] = [];

/** Goes to what a change has made. */
export function goToMade({ undo }: Edited, to: string) {
  moves.push({ to, from: location.hash, undo });
  location.hash = to;
}

/** H44a: from what an undo took away; a text that is being written stays. */
function goBackFrom(undone: string) {
  const isHere = (to: string) => to === location.hash || location.hash.startsWith(`${to}?`);
  const move = moves.findLast(({ to, undo }) => undo === undone && isHere(to));
  if (move && !isEditing()) location.replace(move.from);
}

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

export const sentence = (text: string) =>
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
    text: `${edited.undone === undefined ? (edited.done ?? done) : `Undone: ${edited.undone}.`}${warnings}`,
    // Beside "Undone" it would seem to do that again.
    undo: edited.undone === undefined ? edited.undo : null,
  });
  if (edited.undone !== undefined) goBackFrom(edited.undone);
  return edited;
}

/** The same by a button without a form: the bar says why it is refused. */
export const changeAtOnce = (action: string, body: object, done = ""): Promise<unknown> =>
  change(action, body, done).catch((error) =>
    say({ text: reasonOf(error), isBad: true, undo: null }),
  );

/** H44: what was done last, and the way back: also Ctrl+Z, where no text is being written. */
export function EditBar() {
  const canEdit = useCanEdit();
  useEvents(CHANGED);
  const undo = () => changeAtOnce("undo", {});
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUndo = event.key === "z" && (event.ctrlKey || event.metaKey) && !event.shiftKey;
      const target = event.target as Element;
      if (!isUndo || !canEdit || target.closest("input, textarea, select, dialog")) return;
      // Not what was saved before what is typed in a form: that is nearer.
      if (openForms > 0 && unsaved.size > 0) return;
      event.preventDefault();
      void undo();
    };
    return listen(["keydown"], onKey);
  }, [canEdit]);
  if (!canEdit || said === undefined) return null;
  const { form } = said;
  return (
    <aside class={said.isBad ? "edit-bar is-bad" : "edit-bar"} aria-label="What was changed">
      <p>{said.text}</p>
      {form && (
        <a href={form.href} onClick={() => openForm(form.id)}>
          Continue
        </a>
      )}
      {said.undo !== null && (
        <button type="button" title={`Undo ${said.undo} (Ctrl+Z)`} onClick={undo}>
          Undo
        </button>
      )}
      <Button aria-label="Hide this" onClick={() => say(undefined)}>
        ✕
      </Button>
    </aside>
  );
}

addEventListener("beforeunload", (event) => {
  if (unsaved.size > 0) event.preventDefault();
});
