import { conditionFault } from "../fields/conditions.ts";
import { isOfFormat } from "../fields/formatted.ts";
import { FIELD_TYPES } from "../fields/registry.ts";
import { type Conditions, MOST_QUERIES, SELF } from "../workspace/conditions.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { ID_RULE, isId, isKey, isSchemaKeyword, KEY_RULE } from "../workspace/ids.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../workspace/json.ts";
import type { Kind } from "../workspace/records.ts";
import { fieldFaults, type ShapeFault } from "./record-shapes.ts";

type Path = readonly (string | number)[];
type Unchecked = JsonValue | undefined;

/** Checks that the values of one kind are unique. Many have one, so none has an object. */
class Distinct {
  /** By the value, in small letters if case does not count: the file that has it first. */
  readonly #files = new Map<string, string | undefined>();
  /** The values that are not in small letters, if case does not count. */
  readonly #values = new Map<string, string>();
  readonly #what: string;
  readonly #ignoreCase: boolean;

  constructor(what: string, ignoreCase = false) {
    this.#what = what;
    this.#ignoreCase = ignoreCase;
  }

  /** Forgets the values of these files. */
  leave(files: ReadonlySet<string>): void {
    const [one = ""] = this.#files.values();
    // A file that is in no folder has all of them.
    if (files.has(one) && !one.includes("/")) {
      this.#files.clear();
      this.#values.clear();
      return;
    }
    for (const [value, file = ""] of this.#files) {
      if (!files.has(file)) continue;
      this.#files.delete(value);
      this.#values.delete(value);
    }
  }

  /** @param file that has the value; undefined: all are in one. */
  faults(value: string, path: Path, file?: string): ShapeFault[] {
    const folded = this.#ignoreCase ? value.toLowerCase() : value;
    if (!this.#files.has(folded)) {
      this.#files.set(folded, file);
      if (folded !== value) this.#values.set(folded, value);
      return [];
    }
    const first = this.#values.get(folded) ?? folded;
    const other = this.#files.get(folded);
    const message =
      first === value
        ? `duplicate ${this.#what} "${value}"; give one of the two another`
        : `the ${this.#what} "${value}" differs from "${first}" only in letter case`;
    return [{ path, message, ...(other !== undefined && other !== file && { other }) }];
  }
}

/** I1. Values that are not strings are reported by `shapeFaults`. */
export function idFaults(
  id: Unchecked,
  path: Path,
  distinct?: Distinct,
  file?: string,
): ShapeFault[] {
  if (typeof id !== "string") return [];
  if (isId(id)) return distinct?.faults(id, path, file) ?? [];
  return [{ path, message: `malformed id ${JSON.stringify(id)}: ${ID_RULE}` }];
}

/** I2. */
function keyFaults(key: Unchecked, path: Path, distinct: Distinct, file?: string): ShapeFault[] {
  if (typeof key !== "string") return [];
  if (isKey(key)) return distinct.faults(key, path, file);
  return [{ path, message: `malformed key ${JSON.stringify(key)}: ${KEY_RULE}` }];
}

/** I3. */
function keywordFaults(key: Unchecked, path: Path): ShapeFault[] {
  if (typeof key !== "string" || !isSchemaKeyword(key)) return [];
  const message = `the key "${key}" is a JSON Schema keyword, which would make the schema document invalid; choose another`;
  return [{ path, message }];
}

/**
 * Checks I1, I2, I3 and field definitions across the records of a workspace. Records of the wrong
 * shape are checked as far as possible, so that all faults are reported in one run.
 */
