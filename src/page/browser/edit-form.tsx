import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import { jsonPointer } from "../../workspace/json.ts";
import { listed } from "../../workspace/listed.ts";
import type { DescribedProblem as Problem } from "../../workspace/problem-messages.ts";
import {
  type Checked,
  type FieldChange,
  type OpenedForm,
  valueAt,
  withValueAt,
} from "../edited.ts";
import { act, type RequestError } from "./access.ts";
import { type Beside, FieldInputs, FormState, hasLines } from "./edit-inputs.tsx";
import {
  change,
  isHeldEnter,
  keep,
  reasonOf,
  type Unsaved,
  unsavedOf,
  useOpenForm,
} from "./edit-state.tsx";
import { CONTROL } from "./option-keys.ts";
import { Failure } from "./parts.tsx";
import { useReading } from "./reading.ts";

/** What a form changes: a field, or all of an entry or a block. */
export interface FormPlace {
  readonly entry: string;
  readonly path: string;
  readonly name: string;
  /** In which a localized field is read. */
  readonly locale?: string | undefined;
}

type Input = HTMLElement & { readonly value?: string };

/** How long nothing is typed before what was is checked, in milliseconds. */
const PAUSE = 300;

/** H42, H63: a form with an input for each field. */
export function EditForm({
  id,
  place: { entry, path, name, locale: first },
  beside,
  close,
}: {
  id: string;
  place: FormPlace;
  beside?: Beside;
  /** Keeps what was typed, or not. */
  close: (keeps: boolean) => void;
}) {
  const { project = "" } = useReading();
  const [state, setState] = useState<Unsaved>();
  const [error, setError] = useState<{ text: string; isConflict: boolean }>();
  const [isSaving, setSaving] = useState(false);
  const [folds, setFolds] = useState({ isOpen: false, turn: 0 });
  const form = useRef<HTMLFormElement>(null);
  /** Whether a key was pressed here, and not before the form was opened, which is held. */
  const isTyping = useRef(false);
  useOpenForm(id, name);
  const { opened, typed = {}, locale = null } = state ?? {};
  const problems = useProblems({ id: entry, path }, state);
  const changes = opened ? changesOf(opened, typed) : [];
  const isMany = opened?.path === path;
  const take = (one: Unsaved) => {
    keep(id, one);
    setState(one);
  };
  const fail = (thrown: unknown) => {
    const isConflict = (thrown as RequestError).code === "edit-conflict";
    setError({ text: reasonOf(thrown), isConflict });
  };
  /** @param kept what was typed, which stays */
  const open = (kept: readonly Change[] = []) => {
    const body = { id: entry, path, project, locale: locale ?? first };
    act<OpenedForm>("edit-open", body).then((answer) => {
      take({ opened: answer, typed: kept.reduce(applied, answer.data), locale: answer.locale });
      setError(undefined);
    }, fail);
  };
  useEffect(() => {
    const kept = unsavedOf(id);
    if (kept) setState(kept);
    else open();
  }, []);
  // With what is drawn, so that no key is lost that is pressed as soon as it can be seen.
  useLayoutEffect(() => {
    const inputs = ":is(textarea, input, select, button, summary):not(:disabled, .edit-name *)";
    const side = beside ? `[data-side="${first}"] ` : "";
    const all = opened ? [...(form.current?.querySelectorAll<Input>(side + inputs) ?? [])] : [];
    // H71: what is not translated yet.
    const input = (beside && all.find(({ value }) => value === "")) ?? all[0];
    // Escape closes a form that is still loaded, too.
    (input ?? form.current)?.focus();
  }, [opened?.mark]);
  const save = async () => {
    if (opened === undefined || isSaving) return;
    // As half a date, which the browser gives no value: saved, it would remove the one that is there.
    const unread = [...(form.current?.querySelectorAll("input") ?? [])].find(
      ({ validity }) => validity.badInput || validity.customError,
    );
    if (unread) {
      setError({ text: unread.validationMessage, isConflict: false });
      unread.focus();
      return;
    }
    setSaving(true);
    try {
      if (changes.length > 0) {
        const names = [...new Set(changes.map((one) => one.name))];
        const body = { id: entry, mark: opened.mark, changes: changes.map(sent(opened)) };
        await change("edit", body, `Saved ${listed(names)}.`);
      }
      close(false);
    } catch (thrown) {
      fail(thrown);
    }
    setSaving(false);
  };
  // What is a few words is typed again, a form of many fields is not.
  const cancel = () => close(isMany && changes.length > 0);
  const isChecked = !isMany && error !== undefined;
  return (
    <form
      ref={form}
      class={isMany ? "edit-form is-many" : "edit-form"}
      tabIndex={-1}
      noValidate
      aria-label={`Change ${name}`}
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
          cancel();
        }
        if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
        event.preventDefault();
        void save();
      }}
    >
      <p class="edit-name">
        <strong>{name}</strong>
        {state && opened && locale !== null && !beside && (
          <select
            aria-label="Language"
            value={locale}
            onChange={({ currentTarget: { value } }) => take({ ...state, locale: value })}
          >
            {[...new Set([locale, ...opened.locales])].map((one) => (
              <option value={one}>{one}</option>
            ))}
          </select>
        )}
        {opened && opened.blocks.length > 0 && !beside && (
          <button
            type="button"
            class="quiet"
            onClick={() => setFolds(({ isOpen, turn }) => ({ isOpen: !isOpen, turn: turn + 1 }))}
          >
            {folds.isOpen ? "Fold all blocks" : "Unfold all blocks"}
          </button>
        )}
      </p>
      {state && opened && (
        <FormState.Provider
          value={{ opened, locale, problems: isChecked ? [] : problems, isMany, folds, beside }}
        >
          <FieldInputs
            key={`${opened.mark} ${locale}`}
            fields={opened.fields}
            data={typed}
            path={opened.path}
            change={(next) => take({ ...state, typed: next })}
          />
        </FormState.Provider>
      )}
      {error && <Failure problem={{ message: error.text }} />}
      <p class="edit-buttons">
        <button type="submit" disabled={opened === undefined || isSaving}>
          {isSaving ? "Saving…" : "Save"}
        </button>
        {error?.isConflict && (
          <button type="button" class="quiet" onClick={() => open(changes)}>
            Keep my text
          </button>
        )}
        {error?.isConflict && (
          <button type="button" class="quiet" onClick={() => open()}>
            Take what is there now
          </button>
        )}
        <button type="button" class="quiet" onClick={cancel}>
          Cancel
        </button>
        {isMany && changes.length > 0 && (
          <button type="button" class="quiet" onClick={() => close(false)}>
            Discard changes
          </button>
        )}
        {opened && (isMany || opened.fields.some(hasLines)) && (
          <span class="soft">{`${CONTROL}Enter saves`}</span>
        )}
      </p>
    </form>
  );
}

