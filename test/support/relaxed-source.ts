import { folderDraft, readRecords } from "../../src/folder/folder-draft.ts";
import { relaxation } from "../../src/folder/migrate/relax.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { SourceItem, WorkspaceSource } from "../../src/workspace/source.ts";

/** A workspace with its models as `svc migrate relax` makes them, and what these have lost. */
export function relaxedSource(source: WorkspaceSource) {
  const items = [...source];
  const migration = relaxation(folderDraft(readRecords(items)));
  const relaxed = items.map((item) =>
    item.kind === "models" || item.kind === "blocks" || item.kind === "workspace"
      ? { ...item, record: migration(item.kind, item.record as unknown as JsonObject) }
      : item,
  );
  return { source: relaxed as unknown as SourceItem[], relaxed: migration.relaxed ?? [] };
}
