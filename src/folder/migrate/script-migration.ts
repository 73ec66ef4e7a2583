import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { inspect } from "node:util";
import { RecordRules } from "../../records/record-rules.ts";
import { shapeFaults } from "../../records/record-shapes.ts";
import {
  type JsonObject,
  type JsonValue,
  jsonPointer,
  MAXIMUM_NESTING,
} from "../../workspace/json.ts";
import type { Entry } from "../../workspace/records.ts";
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
    let migrated: JsonValue;
    try {
      const returned = await migrate(entry, { modelKey: modelKeys.get(entry.modelId) });
      migrated = plainJson(returned ?? null);
    } catch (error) {
      if (error instanceof NoJson) {
        const at = error.place === "" ? "" : ` at ${error.place}`;
        throw refusal(
          `${file} returned ${error.message}${at} for the entry "${record.id}"`,
          "return values of JSON: text, finite numbers, true, false, null, lists and plain objects",
        );
      }
      throw refusal(
        `${file} failed for the entry "${record.id}": ${reasonOf(error)}`,
        "nothing was changed; fix the script",
      );
    }
    const why = refusedBecause(migrated, record.id as string);
    if (why !== undefined) {
      throw refusal(
        `${file} returned ${why} for the entry "${record.id}"`,
        "the function must return the entry, with the same id",
      );
    }
    return migrated as JsonObject;
  };
}

/** Why an import would refuse what a script returned, or why it is not the entry `id`. */
function refusedBecause(migrated: JsonValue, id: string): string | undefined {
  const [misshapen] = shapeFaults("entries", migrated);
  if (misshapen !== undefined) return `no entry: ${misshapen.message}`;
  const entry = migrated as JsonObject;
  if (entry.id !== id) return "another id";
  const [fault] = new RecordRules().faults("entries", entry);
  return fault && `no entry: ${fault.message}`;
}

async function loaded(file: string): Promise<EntryMigration> {
  let module: { readonly default?: unknown };
  try {
    module = await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    throw refusal(
      `cannot load ${file}: ${reasonOf(error)}`,
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

/** What a script threw, which may be anything. */
function reasonOf(thrown: unknown): string {
  const { message, name } = (thrown ?? {}) as Partial<Error>;
  if (typeof message === "string" && message !== "") return message;
  const shown = thrown instanceof Error ? `${name}` : inspect(thrown, { breakLength: Infinity });
  return `it threw ${shown}, without a message`;
}

const TOO_DEEP_VALUES = `values nested more than ${MAXIMUM_NESTING} levels deep`;

/** A value that JSON cannot hold without loss. */
class NoJson extends Error {
  /** A JSON Pointer; empty for the value itself. */
  readonly place: string;

  constructor(what: string, path: readonly (string | number)[]) {
    super(what);
    this.place = jsonPointer(path);
  }
}

/**
 * M7: a copy of a value as JSON holds it, without members that are undefined. A value is refused
 * where `JSON.stringify` would change it.
 *
 * @throws NoJson for the first such value.
 */
function plainJson(value: unknown): JsonValue {
  const path: (string | number)[] = [];
  /** The objects around the current value. */
  const around: object[] = [];
  const inside = (segment: string | number, one: unknown): JsonValue => {
    path.push(segment);
    const copy = copied(one);
    path.pop();
    return copy;
  };
  const copied = (value: unknown): JsonValue => {
    if (value === null || typeof value === "string" || typeof value === "boolean") return value;
    if (typeof value === "number" && Number.isFinite(value)) return value;
    if (typeof value !== "object") throw new NoJson(described(value), path);
    if (around.includes(value)) throw new NoJson("an object that contains itself", path);
    if (path.length >= MAXIMUM_NESTING) throw new NoJson(TOO_DEEP_VALUES, path.slice(0, 3));
    if (!Array.isArray(value) && !isPlain(value)) throw new NoJson(`a ${classOf(value)}`, path);
    around.push(value);
    const copy = Array.isArray(value)
      ? // Unlike `map`, this also visits the holes of sparse arrays.
        Array.from(value, (one, at) => inside(at, one))
      : Object.fromEntries(
          Object.entries(value).flatMap(([name, one]) =>
            one === undefined ? [] : [[name, inside(name, one)]],
          ),
        );
    around.pop();
    return copy;
  };
  return copied(value);
}

function described(value: unknown): string {
  return typeof value === "number" || value === undefined ? String(value) : `a ${typeof value}`;
}

/** Whether an object is of no class, of whatever realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function classOf(value: object): string {
  const { name } = value.constructor ?? {};
  return typeof name === "string" && name !== "" ? name : "class instance";
}
