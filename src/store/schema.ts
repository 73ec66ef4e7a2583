import DatabaseFile, { type Database } from "better-sqlite3";
import { valuesIn } from "./query.ts";
import { damaged } from "./store-error.ts";

/** The store's `user_version`. A store of another one is refused (R9). */
export const SCHEMA_VERSION = 8;

/** Rows are stored by number, and ids, which are random, in an index. */
const SCHEMA = `
  CREATE TABLE workspaces (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    settings TEXT NOT NULL,             -- JSON: workspace.json without the preview token
    settings_check INTEGER NOT NULL,
    revision INTEGER NOT NULL,          -- grows with every change of any draft
    current_version TEXT                -- null: never published
  ) STRICT;

  -- Drafts. A row_check detects damaged rows (draft-rows.ts); a revision is that of the draft with
  -- which the row was written.
  CREATE TABLE records (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    kind TEXT NOT NULL,                 -- models, blocks, features, projects
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    row_check INTEGER NOT NULL,
    body TEXT NOT NULL                  -- JSON
  ) STRICT;
  CREATE UNIQUE INDEX records_by_id ON records (workspace, kind, id);
  CREATE INDEX projects_by_id ON records (id) WHERE kind = 'projects';

  CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    publishing TEXT NOT NULL,           -- JSON; empty: always
    revision INTEGER NOT NULL,
    row_check INTEGER NOT NULL,
    data TEXT NOT NULL                  -- JSON
  ) STRICT;
  CREATE UNIQUE INDEX entries_by_id ON entries (id, workspace);
  CREATE INDEX entries_by_revision ON entries (workspace, revision);

  CREATE TABLE assets (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    row_check INTEGER NOT NULL,
    body TEXT NOT NULL                  -- JSON
  ) STRICT;
  CREATE UNIQUE INDEX assets_by_id ON assets (workspace, id);

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
  CREATE INDEX draft_files_by_sha256 ON draft_files (sha256);

  -- Versions. A document is frozen with version id null, so that versions share what did not change.
  CREATE TABLE versions (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    published_at TEXT NOT NULL,         -- RFC 3339, UTC
    sequence INTEGER NOT NULL,          -- the order of publishing; clocks may go backwards
    file_count INTEGER NOT NULL,        -- beside its documents: none of them can get lost unseen
    clock TEXT                          -- by which entries were left out. RFC 3339; null: not known
  ) STRICT;
  CREATE UNIQUE INDEX versions_by_id ON versions (workspace, id);

  CREATE TABLE documents (
    number INTEGER PRIMARY KEY,
    sha256 TEXT NOT NULL UNIQUE,
    size INTEGER NOT NULL,              -- in bytes
    bytes BLOB NOT NULL                 -- zstd
  ) STRICT;

  CREATE TABLE version_documents (
    version INTEGER NOT NULL REFERENCES versions,
    path TEXT NOT NULL,                 -- below out/
    document INTEGER NOT NULL REFERENCES documents,
    PRIMARY KEY (version, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX version_documents_by_document ON version_documents (document);

  CREATE TABLE version_files (
    version INTEGER NOT NULL REFERENCES versions,
    path TEXT NOT NULL,                 -- below out/
    sha256 TEXT NOT NULL REFERENCES files,
    PRIMARY KEY (version, path)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX version_files_by_sha256 ON version_files (sha256);

  -- Since a rollback, until it is resumed: nothing else becomes the current version (R6a).
  CREATE TABLE holds (
    workspace INTEGER PRIMARY KEY REFERENCES workspaces,
    at TEXT NOT NULL,                   -- RFC 3339, UTC
    actor TEXT NOT NULL,
    reason TEXT                         -- null: not given
  ) STRICT;

  -- The changes of the current version, without users.
  CREATE TABLE journal (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    at TEXT NOT NULL,                   -- RFC 3339, UTC
    action TEXT NOT NULL,               -- publish, republish, rollback
    from_version TEXT,                  -- null: nothing was published before
    to_version TEXT NOT NULL            -- may have been pruned since
  ) STRICT;

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

  -- A cache: the last publish of each draft, and what it found (R10).
  CREATE TABLE outcomes (
    workspace INTEGER PRIMARY KEY REFERENCES workspaces,
    row_check INTEGER NOT NULL,
    outcome BLOB NOT NULL               -- JSON, zstd
  ) STRICT;
`;

/** Makes the tables of a new store, in one transaction. Another process may have made them meanwhile. */
export function makeTables(database: Database): void {
  const version = () => database.pragma("user_version", { simple: true });
  if (version() !== 0) return;
  database
    .transaction(() => {
      if (version() !== 0) return;
      database.exec(SCHEMA);
      if (!hasOwnSchema(database)) throw damaged("it had tables before svc made its own");
      database.pragma(`user_version = ${SCHEMA_VERSION}`);
    })
    .immediate();
}

/** What a new store has, found once. */
let own: string | undefined;

/** R9: whether a store has the tables and indexes of a new one, and nothing else. */
export function hasOwnSchema(database: Database): boolean {
  if (own === undefined) {
    const empty = new DatabaseFile(":memory:");
    empty.exec(SCHEMA);
    own = schemaIn(empty);
    empty.close();
  }
  return schemaIn(database) === own;
}

/** R9: what `ANALYZE`, `PRAGMA optimize` and Litestream add, to the letter. */
const ADDED = [
  "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
  "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
  "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)",
  "CREATE TABLE _litestream_lock (id INTEGER)",
]
  .map((sql) => `'${sql}'`)
  .join();

/** At most a few more rows than there should be. */
function schemaIn(database: Database): string {
  const sql = `SELECT json_array(type, name, tbl_name, sql) FROM sqlite_master
    WHERE sql IS NULL OR sql NOT IN (${ADDED}) ORDER BY type, name LIMIT 100`;
  return valuesIn<string>(database, sql).join("\n");
}
