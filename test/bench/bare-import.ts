// The bare loop of `svc import`: reads the lines of an entries.ndjson, parses each and inserts it into
// a table of the store's shape in one transaction, checking nothing.
import { readFileSync } from "node:fs";
import Database from "better-sqlite3";

const [from = "", to = ""] = process.argv.slice(2);
const database = new Database(to);
database.pragma("journal_mode = WAL");
database.pragma("synchronous = FULL");
database.exec(
  `CREATE TABLE entries (workspace INTEGER NOT NULL, id TEXT NOT NULL, model_id TEXT NOT NULL,
   data TEXT NOT NULL, row_check INTEGER NOT NULL, PRIMARY KEY (workspace, id)) WITHOUT ROWID`,
);
const insert = database.prepare("INSERT INTO entries VALUES (1, ?, ?, ?, 0)");
const text = readFileSync(from, "utf8");
database.transaction(() => {
  for (let start = 0, end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    const { id, modelId, data } = JSON.parse(text.slice(start, end));
    insert.run(id, modelId, JSON.stringify(data));
    start = end + 1;
  }
})();
database.close();
