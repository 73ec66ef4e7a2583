import type { Database } from "better-sqlite3";
import { assetFilePath } from "../workspace/asset.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Counts, Project, Workspace } from "../workspace/records.ts";
import type { SourceItem, WorkspaceSource } from "../workspace/source.ts";
import { rowCheck } from "./row-check.ts";

export interface Imported {
  readonly workspaceId: string;
  readonly counts: Counts;
  /** The token of `workspace.json`, if it has one. */
  readonly previewToken: string | undefined;
}

/**
 * Replaces a workspace's whole draft by what the source gives: a record that is absent is
 * deleted. Call it in a write transaction, which an error must undo.
 *
 * @throws SvcError when another workspace of the store has a project with the same id (I1).
 */
export function replaceDraft(database: Database, source: WorkspaceSource): Imported {
  const counts = { models: 0, blocks: 0, features: 0, projects: 0, entries: 0, assets: 0 };
  const statements = prepareInserts(database);
  const state: { workspace?: Workspace; number: number; previewToken?: string } = { number: 0 };
  for (const item of source) {
    if (item.kind === "workspace") {
      state.workspace = item.record;
      if (item.previewToken !== undefined) state.previewToken = item.previewToken;
      state.number = beginWorkspace(database, item.record);
      continue;
    }
    insert(statements, state.number, item);
    if (item.kind !== "file") counts[item.kind] += 1;
    if (item.kind === "projects") refuseTakenProject(database, state.number, item.record);
  }
  if (state.workspace === undefined) throw new TypeError("the source gave no workspace");
  return { workspaceId: state.workspace.id, counts, previewToken: state.previewToken };
}

/** Makes the workspace if it is new, and empties its draft. Returns its number. */
function beginWorkspace(database: Database, { id, ...settings }: Workspace): number {
  // What one workspace has can be seen from the others (a pointer into it is a problem of theirs).
  database.exec("UPDATE workspaces SET revision = revision + 1");
  const text = JSON.stringify({ id, ...settings });
  const number = database
    .prepare<unknown[], number>(
      `INSERT INTO workspaces (id, settings, settings_check, revision) VALUES (?, ?, ?, 1)
       ON CONFLICT (id) DO UPDATE
       SET settings = excluded.settings, settings_check = excluded.settings_check
       RETURNING number`,
    )
    .pluck()
    .get(id, text, rowCheck(id, text));
  for (const table of ["records", "entries", "assets", "draft_files"]) {
    database.prepare(`DELETE FROM ${table} WHERE workspace = ?`).run(number);
  }
  return number as number;
}

function prepareInserts(database: Database) {
  return {
    record: database.prepare(
      "INSERT INTO records (workspace, kind, id, body, row_check) VALUES (?, ?, ?, ?, ?)",
    ),
    entry: database.prepare(
      "INSERT INTO entries (workspace, id, model_id, data, row_check) VALUES (?, ?, ?, ?, ?)",
    ),
    asset: database.prepare(
      "INSERT INTO assets (workspace, id, body, row_check) VALUES (?, ?, ?, ?)",
    ),
    file: database.prepare(
      "INSERT INTO files (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING",
    ),
    draftFile: database.prepare(
      "INSERT INTO draft_files (workspace, path, sha256) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    ),
  };
}

function insert(
  statements: ReturnType<typeof prepareInserts>,
  number: number,
  item: Exclude<SourceItem, { kind: "workspace" }>,
): void {
  switch (item.kind) {
    case "file":
      statements.file.run(item.sha256, item.bytes);
      break;
    case "entries": {
      const { id, modelId, data } = item.record;
      const texts = [id, modelId, JSON.stringify(data)];
      statements.entry.run(number, ...texts, rowCheck(...texts));
      break;
    }
    case "assets": {
      const texts = [item.record.id, JSON.stringify(item.record)];
      statements.asset.run(number, ...texts, rowCheck(...texts));
      for (const { sha256, fileName } of [item.record, ...(item.record.versions ?? [])]) {
        if (sha256 === undefined) continue;
        statements.draftFile.run(number, assetFilePath({ sha256, fileName }), sha256);
      }
      break;
    }
    default: {
      const texts = [item.kind, item.record.id, JSON.stringify(item.record)];
      statements.record.run(number, ...texts, rowCheck(...texts));
    }
  }
}

/** I1: project ids become folders below `out/`, where all workspaces of a store meet. */
function refuseTakenProject(database: Database, number: number, { id }: Project): void {
  const taken = database
    .prepare<unknown[], string>(
      `SELECT workspaces.id FROM workspaces WHERE number <> :number AND (
         EXISTS (SELECT 1 FROM records WHERE workspace = number AND kind = 'projects'
                 AND lower(records.id) = lower(:id))
         OR EXISTS (SELECT 1 FROM version_documents WHERE workspace = number
                    AND version = current_version
                    AND lower(path) = lower('api/v1/projects/' || :id || '/index.json')))`,
    )
    .pluck()
    .get({ number, id });
  if (taken === undefined) return;
  throw new SvcError(
    "project-taken",
    `the project id "${id}" belongs to the workspace "${taken}" of this store`,
    { hint: "choose another id (one that differs in more than letter case), or another store" },
  );
}
