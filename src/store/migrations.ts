import type { Database } from "better-sqlite3";
import { type Pack, singlePack } from "../documents/text-packs.ts";
import { MIGRATION_4 } from "./migration-4.ts";
import { MIGRATION_5 } from "./migration-5.ts";
import { packCheck } from "./packs.ts";
import { defineRowCheck } from "./row-check.ts";

/**
 * One migration for each schema version, which is the store's `user_version`. A released migration
 * is never changed; new ones are added at the end.
 */
const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    settings TEXT NOT NULL,             -- JSON: workspace.json without the preview token
    revision INTEGER NOT NULL,          -- changes with every change of the draft
    current_version TEXT                -- null: never published
  ) STRICT;

  -- Drafts. Small records are JSON.
  CREATE TABLE records (
    workspace INTEGER NOT NULL REFERENCES workspaces,
    kind TEXT NOT NULL,                 -- models, blocks, features, projects
    id TEXT NOT NULL,
    body TEXT NOT NULL,                 -- JSON
    PRIMARY KEY (workspace, kind, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE entries (
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    data TEXT NOT NULL,                 -- JSON
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE assets (
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    body TEXT NOT NULL,                 -- JSON
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;

  -- Bytes of assets, shared by drafts and versions.
  CREATE TABLE files (
    sha256 TEXT PRIMARY KEY,
    bytes BLOB NOT NULL
  ) STRICT;

  CREATE TABLE draft_files (
    workspace INTEGER NOT NULL REFERENCES workspaces,
    path TEXT NOT NULL,                 -- where it would be published below out/
    sha256 TEXT NOT NULL REFERENCES files,
    PRIMARY KEY (workspace, path)
  ) STRICT, WITHOUT ROWID;

  -- Documents are frozen with version id null, so versions share the unchanged ones.
  CREATE TABLE versions (
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    published_at TEXT NOT NULL,         -- RFC 3339, UTC
    PRIMARY KEY (workspace, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    bytes BLOB NOT NULL
  ) STRICT;

  CREATE TABLE version_documents (
    workspace INTEGER NOT NULL,
    version TEXT NOT NULL,
    path TEXT NOT NULL,                 -- below out/
    document INTEGER NOT NULL REFERENCES documents,
    sha256 TEXT NOT NULL,               -- of the file, that is with its version id
    size INTEGER NOT NULL,              -- of the file, in bytes
    PRIMARY KEY (workspace, version, path),
    FOREIGN KEY (workspace, version) REFERENCES versions (workspace, id)
  ) STRICT, WITHOUT ROWID;

  CREATE TABLE version_files (
    workspace INTEGER NOT NULL,
    version TEXT NOT NULL,
    path TEXT NOT NULL,                 -- below out/
    sha256 TEXT NOT NULL REFERENCES files,
    PRIMARY KEY (workspace, version, path),
    FOREIGN KEY (workspace, version) REFERENCES versions (workspace, id)
  ) STRICT, WITHOUT ROWID;

  -- Preview tokens, of which only the hash is stored (H3).
  CREATE TABLE tokens (
    id TEXT PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    name TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    origin TEXT NOT NULL,               -- folder: from workspace.json; created: by svc token create
    created_at TEXT NOT NULL,           -- RFC 3339, UTC
    expires_at TEXT                     -- RFC 3339, UTC; null: never
  ) STRICT;
  `,
  `
  -- The changes of the current version, without users.
  CREATE TABLE journal (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    at TEXT NOT NULL,                   -- RFC 3339, UTC
    action TEXT NOT NULL,               -- publish, republish, rollback
    from_version TEXT,                  -- null: nothing was published before
    to_version TEXT NOT NULL            -- may have been pruned since
  ) STRICT;

  -- The order of publishing; clocks may go backwards.
  ALTER TABLE versions ADD COLUMN sequence INTEGER NOT NULL DEFAULT 0;
  UPDATE versions SET sequence = (
    SELECT count(*) FROM versions AS other WHERE other.workspace = versions.workspace
    AND (other.published_at, other.id) <= (versions.published_at, versions.id)
  );

  -- The number of files, to detect missing ones.
  ALTER TABLE versions ADD COLUMN file_count INTEGER NOT NULL DEFAULT 0;
  UPDATE versions SET file_count = (
    SELECT count(*) FROM version_files AS file
    WHERE file.workspace = versions.workspace AND file.version = versions.id
  );

  -- Detects damaged rows of the draft (src/store/row-check.ts).
  ALTER TABLE workspaces ADD COLUMN settings_check INTEGER NOT NULL DEFAULT 0;
  UPDATE workspaces SET settings_check = row_check(id, settings);
  ALTER TABLE records ADD COLUMN row_check INTEGER NOT NULL DEFAULT 0;
  UPDATE records SET row_check = row_check(kind, id, body);
  ALTER TABLE entries ADD COLUMN row_check INTEGER NOT NULL DEFAULT 0;
  UPDATE entries SET row_check = row_check(id, model_id, data);
  ALTER TABLE assets ADD COLUMN row_check INTEGER NOT NULL DEFAULT 0;
  UPDATE assets SET row_check = row_check(id, body);

  -- For pruning.
  CREATE INDEX version_documents_by_document ON version_documents (document);
  CREATE INDEX version_files_by_sha256 ON version_files (sha256);
  CREATE INDEX draft_files_by_sha256 ON draft_files (sha256);
  `,
  `
  -- The hash of a document's file is derived from its frozen bytes and the version id.
  CREATE TABLE version_documents_without_hashes (
    workspace INTEGER NOT NULL,
    version TEXT NOT NULL,
    path TEXT NOT NULL,                 -- below out/
    document INTEGER NOT NULL REFERENCES documents,
    PRIMARY KEY (workspace, version, path),
    FOREIGN KEY (workspace, version) REFERENCES versions (workspace, id)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO version_documents_without_hashes
    SELECT workspace, version, path, document FROM version_documents;
  DROP TABLE version_documents;
  ALTER TABLE version_documents_without_hashes RENAME TO version_documents;
  CREATE INDEX version_documents_by_document ON version_documents (document);

  -- The entries of an experience content; unknown for documents of earlier schema versions.
  CREATE TABLE document_entries (
    document INTEGER PRIMARY KEY REFERENCES documents,
    entries TEXT NOT NULL,              -- their ids, each between spaces
    row_check INTEGER NOT NULL          -- over the document's hash and this
  ) STRICT;

  -- The last rendering of the draft, for incremental publishing. There is no row after changes of
  -- other records than entries.
  CREATE TABLE last_renderings (
    workspace INTEGER PRIMARY KEY REFERENCES workspaces,
    program TEXT NOT NULL,              -- tells programs apart that render differently
    version TEXT NOT NULL,
    problems TEXT NOT NULL,             -- JSON
    changed TEXT NOT NULL,              -- JSON: the ids of the entries whose data changed since
    row_check INTEGER NOT NULL
  ) STRICT;

  -- The stat data of a workspace's files in an out/: unchanged files are not read.
  CREATE TABLE out_states (
    workspace INTEGER NOT NULL REFERENCES workspaces,
    folder TEXT NOT NULL,
    manifest TEXT NOT NULL,             -- SHA-256 of the manifest, in whose order the files stand
    seen_at REAL NOT NULL,              -- milliseconds since 1970
    files BLOB NOT NULL,                -- four doubles each: inode, size, mtime, ctime
    row_check INTEGER NOT NULL,
    PRIMARY KEY (workspace, folder)
  ) STRICT, WITHOUT ROWID;
  `,
  MIGRATION_4,
  MIGRATION_5,
];

/** The newest schema version that this program supports. */
export const SCHEMA_VERSION = MIGRATIONS.length;

/** Migrates a store to the newest schema version, in one transaction. */
export function migrate(database: Database): void {
  const version = () => database.pragma("user_version", { simple: true }) as number;
  if (version() >= SCHEMA_VERSION) return;
  defineRowCheck(database);
  definePacks(database);
  database
    .transaction(() => {
      // Another process may have migrated it meanwhile.
      const from = version();
      if (from >= SCHEMA_VERSION) return;
      for (const migration of MIGRATIONS.slice(from)) database.exec(migration);
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}

/** Defines the SQL functions that make a pack of one text. */
function definePacks(database: Database): void {
  const define = <T>(name: string, part: (pack: Pack) => T) =>
    database.function(name, { deterministic: true }, (hash, bytes) =>
      part(singlePack(hash as string, bytes as Uint8Array)),
    );
  define("pack_check", packCheck);
  define("pack_contents", ({ contents }) => contents);
  define("pack_bytes", ({ bytes }) => bytes);
}
