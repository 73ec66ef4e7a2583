import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { sha256 } from "../../documents/version-id.ts";
import { Folder } from "../../files/folder.ts";
import { SvcError } from "../../workspace/errors.ts";
import { isRecordPath } from "../reading.ts";

/** M3: the folder of an unfinished migration, inside the workspace folder. */
export const MIGRATION_FOLDER = ".svc-migration";
const JOURNAL = `${MIGRATION_FOLDER}/journal.json`;

interface Replacement {
  readonly file: string;
  /** Another name that it gets. */
  readonly to?: string;
  readonly before: string;
  readonly after: string;
  readonly records: number;
}

/** What was decided, and is done again after a crash: texts by their SHA-256. */
interface MigrationJournal {
  /** As on the command line: `rename-field page title headline`. */
  readonly migration: string;
  readonly files: readonly Replacement[];
}

/**
 * The journal of a migration that was interrupted; undefined: there is none.
 *
 * @throws SvcError `migration-invalid`: what is there was not written by a migration.
 */
export function interruptedMigration(folder: string): MigrationJournal | undefined {
  const path = join(folder, JOURNAL);
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return undefined;
  const journal = stats.isFile() ? journalIn(readFileSync(path, "utf8")) : undefined;
  if (journal !== undefined) return journal;
  throw new SvcError("migration-invalid", `"${path}" is not the journal of a migration`, {
    hint: `look at what changed in the folder (git status), then remove ${MIGRATION_FOLDER} from it`,
  });
}

function journalIn(text: string): MigrationJournal | undefined {
  try {
    const { migration, files } = JSON.parse(text) as Partial<MigrationJournal>;
    const isOne = ({ file, to = file, before, after, records }: Replacement) =>
      [file, to, before, after].every((one) => typeof one === "string") &&
      Number.isInteger(records);
    return typeof migration === "string" && files?.every(isOne) ? { migration, files } : undefined;
  } catch {
    return undefined;
  }
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
 * M3: writes all new files beside the old ones, in a folder inside. The rename of its journal decides
 * that they replace these: a crash before leaves the old files, one after it the journal for
 * `finishMigration`. Call both with the folder locked.
 *
 * @throws SvcError `migration-conflict` when a file was changed since it was read.
 */
export function stageMigration(
  folder: string,
  migration: string,
  replacements: readonly Replacement[],
): MigrationJournal {
  assertNotMigrating(folder, folder);
  const files = openFolder(folder);
  // What a process has left that was killed before it decided.
  files.removeFolder(MIGRATION_FOLDER);
  try {
    const staged = replacements.map(({ before, after, ...one }, index) => {
      assertText(files, one.file, [sha256(before)]);
      files.replace(`${MIGRATION_FOLDER}/${index}`, after, files.stat(one.file)?.mode);
      return { ...one, before: sha256(before), after: sha256(after) };
    });
    const journal = { migration, files: staged };
    files.replace(JOURNAL, JSON.stringify(journal));
    return journal;
  } catch (error) {
    files.removeFolder(MIGRATION_FOLDER);
    throw error;
  }
}

/**
 * M3: replaces the files of a migration that are not replaced yet.
 *
 * @throws SvcError `migration-conflict` when one was changed since, before any is replaced.
 */
export function finishMigration(folder: string, journal: MigrationJournal): void {
  const files = openFolder(folder);
  const left = journal.files
    .map((one, index) => ({ ...one, staged: `${MIGRATION_FOLDER}/${index}` }))
    .filter(({ staged }) => files.stat(staged) !== undefined);
  for (const { file, to = file, staged, before, after } of left) {
    const isRenamed = files.stat(file) === undefined;
    assertText(files, isRenamed ? to : file, [before, after]);
    assertText(files, staged, [after]);
    if (!isRenamed && to !== file && isTaken(files, file, to)) throw changedMeanwhile(to);
  }
  for (const { file, to = file, staged } of left) {
    // First the name: after a crash the old file is not beside the new one.
    if (to !== file && files.stat(file) !== undefined) files.move(file, to);
    files.move(staged, to);
  }
  files.removeFolder(MIGRATION_FOLDER);
}

function openFolder(folder: string): Folder {
  const isOwn = (path: string) => path.split("/")[0] === MIGRATION_FOLDER;
  return new Folder(folder, (path) => isOwn(path) || isRecordPath(path));
}

/** Where letter case does not matter, the new name may be the file itself. */
function isTaken(files: Folder, file: string, to: string): boolean {
  const there = files.stat(to);
  return there !== undefined && there.ino !== files.stat(file)?.ino;
}

function assertText(files: Folder, file: string, hashes: readonly string[]): void {
  if (files.stat(file)?.isFile() && hashes.includes(sha256(files.read(file)))) return;
  throw changedMeanwhile(file);
}

function changedMeanwhile(file: string): SvcError {
  return new SvcError("migration-conflict", `"${file}" was changed during the migration`, {
    hint: `put back the file as it was (git checkout) and migrate again; if ${MIGRATION_FOLDER} is left in the folder, remove that first`,
  });
}
