import { titleFields } from "../fields/entry-title.ts";
import { fieldType } from "../fields/registry.ts";
import { askedKeys } from "../workspace/conditions.ts";
import { suggested } from "../workspace/did-you-mean.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { jsonPointer } from "../workspace/json.ts";
import { type Problem, type ProblemArguments, problem } from "../workspace/problem.ts";
import type { Collection, Model, Project } from "../workspace/records.ts";
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
  /** Of each experience; undefined: the step of the entry. */
  readonly steps: readonly (string | undefined)[];
  readonly page: Patterns<"id" | "key" | "name"> | undefined;
  readonly search: Search;
}

type Path = readonly (string | number)[];

/** In `steps` of a collection: the step of the entry. */
const OWN_STEP = "{step}";

/** Q15: the names of places in patterns of pages. */
const PAGE = ["page"];

/** Q11: more places would let few texts become gigabytes. */
const MOST_PLACES = 10;

/** Q11: the collections of a project that can be used, and why others, or steps of them, cannot. */
export function collectionsOf({ models }: Pick<Draft, "models">, project: Project) {
  const problems: Problem[] = [];
  const definitions = (project.collections ?? []).flatMap((one, index): CollectionDefinition[] => {
    const at = (...path: Path) => {
      const pointer = jsonPointer(["collections", index, ...path]);
      return { kind: "project", id: project.id, path: pointer } as const;
    };
    const refuse = (path: Path, args: ProblemArguments["collection-invalid"]) =>
      problems.push(problem(at(...path), "collection-invalid", args));
    const before = problems.length;
    const model = models.find(({ key }) => key === one.model);
    if (model === undefined) {
      const name = one.model;
      const keys = () => models.map(({ key }) => key);
      // P10a.
      const other = () => models.find((known) => known.id === name || known.name === name)?.key;
      refuse(["model"], { what: "model", name, ...suggested(name, models, keys, other) });
      return [];
    }
    const isText = ({ type, repeatable }: Model["fields"][number]) =>
      repeatable !== true && fieldType(type).shape === "string";
    const texts = ["id", ...model.fields.filter(isText).map(({ key }) => key)];
    const pattern = (path: Path, text: string, known: readonly string[] = texts) => {
      const own = new Pattern(text);
      const name = own.names.find((place) => !known.includes(place));
      if (own.hasBrace) refuse(path, { pattern: text, reason: "brace" });
      else if (own.names.length > MOST_PLACES) refuse(path, { pattern: text, reason: "places" });
      else if (name !== undefined) {
        const what = path[0] === "list" ? "page" : "place";
        refuse(path, { what, name, ...suggested(name, own, () => known) });
      } else if (path.join() === "list,id" && own.names.length === 0) {
        refuse(path, { pattern: text, reason: "page" });
      }
      return own;
    };
    const { list, where = {}, steps = [OWN_STEP] } = one;
    const own = (otherwise: Pattern, path: Path, text: string | undefined, known?: string[]) =>
      text === undefined ? otherwise : pattern(path, text, known);
    const id = pattern(["id"], one.id);
    const key = own(id, ["key"], one.key);
    const patterns = {
      ...{ id, key, stepId: own(id, ["stepId"], one.stepId) },
      stepKey: own(key, ["stepKey"], one.stepKey),
      ...(one.name !== undefined && { name: pattern(["name"], one.name) }),
    };
    const pageId = list && pattern(["list", "id"], list.id, PAGE);
    const page = pageId && {
      id: pageId,
      key: own(pageId, ["list", "key"], list.key, PAGE),
      name: own(pageId, ["list", "name"], list.name, PAGE),
    };
    if (!steps.includes(OWN_STEP)) refuse(["steps"], { pattern: OWN_STEP, reason: "step" });
    if (problems.length > before) return [];
    const written = project.steps.map((step) => step.id);
    const known = new Set([OWN_STEP, ...written]);
    for (const [position, step] of steps.entries()) {
      if (known.has(step)) continue;
      const near = suggested(step, project.steps, () => written);
      refuse(["steps", position], { what: "step", name: step, ...near });
    }
    const titles = patterns.name === undefined ? titleFields(model.fields) : [];
    const sort = list?.sort ?? [];
    const used = Object.values(patterns).flatMap(({ names }) => names);
    const keys = [...askedKeys({ where, sort }), ...used, ...titles.map(({ key }) => key)];
    const search = {
      ...{ models: [model], where, sort, keys: new Set(keys) },
      placeOf: (...path: Path) => at(...(path[0] === "sort" ? ["list"] : []), ...path),
    };
    const around = steps.filter((step) => known.has(step));
    return [
      {
        ...{ collection: one, index, model, patterns, titles, page, search },
        steps: around.map((step) => (step === OWN_STEP ? undefined : step)),
      },
    ];
  });
  return { definitions, problems };
}
