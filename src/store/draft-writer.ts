import type { Database } from "better-sqlite3";
import { assetFilePath } from "../workspace/asset.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Counts, Project, Workspace } from "../workspace/records.ts";
import type { SourceItem, WorkspaceSource } from "../workspace/source.ts";
import { StoredDraft } from "./draft-reader.ts";
import { ASSETS, DraftRows, ENTRIES, RECORDS } from "./draft-rows.ts";
import { entryModelIds } from "./entry-ids.ts";
import { LastRenderings } from "./last-rendering.ts";
import { rowCheck } from "./row-check.ts";

export interface Imported {
  readonly workspaceId: string;
  readonly counts: Counts;
  /** The token of `workspace.json`, if it has one. */
  readonly previewToken: string | undefined;
}

type DraftItem = Exclude<SourceItem, { kind: "workspace" }>;

/**
 * Replaces a workspace's whole draft by what the source gives: a record that is absent is
 * deleted, one that is as it was is not written. Call it in a write transaction, which an error
 * must undo.
 *
 * @throws SvcError when another workspace of the store has a project with the same id (I1).
 */
export function replaceDraft(database: Database, source: WorkspaceSource): Imported {
  const counts = { models: 0, blocks: 0, features: 0, projects: 0, entries: 0, assets: 0 };
  let begun: { workspaceId: string; writer: DraftWriter } | undefined;
  let previewToken: string | undefined;
  for (const item of source) {
    if (item.kind === "workspace") {
      const { number, isChanged } = putWorkspace(database, item.record);
      const writer = new DraftWriter(database, number, isChanged);
      begun = { workspaceId: item.record.id, writer };
      previewToken = item.previewToken;
      continue;
    }
    if (begun === undefined) throw new TypeError("the source does not begin with the workspace");
    begun.writer.put(item);
    if (item.kind !== "file") counts[item.kind] += 1;
  }
  if (begun === undefined) throw new TypeError("the source gave no workspace");
  begun.writer.end();
  return { workspaceId: begun.workspaceId, counts, previewToken };
}

/** Makes the workspace if it is new; `isChanged`: its settings were not these before. */
function putWorkspace(database: Database, { id, ...settings }: Workspace) {
  const text = JSON.stringify({ id, ...settings });
  const check = rowCheck(id, text);
  const { changes } = database
    .prepare(
      `INSERT INTO workspaces (id, settings, settings_check, revision)
       VALUES (:id, :text, :check, (SELECT coalesce(max(revision), 0) + 1 FROM workspaces))
       ON CONFLICT (id) DO UPDATE SET settings = :text, settings_check = :check
       WHERE settings <> :text OR settings_check <> :check`,
    )
    .run({ id, text, check });
  const number = database
    .prepare<unknown[], number>("SELECT number FROM workspaces WHERE id = ?")
    .pluck()
    .get(id) as number;
  return { number, isChanged: changes > 0 };
}

class DraftWriter {
  readonly #database: Database;
  readonly #number: number;
  readonly #records: DraftRows;
  readonly #entries: DraftRows;
  readonly #assets: DraftRows;
  readonly #addFile;
  /** The model ids of the entries that there were, without those that were put. */
  readonly #modelIds: Map<string, string>;
  /** Entries of which only the data changed. */
  readonly #changedEntries: string[] = [];
  /** Whether anything else changed. */
  #isChanged: boolean;
  #assetsChanged = false;

  constructor(database: Database, number: number, isChanged: boolean) {
    this.#database = database;
    this.#number = number;
    this.#isChanged = isChanged;
    this.#records = new DraftRows(database, number, RECORDS);
    this.#assets = new DraftRows(database, number, ASSETS);
    this.#modelIds = new Map(entryModelIds(database, number));
    this.#entries = new DraftRows(database, number, ENTRIES, this.#modelIds);
    this.#addFile = database.prepare(
      "INSERT INTO files (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING",
    );
  }

  put(item: DraftItem): void {
    switch (item.kind) {
      case "file":
        this.#addFile.run(item.sha256, item.bytes);
        break;
      case "entries": {
        const { id, modelId, data } = item.record;
        const wasModelId = this.#modelIds.get(id);
        const change = this.#entries.put([id], [modelId, JSON.stringify(data)]);
        if (change === "same") break;
        if (wasModelId === modelId) this.#changedEntries.push(id);
        else this.#isChanged = true;
        break;
      }
      case "assets": {
        const { record } = item;
        const change = this.#assets.put([record.id], [JSON.stringify(record)]);
        if (change !== "same") this.#assetsChanged = true;
        break;
      }
      default: {
        const { kind, record } = item;
        const change = this.#records.put([kind, record.id], [JSON.stringify(record)]);
        if (change !== "same") this.#isChanged = true;
        if (item.kind === "projects") refuseTakenProject(this.#database, this.#number, item.record);
      }
    }
  }

  /** Deletes what was not put, and tells the rest of the store what has changed. */
  end(): void {
    const deleted = this.#records.deleteOthers() + this.#entries.deleteOthers();
    if (this.#assets.deleteOthers() > 0) this.#assetsChanged = true;
    if (this.#assetsChanged) this.#listFiles();
    const isChanged = this.#isChanged || this.#assetsChanged || deleted > 0;
    const renderings = new LastRenderings(this.#database);
    if (isChanged) renderings.forget(this.#number);
    else if (this.#changedEntries.length > 0) {
      renderings.change(this.#number, this.#changedEntries);
    } else return;
    // What one workspace has can be seen from the others (a pointer into it is a problem of theirs).
    if (isChanged) renderings.forgetOthers(this.#number);
    this.#database.exec("UPDATE workspaces SET revision = revision + 1");
  }

  /** The files that the draft's assets have, by where they would be published. */
  #listFiles(): void {
    this.#database.prepare("DELETE FROM draft_files WHERE workspace = ?").run(this.#number);
    const add = this.#database.prepare(
      "INSERT INTO draft_files (workspace, path, sha256) VALUES (?, ?, ?) ON CONFLICT DO NOTHING",
    );
    const assets = [...new StoredDraft(this.#database, this.#number).assets()];
    for (const asset of assets) {
      for (const { sha256, fileName } of [asset, ...(asset.versions ?? [])]) {
        if (sha256 === undefined) continue;
        add.run(this.#number, assetFilePath({ sha256, fileName }), sha256);
      }
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
