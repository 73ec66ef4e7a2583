import { SharedSchemas } from "../fields/shared-schemas.ts";
import type { JsonObject } from "../workspace/json.ts";
import { type FlatNames, flatNames } from "./name-types.ts";
import { sharedName } from "./print-type.ts";
import type { Definition, Literal, Member, SchemaModel, Type } from "./schema-model.ts";

/**
 * T6: definitions of the documents of a project, in one flat list, without what general tools cannot read.
 * Each is made when one refers to it first.
 */
export class FlatDefinitions {
  readonly #model: SchemaModel;
  readonly #names: FlatNames;
  readonly #shared: SharedSchemas;

  /** @param at where the definitions stand in their document (`#/…`). */
  constructor(model: SchemaModel, at: string) {
    this.#model = model;
    this.#names = flatNames(model);
    this.#shared = new SharedSchemas(at);
  }

  /** By name. */
  get schemas(): JsonObject {
    return this.#shared.schemas;
  }

  define(name: string, schema: JsonObject): JsonObject {
    return this.#shared.ref(name, () => schema);
  }

  /** Also those to which nothing refers. */
  defineBlocksAndPointers(): void {
    const keys = keysOf(this.#model.models);
    for (const accepted of [keys, ...keys.map((key) => [key])]) this.#pointer(accepted);
    if (this.#model.blocks.length > 0) this.#block(this.#model.blocks);
  }

  projectConfig(): JsonObject {
    const { fields, steps, experienceKeys, patterns } = this.#model;
    const stepKey = this.#keys("StepKey", keysOf(steps), keysOf(patterns.steps));
    const named = { id: TEXT, key: stepKey, name: TEXT };
    const step = all({ ...named, layoutName: TEXT, layoutContentId: TEXT_OR_NULL });
    const key = this.#keys("ExperienceKey", experienceKeys, patterns.experienceKeys);
    const experience = all({ id: this.experienceId(), key, name: TEXT, stepIds: listOf(TEXT) });
    const config = all({
      id: TEXT,
      versionId: TEXT_OR_NULL,
      fields: this.define("ProjectFields", this.#members(fields)),
      steps: listOf(this.define("Step", step)),
      experiences: listOf(this.define("Experience", experience)),
    });
    return this.define("ProjectConfig", config);
  }

  experienceContent(): JsonObject {
    const entries = listOf(this.#entry());
    const ids = { experienceId: this.experienceId(), versionId: TEXT_OR_NULL };
    return this.define("ExperienceContent", all({ ...ids, content: entries, references: entries }));
  }

  /** T8. */
  experienceId(): JsonObject {
    const { experienceIds, patterns } = this.#model;
    return this.#keys("ExperienceId", experienceIds, patterns.experienceIds);
  }

  /** Any text where a pattern gives some, or nothing is listed, as an empty `enum` is invalid. */
  #keys(name: string, keys: readonly string[] = [], patterns: readonly string[] = []): JsonObject {
    return keys.length === 0 || patterns.length > 0 ? TEXT : this.define(name, literals(keys));
  }

  #entry(): JsonObject {
    const known = this.#model.models.map(({ key, title = key, members }) => {
      const schema = { description: title, ...this.#members(members) };
      const data = this.define(this.#names.model(key), schema);
      const entry = all({ id: TEXT, contentModelKey: literals([key]), data });
      return this.define(this.#names.entry(key), entry);
    });
    const unknown = all({ id: TEXT, contentModelKey: { type: "null" }, data: all({}) });
    return this.define("Entry", { anyOf: [...known, this.define("UnknownEntry", unknown)] });
  }

  /** S5. A pointer whose target is gone has no `contentModelKey`. */
  #pointer(keys: readonly string[]): JsonObject {
    const [only, ...more] = keys;
    const contentModelKey = only !== undefined && { contentModelKey: literals(keys) };
    const schema = closed({ contentEntryId: TEXT, ...contentModelKey }, ["contentEntryId"]);
    if (keys.length === this.#model.models.length) return this.define("Pointer", schema);
    if (only === undefined || more.length > 0) return schema;
    return this.define(this.#names.pointer(only), schema);
  }

  #block(accepted: readonly Definition[]): JsonObject {
    const anyOf = () => ({ anyOf: accepted.map((block) => this.#oneBlock(block)) });
    if (accepted.length === this.#model.blocks.length) return this.#shared.ref("Block", anyOf);
    const [only, ...more] = accepted;
    return only !== undefined && more.length === 0 ? this.#oneBlock(only) : anyOf();
  }

  #oneBlock({ key, title = key, members }: Definition): JsonObject {
    return this.#shared.ref(this.#names.block(key), () => {
      const schemas = members.map(({ name, type }) => {
        // Data that has the members of an asset is none.
        return [name, type.kind === "object" ? this.#members(type.members) : this.#type(type)];
      });
      return { description: title, ...all(Object.fromEntries(schemas)) };
    });
  }

  #members(members: readonly Member[]): JsonObject {
    // A field that takes no block is never served.
    const served = members.filter(({ type }) => !isNothing(type));
    const schemas = served.map(({ name, title, type }) => {
      return [name, { ...(title && { description: title }), ...this.#type(type) }];
    });
    const required = served.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
    return closed(Object.fromEntries(schemas), required);
  }

  #type(type: Type): JsonObject {
    switch (type.kind) {
      case "json":
      case "unknown":
        return {};
      case "literals":
        return literals(type.values);
      case "list":
        return isNothing(type.items) ? NO_ITEMS : listOf(this.#type(type.items));
      case "object": {
        const name = sharedName(type);
        const schema = this.#members(type.members);
        return name === undefined ? schema : this.define(name, schema);
      }
      case "pointer":
        return this.#pointer(type.modelKeys);
      case "block":
        return this.#block(this.#model.blocks.filter(({ key }) => type.blockKeys.includes(key)));
      case "rich-text":
        return this.define("RichText", RICH_TEXT);
      case "union":
        return this.#union(type.types);
      default:
        return { type: type.kind };
    }
  }

  #union(types: readonly Type[]): JsonObject {
    const anyOf = types.map((type) => this.#type(type));
    const isPlain = anyOf.every((schema) => Object.keys(schema).join() === "type");
    if (isPlain && anyOf.length === 2) return { type: anyOf.flatMap(({ type }) => type ?? []) };
    if (types.map(sharedName).join(" ") !== "AssetFile MissingAsset") return { anyOf };
    return this.define("Asset", { anyOf });
  }
}

export const TEXT = { type: "string" };
const TEXT_OR_NULL = { type: ["string", "null"] };
const NO_ITEMS = { type: "array", items: {}, maxItems: 0 };
const RICH_TEXT = {
  description: "A tree as it is stored, with pointers, assets and blocks anywhere in it",
  anyOf: [{ type: "object", additionalProperties: true }, listOf({})],
};

export function keysOf(all: readonly { readonly key: string }[]): string[] {
  return all.map(({ key }) => key);
}

function isNothing(type: Type): boolean {
  return type.kind === "block" && type.blockKeys.length === 0;
}

function listOf(items: JsonObject): JsonObject {
  return { type: "array", items };
}

function literals(values: readonly Literal[]): JsonObject {
  const type = values.every((value) => typeof value === "string") ? TEXT : {};
  const [only = null] = values;
  return values.length === 1 ? { ...type, const: only } : { ...type, enum: values };
}

/** An object with just these members. */
function closed(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

function all(properties: JsonObject): JsonObject {
  return closed(properties, Object.keys(properties));
}
