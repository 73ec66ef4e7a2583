import {
  registerSchema,
  setShouldValidateFormat,
  unregisterSchema,
  validate,
} from "@hyperjump/json-schema/draft-2020-12";
import "@hyperjump/json-schema/formats";
import { expect, it, onTestFinished } from "vitest";
import { fixtureProjects, type ServedProject } from "./served-projects.ts";

// In draft 2020-12, validators may treat `format` as an annotation only.
setShouldValidateFormat(true);

type Json = Parameters<Awaited<ReturnType<typeof validate>>>[0];

/** An entry as served. */
interface ServedEntry {
  readonly id: string;
  readonly contentModelKey: string | null;
  readonly data: Json;
}

/** Validates values against the definitions of a schema document with `@hyperjump/json-schema`. */
class SecondValidator {
  readonly #id: string;

  constructor({ schema }: ServedProject) {
    this.#id = String(schema.$id);
    registerSchema(schema as Parameters<typeof registerSchema>[0]);
    onTestFinished(() => unregisterSchema(this.#id));
  }

  /** @throws Error if the document or the definition is not a valid schema. */
  async accepts(definition: string, value: Json): Promise<boolean> {
    const output = await validate(`${this.#id}#/$defs/${definition}`, value);
    return output.valid;
  }
}

function entriesOf({ documents }: ServedProject): ServedEntry[] {
  return documents.flatMap(({ json }) => [...(json.content ?? []), ...(json.references ?? [])]);
}

/** Created once and shared by all tests, which do not change it. */
let judged: readonly ServedProject[] | undefined;

function projectNamed(name: string): ServedProject {
  judged ??= fixtureProjects();
  const found = judged.find((project) => project.name === name);
  if (found === undefined) throw new Error(`no project ${name}`);
  return found;
}

it.each(["storefront-prj-web-published", "neighbour-prj-neighbour-published"])(
  "S1, S4: a second validator accepts the schema of %s and everything served",
  async (name) => {
    const project = projectNamed(name);
    const validator = new SecondValidator(project);
    const { contentModels = {}, contentBlocks = {} } = project.schema.$defs as Record<
      string,
      object
    >;
    for (const [section, keyed] of Object.entries({ contentModels, contentBlocks })) {
      for (const key of Object.keys(keyed)) {
        expect(await validator.accepts(`${section}/${key}`, "no object"), key).toBe(false);
      }
    }
    const refused: string[] = [];
    const entries = new Map(entriesOf(project).map((entry) => [entry.id, entry]));
    for (const { id, contentModelKey, data } of entries.values()) {
      if (contentModelKey === null) expect(data).toEqual({});
      else if (!(await validator.accepts(`contentModels/${contentModelKey}`, data)))
        refused.push(id);
    }
    for (const { type, json } of project.documents) {
      if (type !== "ProjectConfig") continue;
      if (!(await validator.accepts("fields", json.fields))) refused.push("fields");
    }
    expect(refused).toEqual([]);
  },
);

/** Corruptions of a valid product, by description. */
const CORRUPTIONS: Readonly<Record<string, object>> = {
  "a required field is missing": { sku: undefined },
  "a number is a string": { price: "420" },
  "a date is none": { releasedOn: "2025-02-30" },
  "a pointer leads to another model": {
    guarantee: { contentEntryId: "a", contentModelKey: "article" },
  },
  "an asset lacks a member": { photos: [{ id: "a", url: "/a" }] },
};

it.each(Object.entries(CORRUPTIONS))(
  "the second validator refuses a product in which %s",
  async (_title, change) => {
    const project = projectNamed("storefront-prj-web-published");
    const validator = new SecondValidator(project);
    const product = entriesOf(project).find(({ contentModelKey }) => contentModelKey === "product");
    const corrupted = JSON.parse(JSON.stringify({ ...(product?.data as object), ...change }));
    expect(await validator.accepts("contentModels/product", product?.data ?? null)).toBe(true);
    expect(await validator.accepts("contentModels/product", corrupted)).toBe(false);
  },
);
