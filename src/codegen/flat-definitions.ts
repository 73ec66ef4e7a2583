import { SharedSchemas } from "../fields/shared-schemas.ts";
import type { JsonObject } from "../workspace/json.ts";
import { type FlatNames, flatNames } from "./name-types.ts";
import { sharedName } from "./print-type.ts";
import type { Definition, Literal, Member, SchemaModel, Type } from "./schema-model.ts";

/**
 * T6: the definitions of all documents of a project, each with a name of its own in one flat list, without
 * constraints that general tools cannot read. Each is made when one refers to it first.
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

  /** Those that were referred to, by name. */
  get schemas(): JsonObject {
    return this.#shared.schemas;
  }

  define(name: string, schema: JsonObject): JsonObject {
    return this.#shared.ref(name, () => schema);
  }

  /** What nothing may refer to: each block, pointer and the values of features. */
  defineRest(): void {
    const { models, blocks, features } = this.#model;
    for (const { key } of models) this.#pointer([key]);
    if (models.length > 0) this.#pointer(models.map(({ key }) => key));
    if (blocks.length > 0) this.#block(blocks.map(({ key }) => key));
    const values = features.filter((feature) => feature.values.length > 0);
    if (values.length === 0) return;
    const members = values.map(({ key, values: list }) => [key, literals(list)] as const);
    this.define("FeatureValues", all(Object.fromEntries(members)));
  }

  projectConfig(): JsonObject {
    const { steps, experienceKeys } = this.#model;
    return this.#shared.ref("ProjectConfig", () =>
      all({
        id: TEXT,
        versionId: VERSION_ID,
        fields: this.#shared.ref("ProjectFields", () => this.#members(this.#model.fields)),
        steps: listOf(
          this.define(
            "Step",
            all({
              id: TEXT,
              key: this.#keys("StepKey", keysOf(steps)),
              name: TEXT,
              layoutName: TEXT,
              layoutContentId: { type: ["string", "null"] },
            }),
          ),
        ),
        experiences: listOf(
          this.define(
            "Experience",
            all({
              id: this.experienceId(),
              key: this.#keys("ExperienceKey", experienceKeys),
              name: TEXT,
              stepIds: listOf(TEXT),
            }),
          ),
        ),
      }),
    );
  }

  experienceContent(): JsonObject {
    return this.#shared.ref("ExperienceContent", () =>
      all({
        experienceId: this.experienceId(),
        versionId: VERSION_ID,
        content: listOf(this.#entry()),
        references: listOf(this.#entry()),
      }),
    );
  }

  /** T8. */
  experienceId(): JsonObject {
    return this.#keys("ExperienceId", this.#model.experienceIds);
  }

  /** Any text where nothing is listed, as an empty `enum` is invalid. */
  #keys(name: string, keys: readonly string[] = []): JsonObject {
    return keys.length === 0 ? TEXT : this.define(name, literals(keys));
  }

  #entry(): JsonObject {
    return this.#shared.ref("Entry", () => {
      const unknown = { id: TEXT, contentModelKey: { type: "null" }, data: all({}) };
      const known = this.#model.models.map((model) => {
        const { key } = model;
        const name = this.#names.entry(key);
        const data = this.#shared.ref(this.#names.model(key), () => this.#data(model));
        return this.define(name, all({ id: TEXT, contentModelKey: literals([key]), data }));
      });
      return { anyOf: [...known, this.define("UnknownEntry", all(unknown))] };
    });
  }

  /** S5. A pointer whose target is gone has no `contentModelKey`. */
  #pointer(keys: readonly string[]): JsonObject {
    const [only = ""] = keys;
    const contentModelKey = keys.length > 0 && { contentModelKey: literals(keys) };
    const schema = closed({ contentEntryId: TEXT, ...contentModelKey }, ["contentEntryId"]);
    if (keys.length === this.#model.models.length) return this.define("Pointer", schema);
    return keys.length === 1 ? this.define(this.#names.pointer(only), schema) : schema;
  }

  #block(keys: readonly string[]): JsonObject {
    const all = this.#model.blocks;
    const refs = () =>
      all.filter(({ key }) => keys.includes(key)).map((block) => this.#oneBlock(block));
    if (keys.length === all.length) return this.#shared.ref("Block", () => ({ anyOf: refs() }));
    const [only, ...more] = refs();
    return only !== undefined && more.length === 0 ? only : { anyOf: refs() };
  }

  #oneBlock({ key, title, members }: Definition): JsonObject {
    return this.#shared.ref(this.#names.block(key), () => {
      const schemas = members.map(({ name, type }) => {
        if (name !== "data" || type.kind !== "object") return [name, this.type(type)] as const;
        const data = () => this.#members(type.members);
        return [name, this.#shared.ref(this.#names.blockData(key), data)] as const;
      });
      return { ...described(title ?? key), ...all(Object.fromEntries(schemas)) };
    });
  }

  #data({ key, title, members }: Definition): JsonObject {
    return { ...described(title ?? key), ...this.#members(members) };
  }

  #members(members: readonly Member[]): JsonObject {
    // A field that takes no block is never served.
    const served = members.filter(({ type }) => !isNothing(type));
    const schemas = served.map(
      ({ name, title, type }) => [name, { ...described(title), ...this.type(type) }] as const,
    );
    const required = served.flatMap(({ name, isRequired }) => (isRequired ? [name] : []));
    return closed(Object.fromEntries(schemas), required);
  }

  type(type: Type): JsonObject {
    switch (type.kind) {
      case "json":
      case "unknown":
        return {};
      case "literals":
        return literals(type.values);
      case "list":
        return isNothing(type.items) ? NO_ITEMS : listOf(this.type(type.items));
      case "object": {
        const name = sharedName(type);
        const make = () => this.#members(type.members);
        return name === undefined ? make() : this.#shared.ref(name, make);
      }
      case "pointer":
        return this.#pointer(type.modelKeys);
      case "block":
        return this.#block(type.blockKeys);
      case "rich-text":
        return this.define("RichText", RICH_TEXT);
      case "union":
        return this.#union(type.types);
      default:
        return { type: type.kind };
    }
  }

  #union(types: readonly Type[]): JsonObject {
    const [one, other] = types;
    if (types.length === 2 && one !== undefined && other?.kind === "null") {
      const schema = this.type(one);
      if (typeof schema.type === "string") return { ...schema, type: [schema.type, "null"] };
    }
    const schemas = () => ({ anyOf: types.map((type) => this.type(type)) });
    if (types.map(sharedName).join(" ") !== "AssetFile MissingAsset") return schemas();
    return this.#shared.ref("Asset", schemas);
  }
}

