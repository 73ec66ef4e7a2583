// node bare-import.ts <folder> <database>: the bare loop of `svc import`. It parses the lines of all
// NDJSON files and inserts the entries into a table like the store's in one transaction, without
// any validation.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { linesOf } from "./lines.ts";

const [folder = "", file = ""] = process.argv.slice(2);
const database = new Database(file);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec(
  `CREATE TABLE entries (
    number INTEGER PRIMARY KEY,
    workspace INTEGER NOT NULL,
    id TEXT NOT NULL,
    model_id TEXT NOT NULL,
    revision INTEGER NOT NULL,
    row_check INTEGER NOT NULL,
    data TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX entries_by_id ON entries (id, workspace);
  CREATE INDEX entries_by_revision ON entries (workspace, revision)`,
);
const insert = database.prepare(
  "INSERT INTO entries (workspace, id, model_id, revision, row_check, data) VALUES (1, ?, ?, 1, 0, ?)",
);
database.transaction(() => {
  for (const name of readdirSync(folder).filter((name) => name.endsWith(".ndjson"))) {
    for (const line of linesOf(join(folder, name))) {
      const { id, modelId, data } = JSON.parse(line);
      if (name === "entries.ndjson") insert.run(id, modelId, JSON.stringify(data));
    }
  }
})();
database.close();
