import type { AssetFile, HeldFile } from "../workspace/asset.ts";
import { MAXIMUM_FOUND } from "../workspace/conditions.ts";
import { suggested, suggestedLocale } from "../workspace/did-you-mean.ts";
import type { EntryHead } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  jsonPointer,
  ownMember,
} from "../workspace/json.ts";
import { areLocales, isLanguageTag, type Language } from "../workspace/language.ts";
import {
  type Problem,
  type ProblemArguments,
  type ProblemCode,
  type ProblemPlace,
  problem,
} from "../workspace/problem.ts";
import type { ValueShape } from "../workspace/value-messages.ts";
import type { StoredAsset } from "./asset.ts";
import { scalarsOf } from "./compared.ts";
import type { FieldType } from "./field-type.ts";
import { valueIn } from "./localized.ts";
import { queryOf } from "./reference.ts";
import { fieldType } from "./registry.ts";
import type { Asker, Found, Lookup, OptionProblem, Pointer, Renderer } from "./renderer.ts";

const NONE: readonly never[] = [];

interface RendererOptions {
  /** The path of the data in its record: `[]` for an entry, `["fields"]` for a project. */
  readonly base?: readonly string[];
  /** Default: the language that it renders for. */
  readonly values?: Language;
}

/** Renders the stored data of one record in one language (V1 to V3, B1). */
export class RecordRenderer implements Renderer {
  readonly lookup: Lookup;
  readonly #kind: ProblemPlace["kind"];
  readonly #id: string;
  readonly language: Language;
  /** A7a: of which localized values are. */
  readonly #values: Language;
  readonly #path: (string | number)[];
  // Most records have none of these, so a list is made with its first element.
  #pointers: Pointer[] | undefined;
  #assets: string[] | undefined;
  #files: HeldFile[] | undefined;
  #found: Found[] | undefined;
  /** How many pointers queries found. */
  #foundCount = 0;
  #problems: Problem[] | undefined;

  constructor(
    lookup: Lookup,
    { kind, id }: Omit<ProblemPlace, "path">,
    language: Language,
    { base = [], values = language }: RendererOptions = {},
  ) {
    this.lookup = lookup;
    this.#kind = kind;
    this.#id = id;
    this.language = language;
    this.#values = values;
    this.#path = [...base];
  }

  get pointers(): readonly Pointer[] {
    return this.#pointers ?? NONE;
  }

  get assets(): readonly string[] {
    return this.#assets ?? NONE;
  }

  get files(): readonly HeldFile[] {
    return this.#files ?? NONE;
  }

  get found(): readonly Found[] {
    return this.#found ?? NONE;
  }

  get problems(): readonly Problem[] {
    return this.#problems ?? NONE;
  }

  data(fields: readonly FieldDefinition[], stored: JsonObject): JsonObject {
    const served: Record<string, JsonValue> = {};
    let known = 0;
    for (const field of fields) {
      const had = ownMember(stored, field.key);
      if (had !== undefined) known += 1;
      this.enter(field.key);
      const value =
        queryOf(field) === undefined
          ? this.#field(field, had)
          : this.#find(field, had, (key) => this.#valuesOf(key, fields, stored));
      this.leave();
      if (value !== undefined) served[field.key] = value;
    }
    // Counted first, since nearly no record has others.
    if (known < memberCount(stored)) this.#reportUnknown(fields, stored);
    return served;
  }

  enter(segment: string | number): void {
    this.#path.push(segment);
  }

  leave(): void {
    this.#path.pop();
  }

