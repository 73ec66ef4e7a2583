/** Schema version 5: entries say when they are published, and versions at which time they were made. */
export const MIGRATION_5 = `
  ALTER TABLE entries ADD COLUMN publishing TEXT NOT NULL DEFAULT ''; -- JSON; empty: always
  CREATE INDEX entries_by_publishing ON entries (workspace) WHERE publishing <> '';

  -- The reading of the clock by which entries were left out. RFC 3339, UTC; null: not known.
  ALTER TABLE versions ADD COLUMN clock TEXT;
`;
