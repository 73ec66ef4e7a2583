import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { type Found, type Ids, localized, type Member, withTree } from "../formats/found.ts";
import type { Notes } from "../formats/notes.ts";
import { absoluteUrl } from "../formats/url-asset.ts";
import type { Component } from "./export-files.ts";
import type { StoryAddresses } from "./story-addresses.ts";

interface ValueContext {
  readonly ids: Ids;
  readonly components: ReadonlyMap<string, Component>;
  readonly addresses: StoryAddresses;
  readonly lost: Notes;
}

/** X18: what Storyblok's API calls the main language, which an export does not name otherwise. */
export const MAIN_LOCALE = "default";

export function localeOf(code: string): string {
  return code.replaceAll("_", "-");
}

/** X18: the values of a field; one in the main language alone is as one without translations. */
export function inMain(values: ReadonlyMap<string, Found>): Found {
  const value = values.size === 1 ? values.get(MAIN_LOCALE) : undefined;
  return value ?? localized(values);
}

const OWN = new Set(["_uid", "component", "_editable"]);

export class FoundValues {
  readonly #context: ValueContext;

  constructor(context: ValueContext) {
    this.#context = context;
  }

  /** The members of a story's content or of a block. */
  members(content: JsonObject): Member[] {
    const component = String(content.component);
    const schema = this.#context.components.get(component)?.schema ?? {};
    const found = new Map<string, Map<string, Found>>();
    for (const [name, given] of Object.entries(content)) {
      if (OWN.has(name)) continue;
      // X18.
      const [, field = name, code] = /^(.+)__i18n__([a-z0-9_]+)$/i.exec(name) ?? [];
      const value = this.#value(given, `${component}_${field}`, schema[field]);
      const locale = code === undefined ? MAIN_LOCALE : localeOf(code);
      if (value !== undefined) found.set(field, (found.get(field) ?? new Map()).set(locale, value));
    }
    return [...found].map(([name, values]): Member => [name, inMain(values)]);
  }

