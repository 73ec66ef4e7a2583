import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { sanity } from "../../src/folder/sanity.ts";
import { isArchive, unpackArchive } from "../../src/folder/unpack-archive.ts";
import { NO_OPTIONS } from "../support/read-export.ts";
import { relaxedSource } from "../support/relaxed-source.ts";
import { rawDocuments, valueFates } from "../support/sanity/dataset-walk.ts";
import { TestBed } from "../support/test-bed.ts";

/** Real datasets, which are not in the repository: `*.ndjson` and `*.tar.gz`, `schema.json` beside them. */
const FOLDER = process.env.SVC_SANITY_EXPORTS ?? "";

const FILES =
  FOLDER === "" ? [] : below(FOLDER).filter((path) => /\.ndjson$/.test(path) || isArchive(path));

function below(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name);
    return one.isDirectory() ? below(path) : [path];
  });
}

/** The folder of an export, unpacked if need be. */
async function unpacked(path: string): Promise<string> {
  if (!isArchive(path)) return path;
  const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await unpackArchive(path, folder);
  return folder;
}

describe("sanity: real datasets publish, and every value is accounted for", () => {
  it("SVC_SANITY_EXPORTS names a folder of datasets", () => expect(FILES).not.toEqual([]));

  it.each(FILES)("%s", { timeout: 60_000 }, async (path) => {
    const given = await unpacked(path);
    const schema = below(dirname(path)).find((name) => basename(name) === "schema.json");
    for (const how of schema === undefined ? [{}] : [{}, { schema }]) {
      const bed = new TestBed();
      const { source, report } = sanity.read([given], { ...NO_OPTIONS, ...how });
      const assets = new Set<string>();
      for (const item of source) if (item.kind === "assets") assets.add(item.record.id);
      const { counts } = bed.store.import(relaxedSource(source).source, new Date());
      bed.publish();
      expect(bed.verify().differs).toEqual([]);
      const file =
        given === path ? path : (below(given).find((name) => /\.ndjson$/.test(name)) ?? "");
      const fates = valueFates(bed, rawDocuments(file), assets);
      console.log(relative(FOLDER, path), JSON.stringify({ ...counts, fates, ...report }));
    }
  });
});
