import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { isEditable } from "../edited.ts";
import type { EntryView } from "../entry-view.ts";
import type { FieldView } from "../field-views.ts";
import { EditForm, type FormPlace } from "./edit-form.tsx";
import { onForm, openForm, unsavedOf, useCanEdit } from "./edit-state.tsx";
import { Button } from "./parts.tsx";
import type { Editing } from "./reading.ts";

const isChanged = ({ type, query }: FieldView) => isEditable(type, query !== undefined);

export function useEditing(entry: string): Editing {
  if (!useCanEdit()) return {};
  return {
    edit: (field) =>
      isChanged(field) && (
        <Editor
          key={`edit ${field.path}`}
          place={{ entry, path: field.path, name: field.name, locale: shownLocale(field) }}
        />
      ),
    editAll: (path, name, fields) =>
      fields.some(isChanged) && <Editor place={{ entry, path, name }} />,
  };
}

const formOf = (entry: string, path: string) => `${entry} ${path}`;

/** H63: opens the form of an entry. */
export function EditAll({ entry: { id, title, fields } }: { entry: EntryView }) {
  if (!useCanEdit() || !fields.some(isChanged)) return null;
  return (
    <Button class="quiet edit-all" onClick={() => openForm(formOf(id, ""))}>
      Edit all<span class="unseen">{` of ${title}`}</span>
    </Button>
  );
}

/** A pencil, which for a whole entry is `EditAll`, and the form in place of what is read. */
function Editor({ place }: { place: FormPlace }) {
  const { entry, path, name } = place;
  const id = formOf(entry, path);
  const [isOpen, setOpen] = useState(unsavedOf(id) !== undefined);
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  // With what is drawn: it may scroll, and no click is lost by that. Not to the button, which the next Enter or space of
  // one who still types would press.
  useLayoutEffect(() => {
    const around = wasOpen.current && !isOpen && button.current?.closest<HTMLElement>(AROUND);
    if (around) around.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  // A form that was saved may have been drawn anew before the answer: the field has a value now, and another place.
  useLayoutEffect(() => onForm(id, setOpen), [id]);
  if (isOpen) return <EditForm id={id} place={place} />;
  return (
    <Button
      ref={button}
      class="quiet pencil"
      label={`Change ${name}`}
      onClick={() => setOpen(true)}
    >
      ✎
    </Button>
  );
}

/** What has the focus after a form in it. */
const AROUND = "[data-path], .of-entry";

function shownLocale({ locales }: FieldView): string | undefined {
  return (locales?.find(({ isStored, shownIn }) => isStored && shownIn.length > 0) ?? locales?.[0])
    ?.locale;
}
