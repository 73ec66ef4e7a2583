import { useState } from "preact/hooks";
import type { EntryView } from "../entry-view.ts";
import { localeName } from "../spoken.ts";
import { DateTimeInput, DialogButton } from "./edit-dialog.tsx";
import { IdInput, NewEntry } from "./edit-new.tsx";
import { change, changeAtOnce, goToMade, useCanEdit } from "./edit-state.tsx";
import { Button } from "./parts.tsx";
import { entryHref, viewHref } from "./router.ts";
import { WhereUsed } from "./where-used.tsx";
import { moment } from "./words.ts";

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
    const from = publishAt ? `from ${moment(publishAt)} ` : "";
    const until = unpublishAt ? `until ${moment(unpublishAt)}` : "";
    const said = `${from}${until}`.trim() || "without dates";
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
  if (!useCanEdit()) return null;
  const isDraft = hidden === "draft";
  const setDraft = () =>
    changeAtOnce(
      "edit-publishing",
      { id, draft: !isDraft },
      isDraft ? "Ready: the next publish has it." : "A draft now: the next publish leaves it out.",
    );
  const remove = async () => {
    await change("edit-remove", { id }, `Deleted “${title}”.`);
    location.hash = viewHref(["entries"]);
  };
  return (
    <span class="edit-actions">
      {(hidden === null || isDraft) && (
        <Button onClick={setDraft}>{isDraft ? "Mark as ready" : "Mark as draft"}</Button>
      )}
      <PublishingDialog entry={entry} />
      <NewEntry label="Duplicate" of={entry} />
      <DialogButton label="Delete" title={`Delete “${title}”?`} send="Delete" save={remove}>
        <WhereUsed kind="entries" id={id} />
        <p class="soft">What uses it will lead nowhere. Undo brings it back.</p>
      </DialogButton>
    </span>
  );
}

/** H69: another id for an entry, wherever it is named. */
export function RenameEntry({ entry: { id, title } }: { entry: EntryView }) {
  const [newId, setNewId] = useState<string>();
  if (!useCanEdit()) return null;
  const rename = async () => {
    const done = `“${title}” has the id “${newId}” now, wherever it is named.`;
    const edited = await change("edit-rename", { id, newId: newId ?? id }, done);
    goToMade(edited, entryHref(newId ?? id));
  };
  return (
    <DialogButton
      label="Change…"
      name="Change the id"
      title={`Another id for “${title}”`}
      send="Change"
      save={rename}
    >
      <WhereUsed kind="entries" id={id} />
      <IdInput typed={newId} names={{ id, free: null }} of="entry" set={setNewId} isFirst />
      <p class="soft">What points at it here comes with it. A site that names the id does not.</p>
    </DialogButton>
  );
}
