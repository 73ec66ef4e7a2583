import { FIELD_TYPES } from "../../fields/registry.ts";
import { didYouMean } from "../../workspace/did-you-mean.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { TypeChoice } from "./type-choice.ts";
import type { TypeSurvey } from "./type-survey.ts";

export class TypeChoices {
  readonly #byField: ReadonlyMap<string, TypeChoice>;

  /** @throws UsageError for a field that the export has not, or that stands twice, and for a type that there is not. */
  constructor(all: readonly TypeChoice[], { models, blocks }: TypeSurvey) {
    const fields = [...models, ...blocks].flatMap(([type, fields]) =>
      [...fields.keys()].flatMap((name) => [name, `${type}.${name}`]),
    );
    const types = [...FIELD_TYPES.values()].filter(({ requiredOptions }) => !requiredOptions);
    const known = new Set(fields);
    const choices = all.filter(({ field, isKept }) => !isKept || known.has(field));
    this.#byField = new Map(choices.map((choice) => [choice.field, choice]));
    const twice = choices.find((one) => this.#byField.get(one.field) !== one);
    if (twice !== undefined) {
      throw new UsageError(`--types names the field "${twice.field}" twice`, "name its type once");
    }
    for (const { field, type } of choices) {
      assertKnown("field", field, known);
      assertKnown("type", type, new Set(types.map(({ name }) => name)));
    }
  }

  of(type: string, name: string): TypeChoice | undefined {
    return this.#byField.get(`${type}.${name}`) ?? this.#byField.get(name);
  }
}

function assertKnown(what: string, name: string, known: ReadonlySet<string>): void {
  if (known.has(name)) return;
  const meant = didYouMean(name, known);
  const hint =
    meant === undefined ? `there are: ${[...known].join(", ")}` : `did you mean "${meant}"?`;
  throw new UsageError(`--types names the ${what} "${name}", which there is not`, hint);
}
