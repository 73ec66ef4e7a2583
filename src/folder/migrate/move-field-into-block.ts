import type { FieldDefinition } from "../../workspace/field.ts";
import { isKey, KEY_RULE } from "../../workspace/ids.ts";
import type { JsonObject, JsonValue } from "../../workspace/json.ts";
import type { Block } from "../../workspace/records.ts";
import {
  type Definitions,
  findField,
  findOwner,
  type Migration,
  type Owner,
  refusal,
  withFields,
} from "./migration.ts";
import { removeMember, withData } from "./stored-data.ts";

/**
 * `move-field-into-block <model> <field> <blocks> <block> [<as>]`: each value becomes a block of this
 * definition, the last one in the content-block field `blocks`, with the value under the key `as`.
 * The definition moves too, without `required`, as blocks that exist have no value,
 * and without `title`.
 */
export function moveFieldIntoBlock(
  definitions: Definitions,
  named: string,
  key: string,
  blocks: string,
  blockKey: string,
  as = key,
): Migration {
  const owner = findOwner(definitions, named);
  const field = findField(owner, key);
  const into = findField(owner, blocks) as FieldDefinition & { readonly category?: string };
  const target = findOwner(definitions, `block:${blockKey}`);
  assertMovable(owner, field, into, target, as);
  const { required: _required, title: _title, ...rest } = field;
  const moved = { ...rest, key: as };
  const hasField = target.definition.fields.some((one) => one.key === as);
  return (kind, record) => {
    const left = withFields(owner, kind, record, (fields) =>
      fields.filter((one) => one.key !== key),
    );
    const defined = withFields(target, kind, left, (fields) =>
      hasField ? fields : [...fields, moved as unknown as JsonObject],
    );
    return withData(definitions, owner, kind, defined, (data, id) => {
      const value = Object.hasOwn(data, key) ? (data[key] as JsonValue) : null;
      const others = removeMember(data, key);
      if (value === null) return others;
      const block = { contentBlockId: target.definition.id, data: { [as]: value } };
      const known = Object.hasOwn(data, blocks) ? (data[blocks] as JsonValue) : null;
      if (into.repeatable && (known === null || Array.isArray(known))) {
        return { ...others, [blocks]: [...((known as readonly JsonValue[] | null) ?? []), block] };
      }
      if (known === null) return { ...others, [blocks]: block };
      throw refusal(
        `"${id}" already has a value in "${blocks}", which would be lost`,
        `make "${blocks}" repeatable, or empty it there first`,
      );
    });
  };
}

function assertMovable(
  owner: Owner,
  field: FieldDefinition,
  into: FieldDefinition & { readonly category?: string },
  target: Owner,
  as: string,
): void {
  const block = target.definition as Block;
  if (into.type !== "content-block") {
    throw refusal(`the field "${into.key}" is no content-block field`, "name one that is");
  }
  if (into.localized) {
    throw refusal(
      `the field "${into.key}" is localized, so it has blocks of its own in each locale`,
      "name a content-block field that is not localized: the block keeps the locales of the value",
    );
  }
  if (into.key === field.key || block === owner.definition) {
    throw refusal(`"${field.key}" cannot be moved into itself`, "name another field or block");
  }
  if (into.category !== undefined && block.category !== into.category) {
    throw refusal(
      `the field "${into.key}" accepts only blocks of the category "${into.category}"`,
      `"${block.key}" is not one; name another block`,
    );
  }
  if (field.unique) {
    throw refusal(`"${field.key}" is unique, which fields of blocks cannot be`, "remove unique");
  }
  if (!isKey(as)) throw refusal(`"${as}" cannot be the key of a field`, KEY_RULE);
  const there = block.fields.find(({ key }) => key === as);
  if (there !== undefined && shapeOf(there) !== shapeOf(field)) {
    throw refusal(
      `the block "${block.key}" has another field "${as}"`,
      "name the key that the field gets, as the last argument",
    );
  }
}

/** What two definitions must have in common so that the values of one fit the other. */
function shapeOf(field: FieldDefinition): string {
  const {
    key: _key,
    name: _name,
    required: _required,
    unique: _unique,
    title: _title,
    ...rest
  } = field;
  return JSON.stringify(Object.entries(rest).sort());
}
