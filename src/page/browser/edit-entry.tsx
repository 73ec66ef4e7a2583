import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { EntryView } from "../entry-view.ts";
import { localeName } from "../spoken.ts";
import { DateTimeInput } from "./edit-date-time.tsx";
import { change, isHeldEnter, reasonOf, useCanEdit } from "./edit-state.tsx";
import { Failure } from "./parts.tsx";
import { entryHref, viewHref } from "./router.ts";
import { WhereUsed } from "./where-used.tsx";
import { moment } from "./words.ts";

/** A button that opens a dialog, whose form does something. */
export function DialogButton({
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
  const takesAway = send === "Delete" || send === "Remove";
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
            onKeyDown={(event) => isHeldEnter(event) && event.preventDefault()}
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
            <p class={`edit-buttons ${takesAway ? "is-bad" : ""}`}>
              <button type="submit">{send}</button>
              <button
                type="button"
                class="quiet"
                // Not by the second Enter of two.
                autofocus={takesAway}
                onClick={() => dialog.current?.close()}
              >
                Cancel
              </button>
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

/** H56: when an entry is published, and in which languages it is a draft (A4, A7). */
function PublishingDialog({ entry }: { entry: EntryView }) {
  const { id, title, draft, languages } = entry;
  const [typed, setTyped] = useState<Partial<Pick<EntryView, "publishAt" | "unpublishAt">>>({});
  const locales = [...new Set(languages.flatMap(({ locale }) => locale ?? []))];
  const isDraftIn = (locale: string) => typeof draft === "object" && draft[locale] === true;
  const [drafts, setDrafts] = useState<readonly string[]>();
  const save = async () => {
    const marks = drafts && Object.fromEntries(drafts.map((locale) => [locale, true]));
    const body = { id, ...typed, ...(drafts && { draft: drafts.length > 0 && marks }) };
    const { publishAt, unpublishAt } = { ...entry, ...typed };
    const times = [
      publishAt && `from ${moment(publishAt)}`,
      unpublishAt && `until ${moment(unpublishAt)}`,
    ];
    const said = times.filter(Boolean).join(" ") || "without dates";
    await change("edit-publishing", body, `“${title}” is published ${said}.`);
    setTyped({});
    setDrafts(undefined);
  };
  const time = (name: "publishAt" | "unpublishAt", label: string) => (
    <div>
      {label}
      <DateTimeInput
        text={entry[name] ?? ""}
        change={(value) => setTyped((old) => ({ ...old, [name]: value }))}
        aria-label={label}
      />
    </div>
  );
  return (
    <DialogButton
      label="Publish on…"
      title={`When is “${title}” published?`}
      send="Save"
      save={save}
    >
      {time("publishAt", "From")}
      {time("unpublishAt", "Until")}
      <p class="soft">Empty: at once, and without an end.</p>
      {typeof draft === "object" || (draft === false && locales.length > 1)
        ? locales.map((locale) => (
            <label class="check">
              <input
                type="checkbox"
                checked={drafts?.includes(locale) ?? isDraftIn(locale)}
                onChange={({ currentTarget: { checked } }) =>
                  setDrafts((old = locales.filter(isDraftIn)) =>
                    checked ? [...old, locale] : old.filter((one) => one !== locale),
                  )
                }
              />
              {` Draft in ${localeName(locale)}`}
            </label>
          ))
        : null}
      {draft === true && (
        <p class="soft">It is a draft: no date publishes it before it is marked as ready.</p>
      )}
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
      "edit-publishing",
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
      <PublishingDialog entry={entry} />
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