export class RecordRules {
  readonly #ids = {
    models: new Distinct("model id"),
    blocks: new Distinct("block id"),
    features: new Distinct("feature id"),
    projects: new Distinct("project id", true),
    entries: new Distinct("entry id"),
    assets: new Distinct("asset id"),
  };
  readonly #keys = {
    models: new Distinct("model key"),
    blocks: new Distinct("block key"),
    features: new Distinct("feature key"),
  };

  /** H10: files that are read again, or are gone. */
  leave(files: ReadonlySet<string>): void {
    for (const distinct of [...Object.values(this.#ids), ...Object.values(this.#keys)]) {
      distinct.leave(files);
    }
  }

  /** @param file that has the record: W4a. */
  faults(kind: Kind, record: JsonObject, file?: string): ShapeFault[] {
    const ids = idFaults(record.id, ["id"], this.#ids[kind], file);
    switch (kind) {
      case "models":
      case "blocks":
        return [
          ...ids,
          ...keyFaults(record.key, ["key"], this.#keys[kind], file),
          ...keywordFaults(record.key, ["key"]),
          ...fieldListFaults(record.fields, kind),
        ];
      case "features":
        return [
          ...ids,
          ...keyFaults(record.key, ["key"], this.#keys.features, file),
          ...listFaults(record, "variants", "variant"),
          ...variantFaults(record),
        ];
      case "projects":
        return [
          ...ids,
          ...localeFaults(record),
          ...listFaults(record, "steps", "step"),
          ...listFaults(record, "experiences", "experience", true),
          ...collectionFaults(record),
        ];
      case "assets":
        return [...ids, ...listFaults(record, "versions", "version")];
      case "entries":
        return [...ids, ...wellFormedFaults(record, "modelId"), ...timeFaults(record)];
      default:
        return ids;
    }
  }
}

/** Q3, Q5: the conditions of collections, which stand in no entry. */
function collectionFaults({ collections }: JsonObject): ShapeFault[] {
  return elements(collections).flatMap(([index, { where }]) => {
    if (where === undefined || !isJsonObject(where)) return [];
    const self = Object.keys(where).find((key) => where[key] === SELF);
    const path = ["collections", index, "where"];
    if (self !== undefined)
      return [{ path: [...path, self], message: `"${SELF}" has a meaning in queries only` }];
    const message = conditionFault(where as Conditions);
    return message === undefined ? [] : [{ path, message }];
  });
}

/** A4: `publishAt` and `unpublishAt`, as far as their shape allows. */
function timeFaults({ publishAt, unpublishAt }: JsonObject): ShapeFault[] {
  if (publishAt === undefined && unpublishAt === undefined) return [];
  const faults = Object.entries({ publishAt, unpublishAt }).flatMap(([name, time]) =>
    typeof time !== "string" || (isOfFormat("date-time", time) && !Number.isNaN(Date.parse(time)))
      ? []
      : [
          {
            path: [name],
            message: `"${name}" is not a date and time with zone, as 2026-11-21T09:30:00Z`,
          },
        ],
  );
  const isNever = Date.parse(String(unpublishAt)) <= Date.parse(String(publishAt));
  if (faults.length > 0 || !isNever) return faults;
  return [
    {
      path: ["unpublishAt"],
      message: 'the end ("unpublishAt") is not after the beginning ("publishAt")',
    },
  ];
}

/** S9. */
function variantFaults({ type, variants }: JsonObject): ShapeFault[] {
  if (type !== "boolean" || !Array.isArray(variants) || variants.length === 0) return [];
  const message = 'a boolean feature has no variants; make its type "text", or remove them';
  return [{ path: ["variants"], message }];
}

/**
 * Faults of field definitions, with paths from the record that has them as `fields`.
 *
 * @param kind of the record.
 */
export function fieldListFaults(
  fields: Unchecked,
  kind: "models" | "blocks" | "workspace",
): ShapeFault[] {
  const keys = new Distinct("field key");
  const all = elements(fields);
  const titles = all.filter(([, { title }]) => title === true);
  const [tooMany] = all.filter(([, { query }]) => query !== undefined).slice(MOST_QUERIES);
  return all.flatMap(([index, field]) => {
    const path = ["fields", index];
    const { key, type } = field;
    const faults = typeof type === "string" ? fieldFaults(field as unknown as FieldDefinition) : [];
    return [
      ...faults.map((fault) => ({ ...fault, path: [...path, ...fault.path] })),
      ...keyFaults(key, [...path, "key"], keys),
      ...placeFaults(field, kind).map((fault) => ({ ...fault, path: [...path, ...fault.path] })),
      ...titleFaults(titles, index).map((message) => ({ path: [...path, "title"], message })),
      ...(index === tooMany?.[0] ? [{ path, message: TOO_MANY_QUERIES }] : []),
    ];
  });
}

const TOO_MANY_QUERIES = `a model or block can have a query in ${MOST_QUERIES} fields; this one is beyond`;

/** V10, B2, Q1: options that fields of some kinds of records cannot have. */
function placeFaults(
  { unique, localized, query }: JsonObject,
  kind: "models" | "blocks" | "workspace",
): ShapeFault[] {
  const ofModels = "only a field of a model can be unique";
  const ofProjects = "a field of projects cannot be localized, since a project has one language";
  return [
    ...(unique === true && kind !== "models" ? [{ path: ["unique"], message: ofModels }] : []),
    ...(localized === true && kind === "workspace"
      ? [{ path: ["localized"], message: ofProjects }]
      : []),
    ...(query !== undefined && kind === "workspace"
      ? [{ path: ["query"], message: "a field of projects cannot have a query" }]
      : []),
  ];
}

/** B1: which locales fall back to which. */
function localeFaults({ locale, fallbackLocales }: JsonObject): ShapeFault[] {
  if (!Array.isArray(fallbackLocales) || fallbackLocales.length === 0) return [];
  if (locale === undefined) {
    return [{ path: ["fallbackLocales"], message: '"fallbackLocales" needs "locale"' }];
  }
  const own = fallbackLocales.indexOf(locale);
  if (own < 0) return [];
  const message = `"${locale}" is the project's locale already`;
  return [{ path: ["fallbackLocales", own], message }];
}

/** W6. */
function titleFaults(titles: ReturnType<typeof elements>, at: number): string[] {
  const isTitle = titles.some(([index]) => index === at);
  if (!isTitle) return [];
  if (titles[0]?.[0] !== at) return ["another field is the title already; keep one of them"];
  const { repeatable, type } = titles[0]?.[1] ?? {};
  if (repeatable === true) return ["a repeatable field cannot be the title"];
  const types = [...FIELD_TYPES.values()];
  // An unknown type is a fault of its own.
  if ((types.find(({ name }) => name === type)?.shape ?? "string") === "string") return [];
  const able = types.filter(({ shape }) => shape === "string").map(({ name }) => name);
  return [`a field of the type "${type}" cannot be the title; the types ${able.join(", ")} can`];
}

/** A lone surrogate has no UTF-8 encoding, so the text would change in the store. */
export function wellFormedFaults(record: JsonObject, member: string): ShapeFault[] {
  const text = record[member];
  if (typeof text !== "string" || text.isWellFormed()) return [];
  return [{ path: [member], message: `"${member}" is not well-formed Unicode` }];
}

function listFaults(record: JsonObject, list: string, what: string, ignoreCase = false) {
  const ids = new Distinct(`${what} id`, ignoreCase);
  const keys = new Distinct(`${what} key`);
  return elements(record[list]).flatMap(([index, { id, key }]) => [
    ...idFaults(id, [list, index, "id"], ids),
    ...keyFaults(key, [list, index, "key"], keys),
  ]);
}

/** The objects of an array with their indexes; none for any other value. */
export function elements(list: Unchecked): [number, JsonObject][] {
  if (!Array.isArray(list)) return [];
  return (list as readonly JsonValue[]).flatMap((element, index): [number, JsonObject][] =>
    isJsonObject(element) ? [[index, element]] : [],
  );
}
