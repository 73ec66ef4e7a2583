import { expect } from "vitest";
import type { Format, FormatOptions } from "../../src/import/format.ts";
import { NO_OPTIONS } from "./read-export.ts";
import { relaxedSource } from "./relaxed-source.ts";
import { TestBed } from "./test-bed.ts";

/** An export, imported, relaxed, published and verified. */
export function publishedImport(
  format: Format,
  paths: readonly string[],
  options: Partial<FormatOptions> = {},
) {
  const bed = new TestBed();
  const { source, report } = format.read(paths, { ...NO_OPTIONS, ...options });
  const { source: loose, relaxed } = relaxedSource(source);
  const { counts } = bed.store.import(loose, new Date());
  const { versionId } = bed.publish();
  expect(bed.verify().differs).toEqual([]);
  const assets = [...source].flatMap((item) => (item.kind === "assets" ? [item.record.id] : []));
  return { bed, report, relaxed, counts, versionId, assets: new Set(assets) };
}