  report<C extends ProblemCode>(code: C, args: ProblemArguments[C]): void {
    const place = { kind: this.#kind, id: this.#id, path: jsonPointer(this.#path) };
    this.#add(problem(place, code, args));
  }

  refuseBy(unknown: readonly OptionProblem[]): void {
    for (const one of unknown) this.#add({ ...one, level: "error" });
  }

  pointTo(target: string): EntryHead | undefined {
    const entry = this.lookup.find(target, this.language[0]);
    // The id of the entry itself, since pointers are kept, and each has a copy of it.
    const path = this.lookup.shared(jsonPointer(this.#path));
    const pointer = { path, target: entry?.id ?? target };
    this.#pointers = added(this.#pointers, pointer);
    return entry;
  }

  publishFile(file: HeldFile): void {
    this.#files = added(this.#files, file);
  }

  asset({ assetId, versionId }: Pick<StoredAsset, "assetId" | "versionId">): AssetFile | undefined {
    this.#assets = added(this.#assets, this.lookup.draft.assets.get(assetId)?.id ?? assetId);
    const asset = this.lookup.draft.assets.get(assetId);
    if (versionId === undefined) return asset;
    return asset?.versions?.find(({ id }) => id === versionId);
  }

  /** Q1, Q2: the value of a field with a query. */
  #find(
    field: FieldDefinition,
    stored: JsonValue | undefined,
    valuesOf: Asker["valuesOf"],
  ): JsonValue {
    if (stored !== undefined && stored !== null)
      this.report("value-computed", { field: field.key });
    const { lookup, language } = this;
    const id = this.#kind === "entry" ? this.#id : undefined;
    const found = lookup.found(field, { id, valuesOf }, language);
    const { ids, isExceeded } = found;
    this.#found = added(this.#found, found);
    const free = MAXIMUM_FOUND - this.#foundCount;
    if (isExceeded || ids.length > free) this.report("query-exceeded", { field: field.key });
    const path = lookup.shared(jsonPointer(this.#path));
    const targets = ids.slice(0, free).flatMap((id) => lookup.find(id, language[0]) ?? []);
    this.#foundCount += targets.length;
    return targets.map((entry) => {
      this.#pointers = added(this.#pointers, { path, target: entry.id, isFound: true });
      const contentModelKey = lookup.modelKeyOf(entry) as string;
      return { contentEntryId: entry.id, contentModelKey };
    });
  }

  #valuesOf(key: string, fields: readonly FieldDefinition[], stored: JsonObject) {
    const field = fields.find((one) => one.key === key);
    return field === undefined ? NONE : scalarsOf(field, ownMember(stored, key), this.#values);
  }

  #add(problem: Problem): void {
    this.#problems = added(this.#problems, problem);
  }

  #field(field: FieldDefinition, stored: JsonValue | undefined): JsonValue | undefined {
    const nothing = field.repeatable ? [] : undefined;
    // Without any value every language lacks it.
    if (field.localized !== true || stored === undefined || stored === null) {
      return this.isServed(field, stored, false) ? this.#plain(field, stored) : nothing;
    }
    if (!isJsonObject(stored)) {
      this.report("value-type", { expected: "localized" });
      return nothing;
    }
    this.#checkLocales(stored);
    const { locale, value } = valueIn(stored, this.#values) ?? { locale: this.#values[0] };
    // B5 reports a project without locale; paths name the locale (B2a).
    if (locale === undefined) return nothing;
    this.enter(locale);
    const served = this.#plain(field, value, locale);
    this.leave();
    return served;
  }

  isServed(field: FieldDefinition, stored: JsonValue | undefined, isElement = true): boolean {
    const { locales } = this.lookup;
    if (field.localized === true || locales.size === 0) return true;
    const takesAny = fieldType(field.type).shape === "non-null";
    const isValue = isElement || !field.repeatable;
    const isOfLocales = (one: JsonValue | undefined) =>
      isJsonObject(one) && areLocales(Object.keys(one), locales);
    // Any value may be a list too.
    const isList = isValue && takesAny && Array.isArray(stored);
    if (!(isList ? stored.some(isOfLocales) : isOfLocales(stored))) return true;
    // Of other types no value is a map of locales: rich text would be a node without a name.
    const isServed = isValue && takesAny;
    const place = this.lookup.placeOf(field);
    // B2: a field of projects cannot be localized.
    const ofProjects = place.kind === "workspace" && { ofProjects: true as const };
    const args = { field: field.key, isServed, ...ofProjects };
    this.#add(problem(place, "localized-missing", args));
    return isServed;
  }

  /** B5. */
  #checkLocales(stored: JsonObject): void {
    const { locales } = this.lookup;
    for (const locale of Object.keys(stored)) {
      if (locales.has(locale) || stored[locale] === null) continue;
      this.enter(locale);
      if (isLanguageTag(locale)) {
        this.report("locale-unused", { locale, ...suggestedLocale(locale, locales) });
      } else this.report("locale-invalid", { locale, isUnused: true });
      this.leave();
    }
  }

  /** @param locale of a localized field, whose value this is. */
  #plain(
    field: FieldDefinition,
    stored: JsonValue | undefined,
    locale?: string,
  ): JsonValue | undefined {
    if (stored === undefined || stored === null) {
      if (field.required) {
        this.report("value-missing", { field: field.key, ...(locale !== undefined && { locale }) });
      } else if (field.repeatable) this.#checkCount(field, 0);
      return field.repeatable ? [] : undefined;
    }
    const type = fieldType(field.type);
    const before = this.problems.length;
    if (!field.repeatable) {
      const isMissing =
        field.required === true && type.hasShape(stored) && type.isEmpty?.(stored) === true;
      if (isMissing) this.report("value-missing", { field: field.key, isBlank: true });
      const value = this.#value(type, field, stored, isMissing);
      if (POINTERS.has(type.shape)) this.#needTargets(field, 1, before);
      return value;
    }
    if (!Array.isArray(stored)) {
      this.report("value-type", { expected: "list" });
      return [];
    }
    this.#checkCount(field, stored.length);
    const served: JsonValue[] = [];
    for (let index = 0; index < stored.length; index += 1) {
      const element = stored[index] as JsonValue;
      if (!this.isServed(field, element)) continue;
      this.enter(index);
      const value = this.#value(type, field, element);
      this.leave();
      if (value !== undefined) served.push(value);
    }
    if (POINTERS.has(type.shape)) this.#needTargets(field, served.length, before);
    return served;
  }

  /**
   * P17: unresolved references and assets are errors where the field has too few targets without them.
   *
   * @param count how many it has
   * @param before how many problems there were before them
   */
  #needTargets(field: FieldDefinition, count: number, before: number): void {
    const problems = this.#problems;
    if (problems === undefined || problems.length === before) return;
    const { key, required, repeatable, minItems = 0 } = field;
    const least = Math.max(required ? 1 : 0, repeatable ? minItems : 0);
    const found = problems.splice(before);
    const isLacking = count - found.filter(isUnresolved).length < least;
    for (const one of found) {
      const args = { ...one.args, lacks: { field: key, least } };
      const isError = isLacking && isUnresolved(one);
      problems.push(isError ? ({ ...one, level: "error", args } as Problem) : one);
    }
  }

