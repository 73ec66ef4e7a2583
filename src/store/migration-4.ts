/**
 * Schema version 4: rows of the draft have a number and the revision at which they were written;
 * rendered entries are stored once as texts, and a document is a recipe of texts.
 */
export const MIGRATION_4 = `
  -- Rows are large and their ids random, so rows are stored by number and ids in an index.
  CREATE TABLE numbered_records (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    kind TEXT NOT NULL,                 -- models, blocks, features, projects
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,          -- of the draft that it came with
    row_check INTEGER NOT NULL,
    body TEXT NOT NULL                  -- JSON
  ) STRICT;
  INSERT INTO numbered_records (workspace, kind, id, revision, row_check, body)
    SELECT workspace, kind, records.id, revision, row_check, body
    FROM records JOIN workspaces ON workspaces.number = workspace;
  DROP TABLE records;
  ALTER TABLE numbered_records RENAME TO records;
  CREATE UNIQUE INDEX records_by_id ON records (workspace, kind, id);
  CREATE INDEX projects_by_id ON records (id) WHERE kind = 'projects';

  CREATE TABLE numbered_entries (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    revision INTEGER NOT NULL,          -- of the draft that it came with
    row_check INTEGER NOT NULL,
    data TEXT NOT NULL                  -- JSON
  ) STRICT;
  INSERT INTO numbered_entries (workspace, id, model_id, revision, row_check, data)
    SELECT workspace, entries.id, model_id, revision, row_check, data
    FROM entries JOIN workspaces ON workspaces.number = workspace;
  DROP TABLE entries;
  ALTER TABLE numbered_entries RENAME TO entries;
  CREATE UNIQUE INDEX entries_by_id ON entries (id, workspace);
  CREATE INDEX entries_by_revision ON entries (workspace, revision);

  CREATE TABLE numbered_assets (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    revision INTEGER NOT NULL,          -- of the draft that it came with
    row_check INTEGER NOT NULL,
    body TEXT NOT NULL                  -- JSON
  ) STRICT;
  INSERT INTO numbered_assets (workspace, id, revision, row_check, body)
    SELECT workspace, assets.id, revision, row_check, body
    FROM assets JOIN workspaces ON workspaces.number = workspace;
  DROP TABLE assets;
  ALTER TABLE numbered_assets RENAME TO assets;
  CREATE UNIQUE INDEX assets_by_id ON assets (workspace, id);

  -- The revisions of the last removal of an entry, and of the last change of an asset.
  ALTER TABLE workspaces ADD COLUMN entry_removed INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE workspaces ADD COLUMN asset_changed INTEGER NOT NULL DEFAULT 0;
  UPDATE workspaces SET entry_removed = revision, asset_changed = revision;

  -- Texts of documents, many in a row. The number of a text is pack * 1024 + its index.
  CREATE TABLE packs (
    number INTEGER PRIMARY KEY AUTOINCREMENT, -- never given twice: who has read one may go on
    row_check INTEGER NOT NULL,
    contents BLOB NOT NULL,             -- of each text: half of its SHA-256, its size in 4 bytes
    bytes BLOB NOT NULL                 -- the texts one behind the other, zstd
  ) STRICT;
  INSERT INTO packs (number, row_check, contents, bytes)
    SELECT number, pack_check(sha256, bytes), pack_contents(sha256, bytes), pack_bytes(sha256, bytes)
    FROM documents;

  -- A document is frozen with version id null, so versions share what did not change.
  CREATE TABLE recipes (
    number INTEGER PRIMARY KEY,
    path TEXT NOT NULL,                 -- below out/
    sha256 TEXT NOT NULL,               -- of the document
    size INTEGER NOT NULL,              -- of the document, in bytes
    recipe TEXT NOT NULL                -- JSON: texts as they are, and lists of numbers of texts
  ) STRICT;
  INSERT INTO recipes (path, sha256, size, recipe)
    SELECT DISTINCT path, sha256, length(bytes), '[[' || (number * 1024) || ']]'
    FROM version_documents JOIN documents ON number = document;
  CREATE INDEX recipes_by_sha256 ON recipes (sha256);

  CREATE TABLE numbered_versions (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL REFERENCES workspaces,
    id TEXT NOT NULL,
    published_at TEXT NOT NULL,         -- RFC 3339, UTC
    sequence INTEGER NOT NULL,          -- the order of publishing; clocks may go backwards
    file_count INTEGER NOT NULL         -- beside its documents: none of them can get lost unseen
  ) STRICT;
  INSERT INTO numbered_versions (workspace, id, published_at, sequence, file_count)
    SELECT workspace, id, published_at, sequence, file_count FROM versions
    ORDER BY workspace, sequence;
  CREATE UNIQUE INDEX versions_by_id ON numbered_versions (workspace, id);

  CREATE TABLE numbered_version_documents (
    version INTEGER NOT NULL REFERENCES numbered_versions,
    document INTEGER NOT NULL REFERENCES recipes,
    PRIMARY KEY (version, document)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO numbered_version_documents
    SELECT v.number, r.number FROM version_documents AS d
    JOIN documents ON documents.number = d.document
    JOIN recipes AS r ON r.sha256 = documents.sha256 AND r.path = d.path
    JOIN numbered_versions AS v ON v.workspace = d.workspace AND v.id = d.version;

  CREATE TABLE numbered_version_files (
    version INTEGER NOT NULL REFERENCES numbered_versions,
    path TEXT NOT NULL,                 -- below out/
    sha256 TEXT NOT NULL REFERENCES files,
    PRIMARY KEY (version, path)
  ) STRICT, WITHOUT ROWID;
  INSERT INTO numbered_version_files
    SELECT v.number, f.path, f.sha256 FROM version_files AS f
    JOIN numbered_versions AS v ON v.workspace = f.workspace AND v.id = f.version;

  DROP TABLE document_entries;
  DROP TABLE last_renderings;
  DROP TABLE version_documents;
  DROP TABLE version_files;
  DROP TABLE documents;
  DROP TABLE versions;
  ALTER TABLE recipes RENAME TO documents;
  DROP INDEX recipes_by_sha256;
  CREATE INDEX documents_by_sha256 ON documents (sha256);
  ALTER TABLE numbered_versions RENAME TO versions;
  ALTER TABLE numbered_version_documents RENAME TO version_documents;
  ALTER TABLE numbered_version_files RENAME TO version_files;
  CREATE INDEX version_documents_by_document ON version_documents (document);
  CREATE INDEX version_files_by_sha256 ON version_files (sha256);

  -- A cache of the last renderings of drafts, by column.
  CREATE TABLE renderings (
    workspace INTEGER NOT NULL REFERENCES workspaces,
    part TEXT NOT NULL,
    row_check INTEGER NOT NULL,
    bytes BLOB NOT NULL,                -- zstd
    PRIMARY KEY (workspace, part)
  ) STRICT;
`;
