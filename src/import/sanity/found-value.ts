import { isJsonObject, type JsonObject, type JsonValue, ownMember } from "../../workspace/json.ts";
import { isLanguageTag } from "../../workspace/language.ts";
import { type Found, type Ids, localized, type Member, withTree } from "../formats/found.ts";
import { assetRefOf } from "./asset-refs.ts";

export class FoundValues {
  readonly #ids: Ids;
  /** Called with the place of a member that has no equivalent. */
  readonly #onLost: (what: string, place: string) => void;

  constructor(ids: Ids, onLost: (what: string, place: string) => void) {
    this.#ids = ids;
    this.#onLost = onLost;
  }

  /** X13: the members of a document or an object; names that begin with `_` are Sanity's own. */
  members(object: JsonObject, place: string): Member[] {
    return Object.entries(object).flatMap(([name, value]) => {
      if (name.startsWith("_")) return [];
      const found = this.#value(value, `${place}.${name}`);
      return found === undefined ? [] : [[name, found] as const];
    });
  }

  /** Undefined: no value. `place` names objects that have no `_type`. */
  #value(value: JsonValue, place: string): Found | undefined {
    if (value === null) return undefined;
    if (typeof value === "string") return { kind: "text", tree: value };
    if (typeof value === "boolean") return { kind: "boolean", tree: value };
    if (typeof value === "number") return { kind: "number", tree: value };
    if (isJsonObject(value)) return this.#object(value, place);
    const list = value as readonly JsonValue[];
    if (list.some(isTextBlock)) return this.#whole("rich-text", list);
    const inLocales = this.#itemsInLocales(list, place);
    if (inLocales !== undefined) return inLocales.size === 0 ? undefined : localized(inLocales);
    const items = list.map(
      (item): Found => this.#value(item, place) ?? { kind: "json", tree: this.tree(item) },
    );
    return withTree({ kind: "list", items }, () => this.tree(list));
  }

  #object(object: JsonObject, place: string): Found | undefined {
    const type = typeOf(object);
    const texts = localeMembers(object);
    if (texts !== undefined) {
      const values = this.#inLocales(texts, place);
      return values.size === 0 ? undefined : localized(values);
    }
    const asset = assetRefOf(object);
    if (asset !== undefined) return this.#asset(object, asset, place);
    const reference = this.#reference(object);
    if (reference !== undefined) return { kind: "reference", as: "reference", tree: reference };
    if (isForeign(object)) {
      this.#onLost("references to other datasets, kept as json", place);
      return { kind: "json", tree: object };
    }
    if (type === "slug") return this.#slug(object, place);
    if (isTextBlock(object)) return this.#whole("rich-text", object);
    const members = this.members(object, type ?? place);
    // An image whose file was never chosen.
    if ((type === "image" || type === "file") && members.length === 0) return undefined;
    return withTree({ kind: "block", type: type ?? place.replaceAll(".", "_"), members }, () =>
      this.tree(object),
    );
  }

  /** X3f: the values by locale; those that are no value have none. */
  #inLocales(members: Iterable<readonly [string, JsonValue]>, place: string): Map<string, Found> {
    const found = Array.from(members, ([locale, value]) => [locale, this.#value(value, place)]);
    return new Map(found.filter((one): one is [string, Found] => one[1] !== undefined));
  }

  /** X3f: a list whose items are for a locale each, or have locales each; undefined: it is none. */
  #itemsInLocales(list: readonly JsonValue[], place: string): Map<string, Found> | undefined {
    if (list.length === 0) return undefined;
    const items = list.map(localeItem).filter((one) => one !== undefined);
    if (items.length === list.length) return this.#inLocales(items, place);
    const each = list.map(localeMembers).filter((one) => one !== undefined);
    if (each.length !== list.length) return undefined;
    const byLocale = Map.groupBy(each.flat(), ([locale]) => locale);
    const lists = Array.from(byLocale, ([locale, members]) => {
      const values = members.map(([, value]) => value).filter((value) => value !== null);
      return [locale, values] as const;
    });
    return this.#inLocales(lists, place);
  }

  /** An image with members of its own, as a text for those who cannot see it, becomes a block. */
  #asset(object: JsonObject, ref: string, place: string): Found {
    const type = typeOf(object) ?? "image";
    const { asset: _asset, _sanityAsset, ...others } = object;
    const tree = { assetId: this.#ids.asset(ref) };
    const asset: Found = { kind: "asset", as: type, tree };
    const members = this.members(others, type === "reference" ? place : type);
    if (members.length === 0) return asset;
    return withTree({ kind: "block", type, members: [["asset", asset], ...members] }, () =>
      this.tree(object),
    );
  }

  #slug(object: JsonObject, place: string): Found | undefined {
    const { current, _type, source, ...others } = object;
    if (Object.keys(others).length > 0) this.#onLost("members of slugs beside current", place);
    return typeof current === "string" ? { kind: "text", tree: current } : undefined;
  }

  #reference(object: JsonObject): { contentEntryId: string } | undefined {
    const ref = ownMember(object, "_ref");
    if (typeof ref !== "string" || isForeign(object)) return undefined;
    return { contentEntryId: this.#ids.entry(ref) };
  }

  #whole(kind: "rich-text", value: JsonValue): Found {
    return { kind, tree: this.tree(value) };
  }

  /** X13: the value with references and assets as pointers; those of a list keep their `_key` and `_type`. */
  tree(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((one) => this.tree(one));
    if (!isJsonObject(value)) return value;
    const ref = assetRefOf(value);
    const asset = ref === undefined ? undefined : { assetId: this.#ids.asset(ref) };
    if (asset !== undefined && typeOf(value) === "reference") return asset;
    const reference = asset === undefined ? this.#reference(value) : undefined;
    if (reference !== undefined && !Object.hasOwn(value, "_key")) return reference;
    const members = Object.entries(value).flatMap(([name, member]) => {
      if (reference !== undefined && (name === "_ref" || name === "_weak")) return [];
      if (asset !== undefined && (name === "_sanityAsset" || name === "asset")) return [];
      return [[name, this.tree(member)] as const];
    });
    return Object.fromEntries<JsonValue>([
      ...members,
      ...(reference === undefined ? [] : [["reference", reference] as const]),
      ...(asset === undefined ? [] : [["asset", asset] as const]),
    ]);
  }
}

