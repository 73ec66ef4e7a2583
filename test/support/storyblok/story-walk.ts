import { expect } from "vitest";
import { countedFates, importedRecords } from "../imported-records.ts";
import type { TestBed } from "../test-bed.ts";
import type { Loose } from "./stories.ts";

/**
 * Counts what each value of the stories became. Independent of the importer: it compares the raw
 * stories with the draft.
 *
 * @param assets the ids of the imported assets.
 * @throws Error for a value, a link or a file that is neither there nor left out by a rule.
 */
export function valueFates(
  bed: TestBed,
  stories: readonly Loose[],
  assets: ReadonlySet<string>,
): Record<string, number> {
  const { entries, models, blocks, problems } = importedRecords(bed);
  return countedFates(stories, fates);

  function* fates(story: Loose): Generator<string> {
    if (story.content?.component === undefined) {
      return yield story.is_folder ? "left out: folder" : "left out: without content";
    }
    const entry = entries.get(story.uuid);
    expect(entry, story.uuid).toBeDefined();
    expect(models.get(entry?.modelId)?.name).toBe(story.content.component);
    if (entry?.draft) yield "draft";
    expect(entry?.data[("name" in story.content && "story_name") || "name"]).toBe(story.name);
    yield* members(story.content, entry?.data, `${story.uuid} `);
  }

  function* members(raw: Loose, stored: Loose, place: string): Generator<string> {
    for (const [name, value] of Object.entries(raw)) {
      if (["_uid", "component", "_editable", "plugin", "fieldtype"].includes(name)) continue;
      const [field = name, locale = "default"] = name.split("__i18n__");
      const own = stored?.[field];
      const isLocalized = typeof own === "object" && own !== null && "default" in own;
      if (locale !== "default") yield "translation";
      const inLocale = isLocalized ? own[locale.replaceAll("_", "-")] : own;
      const at = isLocalized ? `${place}/${field}/${locale}` : `${place}/${field}`;
      yield* account(value, inLocale, at);
    }
  }

  function* account(raw: unknown, stored: unknown, place: string): Generator<string> {
    if (raw === null || raw === "") {
      expect(stored, place).toBeUndefined();
      yield "empty";
    } else if (Array.isArray(raw)) {
      expect((stored as unknown[])?.length, place).toBe(raw.length);
      for (const [at, one] of raw.entries()) {
        yield* account(one, (stored as unknown[])[at], `${place}/${at}`);
      }
    } else if (typeof raw === "object") yield* object(raw as Loose, stored as Loose, place);
    else yield text(raw, stored, place);
  }

  function text(raw: unknown, stored: unknown, place: string): string {
    const target = (stored as Loose)?.contentEntryId;
    if (target !== undefined) return reference(String(raw), target, place);
    if (assets.has((stored as Loose)?.assetId)) return "asset";
    // Numbers are texts in an export.
    expect(typeof stored === "number" ? Number(raw) : raw, place).toBe(stored);
    return "value";
  }

  function reference(uuid: string, target: string, place: string): string {
    expect(target, place).toBe(uuid);
    if (entries.has(target)) return "reference";
    expect(problems.get(place), place).toBe("reference-deleted");
    return "reference-deleted";
  }

  function* object(raw: Loose, stored: Loose, place: string): Generator<string> {
    const data = stored?.data ?? {};
    if (raw.type === "doc" || raw.fieldtype === "table") yield* tree(raw, stored, place);
    else if (raw.fieldtype === "asset" || "filename" in raw) {
      if (!raw.filename) return expect(stored?.assetId, place).toBeUndefined();
      expect(assets.has((data.asset ?? stored).assetId), place).toBe(true);
      yield "asset";
      for (const name of ["alt", "title", "copyright"]) {
        if (raw[name]) yield text(raw[name], data[name], `${place}/${name}`);
      }
    } else if (raw.linktype !== undefined) {
      if (raw.linktype === "story" && raw.id) {
        yield reference(raw.id, data.story?.contentEntryId, `${place}/data/story`);
      } else if (raw.linktype === "story" && data.story !== undefined) {
        const [target] = stories.filter(({ uuid }) => uuid === data.story.contentEntryId);
        expect(`/${raw.cached_url}/`, place).toContain(`/${target?.full_slug}/`);
        yield "reference by address";
      }
      for (const name of ["url", "email", "anchor"]) {
        if (raw[name]) yield text(raw[name], data[name], `${place}/${name}`);
      }
    } else if (stored?.contentBlockId === undefined) {
      yield* tree(raw, stored, place);
    } else {
      const held = blocks.get(stored.contentBlockId);
      if (raw.component !== undefined) expect(held?.name, place).toBe(raw.component);
      yield "block";
      yield* members(raw, data, `${place}/data`);
    }
  }

  /** Rich text keeps every member, and has pointers beside them. */
  function* tree(raw: unknown, stored: unknown, place: string): Generator<string> {
    if (typeof raw !== "object" || raw === null) {
      expect(stored, place).toBe(raw);
      return yield "value in a tree";
    }
    const [own, kept] = [raw as Loose, stored as Loose];
    if (own.linktype === "story" && own.uuid) {
      yield reference(own.uuid, kept.story?.contentEntryId, `${place}/story`);
    }
    if (typeof own.src === "string" && /^(?:https?:)?\/\//.test(own.src)) {
      expect(assets.has(kept.asset?.assetId), place).toBe(true);
      yield "asset in a tree";
    }
    for (const [name, value] of Object.entries(own)) {
      yield* tree(value, kept?.[name], `${place}/${name}`);
    }
  }
}
