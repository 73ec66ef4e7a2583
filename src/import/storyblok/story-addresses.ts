import type { JsonValue } from "../../workspace/json.ts";
import { type Story, translationsOf } from "./story.ts";

/** X26e: the stories by their addresses; undefined: several have it. */
type ByAddress = Map<string, string | undefined>;

/** What is known of all stories of an export: where they are, and the languages of their translations. */
export class StoryAddresses {
  /** As Storyblok writes them (`pt_br` in names of fields, `pt-br` elsewhere). */
  readonly languages = new Set<string>();
  readonly #uuids = new Map<string, string>();
  /** By what is compared first: addresses as they are, without slashes around them, and others of a story. */
  readonly #tiers: readonly ByAddress[] = [new Map(), new Map(), new Map()];

  add(story: Story): void {
    const { uuid, id, content, full_slug, path } = story;
    if (typeof id === "number" || typeof id === "string") this.#uuids.set(String(id), uuid);
    const translated = translationsOf(story);
    for (const { lang, name, path } of translated) {
      if (typeof lang === "string" && [name, path].some(isText)) this.languages.add(lang);
    }
    this.#addLanguages(content);
    const others = [path, ...translated.map((one) => one.path)];
    for (const [tier, addresses] of [[full_slug], [full_slug], others].entries()) {
      const stories = this.#tiers[tier] as ByAddress;
      for (const address of addresses) {
        if (!isText(address)) continue;
        const key = tier === 0 ? address : plain(address);
        stories.set(key, stories.has(key) && stories.get(key) !== uuid ? undefined : uuid);
      }
    }
  }

  /** X18. */
  #addLanguages(value: JsonValue): void {
    if (typeof value !== "object" || value === null) return;
    for (const [name, one] of Object.entries(value)) {
      const [, code] = /__i18n__([a-z0-9_]+)$/i.exec(name) ?? [];
      if (code !== undefined && one !== null && one !== "") this.languages.add(code);
      this.#addLanguages(one);
    }
  }

  /** The uuid of the story with a uuid or an id. */
  named(id: string): string {
    return this.#uuids.get(id) ?? id;
  }

  /** X26e: the uuids of the stories at an address: one, none, or null for several. */
  at(address: string): string | undefined | null {
    const path = plain(address);
    const [language = "", ...rest] = path.split("/");
    const isTranslated = [...this.languages].some((one) => sameLanguage(one, language));
    for (const key of [address, path, ...(isTranslated ? [rest.join("/")] : [])]) {
      const known = this.#tiers.find((stories) => stories.has(key));
      if (known !== undefined) return known.get(key) ?? null;
    }
    return undefined;
  }
}

function isText(value: JsonValue | undefined): value is string {
  return typeof value === "string" && value !== "";
}

function sameLanguage(one: string, other: string): boolean {
  return one.replaceAll("_", "-").toLowerCase() === other.replaceAll("_", "-").toLowerCase();
}

/** An address without slashes around it, and without what follows a path. */
function plain(address: string): string {
  return address.replace(/[?#].*$/s, "").replace(/^\/+|\/+$/g, "");
}
