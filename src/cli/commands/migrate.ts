import { isAbsolute } from "node:path";
import {
  type MigratedFile,
  migrateFolder,
  readDefinitions,
  unifiedDiff,
} from "../../folder/migrate/migrate-folder.ts";
import { type RelaxedConstraint, refusal } from "../../folder/migrate/migration.ts";
import { migrationNamed } from "../../folder/migrate/migrations.ts";
import {
  assertNotMigrating,
  finishMigration,
  interruptedMigration,
  stageMigration,
} from "../../folder/migrate/replace-files.ts";
import { SvcError } from "../../workspace/errors.ts";
import { listed } from "../../workspace/listed.ts";
import { pathFrom } from "../output/findings.ts";
import type { Output, Remarks } from "../output/output.ts";
import { reportError } from "../output/report-error.ts";
import { counted } from "../output/words.ts";
import type { MigrateResult } from "../results.ts";
import type { Options, Run, SharedOptions } from "../table/table.ts";

export const migrate: Run<"migrate"> = async (output, options) => {
  const { folder, migration: name, args = [] } = options;
  const make = migrationNamed(name, args);
  if (await resumed(output, options, folder)) return;
  const migration = [name, ...args].join(" ");
  const { migrated, relaxed, notes } = await unlessEnded(migration, options, async () => {
    const made = await make(readDefinitions(folder));
    const { relaxed, notes } = made;
    return { migrated: await migrateFolder(folder, made), relaxed, notes };
  });
  const files = shownFiles(folder, migrated);
  if (options.write && migrated.length > 0) {
    if (!options.force) assertCommitted(output, folder);
    await changing(folder, () =>
      finishMigration(folder, stageMigration(folder, migration, migrated)),
    );
  }
  for (const one of relaxed ?? []) output.note(relaxedLine(one));
  for (const text of notes ?? []) output.note(text);
  const records = files.reduce((sum, file) => sum + file.records, 0);
  const found = { ...(relaxed && { relaxed }), ...(notes && { notes }) };
  const result = { folder, migration, resumed: false, files, records, ...found };
  const what = `${counted(records, "record")} in ${counted(files.length, "file")}`;
  const nothing = "there is nothing to change";
  if (options.write) {
    const text = files.length === 0 ? nothing : `changed ${what}`;
    output.result({ ...result, written: files.length > 0 }, text);
    return;
  }
  const diff = migrated.map((one) => unifiedDiff({ ...one, ...shownNames(folder, one) })).join("");
  if (output.json || diff !== "") output.file({ ...result, written: false, diff }, diff);
  output.note(files.length === 0 ? nothing : `${what} would change; with --write they do`);
};

/** P13a: the names of a file, from the working directory, so that `git apply` finds it there. */
function shownNames(folder: string, { file, to }: Pick<MigratedFile, "file" | "to">) {
  const isBelow = !isAbsolute(pathFrom(folder, ""));
  const shown = (name: string) => (isBelow ? pathFrom(folder, name) : name);
  return { file: shown(file), ...(to !== undefined && { to: shown(to) }) };
}

function shownFiles(folder: string, files: readonly Omit<MigratedFile, "before" | "after">[]) {
  return files.map((one) => ({ ...shownNames(folder, one), records: one.records }));
}

/** M8. */
function relaxedLine(one: RelaxedConstraint): string {
  const { kind, key, field, constraint, now, with: more = [], entries, example } = one;
  const owner = { models: key, blocks: `block ${key}`, workspace: "projects" }[kind];
  const becomes = now === undefined ? "" : `, now ${now}`;
  const what =
    kind === "workspace" ? counted(entries, "project") : counted(entries, "entry", "entries");
  return `relaxed: ${owner}.${field}: ${[constraint, ...more].join(", ")}${becomes} (broken by ${what}, e.g. ${example})`;
}

/**
 * M7a: a script must not end svc as if all was done: by `process.exit`, an error in a callback, or a
 * promise that is never settled, after which Node has nothing left to do. What it prints on the
 * console is no part of the result.
 */
async function unlessEnded<T>(
  migration: string,
  { json = false, debug = false }: SharedOptions,
  run: () => Promise<T>,
): Promise<T> {
  const ended = () => {
    const error = refusal(
      `${migration} ended svc before all entries were migrated`,
      "nothing was changed; the script must not call process.exit, and settle every promise it returns",
    );
    process.exitCode = reportError(error, { json, debug });
  };
  const { log, info, debug: trace } = console;
  process.once("exit", ended);
  console.log = console.info = console.debug = console.error;
  try {
    return await run();
  } finally {
    Object.assign(console, { log, info, debug: trace });
    process.off("exit", ended);
  }
}

/** M3: completes a migration that was interrupted, instead of another one. */
async function resumed(
  output: Output<MigrateResult>,
  { write }: Options<"migrate">,
  folder: string,
): Promise<boolean> {
  const journal = interruptedMigration(folder);
  if (journal === undefined) return false;
  if (!write) assertNotMigrating(folder, folder);
  await changing(folder, () => finishMigration(folder, journal));
  const { migration } = journal;
  const files = shownFiles(folder, journal.files);
  const records = files.reduce((sum, file) => sum + file.records, 0);
  output.result(
    { folder, migration, resumed: true, files, records, written: true },
    `completed the interrupted migration ${migration}: ${counted(files.length, "file")}; nothing else was done`,
  );
  return true;
}

/** With the folder locked. SQLite is loaded for this only. */
async function changing(folder: string, work: () => void): Promise<void> {
  const { withLock } = await import("../../files/lock.ts");
  withLock(folder, work);
}

/** By a process that was killed. */
const LEFT_BEHIND = /(?:^|\/)\.svc-(?:migration\/|writing\.tmp$|lock$)/;

/** M4. */
function assertCommitted(output: Remarks, folder: string): void {
  const changes = gitChanges(folder);
  if (changes === undefined) {
    output.note("the folder is in no Git repository, so only a copy can undo this");
    return;
  }
  const changed = changes.filter((path) => !LEFT_BEHIND.test(path));
  if (changed.length === 0) return;
  throw new SvcError(
    "folder-not-committed",
    `"${folder}" has changes that are not committed: ${listed(changed, 1)}`,
    { hint: "commit them, so that the migration can be undone; or add --force" },
  );
}

/**
 * The paths below a folder that Git does not have as they are: changed, or not added. Undefined when
 * the folder is in no Git repository, or there is no Git.
 */
function gitChanges(folder: string): readonly string[] | undefined {
  const args = ["-C", folder, "status", "--porcelain", "-z", "--untracked-files=all", "--", "."];
  // Not imported: the bundle leaves this module out for the sake of all other commands.
  const { spawnSync } = process.getBuiltinModule("node:child_process");
  const { status, stdout } = spawnSync("git", args, {
    encoding: "utf8",
    maxBuffer: Number.POSITIVE_INFINITY,
  });
  if (status !== 0) return undefined;
  return stdout.split("\0").flatMap((line) => (/^.. ./s.test(line) ? [line.slice(3)] : []));
}
