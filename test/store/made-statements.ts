import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { onTestFinished, vi } from "vitest";

const STORE = join(import.meta.dirname, "../../src/store");

/** Every line of src/store that prepares a statement, except the tables, which are made once. */
export function places(): string[] {
  return readdirSync(STORE)
    .filter((name) => name !== "schema.ts")
    .flatMap((name) =>
      readFileSync(join(STORE, name), "utf8")
        .split("\n")
        .flatMap((line, at) =>
          /[dD]atabase\.(?:prepare|exec)\b|\.prepare[<(]/.test(line) ? [`${name}:${at + 1}`] : [],
        ),
    );
}

/** Records all statements that src/store prepares, with the lines that do. */
export function statementsFromNowOn(): Map<string, Set<string>> {
  const made = new Map<string, Set<string>>();
  const note = (sql: string) => {
    const stack = String(new Error().stack).split("\n");
    const place = stack
      .map((line) => /\/src\/store\/([\w-]+\.ts:\d+)/.exec(line)?.[1])
      .find(Boolean);
    if (place === undefined || place.startsWith("schema.ts")) return;
    made.set(sql, (made.get(sql) ?? new Set()).add(place));
  };
  const { prepare, exec } = Database.prototype;
  vi.spyOn(Database.prototype, "prepare").mockImplementation(function (
    this: Database.Database,
    sql,
  ) {
    note(sql);
    return prepare.call(this, sql);
  });
  vi.spyOn(Database.prototype, "exec").mockImplementation(function (this: Database.Database, sql) {
    note(sql);
    return exec.call(this, sql);
  });
  onTestFinished(() => void vi.restoreAllMocks());
  return made;
}
