import { type Compared, comparedAs } from "../fields/compared.ts";
import { titleFields } from "../fields/entry-title.ts";
import { fieldType } from "../fields/registry.ts";
import { askedKeys, type Query } from "../workspace/conditions.ts";
import { suggested } from "../workspace/did-you-mean.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import {
  type Problem,
  type ProblemArguments,
  type ProblemPlace,
  problem,
} from "../workspace/problem.ts";
import {
  byParts,
  type Collection,
  type CollectionList,
  isByValue,
  type Model,
  type Project,
  type ValueCollection,
} from "../workspace/records.ts";
import type { Search } from "./indexed-values.ts";

/** Q11: a text with places, `{name}`. */
export class Pattern {
  /** Texts, and between them the names of places. */
  readonly #parts: readonly string[];

  constructor(text: string) {
    this.#parts = text.split(/\{([^{}]*)\}/);
  }

  get names(): string[] {
    return this.#parts.filter((_, index) => index % 2 === 1);
  }

  get hasBrace(): boolean {
    return this.#parts.some((part, index) => index % 2 === 0 && /[{}]/.test(part));
  }

  /** With these values; undefined: one is missing. */
  filled(read: (name: string) => string | undefined): string | undefined {
    let text = "";
    for (const [index, part] of this.#parts.entries()) {
      const value = index % 2 === 0 ? part : read(part);
      if (value === undefined) return undefined;
      text += value;
    }
    return text;
  }
}

type Patterns<K extends string> = { readonly [member in K]: Pattern };

/** A collection that can be used, with its defaults. */
export interface CollectionDefinition {
  readonly collection: Collection;
  /** The place of the collection in its project. */
  readonly index: number;
  readonly model: Model;
  /** Without a pattern of its own, the name is the title. */
  readonly patterns: Patterns<"id" | "key" | "stepId" | "stepKey"> & { readonly name?: Pattern };
  /** Those of the model that say what an entry is called (W6c); none where there is a pattern. */
  readonly titles: readonly FieldDefinition[];
  /** Of each experience; undefined: the step of the entry. Without any there are no experiences (Q10a). */
  readonly steps: readonly (string | undefined)[];
  readonly page: Patterns<"id" | "key" | "name"> | undefined;
  readonly search: Search;
}

/** A collection by value that can be used, with its defaults. */
export interface ValueDefinition {
  readonly collection: ValueCollection;
  readonly index: number;
  readonly model: Model;
  readonly field: FieldDefinition;
  readonly page: Patterns<"id" | "key" | "name">;
  readonly search: Search;
}

/** Q17: by which values entries are taken together. */
const GROUPING: ReadonlySet<Compared | undefined> = new Set(["text", "reference"]);

type Path = readonly (string | number)[];

/** In `steps` of a collection: the step of the entry. */
const OWN_STEP = "{step}";

/** Q15: the names of places in patterns of pages. */
const PAGE = ["page"];

/** Q11: more places would let few texts become gigabytes. */
const MOST_PLACES = 10;

/** Q17: the names of places in patterns of pages of a value. */
const VALUE = ["value", ...PAGE];

/** Q11: the collections of a project that can be used, and why others, or steps of them, cannot. */
export function collectionsOf({ models }: Pick<Draft, "models">, project: Project) {
  const readers = (project.collections ?? []).map((one, index) => {
    return { one, reader: new Reader(models, project, index) };
  });
  const definitions = readers.flatMap(({ one, reader }) =>
    isByValue(one) ? [] : (reader.ofEntries(one) ?? []),
  );
  const hasSteps = (model: Model) => definitions.some((one) => one.model === model);
  const byValue = readers.flatMap(({ one, reader }) =>
    isByValue(one) ? (reader.byValue(one, hasSteps) ?? []) : [],
  );
  return { definitions, byValue, problems: readers.flatMap(({ reader }) => reader.problems) };
}

/** Reads one collection of a project. */
class Reader {
  readonly problems: Problem[] = [];
  readonly #models: readonly Model[];
  readonly #project: Project;
  readonly #index: number;

  constructor(models: readonly Model[], project: Project, index: number) {
    this.#models = models;
    this.#project = project;
    this.#index = index;
  }