  /**
   * V3a and V3b, for one value.
   *
   * @param isMissing it is none, which is reported, so that no constraint of it is
   */
  #value(
    type: FieldType,
    field: FieldDefinition,
    stored: JsonValue,
    isMissing = false,
  ): JsonValue | undefined {
    if (!type.hasShape(stored)) {
      this.report("value-type", { expected: type.shape });
      return undefined;
    }
    const broken = isMissing ? undefined : type.brokenConstraint?.(field, stored);
    if (broken !== undefined) this.report("value-constraint", broken);
    return type.render === undefined ? stored : type.render(field, stored, this);
  }

  /** P9: the stored values that no field takes. Null is no value (V2). */
  #reportUnknown(fields: readonly FieldDefinition[], stored: JsonObject): void {
    const keys = new Set(fields.map(({ key }) => key));
    for (const [key, value] of Object.entries(stored)) {
      if (value === null || keys.has(key)) continue;
      this.enter(key);
      const meant = suggested(key, fields, () => keys);
      this.report("field-unknown", { field: key, ...meant });
      this.leave();
    }
  }

  #checkCount({ minItems, maxItems }: FieldDefinition, count: number): void {
    if (minItems !== undefined && count < minItems) {
      this.report("value-constraint", { constraint: "minItems", count, limit: minItems });
    } else if (maxItems !== undefined && count > maxItems) {
      this.report("value-constraint", { constraint: "maxItems", count, limit: maxItems });
    }
  }
}

const POINTERS: ReadonlySet<ValueShape> = new Set(["reference", "asset"]);

const UNRESOLVED: ReadonlySet<ProblemCode> = new Set([
  "reference-deleted",
  "reference-draft",
  "reference-other-workspace",
  "asset-missing",
]);

function isUnresolved({ code, args }: Problem): boolean {
  return UNRESOLVED.has(code) || (code === "html-unreadable" && args.reason === "missing");
}

/** Most lists have one element and are kept: `push` into an empty one takes room for 17. */
function added<T>(list: T[] | undefined, item: T): T[] {
  if (list === undefined) return [item];
  list.push(item);
  return list;
}

function memberCount(object: JsonObject): number {
  let count = 0;
  for (const _ in object) count += 1;
  return count;
}
