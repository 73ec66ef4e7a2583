import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Asset, AssetFile } from "../workspace/asset.ts";
import { assetFilePath } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { Counts, Kind } from "../workspace/records.ts";
import { fillFolder } from "./fill-folder.ts";

/** Up to this many records of a kind are written to a file each, more to one NDJSON file. */
const FILES_AT_MOST = 1000;

/** A draft that can list its assets. */
interface Exportable extends Draft {
  assets(): Iterable<Asset>;
  readonly assetCount: number;
}

/**
 * Writes a draft as a workspace folder. Importing the folder gives the same draft.
 *
 * @throws SvcError `folder-not-empty`: existing files are never overwritten.
 */
export function writeFolder(draft: Exportable, folder: string): Counts {
  return fillFolder(folder, () => {
    writeFileSync(join(folder, "workspace.json"), pretty(draft.workspace));
    return {
      models: writeKind(folder, "models", draft.models, draft.models.length),
      blocks: writeKind(folder, "blocks", draft.blocks, draft.blocks.length),
      features: writeKind(folder, "features", draft.features, draft.features.length),
      projects: writeKind(folder, "projects", draft.projects, draft.projects.length),
      entries: writeKind(folder, "entries", draft.entries(), draft.entryCount),
      assets: writeKind(folder, "assets", authored(draft, folder), draft.assetCount),
    };
  });
}

function writeKind(
  folder: string,
  kind: Kind,
  records: Iterable<{ readonly id: string }>,
  count: number,
): number {
  if (count === 0) return 0;
  if (count > FILES_AT_MOST) return writeLines(join(folder, `${kind}.ndjson`), records);
  const names = new Set<string>();
  let written = 0;
  for (const record of records) {
    // Ids may differ only in letter case, which some file systems ignore.
    let name = record.id;
    for (let copy = 2; names.has(name.toLowerCase()); copy += 1) name = `${record.id}~${copy}`;
    names.add(name.toLowerCase());
    mkdirSync(join(folder, kind), { recursive: true });
    writeFileSync(join(folder, kind, `${name}.json`), pretty(record));
    written += 1;
  }
  return written;
}

function writeLines(path: string, records: Iterable<object>): number {
  const descriptor = openSync(path, "wx");
  try {
    let written = 0;
    for (const record of records) {
      writeSync(descriptor, `${JSON.stringify(record)}\n`);
      written += 1;
    }
    return written;
  } finally {
    closeSync(descriptor);
  }
}

/** The assets as authored: with `file` instead of measured values where the draft has the bytes. */
function* authored(draft: Exportable, folder: string) {
  for (const { versions, ...asset } of draft.assets()) {
    yield {
      ...authoredFile(asset, draft, folder),
      ...(versions && { versions: versions.map((one) => authoredFile(one, draft, folder)) }),
    };
  }
}

function authoredFile(file: AssetFile, draft: Draft, folder: string) {
  const { id, fileName, mimeType, sha256, url, sizeBytes, width, height } = file;
  const bytes = sha256 && draft.fileBytes(sha256);
  if (sha256 === undefined || !bytes) {
    const sizes = Object.entries({ sizeBytes, width, height }).filter(
      ([, value]) => value !== null,
    );
    return { id, fileName, mimeType, url, ...Object.fromEntries(sizes) };
  }
  const path = assetFilePath({ sha256, fileName }).replace(/^assets/, "files");
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), bytes);
  return { id, fileName, mimeType, file: path };
}

function pretty(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
