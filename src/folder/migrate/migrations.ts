import { UsageError } from "../../workspace/errors.ts";
import { collect } from "./collect.ts";
import {
  delocalizeField,
  localizeField,
  moveFieldIntoBlock,
  removeField,
  renameField,
  renameModel,
  renameOption,
} from "./field-migrations.ts";
import type { Definitions, Migration } from "./migration.ts";
import { relax } from "./relax.ts";
import { renameEntry } from "./rename-entry.ts";
import { scriptMigration } from "./script-migration.ts";

interface NamedMigration {
  /** The names of its arguments; those in brackets may be left out. */
  readonly arguments: readonly string[];
  make(definitions: Definitions, ...args: string[]): Migration | Promise<Migration>;
}

function migration<A extends string[]>(
  names: readonly string[],
  make: (definitions: Definitions, ...args: A) => Migration | Promise<Migration>,
): NamedMigration {
  return { arguments: names, make: make as unknown as NamedMigration["make"] };
}

const MIGRATIONS: Readonly<Record<string, NamedMigration>> = {
  "rename-field": migration(["model", "field", "new-key"], renameField),
  "rename-model": migration(["model", "new-key"], renameModel),
  "rename-option": migration(["model", "field", "option", "new-option"], renameOption),
  "move-field-into-block": migration(
    ["model", "field", "blocks-field", "block", "[key]"],
    moveFieldIntoBlock,
  ),
  "localize-field": migration(["model", "field", "[locale]"], localizeField),
  "delocalize-field": migration(["model", "field", "[locale]"], delocalizeField),
  "rename-entry": migration(["id", "new-id"], renameEntry),
  "remove-field": migration(["model", "field"], removeField),
  collect: migration([], collect),
  relax: migration([], relax),
  script: migration(["file"], scriptMigration),
};

function usageOf(name: string): string {
  const names = MIGRATIONS[name]?.arguments ?? [];
  return [name, ...names.map((one) => (one.startsWith("[") ? one : `<${one}>`))].join(" ");
}

/**
 * Makes a migration once the definitions are read.
 *
 * @throws UsageError for another name, or another number of arguments.
 */
export function migrationNamed(
  name: string,
  args: readonly string[],
): (definitions: Definitions) => Promise<Migration> {
  const found = Object.hasOwn(MIGRATIONS, name) ? MIGRATIONS[name] : undefined;
  if (found === undefined) {
    throw new UsageError(
      `there is no migration "${name}"`,
      `one of ${Object.keys(MIGRATIONS).join(", ")}`,
    );
  }
  const least = found.arguments.filter((one) => !one.startsWith("[")).length;
  if (args.length < least || args.length > found.arguments.length) {
    throw new UsageError(
      `${name} has ${args.length < least ? "too few" : "too many"} arguments`,
      `svc migrate <folder> ${usageOf(name)}`,
    );
  }
  return async (definitions) => found.make(definitions, ...args);
}
