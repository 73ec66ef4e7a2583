import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { FieldView } from "../field-views.ts";
import { hasUnsaved, onClosed, unsavedOf } from "./edit-state.tsx";
import { isEmpty, isSetting, notesOf } from "./field-kinds.ts";
import { Fold } from "./parts.tsx";
import { useReading } from "./reading.ts";
import { counted } from "./words.ts";

export interface EntryPartProps {
  /** Unique in the entry. */
  path: string;
  name?: string;
  /** What its pencil changes. */
  what: string;
  fields: readonly FieldView[];
  /** Fields as they are read, with a pencil each or without; `opens`: whose form is there at first. */
  list: (fields: readonly FieldView[], hasPencils: boolean, opens?: FieldView) => ComponentChildren;
}

/**
 * H25d, H25h: a block, or an entry that is open in another: what is read of it, after a head with its settings, folded, and one
 * pencil for all fields, which opens the form of one that is alone.
 */
export function EntryPart({ path, name, what, fields, list }: EntryPartProps) {
  const { edit, problems, entry } = useReading();
  const place = (at: string) => `${entry} ${at}`;
  const [isChanged, setChanged] = useState(
    fields.some((field) => unsavedOf(place(field.path)).size > 0),
  );
  const hasNotes = (field: FieldView) => notesOf(field, problems).length > 0;
  const isRest = (field: FieldView) => isSetting(field) || (isEmpty(field) && !hasNotes(field));
  const rest = fields.filter(isRest);
  const read = fields.filter((field) => !isRest(field));
  const empty = rest.filter(isEmpty);
  const counts = [
    rest.length > empty.length && counted(rest.length - empty.length, "setting"),
    empty.length > 0 && counted(empty.length, "empty field"),
  ];
  const editable = (some: readonly FieldView[]) => some.filter((field) => edit?.(field));
  const all = editable(fields);
  const [first, ...others] = read.length > 0 ? editable(read) : all;
  const only = others.length === 0 ? first : undefined;
  const form = isChanged && only ? place(only.path) : "";
  const pencil = useRef<HTMLButtonElement>(null);
  // It ends with the only form, which has another place when an empty field gets a value.
  useLayoutEffect(
    () =>
      onClosed(form, () => {
        setChanged(false);
        pencil.current?.closest<HTMLElement>("[data-path]")?.focus();
      }),
    [form],
  );
  const isAsked =
    rest.some((field) => hasNotes(field) || hasUnsaved(place(field.path))) ||
    (isChanged && (only === undefined || rest.includes(only)));
  const label = `Change ${what}`;
  return (
    <>
      <div class="part-head">
        {rest.length > 0 ? (
          <Fold
            id={place(path)}
            isAsked={isAsked}
            summary={
              <>
                {name && <span class="block-name">{name}</span>}{" "}
                <span class="part-counts">{counts.filter(Boolean).join(", ")}</span>
              </>
            }
          >
            {() => list(rest, isChanged, only)}
          </Fold>
        ) : (
          name && <p class="block-name">{name}</p>
        )}
        {all.length > 0 && (
          <button
            ref={pencil}
            type="button"
            class="quiet pencil"
            aria-label={label}
            title={label}
            aria-pressed={isChanged}
            onClick={() => setChanged(!isChanged)}
          >
            ✎
          </button>
        )}
      </div>
      {list(read, isChanged, only)}
    </>
  );
}
