import type { ComponentChildren } from "preact";
import type { FieldView } from "../field-views.ts";
import { hasUnsaved } from "./edit-state.tsx";
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
  /** Fields as they are read. */
  list: (fields: readonly FieldView[]) => ComponentChildren;
}

/**
 * H25d, H25h: a block, or an entry that is open in another: what is read of it, after a head with its settings, folded, and one
 * pencil, for the form of all its fields.
 */
export function EntryPart({ path, name, what, fields, list }: EntryPartProps) {
  const { editAll, problems, entry } = useReading();
  const place = (at: string) => `${entry} ${at}`;
  const hasNotes = (field: FieldView) => notesOf(field, problems).length > 0;
  const isRest = (field: FieldView) => isSetting(field) || (isEmpty(field) && !hasNotes(field));
  const rest = fields.filter(isRest);
  const read = fields.filter((field) => !isRest(field));
  const empty = rest.filter(isEmpty);
  const counts = [
    rest.length > empty.length && counted(rest.length - empty.length, "setting"),
    empty.length > 0 && counted(empty.length, "empty field"),
  ];
  return (
    <>
      <div class="part-head">
        {rest.length > 0 ? (
          <Fold
            id={place(path)}
            isAsked={rest.some((field) => hasNotes(field) || hasUnsaved(place(field.path)))}
            summary={
              <>
                {name && <span class="block-name">{name}</span>}{" "}
                <span class="part-counts">{counts.filter(Boolean).join(", ")}</span>
              </>
            }
          >
            {() => list(rest)}
          </Fold>
        ) : (
          name && <p class="block-name">{name}</p>
        )}
        {editAll?.(path, what, fields)}
      </div>
      {list(read)}
    </>
  );
}
