import { fieldType } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonValue, ownMember } from "../workspace/json.ts";
import type { Language } from "../workspace/language.ts";
import type { Entry, Model } from "../workspace/records.ts";
import { brokenConstraints, type FieldWithOptions, languageValues } from "./broken-constraints.ts";

/** A constraint that was dropped, since entries break it. */
export interface DroppedConstraint {
  readonly model: string;
  readonly field: string;
  /** The member of the field's definition; `type` when values have another shape. */
  readonly constraint: string;
  /** The field's new type, if it has changed. */
  readonly now?: string;
  /** Further constraints of the field that the new type does not have. */
  readonly with?: readonly string[];
  /** How many entries break it. */
  readonly entries: number;
  /** The id of one of these entries. */
  readonly example: string;
}

/** What a `Relaxer` asks about the targets of references. */
export interface Targets {
  /** A number for each id of an entry, whether or not it exists. */
  numberOf(id: string): number;
  /** The key of the entry's model; undefined when there is none. Asked at the end only. */
  modelKeyOf(number: number): string | undefined;
}

/**
 * Drops exactly those constraints of the models that an entry breaks. A field whose values have
 * several shapes becomes `json`, which fits every value; references in it are no longer pointers
 * (V8).
 *
 * @param languages of the projects. Without any, what is localized is checked in each locale.
 */
export function relax(
  models: readonly Model[],
  entries: readonly Entry[],
  languages: readonly Language[] = [],
): { models: Model[]; dropped: DroppedConstraint[] } {
  const modelKeys = new Map(models.map(({ id, key }) => [id, key]));
  const numbers = new Map(entries.map(({ id }, index) => [id, index]));
  const targets = {
    numberOf: (id: string) => numbers.get(id) ?? -1,
    modelKeyOf: (number: number) => modelKeys.get(entries[number]?.modelId ?? ""),
  };
  const relaxer = new Relaxer(models, targets, languages);
  for (const entry of entries) relaxer.add(entry);
  return relaxer.finish();
}

/** What is known about one field. */
class RelaxedField {
  readonly field: FieldWithOptions;
  readonly broken = new Map<string, { entries: number; example: string }>();
  /** Of a unique field, by language. */
  readonly values = new Map<string, Set<JsonValue>>();
  /** Of a field with `models`: the targets of all values, and whose they are. */
  readonly targets: number[] = [];
  readonly sources: string[] = [];

  constructor(field: FieldWithOptions) {
    this.field = field;
  }

  note(constraint: string, id: string): void {
    const known = this.broken.get(constraint);
    this.broken.set(constraint, {
      entries: (known?.entries ?? 0) + 1,
      example: known?.example ?? id,
    });
  }
}

/** Does what `relax` does, for entries that come one by one and are not held. */
export class Relaxer {
  readonly #models: readonly (readonly [Model, readonly RelaxedField[]])[];
  readonly #fields: ReadonlyMap<string, readonly RelaxedField[]>;
  readonly #targets: Targets;
  readonly #languages: readonly Language[];

  constructor(models: readonly Model[], targets: Targets, languages: readonly Language[] = []) {
    this.#models = models.map((model) => [
      model,
      model.fields.map((field) => new RelaxedField(field as FieldWithOptions)),
    ]);
    this.#fields = new Map(this.#models.map(([{ id }, fields]) => [id, fields]));
    this.#targets = targets;
    // B5 is the error of a project without one.
    this.#languages = languages.filter(({ length }) => length > 0);
  }

  add({ id, modelId, data, draft }: Entry): void {
    // A3: the errors of a draft prevent nothing.
    if (draft) return;
    for (const known of this.#fields.get(modelId) ?? []) {
      for (const constraint of this.#broken(known, id, data)) known.note(constraint, id);
    }
  }

  #broken(known: RelaxedField, id: string, data: Entry["data"]): ReadonlySet<string> {
    const { field } = known;
    const values = languageValues(field, ownMember(data, field.key), this.#languages);
    if (values === undefined) return new Set(["localized"]);
    const broken = new Set<string>();
    for (const { language, value } of values) {
      const found = brokenConstraints(field, value, (target) => {
        known.targets.push(this.#targets.numberOf(target));
        known.sources.push(id);
      });
      for (const constraint of found) broken.add(constraint);
      if (!field.unique || value === undefined || !fieldType(field.type).hasShape(value)) continue;
      const seen = known.values.get(language) ?? new Set();
      if (seen.has(value)) broken.add("unique");
      known.values.set(language, seen.add(value));
    }
    return broken;
  }

  finish(): { models: Model[]; dropped: DroppedConstraint[] } {
    const dropped: DroppedConstraint[] = [];
    const models = this.#models.map(([model, fields]) => {
      const relaxed = fields.map((known) => {
        this.#noteTargets(known);
        const { field, broken } = known;
        const kept = withoutConstraints(field, [...broken.keys()]);
        for (const [constraint, count] of broken) {
          const change = CHANGES_TYPE.has(constraint) ? typeChange(field, kept, broken) : {};
          dropped.push({ model: model.key, field: field.key, constraint, ...change, ...count });
        }
        return kept;
      });
      return { ...model, fields: relaxed };
    });
    return { models, dropped };
  }

  /** Notes the entries with a target whose model is not accepted. */
  #noteTargets(known: RelaxedField): void {
    const accepted = new Set(known.field.models as readonly string[] | undefined);
    let last: string | undefined;
    for (const [index, target] of known.targets.entries()) {
      const key = this.#targets.modelKeyOf(target);
      const source = known.sources[index] as string;
      if (key === undefined || accepted.has(key) || source === last) continue;
      known.note("models", source);
      last = source;
    }
  }
}

/** A field's new type, and the constraints that were lost with the old one without being broken. */
function typeChange(
  field: FieldDefinition,
  kept: FieldDefinition,
  broken: ReadonlyMap<string, unknown>,
): Pick<DroppedConstraint, "now" | "with"> {
  const lost = Object.keys(field).filter(
    (member) => !Object.hasOwn(kept, member) && !broken.has(member) && member !== "repeatable",
  );
  return { now: kept.type, ...(lost.length > 0 && { with: lost }) };
}

/** Constraints that can be dropped only by changing the field's type. */
const CHANGES_TYPE: ReadonlySet<string> = new Set([
  ...["type", "repeatable", "options", "localized"],
]);

/** The field without these constraints, and with another type where they require it. */
function withoutConstraints(
  field: FieldWithOptions,
  constraints: readonly string[],
): FieldDefinition {
  if (constraints.length === 0) return field;
  const { key, name, description, required, localized } = field;
  const hasLocales = localized && !constraints.includes("localized");
  const bare = {
    key,
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(hasLocales && { localized }),
  };
  const kept = required && !constraints.includes("required") ? { required } : {};
  // `json` fits every stored value.
  if (constraints.includes("repeatable") || constraints.includes("localized")) {
    return { ...bare, type: "json", ...kept };
  }
  if (constraints.includes("type")) {
    const { repeatable, minItems, maxItems } = field;
    const list = { repeatable, minItems, maxItems };
    const members = Object.entries(list).filter(
      ([member, value]) => value !== undefined && !constraints.includes(member),
    );
    return { ...bare, type: "json", ...kept, ...Object.fromEntries(members) };
  }
  const members = Object.entries(field).filter(([member]) => !constraints.includes(member));
  const rest = Object.fromEntries(members) as unknown as FieldDefinition;
  // `select` requires options, so it becomes `text`.
  return constraints.includes("options") ? { ...rest, type: "text" } : rest;
}