function typeOf(object: JsonObject): string | undefined {
  const type = ownMember(object, "_type");
  return typeof type === "string" ? type : undefined;
}

/** X3f: the values of an object that has a member for each locale; undefined: it is none. */
function localeMembers(object: JsonValue): [locale: string, value: JsonValue][] | undefined {
  if (!isJsonObject(object)) return undefined;
  const names = localeNames(typeOf(object), Object.keys(object));
  return names?.map((name) => [name, object[name] ?? null]);
}

/** X3f: an item of a list that has one for each locale, with which it begins; undefined: it is none. */
function localeItem(item: JsonValue): [locale: string, value: JsonValue] | undefined {
  if (!isJsonObject(item) || !isLocaleItemType(typeOf(item))) return undefined;
  // Before version 5 of the plugin the key is the language.
  const locale = item.language ?? item._key;
  return typeof locale === "string" ? [locale, item.value ?? null] : undefined;
}

function isTextBlock(value: JsonValue): boolean {
  return isJsonObject(value) && value._type === "block" && Array.isArray(value.children);
}

/** Whether it refers to a document of another dataset. */
function isForeign(object: JsonObject): boolean {
  return (
    typeof object._ref === "string" &&
    (Object.hasOwn(object, "_dataset") || Object.hasOwn(object, "_projectId"))
  );
}

/** X13a: the items of lists of Sanity's plugin for translated fields: a value with its locale. */
export function isLocaleItemType(type: string | undefined): boolean {
  return /^internationalizedArray.*Value$/.test(type ?? "");
}

/** Sanity's documentation calls such types `localeString`, `localizedText` and so on. */
const LOCALE_TYPE = /^(?:locale|locali[sz]ed|i18n|intl|translated)(?![a-z])/;

/** X13a: the members of an object that has a value for each locale; undefined: it is none. */
export function localeNames(
  type: string | undefined,
  members: readonly string[],
): string[] | undefined {
  const names = members.filter((name) => !name.startsWith("_"));
  const isOne = LOCALE_TYPE.test(type ?? "") && names.length > 0 && names.every(isLocale);
  return isOne ? names : undefined;
}

function isLocale(name: string): boolean {
  const tag = name.replaceAll("_", "-");
  return /^[a-z]{2,3}(?:-|$)/i.test(tag) && isLanguageTag(tag);
}
