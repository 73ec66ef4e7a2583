import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import { jsonPointer } from "../../workspace/json.ts";
import { listed } from "../../workspace/listed.ts";
import {
  type Checked,
  type Conflict,
  type FieldChange,
  type OpenedForm,
  valueAt,
  withValueAt,
} from "../edited.ts";
import { act, type RequestError } from "./access.ts";
import { useActed } from "./answers.ts";
import { ComparedValues } from "./compared-values.tsx";
import { type Beside, FieldInputs, FormState, hasLines } from "./edit-inputs.tsx";
import {
  change,
  closeForm,
  isHeldEnter,
  keep,
  reasonOf,
  type Unsaved,
  unsavedOf,
  useOpenForm,
} from "./edit-state.tsx";
import { Choice } from "./list-tools.tsx";
import { CONTROL } from "./option-keys.ts";
import { Button, Failure } from "./parts.tsx";
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
}: {
  id: string;
  place: FormPlace;
  beside?: Beside;
}) {
  const { project = "" } = useReading();
  const [state, setState] = useState<Unsaved>();
  const [error, setError] = useState<string>();
  const [isSaving, setSaving] = useState(false);
  const [folds, setFolds] = useState({ isOpen: false, turn: 0 });
  const form = useRef<HTMLFormElement>(null);
  /** Whether a key was pressed here, and not before the form was opened, which is held. */
  const isTyping = useRef(false);
  useOpenForm(id, name);
  const close = (keeps: boolean) => closeForm(id, keeps);
  const { opened, typed = {}, locale = null } = state ?? {};
  const changes = opened ? changesOf(opened, typed) : [];
  /** H64: what the check says of what is typed. */
  const isTyped = opened !== undefined && typed !== opened.data;
  const { answer: checked } = useActed<Checked>(
    isTyped ? "edit-check" : undefined,
    { id: entry, path, changes: opened && changes.map(sent(opened)) },
    PAUSE,
  );
  const { problems = [] } = (isTyped && checked) || (opened ?? {});
  const isMany = opened?.path === path;
  const take = (one: Unsaved) => {
    keep(id, one, JSON.stringify(one.opened.data) !== JSON.stringify(one.typed));
    setState(one);
  };
  const isIn =
    ({ path: own }: Conflict) =>
    ({ way }: Change) =>
      opened !== undefined && own === opened.path + jsonPointer(way);
  /** H81a: those that are not decided. */
  const conflicts = (state?.conflicts ?? []).filter((one) => changes.some(isIn(one)));
  /** H81a: with mine, or with theirs. */
  const decide = (one: Conflict, isMine: boolean) => {
    if (state === undefined || opened === undefined) return;
    const rest = changes.filter((other) => isMine || !isIn(one)(other));
    take({
      ...state,
      typed: rest.reduce(applied, opened.data),
      conflicts: conflicts.filter((other) => other !== one),
    });
    setError(undefined);
  };
  /** @param kept what was typed, which stays; H81: compared with what is there now */
  const open = async (kept: readonly Change[] = []) => {
    const body = { id: entry, path, project, locale: locale ?? first };
    const asked = opened ? { ...body, ...sentAll(opened, kept) } : body;
    try {
      const answer = await act<OpenedForm>("edit-open", asked);
      const still = conflicts.filter((one) => kept.some(isIn(one)));
      const found = answer.conflicts.filter(
        ({ path: own }) => !still.some((one) => one.path === own),
      );
      take({
        opened: answer,
        typed: kept.reduce(applied, answer.data),
        locale: answer.locale,
        conflicts: [...still, ...found],
      });
    } catch (thrown) {
      setError(reasonOf(thrown));
    }
  };
  useEffect(() => {
    const kept = unsavedOf(id);
    if (kept) setState(kept);
    else void open();
  }, []);
  // With what is drawn, so that no key is lost that is pressed as soon as it can be seen.
  useLayoutEffect(() => {
    const inputs = ":is(textarea, input, select, button, summary):not(:disabled, .edit-name *)";
    const side = beside ? `[data-side="${first}"] ` : "";
    const all = opened ? [...(form.current?.querySelectorAll<Input>(side + inputs) ?? [])] : [];
    // H71: what is not translated yet.
    const input =
      (beside && all.find(({ value }) => value === "")) ??
      all.find((one) => one.closest("fieldset")?.name === opened?.title) ??
      all[0];
    // Escape closes a form that is still loaded, too.
    (input ?? form.current)?.focus();
  }, [opened?.mark, conflicts.length]);
  /** @param only H81a: what is saved of it; the form stays for the others */
  const save = async (only?: readonly Change[]) => {
    if (opened === undefined || isSaving || (conflicts.length > 0 && !only)) return;
    // As half a date, which the browser gives no value: saved, it would remove the one that is there.
    const unread = [...(form.current?.querySelectorAll("input") ?? [])].find(
      ({ validity }) => validity.badInput || validity.customError,
    );
    if (unread) {
      setError(unread.validationMessage);
      unread.focus();
      return;
    }
    setSaving(true);
    const saved = only ?? changes;
    const rest = changes.filter((one) => !saved.includes(one));
    try {
      if (saved.length > 0) {
        const names = [...new Set(saved.map((one) => one.name))];
        await change("edit", { id: entry, ...sentAll(opened, saved) }, `Saved ${listed(names)}.`);
      }
      setError(undefined);
      if (rest.length > 0) await open(rest);
      else close(false);
    } catch (thrown) {
      setError(reasonOf(thrown));
      if ((thrown as RequestError).code === "edit-conflict") await open(changes);
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
          <Choice
            label="Language"
            value={locale}
            options={[...new Set([locale, ...opened.locales])].map((one) => [one, one])}
            onChoose={(value) => take({ ...state, locale: value })}
          />
        )}
        {opened && opened.blocks.length > 0 && !beside && (
          <Button
            onClick={() => setFolds(({ isOpen, turn }) => ({ isOpen: !isOpen, turn: turn + 1 }))}
          >
            {folds.isOpen ? "Fold all blocks" : "Unfold all blocks"}
          </Button>
        )}
      </p>
      {state && opened && (
        <FormState.Provider
          value={{
            ...{ opened, locale, isMany, folds, beside, isRefused: error !== undefined },
            problems: isChecked ? [] : problems,
          }}
        >
          <FieldInputs
            key={`${opened.mark} ${locale} ${conflicts.length}`}
            fields={opened.fields}
            data={typed}
            path={opened.path}
            change={(next) => take({ ...state, typed: next })}
          />
        </FormState.Provider>
      )}
      {error && <Failure problem={{ message: error }} />}
      {conflicts.map((one) => (
        <Conflicting
          key={one.path}
          conflict={one}
          save={() => void save(changes.filter(isIn(one)))}
          decide={(isMine) => decide(one, isMine)}
        />
      ))}
      <p class="edit-buttons">
        <button type="submit" disabled={opened === undefined || isSaving || conflicts.length > 0}>
          {isSaving ? "Saving…" : "Save"}
        </button>
        <Button onClick={cancel}>Cancel</Button>
        {isMany && changes.length > 0 && (
          <Button onClick={() => close(false)}>Discard changes</Button>
        )}
        {opened && (isMany || opened.fields.some(hasLines)) && (
          <span class="soft">{`${CONTROL}Enter saves`}</span>
        )}
      </p>
    </form>
  );
}

/** H81a: what another one has written beside what was typed. */
function Conflicting({
  conflict: { change },
  save,
  decide,
}: {
  conflict: Conflict;
  save: () => void;
  decide: (isMine: boolean) => void;
}) {
  return (
    <section class="conflict" aria-label={`Two changes of ${change.place.join(" › ")}`}>
      <ComparedValues values={[change]} heads={["There now", "Yours"]} />
      <p class="edit-buttons">
        <button type="button" onClick={save}>
          Save mine
        </button>
        <Button onClick={() => decide(false)}>Take theirs</Button>
        <Button onClick={() => decide(true)}>Go on writing</Button>
      </p>
    </section>
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

/** H81: with what was there when the form was opened. */
const sentAll = (opened: OpenedForm, changes: readonly Change[]) => ({
  was: opened.was,
  changes: changes.map(sent(opened)),
});
