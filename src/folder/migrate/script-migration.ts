import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { JsonObject } from "../../workspace/json.ts";
import type { Entry } from "../../workspace/records.ts";
import { shapeFaults } from "../record-shapes.ts";
import { type Definitions, type Migration, refusal } from "./migration.ts";

/** What a migration script knows beside the entry. */
export interface EntryContext {
  /** The key of the entry's model; undefined when there is no such model. */
  readonly modelKey: string | undefined;
}

/** M6: the default export of a migration script. The entry is a copy, which it may change. */
export type EntryMigration = (entry: Entry, context: EntryContext) => Entry | Promise<Entry>;

/**
 * `script <file>`: a module of JavaScript, or of TypeScript whose types Node strips.
 *
 * @throws SvcError `migration-refused` when it cannot be loaded, or exports no function.
 */
export async function scriptMigration({ models }: Definitions, file: string): Promise<Migration> {
  const migrate = await loaded(file);
  const modelKeys = new Map(models.map(({ id, key }) => [id, key]));
  return async (kind, record) => {
    if (kind !== "entries") return record;
    const entry = structuredClone(record) as unknown as Entry;
    let returned: unknown;
    try {
      returned = await migrate(entry, { modelKey: modelKeys.get(entry.modelId) });
    } catch (error) {
      throw refusal(
        `${file} failed for the entry "${record.id}": ${(error as Error)?.message ?? error}`,
        "nothing was changed; fix the script",
      );
    }
    // As it will be read again: without undefined members.
    const text = JSON.stringify(returned);
    const migrated = text === undefined ? null : JSON.parse(text);
    const [fault] = shapeFaults("entries", migrated);
    if (fault !== undefined || migrated.id !== record.id) {
      const why = fault === undefined ? "another id" : `no entry: ${fault.message}`;
      throw refusal(
        `${file} returned ${why} for the entry "${record.id}"`,
        "the function must return the entry, with the same id",
      );
    }
    return migrated as JsonObject;
  };
}

async function loaded(file: string): Promise<EntryMigration> {
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw refusal(
      `cannot load ${file}: ${(error as Error).message}`,
      error instanceof SyntaxError
        ? 'check the script; where package.json has "type": "commonjs", name it .mts or .mjs'
        : "check the path and the script",
    );
  }
  if (typeof module.default === "function") return module.default as EntryMigration;
  throw refusal(
    `${file} exports no function as default`,
    "export default (entry, { modelKey }) => entry",
  );
}
