import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/test-bed.ts";
import { attempt, StoreTemplate } from "./damaged-store.ts";
import { runs, timeFor } from "./fuzzing.ts";

const MORE = runs(0.25);

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: "TEXT" | "BLOB";
  readonly rows: number;
}

/** Every column of the store with text or bytes. */
function columnsOf(file: string): Column[] {
  const database = new Database(file, { readonly: true });
  try {
    return database
      .prepare<unknown[], { name: string; column: string; type: Column["type"] }>(
        `SELECT m.name, c.name AS "column", c.type FROM sqlite_schema m, pragma_table_info(m.name) c
         WHERE m.type = 'table' AND c.type IN ('TEXT', 'BLOB') ORDER BY m.name, c.cid`,
      )
      .all()
      .map(({ name: table, column, type }) => {
        const count = `SELECT count(*) FROM "${table}" WHERE length("${column}") > 0`;
        const rows = database.prepare<unknown[], number>(count).pluck().get() as number;
        return { table, column, type, rows };
      })
      .filter(({ rows }) => rows > 0);
  } finally {
    database.close();
  }
}

/** Flips a bit in one cell of the store, which SQLite does not notice: it has no checksums. */
function flipIn(
  file: string,
  { table, column, type, rows }: Column,
  row: number,
  at: number,
): void {
  const database = new Database(file);
  try {
    database.pragma("foreign_keys = OFF");
    const cells = database
      .prepare<unknown[], Buffer>(
        `SELECT CAST("${column}" AS BLOB) FROM "${table}" WHERE length("${column}") > 0`,
      )
      .pluck();
    const before = cells.all()[row % rows] as Buffer;
    const after = Buffer.from(before);
    const here = at % after.length;
    after[here] = (after[here] as number) ^ 1;
    const change = `UPDATE "${table}" SET "${column}" = CAST(? AS ${type})`;
    database.prepare(`${change} WHERE CAST("${column}" AS BLOB) = ?`).run(after, before);
  } finally {
    database.close();
  }
}

describe("fuzz: a store with one bit flipped in a cell", () => {
  const template = () => new StoreTemplate();

  async function tryAll(
    bed: StoreTemplate,
    folder: string,
    column: Column,
    row: number,
    at: number,
  ) {
    for (const works of [
      ["write"],
      ["check", "publish", "write"],
      ["diff", "publish"],
      ["tokens", "token", "export"],
    ]) {
      bed.copyTo(folder, "file");
      flipIn(join(folder, "workspace.db"), column, row, at);
      for (const work of works) await attempt(work as "write", bed, folder);
    }
  }

  it(
    "works or is refused, and published files are complete: every column",
    timeFor(40),
    async () => {
      const bed = template();
      const folder = join(temporaryFolder(), "case");
      bed.copyTo(folder, "file");
      const columns = columnsOf(join(folder, "workspace.db"));
      expect(columns.length).toBeGreaterThan(25);
      const failed: string[] = [];
      for (const column of columns) {
        const { message = "" } = await tryAll(bed, folder, column, 0, 5).then(
          () => ({}) as Error,
          (error: Error) => error,
        );
        if (message !== "")
          failed.push(`${column.table}.${column.column}: ${message.slice(0, 200)}`);
      }
      expect(failed).toEqual([]);
    },
  );

  it(
    `works or is refused, and published files are complete (${MORE} inputs)`,
    timeFor(MORE),
    async () => {
      const bed = template();
      const folder = join(temporaryFolder(), "case");
      bed.copyTo(folder, "file");
      const columns = fc.constantFrom(...columnsOf(join(folder, "workspace.db")));
      const property = fc.asyncProperty(columns, fc.nat(), fc.nat(), async (column, row, at) => {
        await tryAll(bed, folder, column, row, at);
      });
      await fc.assert(property, { numRuns: MORE });
    },
  );
});
