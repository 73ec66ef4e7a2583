import { isStoredAsset } from "../fields/asset.ts";
import { valueIn } from "../fields/localized.ts";
import { RecordRenderer } from "../fields/record-renderer.ts";
import { queryOf, type ReferenceField } from "../fields/reference.ts";
import type { Renderer } from "../fields/renderer.ts";
import { pointerKind } from "../fields/rich-text-tree.ts";
import { acceptedOf } from "../fields/shared-schemas.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { DraftState } from "./draft-state.ts";
import { type PointerTarget, pointerTarget } from "./entry-summary.ts";
import { type FileView, fileView } from "./file-view.ts";
import { queryInWords } from "./query-words.ts";

export interface FieldView {
  readonly key: string;
  /** The display name, else the key. */
  readonly name: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly isRepeatable: boolean;
  /** V12: its texts are Markdown. */
  readonly isMarkdown?: true;
  /** Q1: what its query finds, in words; its values are not stored. */
  readonly query?: string;
  /** JSON Pointer into the stored data, as in the `path` of problems. */
  readonly path: string;
  /** None of a localized field with `locales`. */
  readonly values: readonly ValueView[];
  /** B2: absent unless the field is localized and has an object of values. */
  readonly locales?: readonly LocaleView[];
}

/** The values of a localized field in one locale. */
export interface LocaleView extends LocaleUse {
  readonly path: string;
  readonly values: readonly ValueView[];
}

export interface ValueView {
  readonly path: string;
  /** The rendered value; absent when the stored one is not rendered. */
  readonly value?: JsonValue;
  readonly block?: {
    readonly key: string;
    readonly name: string;
    readonly fields: readonly FieldView[];
  };
  readonly target?: PointerTarget;
  /** V11a: the references, assets and blocks in a tree, in its order. */
  readonly inside?: readonly InsideView[];
  readonly file?: FileView;
  /** `src`: the URL path of the sandboxed page; absent when its content cannot be served. */
  readonly html?: { readonly src?: string };
}

/** A value in rich text. */
interface InsideView extends ValueView {
  /** Its place in the rendered tree; absent when it is not rendered. */
  readonly place?: Path;
}

export interface ViewContext {
  readonly state: DraftState;
  /** Of the same record; its problems show which values were left out. */
  readonly renderer: Renderer;
  /** B1: the languages in which the record is rendered, by their indexes in the view. */
  readonly languages: ReadonlyMap<number, Language>;
  /** Whether only the values of that one language are shown, in which `renderer` is. */
  readonly isOneLanguage: boolean;
  /** In which the titles of targets are. */
  readonly titles?: Language;
  /** The URL path at which a stored html asset is framed. */
  htmlUrl(sha256: string): string;
}

type Path = readonly (string | number)[];

/** The fields of an entry, a block or a project in authored order. */
export function fieldViews(
  fields: readonly FieldDefinition[],
  stored: JsonObject,
  rendered: JsonObject,
  path: Path,
  context: ViewContext,
): FieldView[] {
  return fields.map((field) => {
    const { key, name = key, type, required = false, repeatable = false } = field;
    const at = [...path, key];
    const [had, shown] = [ownMember(stored, key), ownMember(rendered, key)];
    const common = { key, name, type, isRequired: required, isRepeatable: repeatable };
    const isMarkdown =
      "format" in field && field.format === "markdown" && ({ isMarkdown: true } as const);
    const view = { ...common, ...isMarkdown, path: jsonPointer(at) };
    const query = queryOf(field);
    if (query !== undefined) {
      const models = acceptedOf(context.state.draft.models, (field as ReferenceField).models);
      const list = (shown ?? []) as readonly JsonValue[];
      // Nothing is stored: elements have places of their own on the page only.
      const values = list.map((one, index) => valueView(field, null, one, [...at, index], context));
      return { ...view, query: queryInWords(query, models, fields), values };
    }
    if (!field.localized) return { ...view, values: valueViews(field, had, shown, at, context) };
    if (isJsonObject(had ?? null)) {
      const locales = localeViews(field, had as JsonObject, shown, path, context);
      return { ...view, values: [], locales };
    }
    return { ...view, values: (had ?? null) === null ? [] : [{ path: view.path }] };
  });
}

/** B2, H20: the locales of a localized field, each with its values. */
function localeViews(
  field: FieldDefinition,
  stored: JsonObject,
  shown: JsonValue | undefined,
  path: Path,
  context: ViewContext,
): LocaleView[] {
  const { state, languages, isOneLanguage } = context;
  const uses = localeUses(stored, languages);
  const isIn = ({ shownIn, missingIn }: LocaleUse) => shownIn.length + missingIn.length > 0;
  return (isOneLanguage ? uses.filter(isIn) : uses).map((use) => {
    const { locale, shownIn } = use;
    const at = [...path, field.key, locale];
    const had = use.isStored ? ownMember(stored, locale) : null;
    const view = (rendered: JsonValue | undefined, of: ViewContext) => ({
      ...use,
      path: jsonPointer(at),
      values: valueViews(field, had, rendered, at, of),
    });
    if (isOneLanguage) return view(shown, context);
    // Served by itself, since no project may have the locale.
    const record = { kind: "entry" as const, id: "" };
    const renderer = new RecordRenderer(state.rendering.lookup, record, [locale], {
      base: path.map(String),
    });
    const rendered = ownMember(renderer.data([field], { [field.key]: stored }), field.key);
    const inside = new Map([...languages].filter(([index]) => shownIn.includes(index)));
    return view(rendered, { ...context, renderer, languages: inside, titles: [locale] });
  });
}

