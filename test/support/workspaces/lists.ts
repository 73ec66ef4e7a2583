import type { Conditions, Scalar } from "../../../src/workspace/conditions.ts";
import type { FieldDefinition } from "../../../src/workspace/field.ts";
import { isJsonObject, type JsonValue } from "../../../src/workspace/json.ts";
import type { Block, Collection, Entry, Model, Project } from "../../../src/workspace/records.ts";
import type { Random } from "./random.ts";

type Condition = Conditions[string];

interface Lists {
  readonly models?: readonly Model[];
  readonly blocks?: readonly Block[];
  readonly projects?: readonly Project[];
  readonly entries?: readonly Entry[];
}

const TEXTS = ["text", "select", "url", "email"];
const DATES = ["date", "date-time", "iso-date"];
const COMPARED = [...TEXTS, ...DATES, "number", "integer", "boolean", "reference"];

/** Ids that are no keys, and those that differ from another one in letter case only. */
const UNFIT = ["a.b", "B", "zz"];

/**
 * The workspace with queries in some of its models and blocks, and collections in its projects.
 *
 * @param faulty whether conditions may be wrong, patterns give no ids, and computed values be stored
 */
export function withLists<P extends Lists>(parts: P, random: Random, faulty: boolean): P {
  const { models = [], blocks = [], projects = [], entries = [] } = parts;
  const withQuery = <M extends Model>(record: M): M => {
    const keys = ["found-too", "found"].slice(random.pick([0, 1, 1, 2]));
    const fields = keys.map((key) => ({ key, ...randomQuery(record, parts, random, faulty) }));
    return { ...record, fields: [...record.fields, ...fields] };
  };
  const isFit = (model: Model) =>
    faulty || !entries.some(({ id, modelId }) => modelId === model.id && UNFIT.includes(id));
  const collected = models.filter(isFit);
  return {
    ...parts,
    models: models.map(withQuery),
    blocks: blocks.map(withQuery),
    projects: projects.map((project) => {
      if (collected.length === 0 || random.chance(0.3)) return project;
      const collections = ["c", "d"].slice(random.pick([0, 0, 1])).map((name) => {
        const made = randomCollection(name, random.pick(collected), parts, random, faulty);
        const hasAround = project.steps.some(({ id }) => id === "s0");
        return hasAround && random.chance(0.3) ? { ...made, steps: ["s0", "{step}"] } : made;
      });
      return { ...project, collections };
    }),
    entries: entries.map((entry) =>
      faulty && random.chance(0.1)
        ? { ...entry, data: { ...entry.data, found: random.pick<JsonValue>([null, [], "text"]) } }
        : entry,
    ),
  };
}

function randomQuery(
  beside: Model,
  { models = [], entries = [] }: Lists,
  random: Random,
  faulty: boolean,
): Omit<FieldDefinition, "key"> {
  const found = models.length > 0 && random.chance(0.7) ? [random.pick(models)] : models;
  const keys = found.length < models.length && found.map(({ key }) => key);
  // Of one key fields of several models may be of other types.
  const fields = found.length === 1 ? (found[0]?.fields ?? []) : [];
  const own = entries.filter(({ modelId }) => modelId === found[0]?.id);
  const where = fields.flatMap((field) =>
    random.chance(0.4) ? randomCondition(field, beside, own, random) : [],
  );
  const sort = fields
    .filter(({ type, repeatable }) => COMPARED.includes(type) && !repeatable)
    .flatMap(({ key }) => (random.chance(0.5) ? [random.pick(["", "-"]) + key] : []));
  if (faulty && random.chance(0.1)) where.push(["nowhere", random.pick<Condition>(["$self", 1])]);
  const query = {
    ...(where.length > 0 && { where: Object.fromEntries(where) }),
    ...(sort.length > 0 && { sort: sort.length === 1 ? (sort[0] as string) : sort }),
    ...random.pick([{}, { limit: 2 }, { limit: 1 }, { limit: 1000 }]),
  };
  return {
    type: "reference",
    repeatable: true,
    ...(keys && { models: keys }),
    query,
  } as Omit<FieldDefinition, "key">;
}

/** None where the field has no values to compare. */
function randomCondition(
  field: FieldDefinition,
  beside: Model | undefined,
  entries: readonly Entry[],
  random: Random,
): [string, Condition][] {
  const { key, type } = field;
  if (!COMPARED.includes(type)) return [];
  const kindOf = (one: FieldDefinition) =>
    [TEXTS, DATES, ["number", "integer"]].find((types) => types.includes(one.type)) ?? one.type;
  const like = beside?.fields.filter((one) => kindOf(one) === kindOf(field)) ?? [];
  if (like.length > 0 && random.chance(0.5)) return [[key, { same: random.pick(like).key }]];
  if (beside !== undefined && type === "reference") return [[key, "$self"]];
  if (DATES.includes(type) && random.chance(0.7)) {
    const time = random.pick(["$now", "2024-02-29", "2026-06-01T00:00:00Z"]);
    return [[key, { [random.pick(["before", "after"])]: time }]];
  }
  const stored = entries.flatMap(({ data }) =>
    scalars(Object.hasOwn(data, key) ? data[key] : null),
  );
  const right = stored.filter((value) => isOf(type, value));
  return right.length === 0 ? [] : [[key, random.pick(right)]];
}

/** The values in a stored one: those of its elements, of its locales, the target of a pointer. */
function scalars(value: JsonValue | undefined): Scalar[] {
  if (Array.isArray(value)) return value.flatMap(scalars);
  if (isJsonObject(value ?? null)) return Object.values(value as object).flatMap(scalars);
  return value === undefined || value === null ? [] : [value as Scalar];
}

function isOf(type: string, value: JsonValue): boolean {
  if (type === "boolean") return typeof value === "boolean";
  if (type === "number" || type === "integer") return typeof value === "number";
  return typeof value === "string" && (!DATES.includes(type) || /^\d{4}-\d\d-\d\d/.test(value));
}

function randomCollection(
  name: string,
  model: Model,
  { entries = [] }: Lists,
  random: Random,
  faulty: boolean,
): Collection {
  const texts = model.fields.filter(({ type, repeatable }) => type === "text" && !repeatable);
  const id = faulty && random.chance(0.2) ? texts[0]?.key : undefined;
  const own = entries.filter(({ modelId }) => modelId === model.id);
  const where = model.fields.flatMap((field) =>
    random.chance(0.2) ? randomCondition(field, undefined, own, random) : [],
  );
  const sorted = model.fields.filter(
    ({ type, repeatable }) => COMPARED.includes(type) && !repeatable,
  );
  const list = {
    id: `${name}-list-{page}`,
    size: random.pick([1, 2, 5]),
    ...(sorted.length > 0 && { sort: random.pick(["", "-"]) + random.pick(sorted).key }),
  };
  return {
    model: model.key,
    id: `${name}-{${id ?? "id"}}`,
    layoutName: "Plain",
    ...random.pick([
      {},
      { key: `${name}-key-{id}` },
      { name: `{id} ${name}`, stepId: `s-${name}-{id}` },
    ]),
    ...(where.length > 0 && { where: Object.fromEntries(where) }),
    ...(random.chance(0.6) && { list }),
  };
}
