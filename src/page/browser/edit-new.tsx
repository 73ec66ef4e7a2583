import { useLayoutEffect, useState } from "preact/hooks";
import { ID_RULE, isId } from "../../workspace/ids.ts";
import type { JsonObject } from "../../workspace/json.ts";
import type { EntryNames, FieldChange, OpenedForm } from "../edited.ts";
import { useActed, useAnswer } from "./answers.ts";
import { DialogButton, TextInput } from "./edit-dialog.tsx";
import { changesOf, sent } from "./edit-form.tsx";
import { FieldInputs, FormState } from "./edit-inputs.tsx";
import { change, goToMade, keep, sentence, unsavedOf, useCanEdit } from "./edit-state.tsx";
import { Choice } from "./list-tools.tsx";
import { Button, Failure } from "./parts.tsx";
import { entryHref } from "./router.ts";

/** What was given; what was not, follows the title. */
interface Typed {
  readonly title?: string;
  readonly id?: string | undefined;
  readonly model?: string | undefined;
  /** Of slugs, by path. */
  readonly values?: Readonly<Record<string, string>>;
  /** Of the other fields. */
  readonly data?: JsonObject | undefined;
  readonly changes?: readonly FieldChange[];
}

/** How the new entry begins. */
interface Begun {
  /** H68: the one that it is a copy of. */
  readonly of?: { readonly id: string; readonly title: string };
  /** The id of the model that is chosen first. */
  readonly model?: string | undefined;
  /** The ids of those that may be chosen; absent: all. */
  readonly accepts?: readonly string[];
}

/**
 * H67: a button that makes an entry, which is opened then.
 *
 * @param use takes it, in place of opening it
 */
export function NewEntry({
  label = "New entry",
  name = label,
  use,
  ...begun
}: Begun & {
  label?: string;
  name?: string;
  use?: (made: { id: string; title: string; model?: string }) => void;
}) {
  const { of } = begun;
  // No entry's: an id has no space.
  const [form] = useState(` ${of?.id ?? label} ${location.hash.split("?")[0]}`);
  const [typed, setTyped] = useState(unsavedOf<Typed>(form) ?? {});
  const { model: _, data: __, values = {}, changes = [], ...names } = typed;
  const isTyped = Object.values({ ...names, ...values, ...changes }).some(Boolean);
  useLayoutEffect(() => keep(form, typed, isTyped), [typed]);
  if (!useCanEdit()) return null;
  const forget = () => setTyped({});
  const save = async () => {
    const title = typed.title?.trim() ?? "";
    const done = of ? `Made a copy of “${of.title}”, as a draft.` : `Made “${title}”, as a draft.`;
    const made = await change("edit-add", { of: of?.id, ...typed, data: undefined }, done);
    const { id = "" } = made;
    forget();
    if (use) use({ id, title: title || id });
    else goToMade(made, entryHref(id));
  };
  return (
    <DialogButton
      {...{ label, name, save, form }}
      discard={isTyped && forget}
      title={of ? `Duplicate “${of.title}”` : label}
      send={of ? "Duplicate" : "Create"}
    >
      <Inputs {...begun} typed={typed} set={(more) => setTyped((old) => ({ ...old, ...more }))} />
    </DialogButton>
  );
}

/** What was not typed yet is no problem. */
const WHOLE = { problems: [], isMany: true, folds: { isOpen: false, turn: 0 } };

function Inputs({
  of,
  model: first,
  accepts,
  typed,
  set,
}: Begun & { typed: Typed; set: (more: Typed) => void }) {
  const { models = [] } = useAnswer(of ? undefined : "definitions").answer ?? {};
  const choices = models.filter(({ id }) => accepts?.includes(id) ?? true);
  const model = typed.model ?? first ?? choices[0]?.id;
  // With what is drawn, so that it does not come after another one is chosen.
  useLayoutEffect(() => {
    if (model !== typed.model) set({ model });
  }, [model]);
  const { data, changes: _, ...named } = typed;
  const begun = model || of ? { of: of?.id, ...named, model } : undefined;
  const { answer: names } = useActed<EntryNames>(begun && "edit-names", begun ?? {});
  const { answer: opened } = useActed<OpenedForm>(!of && model ? "edit-open" : undefined, {
    model,
  });
  const { title = "", slugs = [] } = names ?? {};
  return (
    <>
      {choices.length > 1 && model && (
        <Choice
          label="Model"
          value={model}
          options={choices.map((one) => [one.id, one.name] as const)}
          onChoose={(chosen) => set({ model: chosen, values: {}, data: undefined, changes: [] })}
        />
      )}
      {title !== null && (
        <TextInput
          label="Title"
          value={typed.title ?? title}
          set={(text) => set({ title: text })}
          isFirst
        />
      )}
      {slugs.map(({ path, name, text }) => (
        <TextInput
          key={path}
          label={name}
          value={typed.values?.[path] ?? text}
          set={(value) => set({ values: { ...typed.values, [path]: value } })}
        />
      ))}
      <IdInput typed={typed.id} names={names} of="entry" set={(next) => set({ id: next })} />
      {opened && names && (
        <FormState.Provider value={{ ...WHOLE, opened, locale: opened.locale }}>
          <FieldInputs
            key={model}
            fields={opened.fields.filter(({ key }) => !names.keys.includes(key))}
            data={data ?? opened.data}
            path=""
            change={(next) =>
              set({ data: next, changes: changesOf(opened, next).map(sent(opened)) })
            }
          />
        </FormState.Provider>
      )}
      <p class="soft">It begins as a draft, which is not published.</p>
    </>
  );
}

/** H67a: an id, which is proposed again when it is emptied; a form is not sent with one that is said to be wrong. */
export function IdInput({
  typed,
  names,
  of,
  set,
  isFirst = false,
}: {
  typed: string | undefined;
  names: Pick<EntryNames, "id" | "free"> | undefined;
  of: string;
  set: (id: string | undefined) => void;
  isFirst?: boolean;
}) {
  const id = typed ?? names?.id ?? "";
  const isMalformed = id !== "" && !isId(id);
  // Not of what was typed before.
  const free = names?.id === id ? names.free : null;
  return (
    <>
      <TextInput
        label="Id"
        value={id}
        set={(text) => set(text || undefined)}
        isFirst={isFirst}
        isBad={isMalformed || free !== null}
      />
      {isMalformed && <Failure problem={{ message: sentence(ID_RULE) }} />}
      {free !== null && (
        <Failure problem={{ message: `Another ${of} has the id “${id}”.` }}>
          {" "}
          <Button onClick={() => set(free)}>Use “{free}”</Button>
        </Failure>
      )}
    </>
  );
}
