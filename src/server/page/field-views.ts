import { isStoredAsset } from "../../fields/asset.ts";
import { pointerKind } from "../../fields/rich-text-tree.ts";
import type { Serving } from "../../fields/serving.ts";
import { assetUrl } from "../../workspace/asset.ts";
import type { FieldDefinition } from "../../workspace/field.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../../workspace/json.ts";
import type { DraftState } from "./draft-state.ts";
import { type PointerTarget, pointerTarget } from "./entry-summary.ts";

/** A field with its values. */
export interface FieldView {
  readonly key: string;
  /** The display name, else the key. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isRepeatable: boolean;
  /** JSON Pointer into the stored data, as in the `path` of problems. */
  readonly path: string;
  readonly values: readonly ValueView[];
}

export interface ValueView {
  readonly path: string;
  /** The served value; absent when the stored one is not served. */
  readonly value?: JsonValue;
  readonly block?: {
    readonly key: string;
    readonly name: string;
    readonly fields: readonly FieldView[];
  };
  readonly target?: PointerTarget;
  /** V11: the references, assets and blocks in a tree, in its order. */
  readonly inside?: readonly ValueView[];
  /** `src`: the URL path of the bytes on this server; absent when they are hosted elsewhere. */
  readonly asset?: { readonly src?: string };
  /** `src`: the URL path of the sandboxed page; absent when its content cannot be served. */
  readonly html?: { readonly src?: string };
}

/** What `fieldViews` needs besides a record's values. */
export interface ViewContext {
  readonly state: DraftState;
  /** Of the same record; its problems show which values were left out. */
  readonly serving: Serving;
  /** The URL path at which a stored html asset is framed. */
  htmlUrl(sha256: string): string;
}

type Path = readonly (string | number)[];

/** The fields of an entry, a block or a project in authored order. */
export function fieldViews(
  fields: readonly FieldDefinition[],
  stored: JsonObject,
  served: JsonObject,
  path: Path,
  context: ViewContext,
): FieldView[] {
  return fields.map((field) => {
    const { key, name = key, type, required = false, repeatable = false } = field;
    const at = [...path, key];
    const [had, shown] = [ownMember(stored, key), ownMember(served, key)];
    const common = { key, name, type, isRequired: required, isRepeatable: repeatable };
    const values = elements(had, shown, repeatable, at, context).map(([where, from, to]) =>
      to === undefined ? { path: jsonPointer(where) } : valueView(field, from, to, where, context),
    );
    return { ...common, path: jsonPointer(at), values };
  });
}

/** The stored values of a field with their paths, each with its served value, if it has one. */
function elements(
  stored: JsonValue | undefined,
  served: JsonValue | undefined,
  repeatable: boolean,
  path: Path,
  { serving }: ViewContext,
): [Path, JsonValue, JsonValue | undefined][] {
  if (stored === undefined || stored === null) return [];
  if (!repeatable) return [[path, stored, served]];
  if (!Array.isArray(stored)) return [[path, stored, undefined]];
  const omitted = omittedFrom(serving);
  const list = (Array.isArray(served) ? served : []) as readonly JsonValue[];
  let next = 0;
  return (stored as readonly JsonValue[]).map((element, index) => {
    const where = [...path, index];
    if (omitted.has(jsonPointer(where))) return [where, element, undefined];
    next += 1;
    return [where, element, list[next - 1]];
  });
}

const omittedPaths = new WeakMap<Serving, ReadonlySet<string>>();

/** The paths of the elements that lists of a served record do not have. */
function omittedFrom(serving: Serving): ReadonlySet<string> {
  let omitted = omittedPaths.get(serving);
  if (omitted === undefined) {
    const problems = serving.problems.filter(
      ({ code }) => code === "value-type" || code === "block-deleted",
    );
    omitted = new Set(problems.map(({ at }) => at.path));
    omittedPaths.set(serving, omitted);
  }
  return omitted;
}

/** The types of fields that show what pointers show. */
const FIELD_OF = { reference: "reference", asset: "asset", block: "content-block" } as const;

/** The pointers in a stored tree, each with what is served in its place. */
function pointerViews(
  stored: JsonValue,
  served: JsonValue | undefined,
  at: Path,
  context: ViewContext,
): ValueView[] {
  const kind = pointerKind(stored);
  if (kind !== undefined) {
    if (served === undefined) return [{ path: jsonPointer(at) }];
    return [valueView({ key: "", type: FIELD_OF[kind] }, stored, served, at, context)];
  }
  if (Array.isArray(stored)) {
    return elements(stored, served, true, at, context).flatMap(([where, from, to]) =>
      pointerViews(from, to, where, context),
    );
  }
  if (!isJsonObject(stored) || !isJsonObject(served)) return [];
  return Object.entries(stored).flatMap(([name, value]) =>
    pointerViews(value, ownMember(served, name), [...at, name], context),
  );
}

function valueView(
  { type }: FieldDefinition,
  stored: JsonValue,
  value: JsonValue,
  at: Path,
  context: ViewContext,
): ValueView {
  const { state, serving } = context;
  const view: ValueView = { path: jsonPointer(at), value };
  if (type === "reference" && isJsonObject(value)) {
    return { ...view, target: pointerTarget(state, String(value.contentEntryId)) };
  }
  if (type === "rich-text") return { ...view, inside: pointerViews(stored, value, at, context) };
  if (type === "content-block" && isJsonObject(stored) && isJsonObject(value)) {
    const block = state.blocks.get(String(value.contentBlockId));
    const [had, shown] = [stored.data as JsonObject, value.data as JsonObject];
    const fields = fieldViews(block?.fields ?? [], had, shown, [...at, "data"], context);
    return { path: view.path, block: { key: block?.key ?? "", name: block?.name ?? "", fields } };
  }
  if ((type === "asset" || type === "html-asset") && isStoredAsset(stored)) {
    const file = serving.asset(stored);
    const held = file?.sha256 && { sha256: file.sha256, fileName: file.fileName };
    if (type === "asset") return { ...view, asset: held ? { src: assetUrl("", held) } : {} };
    const isShown = held && isJsonObject(value) && value.content !== null;
    const shown = { id: stored.assetId, fileName: file?.fileName ?? null };
    const html = isShown ? { src: context.htmlUrl(held.sha256) } : {};
    return { path: view.path, value: shown, html };
  }
  return view;
}
