import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JsonValue } from "../../workspace/json.ts";
import { isEditable, type OpenedField } from "../edited.ts";
import type { FieldView } from "../field-views.ts";
import { act, type RequestError } from "./access.ts";
import { hasLines, ValueInput } from "./edit-inputs.tsx";
import {
  change,
  closeForm,
  isHeldEnter,
  keep,
  onClosed,
  reasonOf,
  type Unsaved,
  unsavedOf,
  useCanEdit,
  useOpenForm,
} from "./edit-state.tsx";
import { CONTROL } from "./option-keys.ts";
import { Failure } from "./parts.tsx";
import { useReading } from "./reading.ts";

/** H42: what changes the fields of an entry; undefined where nothing is changed here. */
export function useFieldEdit(entry: string) {
  if (!useCanEdit()) return undefined;
  return (field: FieldView, opens = false) =>
    isEditable(field.type, field.isRepeatable, field.query !== undefined) && (
      <FieldEditor key={`edit ${field.path}`} entry={entry} field={field} opens={opens} />
    );
}

/**
 * A pencil, and the form in place of the value.
 *
 * @param opens whether the form is there at first
 */
function FieldEditor({ entry, field, opens }: { entry: string; field: FieldView; opens: boolean }) {
  const id = `${entry} ${field.path}`;
  const [isOpen, setOpen] = useState(opens || unsavedOf(id).size > 0);
  const pencil = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // Not to the pencil, which the next Enter or space of one who still types would press.
    const place = wasOpen.current && !isOpen && pencil.current?.closest<HTMLElement>("[data-path]");
    if (place) place.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  // A form that was saved may have been drawn anew before the answer: the field has a value now, and another place.
  useLayoutEffect(() => onClosed(id, () => setOpen(false)), [id]);
  const close = () => closeForm(id);
  if (isOpen) return <FieldForm id={id} entry={entry} field={field} close={close} />;
  return (
    <button
      ref={pencil}
      type="button"
      class="quiet pencil"
      aria-label={`Change ${field.name}`}
      title={`Change ${field.name}`}
      onClick={() => setOpen(true)}
    >
      ✎
    </button>
  );
}

/** The locale whose value is read. */
function shownLocale({ locales }: FieldView): string | undefined {
  return (locales?.find(({ isStored, shownIn }) => isStored && shownIn.length > 0) ?? locales?.[0])
    ?.locale;
}