const TEXT = { type: "string" };
const VERSION_ID = {
  description: "The published version; null on preview",
  type: ["string", "null"],
};
const NO_ITEMS = { type: "array", items: {}, maxItems: 0 };
const RICH_TEXT = {
  description:
    "A tree of JSON in the dialect in which it is stored, with pointers, assets and blocks anywhere in it",
  anyOf: [
    { type: "object", additionalProperties: true },
    { type: "array", items: {} },
  ],
};

function isNothing(type: Type): boolean {
  return type.kind === "block" && type.blockKeys.length === 0;
}

function described(title: string | undefined): JsonObject {
  return title ? { description: title } : {};
}

function keysOf(list: readonly { readonly key: string }[]): readonly string[] {
  return list.map(({ key }) => key);
}

function listOf(items: JsonObject): JsonObject {
  return { type: "array", items };
}

function literals(values: readonly Literal[]): JsonObject {
  const types = [...new Set(values.map((value) => (value === null ? "null" : typeof value)))];
  const [type = "string", ...more] = types;
  if (type === "boolean" && more.length === 0 && values.length === 2) return { type };
  const [only = null] = values;
  if (values.length === 1) return { type, const: only };
  return { ...(more.length === 0 && { type }), enum: values };
}

/** An object with just these members. */
function closed(properties: JsonObject, required: readonly string[]): JsonObject {
  return { type: "object", properties, required, additionalProperties: false };
}

function all(properties: JsonObject): JsonObject {
  return closed(properties, Object.keys(properties));
}
