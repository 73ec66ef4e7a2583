import type { Database } from "better-sqlite3";
import { addressOfFilePath, filePath } from "../documents/address.ts";
import { assetFilePath } from "../workspace/asset.ts";
import { SvcError } from "../workspace/errors.ts";
import type { Counts, Publishing, Workspace } from "../workspace/records.ts";
import type { SourceItem, WorkspaceSource } from "../workspace/source.ts";
import { ASSETS, DraftRows, ENTRIES, RECORDS, rowCheck } from "./draft-rows.ts";
import { rowIn } from "./query.ts";

export interface Imported {
  readonly workspaceId: string;
  readonly counts: Counts;
  /** The token of `workspace.json`, if it has one. */
  readonly previewToken: string | undefined;
}

type DraftItem = Exclude<SourceItem, { kind: "workspace" }>;

/**
 * Replaces a workspace's draft by the records of the source: others are deleted, unchanged ones are
 * not written. Call it in a write transaction, which must be rolled back on errors.
 *
 * @throws SvcError `project-taken` when another workspace has a project with the same id (I1).
 */
export function replaceDraft(database: Database, source: WorkspaceSource): Imported {
  const counts = { models: 0, blocks: 0, features: 0, projects: 0, entries: 0, assets: 0 };
  let started: { workspaceId: string; writer: DraftWriter } | undefined;
  let previewToken: string | undefined;
  for (const item of source) {
    if (item.kind === "workspace") {
      const writer = new DraftWriter(database, putWorkspace(database, item.record));
      started = { workspaceId: item.record.id, writer };
      previewToken = item.previewToken;
      continue;
    }
    if (started === undefined) throw new TypeError("the source does not begin with the workspace");
    started.writer.put(item);
    if (item.kind !== "file") counts[item.kind] += 1;
  }
  if (started === undefined) throw new TypeError("the source gave no workspace");
  started.writer.end();
  return { workspaceId: started.workspaceId, counts, previewToken };
}

/** Inserts or updates the workspace; `isChanged`: it is new or its settings have changed. */
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
  const sql = "SELECT number, revision FROM workspaces WHERE id = ?";
  const row = rowIn<{ number: number; revision: number }>(database, sql, id);
  return { ...(row as NonNullable<typeof row>), isChanged: changes > 0 };
}

class DraftWriter {
  readonly #database: Database;
  readonly #number: number;
  readonly #records: DraftRows;
  readonly #entries: DraftRows;
  readonly #assets: DraftRows;
  readonly #assertFree: (projectId: string) => void;
  readonly #addFile;
  /** Hashes of the assets' files, by the path at which they would be published. */
  readonly #files = new Map<string, string>();
  #isChanged: boolean;
  #assetsChanged = false;

  constructor(
    database: Database,
    { number, revision, isChanged }: ReturnType<typeof putWorkspace>,
  ) {
    this.#database = database;
    this.#number = number;
    this.#isChanged = isChanged;
    // `end` increments the revision.
    const next = { number, revision: revision + 1 };
    this.#records = new DraftRows(database, next, RECORDS);
    this.#entries = new DraftRows(database, next, ENTRIES);
    this.#assets = new DraftRows(database, next, ASSETS);
    this.#assertFree = projectOwners(database, number);
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
        const { id, modelId, data, ...says } = item.record;
        const content = [modelId, publishingText(says), JSON.stringify(data)];
        if (this.#entries.put([id], content)) this.#isChanged = true;
        break;
      }
      case "assets": {
        const { record } = item;
        if (this.#assets.put([record.id], [JSON.stringify(record)])) this.#assetsChanged = true;
        for (const { sha256, fileName } of [record, ...(record.versions ?? [])]) {
          if (sha256 !== undefined) this.#files.set(assetFilePath({ sha256, fileName }), sha256);
        }
        break;
      }
      default: {
        const { kind, record } = item;
        if (kind === "projects") this.#assertFree(record.id);
        if (this.#records.put([kind, record.id], [JSON.stringify(record)])) this.#isChanged = true;
      }
    }
  }

  /** Deletes the rows that were not put, and updates the revisions. */
  end(): void {
    const isAssetRemoved = this.#assets.deleteOthers();
    const areAssetsChanged = this.#assetsChanged || isAssetRemoved;
    const removed = [this.#records.deleteOthers(), this.#entries.deleteOthers()];
    if (!this.#isChanged && !areAssetsChanged && !removed.includes(true)) return;
    // Of all workspaces: references into this one are problems of the others.
    this.#database.exec("UPDATE workspaces SET revision = revision + 1");
    if (areAssetsChanged) this.#listFiles();
  }

  #listFiles(): void {
    this.#database.prepare("DELETE FROM draft_files WHERE workspace = ?").run(this.#number);
    const add = this.#database.prepare(
      "INSERT INTO draft_files (workspace, path, sha256) VALUES (?, ?, ?)",
    );
    for (const [path, sha256] of this.#files) add.run(this.#number, path, sha256);
  }
}

/** Empty for most entries. */
function publishingText({ draft, publishAt, unpublishAt }: Publishing): string {
  const text = JSON.stringify({ draft, publishAt, unpublishAt });
  return text === "{}" ? "" : text;
}

/**
 * Which workspace has each project, drafted or published: its config, or its id in such a path.
 * CROSS JOIN makes SQLite start with the workspaces, which are few.
 */
const OWNERS = `
  SELECT records.id, workspaces.id FROM workspaces
  CROSS JOIN records ON workspace = workspaces.number AND kind = 'projects'
  WHERE workspaces.number <> :workspace
  UNION ALL
  SELECT path, workspaces.id FROM workspaces
  JOIN versions ON versions.workspace = workspaces.number AND versions.id = current_version
  CROSS JOIN version_documents ON version = versions.number
  WHERE workspaces.number <> :workspace AND path GLOB :config`;

/**
 * I1: finds out whether another workspace has a project of the same id, since project ids are folders
 * below `out/`, which all workspaces of a store share. Letter case makes no difference.
 *
 * @returns a function that throws SvcError `project-taken`.
 */
function projectOwners(database: Database, workspace: number): (id: string) => void {
  const config = filePath({ kind: "project", projectId: "*" });
  const rows = database
    .prepare<unknown[], [idOrPath: string, owner: string]>(OWNERS)
    .raw()
    .all({ workspace, config });
  const owners = new Map(
    rows.map(([name, owner]) => [
      (addressOfFilePath(name)?.projectId ?? name).toLowerCase(),
      owner,
    ]),
  );
  return (id) => {
    const owner = owners.get(id.toLowerCase());
    if (owner === undefined) return;
    throw new SvcError(
      "project-taken",
      `the project id "${id}" belongs to the workspace "${owner}" of this store`,
      { hint: "choose another id (one that differs in more than letter case), or another store" },
    );
  };
}