  /** Undefined: no value. */
  #value(value: JsonValue, place: string, field: JsonObject | undefined): Found | undefined {
    if (isEmpty(value)) return undefined;
    if (typeof value === "string") return this.#text(value, field);
    if (typeof value === "boolean") return { kind: "boolean", tree: value };
    if (typeof value === "number") return { kind: "number", tree: value };
    if (isJsonObject(value)) return this.#object(value, place);
    const list = value as readonly JsonValue[];
    const items = list.map(
      (item): Found => this.#value(item, place, field) ?? { kind: "json", tree: this.tree(item) },
    );
    return withTree({ kind: "list", items }, () => this.tree(list));
  }

  #text(value: string, field: JsonObject | undefined): Found | undefined {
    const { type, source } = field ?? {};
    if (source === "internal_stories") {
      return this.#reference(value);
    }
    if (type === "image" || type === "file") {
      const asset = this.#asset(value);
      if (asset !== undefined) return asset;
    }
    // Storyblok keeps numbers as texts.
    if (type === "number" && value.trim() !== "" && Number.isFinite(Number(value))) {
      return { kind: "number", tree: Number(value) };
    }
    return { kind: "text", tree: value };
  }

  #object(object: JsonObject, place: string): Found | undefined {
    if (typeof object.component === "string") {
      const members = this.members(object);
      return withTree({ kind: "block", type: object.component, members }, () => this.tree(object));
    }
    if (object.type === "doc" && Array.isArray(object.content)) {
      return { kind: "rich-text", tree: this.tree(object) };
    }
    if (object.fieldtype === "multilink" || typeof object.linktype === "string") {
      return this.#link(object);
    }
    if (object.fieldtype === "asset" || typeof object.filename === "string") {
      return this.#assetObject(object, place);
    }
    const story = storyIdOf(object);
    if (story !== undefined) return this.#reference(story);
    if (object.fieldtype === "table") return { kind: "json", tree: object };
    const type = typeof object.plugin === "string" ? object.plugin : place;
    const members = Object.entries(object).flatMap(([name, value]) => {
      if (OWN.has(name) || name === "plugin" || name === "fieldtype") return [];
      const found = this.#value(value, `${place}_${name}`, undefined);
      return found === undefined ? [] : [[name, found] as const];
    });
    return withTree({ kind: "block", type, members }, () => this.tree(object));
  }

  /** A link is a block `multilink`, in which a story is a reference and a file is an asset. */
  #link(object: JsonObject): Found | undefined {
    const { id: _id, story: _story, fieldtype: _fieldtype, ...others } = object;
    const { linktype, url, cached_url } = object;
    const story = this.#storyOf(object);
    const members: Member[] = story === undefined ? [] : [["story", this.#reference(story)]];
    const target = typeof url === "string" && url !== "" ? url : cached_url;
    const file =
      linktype === "asset" && typeof target === "string" ? this.#asset(target) : undefined;
    if (file !== undefined) members.push(["asset", file]);
    for (const [name, value] of Object.entries(others)) {
      const found = this.#value(value, `multilink_${name}`, undefined);
      if (found !== undefined) members.push([name, found]);
    }
    // A link that was never set has nothing but its kind.
    if (members.every(([name]) => name === "linktype" || name === "target")) return undefined;
    return withTree({ kind: "block", type: "multilink", members }, () => this.tree(object));
  }

  /** X26e: the story that a link leads to, by its uuid or else by its address. */
  #storyOf({ linktype, uuid, id, cached_url, href, url }: JsonObject): string | undefined {
    if (linktype !== "story") return undefined;
    const isText = (value: JsonValue | undefined) => typeof value === "string" && value !== "";
    const named = [uuid, id].find(isText);
    if (named !== undefined) return String(named);
    const address = [cached_url, href, url].find(isText);
    if (address === undefined) return undefined;
    const story = this.#context.addresses.at(String(address));
    if (typeof story === "string") return story;
    const many = story === null ? "several have" : "none has";
    this.#context.lost.leaveOut(`targets of links to stories by an address that ${many}`);
    return undefined;
  }

  #reference(story: string): Found {
    const uuid = this.#context.addresses.named(story);
    const tree = { contentEntryId: this.#context.ids.entry(uuid) };
    return { kind: "reference", as: "reference", tree };
  }

  #assetObject(object: JsonObject, place: string): Found | undefined {
    const { filename, fieldtype: _fieldtype, id: _id, ...others } = object;
    const asset = typeof filename === "string" ? this.#asset(filename) : undefined;
    const members: Member[] = asset === undefined ? [] : [["asset", asset]];
    for (const [name, value] of Object.entries(others)) {
      const isSet = !isEmpty(value) && value !== false && !isEmptyObject(value);
      const found = isSet ? this.#value(value, `${place}_${name}`, undefined) : undefined;
      if (found !== undefined) members.push([name, found]);
    }
    if (members.length === 0 || (members.length === 1 && asset !== undefined)) return asset;
    return withTree({ kind: "block", type: "asset", members }, () => this.tree(object));
  }

  #asset(filename: string): Found | undefined {
    const url = absoluteUrl(filename);
    if (url === undefined) return undefined;
    return { kind: "asset", as: "asset", tree: { assetId: this.#context.ids.asset(url) } };
  }

  /** The value with pointers: `story` beside the uuid of a link, `asset` beside the address of a file. */
  tree(value: JsonValue): JsonValue {
    if (Array.isArray(value)) return value.map((one) => this.tree(one));
    if (!isJsonObject(value)) return value;
    const tree = Object.entries(value).map(([name, one]) => [name, this.tree(one)] as const);
    const story = this.#storyOf(value);
    if (story !== undefined) tree.push(["story", this.#reference(story).tree]);
    const file =
      value.filename ?? value.src ?? (value.linktype === "asset" ? value.href : undefined);
    const url = typeof file === "string" ? absoluteUrl(file) : undefined;
    if (url !== undefined) tree.push(["asset", { assetId: this.#context.ids.asset(url) }]);
    return Object.fromEntries<JsonValue>(tree);
  }
}

/** Storyblok has an empty text where a value was removed. */
function isEmpty(value: JsonValue): boolean {
  return value === null || value === "";
}

function isEmptyObject(value: JsonValue): boolean {
  return isJsonObject(value) && Object.keys(value).length === 0;
}

/** Of a story that an API has put in place of a reference to it. */
function storyIdOf({ uuid, content, full_slug }: JsonObject): string | undefined {
  return typeof uuid === "string" && (isJsonObject(content) || typeof full_slug === "string")
    ? uuid
    : undefined;
}
