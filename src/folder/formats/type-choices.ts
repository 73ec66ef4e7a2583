import { FIELD_TYPES } from "../../fields/registry.ts";
import { didYouMean } from "../../workspace/did-you-mean.ts";
import { UsageError } from "../../workspace/errors.ts";
import type { TypeSurvey } from "./type-survey.ts";

/** X24d: the type that `--types` says of a field. */
export interface TypeChoice {
  /** Its name, or that of its type, a dot and its name. */
  readonly field: string;
  readonly type: string;
  readonly isList: boolean;
}

export class TypeChoices {
  readonly #byField: ReadonlyMap<string, TypeChoice>;

  /** @throws UsageError for a field that the export has not, and for a type that there is not. */
  constructor(choices: readonly TypeChoice[], { models, blocks }: TypeSurvey) {
    this.#byField = new Map(choices.map((choice) => [choice.field, choice]));
    const fields = [...models, ...blocks].flatMap(([type, fields]) =>
      [...fields.keys()].flatMap((name) => [name, `${type}.${name}`]),
    );
    const types = [...FIELD_TYPES.values()].filter(({ requiredOptions }) => !requiredOptions);
    for (const { field, type } of choices) {
      assertKnown("field", field, new Set(fields));
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
