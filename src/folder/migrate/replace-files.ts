import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../documents/version-id.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isRunning } from "../../workspace/is-running.ts";

/** M3: the folder of an unfinished migration, inside the workspace folder. */
export const MIGRATION_FOLDER = ".svc-migration";
const JOURNAL = "journal.json";

/** A file that is replaced. */
export interface Replacement {
  readonly file: string;
  readonly before: string;
  readonly after: string;
  /** How many of its records change. */
  readonly records: number;
}

/** What was decided, and is done again after a crash. */
export interface MigrationJournal {
  /** As on the command line: `rename-field page title headline`. */
  readonly migration: string;
  readonly files: readonly {
    readonly file: string;
    readonly records: number;
    readonly before: string;
    readonly after: string;
  }[];
}

/** The journal of a migration that was interrupted; undefined: there is none. */
export function interruptedMigration(folder: string): MigrationJournal | undefined {
  const path = join(folder, MIGRATION_FOLDER, JOURNAL);
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

/** @throws SvcError `migration-interrupted`: some files may be old, and others new (M3). */
export function assertNotMigrating(folder: string, named: string): void {
  const journal = interruptedMigration(folder);
  if (journal === undefined) return;
  const migration = `the migration "${journal.migration}" of "${named}" was interrupted`;
  throw new SvcError("migration-interrupted", migration, {
    hint: `run svc migrate ${named} ${journal.migration} --write to complete it`,
  });
}

/**
 * M3: writes all new files beside the old ones, in a folder inside. Its rename decides that they
 * replace these: a crash before leaves the old files, one after it a journal for `finishMigration`.
 *
 * @throws SvcError `migration-conflict` when a file was changed since it was read.
 */
export function stageMigration(
  folder: string,
  migration: string,
  replacements: readonly Replacement[],
): MigrationJournal {
  removeLeftovers(folder);
  const staging = stagingFolder(folder, process.pid);
  try {
    mkdirSync(staging);
    for (const [index, { file, before, after }] of replacements.entries()) {
      assertText(folder, file, [sha256(before)]);
      const { mode } = statSync(join(folder, file));
      writeFileSync(join(staging, String(index)), after, { mode });
    }
    const files = replacements.map(({ file, before, after, records }) => ({
      ...{ file, records, before: sha256(before), after: sha256(after) },
    }));
    const journal: MigrationJournal = { migration, files };
    writeFileSync(join(staging, JOURNAL), JSON.stringify(journal));
    renameSync(staging, join(folder, MIGRATION_FOLDER));
    return journal;
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}

/**
 * M3: replaces the files of a migration that are not replaced yet.
 *
 * @throws SvcError `migration-conflict` when one was changed since, before any is replaced.
 */
export function finishMigration(folder: string, { files }: MigrationJournal): void {
  const staged = join(folder, MIGRATION_FOLDER);
  const left = [...files.entries()].filter(([index]) => existsSync(join(staged, String(index))));
  for (const [index, { file, before, after }] of left) {
    assertText(folder, file, [before, after]);
    assertText(staged, String(index), [after]);
  }
  for (const [index, { file }] of left) renameSync(join(staged, String(index)), join(folder, file));
  // Its journal must not be gone before the folder is.
  const done = stagingFolder(folder, process.pid);
  renameSync(staged, done);
  rmSync(done, { recursive: true });
}

function stagingFolder(folder: string, pid: number): string {
  return join(folder, `${MIGRATION_FOLDER}.${pid}`);
}

/** Removes what processes left that were killed before they decided. */
function removeLeftovers(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${MIGRATION_FOLDER}.`)) continue;
    const pid = Number(name.slice(MIGRATION_FOLDER.length + 1));
    if (pid === process.pid || !isRunning(pid)) {
      rmSync(join(folder, name), { recursive: true, force: true });
    }
  }
}

function assertText(folder: string, file: string, hashes: readonly string[]): void {
  const path = join(folder, file);
  if (existsSync(path) && hashes.includes(sha256(readFileSync(path)))) return;
  throw new SvcError("migration-conflict", `"${file}" was changed during the migration`, {
    hint: `put back the file as it was (git checkout) and migrate again; if ${MIGRATION_FOLDER} is left in the folder, remove that first`,
  });
}
