import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useModal } from "./edit-choice.tsx";
import { isHeldEnter, onForm, reasonOf, useOpenForm } from "./edit-state.tsx";
import { Button, Failure } from "./parts.tsx";
import { fromLocal, localTime, offsetOf, zoneName } from "./words.ts";

/** A button that opens a dialog, whose form does something. */
export function DialogButton({
  label,
  name = label,
  title,
  send,
  save,
  form = "",
  discard,
  children,
}: {
  label: string;
  name?: string;
  title: string;
  /** What the button of the form says. */
  send: string;
  save: () => Promise<unknown>;
  /** Of one whose text is kept, with what forgets it. */
  form?: string;
  discard?: (() => void) | false;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  const isSaving = useRef(false);
  const takesAway = send === "Delete" || send === "Remove";
  useModal(dialog, isOpen);
  useOpenForm(form, title, isOpen);
  useLayoutEffect(() => onForm(form, setOpen), [form]);
  useLayoutEffect(() => setError(""), [isOpen]);
  return (
    <>
      <Button aria-label={name} onClick={() => setOpen(true)}>
        {label}
      </Button>
      {isOpen && (
        <dialog ref={dialog} class="edit-dialog" aria-label={title} onClose={() => setOpen(false)}>
          <form
            class="edit-form"
            onKeyDown={(event) => {
              if (isHeldEnter(event)) event.preventDefault();
              // As in the other forms.
              else if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
                event.preventDefault();
                event.currentTarget.requestSubmit();
              }
            }}
            onSubmit={(event) => {
              event.preventDefault();
              // Not the form that it was opened in.
              event.stopPropagation();
              const bad = event.currentTarget.querySelector<HTMLElement>("[aria-invalid]");
              if (bad) return bad.focus();
              // Once, by whatever number of clicks.
              if (isSaving.current) return;
              isSaving.current = true;
              save()
                .then(() => setOpen(false))
                .catch((thrown) => setError(reasonOf(thrown)))
                .finally(() => (isSaving.current = false));
            }}
          >
            <h2>{title}</h2>
            {children}
            {error && <Failure problem={{ message: error }} />}
            <p class={`edit-buttons ${takesAway ? "is-bad" : ""}`}>
              <button type="submit">{send}</button>
              <Button
                // Not by the second Enter of two.
                autofocus={takesAway}
                onClick={() => dialog.current?.close()}
              >
                Cancel
              </Button>
              {discard && <Button onClick={discard}>Discard</Button>}
            </p>
          </form>
        </dialog>
      )}
    </>
  );
}

export function TextInput({
  label,
  value,
  set,
  isFirst = false,
  isBad = false,
}: {
  label: string;
  value: string;
  set: (text: string) => void;
  /** Whether it has the focus when its dialog is opened. */
  isFirst?: boolean;
  /** Whether what is wrong with it is said below it. */
  isBad?: boolean;
}) {
  return (
    <label>
      {label}
      <input
        type="text"
        value={value}
        autofocus={isFirst}
        aria-invalid={isBad || undefined}
        dir="auto"
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/** H42d: a time is changed in the zone in which it is read, and keeps how it is written. */
export function DateTimeInput({
  text,
  change,
  ...common
}: {
  text: string;
  change: (text: string | null) => void;
  "aria-label": string;
  lang?: string | undefined;
}) {
  const [[first, offset]] = useState([text, offsetOf(text)] as const);
  const written = (local: string) => {
    if (offset === undefined) return fromLocal(local);
    return (local.length === 16 ? `${local}:00` : local) + offset;
  };
  return (
    <div class="edit-date-time">
      <input
        {...common}
        type="datetime-local"
        step="1"
        defaultValue={offset === undefined ? localTime(first) : first.slice(0, 19)}
        onInput={({ currentTarget: { value } }) => change(value === "" ? null : written(value))}
      />
      <span class="soft">{zoneName(text || first || new Date().toISOString())}</span>
    </div>
  );
}
