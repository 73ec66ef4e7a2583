import { readFileSync } from "node:fs";
import { expect } from "vitest";
import { countedFates, importedRecords } from "../imported-records.ts";
import type { TestBed } from "../test-bed.ts";
import type { Loose } from "./dataset.ts";

/** The documents of a dataset, as its lines say. */
export function rawDocuments(file: string): Loose[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line));
}

/**
 * Counts what each value of a dataset's published documents became. Independent of the importer: it
 * compares the raw documents with the draft, and the problems of the draft.
 *
 * @param assets the ids of the imported assets.
 * @throws Error for a value, a reference or an image that is neither there nor reported.
 */
export function valueFates(
  bed: TestBed,
  documents: readonly Loose[],
  assets: ReadonlySet<string>,
): Record<string, number> {
  const { entries, models, blocks, problems } = importedRecords(bed);
  return countedFates(documents, fates);

  function* fates(document: Loose): Generator<string> {
    if (/^(?:sanity|system)\./.test(document._type)) yield "left out: of the system";
    else if (/^versions\.|^_\./.test(document._id)) yield "left out: release";
    else {
      const id = document._id.replace(/^drafts\./, "");
      if (id.includes(".")) {
        expect(entries.has(id), `the private document ${id}`).toBe(false);
        return yield "left out: private";
      }
      const isDraft = id !== document._id;
      if (isDraft && documents.some(({ _id }) => _id === id)) return yield "left out: edit";
      const entry = entries.get(id);
      expect(entry, `the document ${document._id}`).toBeDefined();
      expect(entry?.draft ?? false).toBe(isDraft);
      expect(models.get(entry?.modelId)?.name).toBe(document._type);
      yield* members(document, entry?.data, `${id} `);
    }
  }

  function* members(raw: Loose, stored: Loose, place: string): Generator<string> {
    for (const [name, value] of Object.entries(raw)) {
      if (name.startsWith("_") || value === null) continue;
      const key = name.replace(/[^A-Za-z0-9_-]/g, "_");
      yield* account(value, stored?.[key], `${place}/${key}`);
    }
  }

  function* account(raw: unknown, stored: unknown, place: string): Generator<string> {
    if (typeof raw !== "object" || raw === null) {
      expect(stored, place).toBe(raw);
      yield "value";
    } else if (!Array.isArray(raw)) {
      yield* object(raw as Loose, stored as Loose, place);
    } else if (raw.some((one) => one?._type === "block" && one.children)) {
      yield* tree(raw, stored, place);
    } else {
      expect((stored as unknown[])?.length, place).toBe(raw.length);
      for (const [at, one] of raw.entries()) {
        yield* account(one, (stored as unknown[])[at], `${place}/${at}`);
      }
    }
  }

  function* object(raw: Loose, stored: Loose, place: string): Generator<string> {
    const held = blocks.get(stored?.contentBlockId);
    if (raw._type === "slug") {
      expect(stored, place).toBe(raw.current);
      yield "slug";
    } else if (raw._ref !== undefined) {
      if (held === undefined) yield reference(raw._ref, stored, place);
      else yield reference(raw._ref, stored.data.reference, `${place}/data/reference`);
    } else if (raw._sanityAsset !== undefined || raw.asset?._ref !== undefined) {
      yield asset(held === undefined ? stored : stored.data.asset, place);
      const { asset: _, ...others } = raw;
      yield* members(others, stored.data, `${place}/data`);
    } else {
      expect(held, `a block at ${place}`).toBeDefined();
      if (raw._type !== undefined) expect(held?.name).toBe(raw._type);
      yield "block";
      yield* members(raw, stored.data, `${place}/data`);
    }
  }

  function reference(target: string, stored: Loose, place: string): string {
    expect(stored, place).toEqual({ contentEntryId: target.replace(/^drafts\./, "") });
    if (entries.has(stored.contentEntryId)) return "reference";
    expect(problems.get(place), place).toBe("reference-deleted");
    return "reference-deleted";
  }

  function asset(stored: Loose, place: string): string {
    expect(stored, place).toEqual({ assetId: expect.any(String) });
    return assets.has(stored.assetId) ? "asset" : "asset without a file";
  }

  /** Portable Text keeps every member. */
  function* tree(raw: unknown, stored: unknown, place: string): Generator<string> {
    const [own, kept] = [raw as Loose, stored as Loose];
    if (typeof raw !== "object" || raw === null) {
      expect(stored, place).toBe(raw);
      yield "value in rich text";
    } else if (own._ref !== undefined) {
      yield reference(own._ref, own._key === undefined ? kept : kept.reference, place);
    } else {
      for (const [name, value] of Object.entries(own)) {
        const isAsset = name === "_sanityAsset" || (name === "asset" && value?._ref !== undefined);
        if (isAsset) yield asset(kept.asset, place);
        else yield* tree(value, kept[name], `${place}/${name}`);
      }
    }
  }
}