  /** Undefined: it cannot be used. */
  ofEntries(one: Collection): CollectionDefinition | undefined {
    const index = this.#index;
    const model = this.#model(["model"], one.model);
    if (model === undefined) return undefined;
    const isText = (field: FieldDefinition) =>
      fieldType(field.type).shape === "string" || comparedAs(field) === "reference";
    const single = model.fields.filter((field) => field.repeatable !== true && isText(field));
    const texts = ["id", ...single.map((field) => field.key)];
    const { list, where = {}, steps = [OWN_STEP] } = one;
    const own = (otherwise: Pattern, name: "key" | "name" | "stepId" | "stepKey") => {
      const text = one[name];
      return text === undefined ? otherwise : this.#pattern([name], text, texts, "place");
    };
    const id = this.#pattern(["id"], one.id, texts, "place");
    const key = own(id, "key");
    const patterns = {
      ...{ id, key, stepId: own(id, "stepId"), stepKey: own(key, "stepKey") },
      ...(one.name !== undefined && { name: own(id, "name") }),
    };
    const page = list && this.#page(["list"], list, PAGE, "page");
    if (steps.length > 0 && !steps.includes(OWN_STEP)) {
      this.#refuse(["steps"], { pattern: OWN_STEP, reason: "step" });
    }
    if (this.problems.length > 0) return undefined;
    const written = this.#project.steps.map((step) => step.id);
    const known = new Set([OWN_STEP, ...written]);
    for (const [position, step] of steps.entries()) {
      if (known.has(step)) continue;
      const near = suggested(step, this.#project.steps, () => written);
      this.#refuse(["steps", position], { what: "step", name: step, ...near });
    }
    const titles = patterns.name === undefined ? titleFields(model.fields) : [];
    const used = Object.values(patterns).flatMap(({ names }) => names);
    const more = [...used, ...titles.map(({ key }) => key)];
    const search = this.#search(model, { where, sort: list?.sort ?? [] }, more, ["list"]);
    const around = steps.filter((step) => known.has(step));
    return {
      ...{ collection: one, index, model, patterns, titles, page, search },
      steps: around.map((step) => (step === OWN_STEP ? undefined : step)),
    };
  }

  /** Q17. Undefined: it cannot be used. */
  byValue(one: ValueCollection, hasSteps: (model: Model) => boolean): ValueDefinition | undefined {
    const [modelKey, key] = byParts(one.by);
    const model = this.#model(["by"], modelKey);
    if (model === undefined) return undefined;
    const fields = model.fields.filter((field) => GROUPING.has(comparedAs(field)));
    const field = fields.find((known) => known.key === key);
    if (field === undefined) {
      const near = suggested(key, model, () => fields.map((known) => known.key));
      this.#refuse(["by"], { what: "value", name: key, ...near });
      return undefined;
    }
    if (!hasSteps(model)) this.#refuse(["by"], { what: "steps", name: modelKey });
    const page = this.#page([], one, VALUE, "valuePage");
    if (this.problems.length > 0) return undefined;
    const { where = {}, sort = [] } = one;
    const search = this.#search(model, { where, sort }, [field.key], []);
    const name = one.name === undefined ? new Pattern("{value}") : page.name;
    return { collection: one, index: this.#index, model, field, page: { ...page, name }, search };
  }

  /** Q15: those of pages. */
  #page(
    path: Path,
    { id: text, key, name }: CollectionList,
    known: readonly string[],
    what: "page" | "valuePage",
  ) {
    const id = this.#pattern([...path, "id"], text, known, what);
    const lacking = known.find((place) => !id.names.includes(place)) as
      | "page"
      | "value"
      | undefined;
    const isRead = !id.hasBrace && id.names.every((place) => known.includes(place));
    if (lacking !== undefined && isRead) {
      this.#refuse([...path, "id"], { pattern: text, reason: lacking });
    }
    const own = (member: string, other: string | undefined) =>
      other === undefined ? id : this.#pattern([...path, member], other, known, what);
    return { id, key: own("key", key), name: own("name", name) };
  }

  #pattern(
    path: Path,
    text: string,
    known: readonly string[],
    what: "place" | "page" | "valuePage",
  ) {
    const own = new Pattern(text);
    const name = own.names.find((place) => !known.includes(place));
    if (own.hasBrace) this.#refuse(path, { pattern: text, reason: "brace" });
    else if (own.names.length > MOST_PLACES) {
      this.#refuse(path, { pattern: text, reason: "places" });
    } else if (name !== undefined) {
      this.#refuse(path, { what, name, ...suggested(name, own, () => known) });
    }
    return own;
  }

  #model(path: Path, name: string): Model | undefined {
    const models = this.#models;
    const model = models.find(({ key }) => key === name);
    if (model !== undefined) return model;
    const keys = () => models.map(({ key }) => key);
    // P10a.
    const other = () => models.find((known) => known.id === name || known.name === name)?.key;
    this.#refuse(path, { what: "model", name, ...suggested(name, models, keys, other) });
    return undefined;
  }

  /** @param sorted where its member `sort` is */
  #search(
    model: Model,
    asked: Required<Pick<Query, "where" | "sort">>,
    more: readonly string[],
    sorted: Path,
  ): Search {
    return {
      ...{ models: [model], ...asked, keys: new Set([...askedKeys(asked), ...more]) },
      placeOf: (...path) => this.#at([...(path[0] === "sort" ? sorted : []), ...path]),
    };
  }

  #at(path: Path): ProblemPlace {
    const pointer = jsonPointer(["collections", this.#index, ...path]);
    return { kind: "project", id: this.#project.id, path: pointer };
  }

  #refuse(path: Path, args: ProblemArguments["collection-invalid"]): void {
    this.problems.push(problem(this.#at(path), "collection-invalid", args));
  }
}
