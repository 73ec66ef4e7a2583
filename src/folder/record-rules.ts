import { FIELD_TYPES } from "../fields/registry.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { ID_RULE, isId, isKey, isSchemaKeyword, KEY_RULE } from "../workspace/ids.ts";
import type { Block, Feature, Kind, Model, Project } from "../workspace/records.ts";
import { fieldFaults, type ShapeFault } from "./record-shapes.ts";

type Path = readonly (string | number)[];

/** Values that must differ, with the words for what they are. */
class Distinct {
  readonly #seen = new Map<string, string>();
  readonly #what: string;
  readonly #ignoreCase: boolean;

  constructor(what: string, ignoreCase = false) {
    this.#what = what;
    this.#ignoreCase = ignoreCase;
  }

  fault(value: string, path: Path): ShapeFault[] {
    const folded = this.#ignoreCase ? value.toLowerCase() : value;
    const known = this.#seen.get(folded);
    this.#seen.set(folded, known ?? value);
    if (known === undefined) return [];
    const message =
      known === value
        ? `duplicate ${this.#what} "${value}"`
        : `the ${this.#what} "${value}" differs from "${known}" only in letter case`;
    return [{ path, message }];
  }
}

function idFaults(id: string, distinct: Distinct, path: Path): ShapeFault[] {
  if (isId(id)) return distinct.fault(id, path);
  return [{ path, message: `malformed id ${JSON.stringify(id)}: ${ID_RULE}` }];
}

function keyFaults(key: string, distinct: Distinct, path: Path): ShapeFault[] {
  if (isKey(key)) return distinct.fault(key, path);
  return [{ path, message: `malformed key ${JSON.stringify(key)}: ${KEY_RULE}` }];
}

/** The rules that hold across the records of a workspace: I1, I2, I3 and field definitions. */
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

  /** Faults of a record whose form is right. */
  faults(kind: Kind, record: { readonly id: string }): ShapeFault[] {
    const ids = idFaults(record.id, this.#ids[kind], ["id"]);
    switch (kind) {
      case "models":
      case "blocks":
        return [...ids, ...this.#definitionFaults(kind, record as Model | Block)];
      case "features":
        return [...ids, ...this.#featureFaults(record as Feature)];
      case "projects":
        return [...ids, ...projectFaults(record as Project)];
      default:
        return ids;
    }
  }

  #definitionFaults(kind: "models" | "blocks", { key, fields }: Model): ShapeFault[] {
    const keys = keyFaults(key, this.#keys[kind], ["key"]);
    if (isSchemaKeyword(key)) {
      const message = `the key "${key}" is a JSON Schema keyword, which would make the schema document invalid; choose another`;
      keys.push({ path: ["key"], message });
    }
    return [...keys, ...fieldListFaults(fields)];
  }

  #featureFaults({ key, variants = [] }: Feature): ShapeFault[] {
    const ids = new Distinct("variant id");
    const keys = new Distinct("variant key");
    return [
      ...keyFaults(key, this.#keys.features, ["key"]),
      ...variants.flatMap((variant, index) => [
        ...idFaults(variant.id, ids, ["variants", index, "id"]),
        ...keyFaults(variant.key, keys, ["variants", index, "key"]),
      ]),
    ];
  }
}

/** Faults of a list of field definitions, paths from the record that has it as `fields`. */
export function fieldListFaults(fields: readonly FieldDefinition[]): ShapeFault[] {
  const keys = new Distinct("field key");
  return fields.flatMap((field, index) => {
    const faults = fieldFaults(field);
    const inKey =
      typeof field.key === "string" && FIELD_TYPES.has(field.type)
        ? keyFaults(field.key, keys, ["key"])
        : [];
    return [...faults, ...inKey].map(({ path, message }) => ({
      path: ["fields", index, ...path],
      message,
    }));
  });
}

function projectFaults({ steps, experiences }: Project): ShapeFault[] {
  const named = (list: "steps" | "experiences", what: string, ignoreCase: boolean) => {
    const ids = new Distinct(`${what} id`, ignoreCase);
    const keys = new Distinct(`${what} key`);
    return (list === "steps" ? steps : experiences).flatMap(({ id, key }, index) => [
      ...idFaults(id, ids, [list, index, "id"]),
      ...keyFaults(key, keys, [list, index, "key"]),
    ]);
  };
  return [...named("steps", "step", false), ...named("experiences", "experience", true)];
}
