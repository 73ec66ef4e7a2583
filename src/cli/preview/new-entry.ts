import { idFrom } from "../../documents/to-id.ts";
import { titleFields } from "../../fields/entry-title.ts";
import { refused } from "../../folder/edit/entry-texts.ts";
import type { FolderDraft } from "../../folder/folder-draft.ts";
import type { DraftState } from "../../page/draft-state.ts";
import type { EntryNames } from "../../page/edited.ts";
import { type JsonObject, type JsonValue, jsonPointer, ownMember } from "../../workspace/json.ts";
import { fittingText, otherWith, takes } from "./edit-problems.ts";
import { type EditedField, editedField } from "./edited-field.ts";
import { changedData } from "./field-edits.ts";

/** H67: the keys of fields whose text follows the title. */
const SLUG = /slug$/i;
/** Of the name that is made of another one, so that it has room for a number. */
const LONGEST = 100;

/**
 * H67: a new entry, with the values that its author has given, by path or as changes, and with what is proposed of its id,
 * title and slugs where none is given.
 *
 * @param copied H68: the stored record of which it is a copy
 */
export function newEntry(
  state: DraftState,
  draft: FolderDraft,
  body: JsonObject,
  copied?: JsonObject,
) {
  const model = state.models.get(String(copied?.modelId ?? ownMember(body, "model")));
  if (model === undefined) throw refused("the model is not there any more", "load the page again");
  const { fields } = model;
  const before = (copied?.data ?? {}) as JsonObject;
  const [locale] = state.languages.titles()[0] ?? [];
  const values = (ownMember(body, "values") ?? {}) as JsonObject;
  const fieldAt = (key: string, own = locale) => {
    const isLocalized = fields.find((one) => one.key === key)?.localized && own !== undefined;
    const path = isLocalized ? [key, own] : [key];
    return editedField({ fields, data: before, path: [] }, path, state.blocks);
  };
  const withText = (one: EditedField, proposed: string): EditedField => {
    const text = textOf(ownMember(values, jsonPointer(one.path)) ?? proposed).trim();
    return { ...one, value: text === "" ? null : text };
  };

  const [titleField] = titleFields(fields);
  const storedTitle = titleField && fieldAt(titleField.key);
  const ownTitle = ownMember(body, "title") ?? (storedTitle ? titleOfCopy(storedTitle) : "");
  const title = storedTitle && withText(storedTitle, textOf(ownTitle));
  const said = textOf(title?.value);
  const isTaken = takenIn(draft.entries.keys());
  const given = ownMember(body, "id");
  const proposed = idFrom(said.toLowerCase(), "entry").replace(/--+/g, "-").slice(0, LONGEST);
  const isNameless = typeof given !== "string" && title !== undefined && said === "" && !copied;
  const id = typeof given === "string" ? given : isNameless ? "" : freeName(proposed, isTaken);
  const head = { id, modelId: model.id };

  const slugFields = fields.filter(
    (one) => one.type === "text" && !one.repeatable && one !== titleField && SLUG.test(one.key),
  );
  const slugOf = (one: EditedField, name: string) => {
    const base = fittingText(one.field, name) ?? "";
    const isOthers = (value: string) => otherWith(draft, head, { ...one, value }) !== undefined;
    const free = base && freeName(base, isOthers);
    return fittingText(one.field, free) === free ? free : base;
  };
  const slugs = slugFields.flatMap(({ key }) => {
    const one = fieldAt(key);
    return one ? withText(one, said && slugOf(one, said)) : [];
  });
  // In no other language has a copy the address of the other one.
  const others = slugFields.flatMap(({ key, localized }) => {
    const locales = localized && copied ? Object.keys(Object(ownMember(before, key))) : [];
    return locales.flatMap((own) => {
      const one = own === locale ? undefined : fieldAt(key, own);
      const text = textOf(one?.value);
      return one && text !== "" ? { ...one, value: slugOf(one, text) } : [];
    });
  });

  const edited = [...(title ? [title] : []), ...slugs, ...others];
  const names: EntryNames = {
    id,
    free: isTaken(id) ? freeName(id.slice(0, LONGEST), isTaken) : null,
    title: title ? said : null,
    keys: [...(title ? [title] : []), ...slugs].map(({ field }) => field.key),
    slugs: slugs.map(({ field: { key, name = key }, path, value }) => ({
      ...{ path: jsonPointer(path), name, text: textOf(value) },
    })),
  };
  return {
    names,
    modelId: model.id,
    /** @throws SvcError `edit-refused` when its id is another one's, or a value is refused (H43, H43a). */
    record(): JsonObject & { readonly id: string } {
      if (isNameless) throw refused("the entry has no title yet", "type one, or an id");
      assertFree(id, isTaken);
      const named = edited.map(({ path, value }) => ({ path: jsonPointer(path), value }));
      const changes = [...named, ...([ownMember(body, "changes") ?? []].flat() as JsonValue[])];
      const { data } = changedData(
        { state, draft },
        { ...head, draft: true, data: before },
        { changes },
      );
      // In the order of the model; the text of a copy keeps its own.
      const keys = new Set([...fields.map(({ key }) => key), ...Object.keys(data)]);
      const ordered = [...keys].flatMap((key) =>
        Object.hasOwn(data, key) ? [[key, data[key] as JsonValue] as const] : [],
      );
      const { id: _, modelId: __, draft: ___, data: ____, ...rest } = copied ?? {};
      return { id, modelId: model.id, draft: true, ...rest, data: Object.fromEntries(ordered) };
    },
  };
}

/** @throws SvcError `edit-refused`, with an id that is free. */
export function assertFree(id: string, isTaken: (id: string) => boolean, one = "an entry"): void {
  if (!isTaken(id)) return;
  const free = freeName(id.slice(0, LONGEST), isTaken);
  throw refused(`there is already ${one} with the id "${id}"`, `"${free}" is free`);
}

const textOf = (value: JsonValue | undefined) => (typeof value === "string" ? value : "");

/** "Ten days (copy)", where its field takes that. */
function titleOfCopy({ field, value }: EditedField): string {
  const text = textOf(value);
  const named = `${text} (copy)`;
  return text !== "" && takes(field, named) ? named : text;
}

/** Whether it is one of these, in any case of letters, as files may be named after it. */
export function takenIn(names: Iterable<string>): (name: string) => boolean {
  const taken = new Set(Array.from(names, (one) => one.toLowerCase()));
  return (name) => taken.has(name.toLowerCase());
}

/** "tree", or the first of "tree-2", "tree-3" … that is free. */
export function freeName(base: string, isTaken: (name: string) => boolean): string {
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? base : `${base}-${number}`;
    if (!isTaken(name)) return name;
  }
}