function valueViews(
  field: FieldDefinition,
  stored: JsonValue | undefined,
  rendered: JsonValue | undefined,
  at: Path,
  context: ViewContext,
): ValueView[] {
  const { repeatable = false } = field;
  return elements(stored, rendered, repeatable, at, context).map(([where, from, to]) =>
    to === undefined ? { path: jsonPointer(where) } : valueView(field, from, to, where, context),
  );
}

/** The stored values of a field with their paths, each with its rendered value, if it has one. */
function elements(
  stored: JsonValue | undefined,
  rendered: JsonValue | undefined,
  repeatable: boolean,
  path: Path,
  { renderer }: ViewContext,
): [Path, JsonValue, JsonValue | undefined][] {
  if (stored === undefined || stored === null) return [];
  if (!repeatable) return [[path, stored, rendered]];
  if (!Array.isArray(stored)) return [[path, stored, undefined]];
  const omitted = omittedFrom(renderer);
  const list = (Array.isArray(rendered) ? rendered : []) as readonly JsonValue[];
  let next = 0;
  return (stored as readonly JsonValue[]).map((element, index) => {
    const where = [...path, index];
    if (omitted.has(jsonPointer(where))) return [where, element, undefined];
    next += 1;
    return [where, element, list[next - 1]];
  });
}

const omittedPaths = new WeakMap<Renderer, ReadonlySet<string>>();

/** The paths of the elements that lists of a rendered record do not have. */
function omittedFrom(renderer: Renderer): ReadonlySet<string> {
  let omitted = omittedPaths.get(renderer);
  if (omitted === undefined) {
    const problems = renderer.problems.filter(
      ({ code }) => code === "value-type" || code === "block-deleted",
    );
    omitted = new Set(problems.map(({ at }) => at.path));
    omittedPaths.set(renderer, omitted);
  }
  return omitted;
}

const FIELD_OF = { reference: "reference", asset: "asset", block: "content-block" } as const;

/** The pointers in a stored tree, each with what is rendered in its place. */
function pointerViews(
  stored: JsonValue,
  rendered: JsonValue | undefined,
  at: Path,
  place: Path,
  context: ViewContext,
): InsideView[] {
  const kind = pointerKind(stored);
  if (kind !== undefined) {
    if (rendered === undefined) return [{ path: jsonPointer(at) }];
    return [
      { ...valueView({ key: "", type: FIELD_OF[kind] }, stored, rendered, at, context), place },
    ];
  }
  if (Array.isArray(stored)) {
    let next = 0;
    return elements(stored, rendered, true, at, context).flatMap(([where, from, to]) => {
      if (to !== undefined) next += 1;
      return pointerViews(from, to, where, [...place, next - 1], context);
    });
  }
  if (!isJsonObject(stored) || !isJsonObject(rendered)) return [];
  return Object.entries(stored).flatMap(([name, value]) =>
    pointerViews(value, ownMember(rendered, name), [...at, name], [...place, name], context),
  );
}

function valueView(
  { type }: FieldDefinition,
  stored: JsonValue,
  value: JsonValue,
  at: Path,
  context: ViewContext,
): ValueView {
  const { state, renderer, titles } = context;
  const view: ValueView = { path: jsonPointer(at), value };
  if (type === "reference" && isJsonObject(value)) {
    return { ...view, target: pointerTarget(state, String(value.contentEntryId), titles) };
  }
  if (type === "rich-text")
    return { ...view, inside: pointerViews(stored, value, at, [], context) };
  if (type === "content-block" && isJsonObject(stored) && isJsonObject(value)) {
    const block = state.blocks.get(String(value.contentBlockId));
    const [had, shown] = [stored.data as JsonObject, value.data as JsonObject];
    const fields = fieldViews(block?.fields ?? [], had, shown, [...at, "data"], context);
    return { path: view.path, block: { key: block?.key ?? "", name: block?.name ?? "", fields } };
  }
  if ((type === "asset" || type === "html-asset") && isStoredAsset(stored)) {
    const file = renderer.asset(stored);
    if (type === "asset") return { ...view, ...(file && { file: fileView(state, file, titles) }) };
    const isShown = isJsonObject(value) && value.content !== null;
    const shown = { id: stored.assetId, fileName: file?.fileName ?? null };
    const html = isShown && file?.sha256 ? { src: context.htmlUrl(file.sha256) } : {};
    return { path: view.path, value: shown, html };
  }
  return view;
}

/** B2: a locale of a localized field. */
interface LocaleUse {
  readonly locale: string;
  /** Whether a value is stored for it; null is none. */
  readonly isStored: boolean;
  /** The languages whose documents have this value, by their indexes in the view. */
  readonly shownIn: readonly number[];
  /** The languages of this locale that have no value at all. */
  readonly missingIn: readonly number[];
}

/**
 * The locales of the languages in their order, then the others that have a value.
 *
 * @param languages those in which the field is rendered, by their indexes in the view
 */
function localeUses(stored: JsonObject, languages: ReadonlyMap<number, Language>): LocaleUse[] {
  const isStored = (locale: string) => valueIn(stored, [locale]) !== undefined;
  const chosen = Array.from(languages, ([index, language]) => {
    return { index, own: language[0], from: valueIn(stored, language)?.locale };
  });
  const indexes = (those: typeof chosen) => those.map(({ index }) => index);
  const own = chosen.flatMap((one) => one.own ?? []);
  return [...new Set([...own, ...Object.keys(stored).filter(isStored)])].map((locale) => ({
    locale,
    isStored: isStored(locale),
    shownIn: indexes(chosen.filter(({ from }) => from === locale)),
    missingIn: indexes(chosen.filter((one) => one.own === locale && one.from === undefined)),
  }));
}
