import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EntryView } from "../entry-view.ts";
import { change, reasonOf, useCanEdit } from "./edit-state.tsx";
import { Failure } from "./parts.tsx";
import { entryHref, viewHref } from "./router.ts";
import { WhereUsed } from "./where-used.tsx";

/** A button that opens a dialog, whose form does something. */
function DialogButton({
  label,
  title,
  send,
  save,
  children,
}: {
  label: string;
  title: string;
  /** What the button of the form says. */
  send: string;
  save: () => Promise<unknown>;
  children: ComponentChildren;
}) {
  const [isOpen, setOpen] = useState(false);
  const [error, setError] = useState("");
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (isOpen) dialog.current?.showModal();
    setError("");
  }, [isOpen]);
  return (
    <>
      <button type="button" class="quiet" onClick={() => setOpen(true)}>
        {label}
      </button>
      {isOpen && (
        <dialog ref={dialog} class="edit-dialog" aria-label={title} onClose={() => setOpen(false)}>
          <form
            class="edit-form"
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              save().then(
                () => setOpen(false),
                (thrown) => setError(reasonOf(thrown)),
              );
            }}
          >
            <h2>{title}</h2>
            {children}
            {error && <Failure problem={{ message: error }} />}
            <p class={`edit-buttons ${send === "Delete" ? "is-bad" : ""}`}>
              <button type="submit">{send}</button>
              <button type="button" class="quiet" onClick={() => dialog.current?.close()}>
                Cancel
              </button>
            </p>
          </form>
        </dialog>
      )}
    </>
  );
}

function TextInput({
  label,
  value,
  set,
  placeholder,
}: {
  label: string;
  value: string;
  set: (text: string) => void;
  placeholder?: string;
}) {
  return (
    <label>
      {label}
      <input
        type="text"
        value={value}
        placeholder={placeholder}
        onInput={({ currentTarget }) => set(currentTarget.value)}
      />
    </label>
  );
}

/** H45: a new entry of a model, which is opened then. */
export function NewEntry({ model }: { model: { readonly key: string; readonly name: string } }) {
  const [title, setTitle] = useState("");
  const [id, setId] = useState("");
  if (!useCanEdit()) return null;
  const save = async () => {
    const made = await change(
      "edit-add",
      { model: model.key, title, id: id || undefined },
      `Made “${title}”, as a draft.`,
    );
    setTitle("");
    setId("");
    location.hash = entryHref(made.id ?? "");
  };
  return (
    <DialogButton label={`New ${model.name}`} title={`New ${model.name}`} send="Create" save={save}>
      <TextInput label="Title" value={title} set={setTitle} />
      <TextInput label="Id, which stays" value={id} set={setId} placeholder="made of the title" />
      <p class="soft">It begins as a draft, which is not published.</p>
    </DialogButton>
  );
}

/** H43, H45: what is done with an entry as a whole. */
export function EntryActions({ entry }: { entry: EntryView }) {
  const { id, title, hidden } = entry;
  const [newId, setNewId] = useState<string>();
  if (!useCanEdit()) return null;
  const isDraft = hidden === "draft";
  const setDraft = () =>
    change(
      "edit-draft",
      { id, draft: !isDraft },
      isDraft ? "Ready: the next publish has it." : "A draft now: the next publish leaves it out.",
    );
  const copy = async () => {
    const body = { id, newId: newId ?? `${id}-copy` };
    const made = await change("edit-copy", body, `Made a copy of “${title}”, as a draft.`);
    setNewId(undefined);
    location.hash = entryHref(made.id ?? "");
  };
  const remove = async () => {
    await change("edit-remove", { id }, `Deleted “${title}”.`);
    location.hash = viewHref(["entries"]);
  };
  return (
    <span class="edit-actions">
      {(hidden === null || isDraft) && (
        <button type="button" class="quiet" onClick={setDraft}>
          {isDraft ? "Mark as ready" : "Mark as draft"}
        </button>
      )}
      <DialogButton label="Duplicate" title={`Duplicate “${title}”`} send="Duplicate" save={copy}>
        <TextInput label="Id of the copy" value={newId ?? `${id}-copy`} set={setNewId} />
      </DialogButton>
      <DialogButton label="Delete" title={`Delete “${title}”?`} send="Delete" save={remove}>
        <WhereUsed kind="entries" id={id} />
        <p class="soft">What uses it will lead nowhere. Undo brings it back.</p>
      </DialogButton>
    </span>
  );
}