function FieldForm({
  id,
  entry,
  field,
  close,
}: {
  id: string;
  entry: string;
  field: FieldView;
  close: () => void;
}) {
  const { project } = useReading();
  const [opened, setOpened] = useState<OpenedField>();
  const [typed, setTyped] = useState<JsonValue>(null);
  const [error, setError] = useState<{ text: string; isConflict: boolean }>();
  const [isSaving, setSaving] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  /** Whether a key was pressed here, and not before the form was opened, which is held. */
  const isTyping = useRef(false);
  useOpenForm(id, field.name);
  const type = (next: JsonValue) => {
    setTyped(next);
    if (opened) keep(id, { opened, typed: next });
  };
  const take = (one: Unsaved) => {
    setOpened(one.opened);
    setTyped(one.typed);
    setError(undefined);
  };
  const fail = (thrown: unknown) => {
    const isConflict = (thrown as RequestError).code === "edit-conflict";
    setError({ text: reasonOf(thrown), isConflict });
  };
  const open = (locale: string | undefined, keepsTyped = false) => {
    const path = locale === undefined ? field.path : `${field.path}/${locale}`;
    act<OpenedField>("edit-open", { id: entry, path, project: project ?? "" }).then((answer) => {
      const one = { opened: answer, typed: keepsTyped ? typed : answer.value };
      keep(id, one);
      take(one);
    }, fail);
  };
  const choose = (locale: string | undefined) => {
    const kept = unsavedOf(id).get(locale ?? null);
    if (kept) take(kept);
    else open(locale);
  };
  useEffect(() => {
    const [kept] = unsavedOf(id).values();
    if (kept) take(kept);
    else open(shownLocale(field));
  }, []);
  // With what is drawn, so that no key is lost that is pressed as soon as it can be seen.
  useLayoutEffect(() => {
    const inputs = ":is(textarea, input, select, button):enabled:not(.edit-name *)";
    const first = opened && form.current?.querySelector<HTMLElement>(inputs);
    // Escape closes a form that is still loaded, too.
    (first ?? form.current)?.focus();
  }, [opened?.mark, opened?.locale]);
  const save = async () => {
    if (opened === undefined || isSaving) return;
    const { path, mark, value } = opened;
    // As half a date, which the browser gives no value: saved, it would remove the one that is there.
    const unread = [...(form.current?.querySelectorAll("input") ?? [])].find(
      ({ validity }) => validity.badInput || validity.customError,
    );
    if (unread) {
      setError({ text: unread.validationMessage, isConflict: false });
      unread.focus();
      return;
    }
    // A pointer that was added and not chosen is none, nor is what was emptied in a list.
    const isChosen = (one: JsonValue) =>
      one !== null && (opened.field.type === "text" || one !== "");
    const isList = Array.isArray(typed) && opened.field.repeatable;
    const next = isList ? (typed as JsonValue[]).filter(isChosen) : typed;
    setSaving(true);
    try {
      if (JSON.stringify(value) !== JSON.stringify(next)) {
        const body = { id: entry, path, mark, value: next };
        await change("edit", body, `Saved ${field.name}.`);
      }
      keep(id, { opened, typed: value });
      const [other] = unsavedOf(id).values();
      if (other) take(other);
      else close();
    } catch (thrown) {
      fail(thrown);
    }
    setSaving(false);
  };
  const locale = opened?.locale ?? undefined;
  return (
    <form
      ref={form}
      class="edit-form"
      tabIndex={-1}
      noValidate
      aria-label={`Change ${field.name}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDownCapture={(event) => {
        isTyping.current ||= !event.repeat;
        const isText = event.target instanceof HTMLTextAreaElement && isTyping.current;
        if (!isHeldEnter(event) || isText) return;
        event.preventDefault();
        event.stopPropagation();
      }}
      onKeyDown={(event) => {
        if ((event.target as Element).closest("dialog")) return;
        if (event.key === "Escape") {
          event.preventDefault();
          event.stopPropagation();
          close();
        }
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void save();
      }}
    >
      <p class="edit-name">
        <strong>{field.name}</strong>
        {locale !== undefined && (
          <select
            aria-label="Language"
            value={locale}
            onChange={({ currentTarget }) => choose(currentTarget.value)}
          >
            {[...new Set([locale, ...(opened?.locales ?? [])])].map((one) => (
              <option value={one}>{one}</option>
            ))}
          </select>
        )}
      </p>
      {opened?.field.description && <p class="soft">{opened.field.description}</p>}
      {opened && (
        <ValueInput
          key={`${opened.mark} ${locale}`}
          opened={opened}
          name={field.name}
          value={typed}
          change={type}
          lang={locale}
        />
      )}
      {error && <Failure problem={{ message: error.text }} />}
      <p class="edit-buttons">
        <button type="submit" disabled={opened === undefined || isSaving}>
          {isSaving ? "Saving…" : "Save"}
        </button>
        {error?.isConflict && (
          <button type="button" class="quiet" onClick={() => open(locale, true)}>
            Keep my text
          </button>
        )}
        {error?.isConflict && (
          <button type="button" class="quiet" onClick={() => open(locale)}>
            Take what is there now
          </button>
        )}
        <button type="button" class="quiet" onClick={close}>
          Cancel
        </button>
        {opened && hasLines(opened.field) && <span class="soft">{`${CONTROL}Enter saves`}</span>}
      </p>
    </form>
  );
}