/** A value in one locale that is another one now. */
interface Change {
  readonly name: string;
  readonly way: readonly string[];
  readonly value: JsonValue;
  readonly isLocalized: boolean;
}

export function changesOf({ fields, data }: OpenedForm, typed: JsonObject): Change[] {
  return fields.flatMap(({ key, name = key, localized = false }) => {
    const locales = [data, typed].flatMap((one) => Object.keys(valueAt(one, [key]) ?? {}));
    const ways = localized ? [...new Set(locales)].map((one) => [key, one]) : [[key]];
    return ways.flatMap((way) => {
      const value = valueAt(typed, way) ?? null;
      const isSame = JSON.stringify(valueAt(data, way) ?? null) === JSON.stringify(value);
      return isSame ? [] : [{ name, way, value, isLocalized: localized }];
    });
  });
}

const applied = (data: JsonObject, { way, value, isLocalized }: Change) =>
  withValueAt(data, way, value, isLocalized);

export const sent =
  ({ path }: OpenedForm) =>
  ({ way, value }: Change): FieldChange => ({ path: path + jsonPointer(way), value });

/** H64: what the check says of what is typed. */
function useProblems(of: { id: string; path: string }, state: Unsaved | undefined) {
  const { opened, typed = {} } = state ?? {};
  const [found, setFound] = useState<{ of: OpenedForm; problems: readonly Problem[] }>();
  useEffect(() => {
    if (opened === undefined || (typed === opened.data && found?.of !== opened)) return;
    let isOver = false;
    const check = async () => {
      const body = { ...of, changes: changesOf(opened, typed).map(sent(opened)) };
      const { problems } = await act<Checked>("edit-check", body);
      if (!isOver) setFound({ of: opened, problems });
    };
    const timer = setTimeout(() => void check().catch(() => undefined), PAUSE);
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [opened, typed]);
  return (found?.of === opened ? found?.problems : opened?.problems) ?? [];
}
