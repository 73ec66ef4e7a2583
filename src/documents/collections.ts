import { titleBy } from "../fields/entry-title.ts";
import type { Draft, EntryHead } from "../workspace/draft.ts";
import { isId, isKey } from "../workspace/ids.ts";
import { byCodeUnit, jsonPointer } from "../workspace/json.ts";
import { languageOf } from "../workspace/language.ts";
import { Memory } from "../workspace/memory.ts";
import { type Problem, type ProblemPlace, problem } from "../workspace/problem.ts";
import { isByValue, type Project, type Step } from "../workspace/records.ts";
import {
  type CollectionDefinition,
  collectionsOf,
  type Pattern,
} from "./collection-definitions.ts";
import { type CollectedExperience, pagesOf, valuePages } from "./collection-pages.ts";
import type { IndexedValues } from "./indexed-values.ts";
import { type Fits, fitsOf, Order, type Sortable } from "./select.ts";

/** Q14: where the problems of an experience are: of a collected one at its entry, or at the list. */
export function experienceAt(
  { id, experiences, collections }: Project,
  index: number,
): ProblemPlace {
  const { collection, entry } = experiences[index] as Partial<CollectedExperience>;
  if (entry !== undefined) return { kind: "entry", id: entry, path: "" };
  if (collection === undefined) {
    return { kind: "project", id, path: jsonPointer(["experiences", index]) };
  }
  const made = collections?.[collection];
  const path = ["collections", collection, ...(made && isByValue(made) ? [] : ["list"])];
  return { kind: "project", id, path: jsonPointer(path) };
}

/** What a collection makes of an entry that fits. */
interface Made {
  readonly step: Step;
  readonly experience: CollectedExperience;
  readonly sortable: Sortable;
  /** Why it is left out, whatever other entries have. */
  readonly wrong: Problem | undefined;
}

/** A project with what its collections add. */
interface Collected {
  readonly project: Project;
  readonly problems: readonly Problem[];
  /** Q13a: the ids of the steps that it has when no entry is hidden. */
  readonly hiddenSteps: ReadonlySet<string>;
}

/** Q10: the projects of a draft with what their collections add. */
export class Collections {
  readonly projects: readonly Project[];
  readonly #collected: ReadonlyMap<string, Collected>;

  constructor(values: IndexedValues) {
    const { projects } = values.lookup.draft;
    const some = projects.filter(({ collections = [] }) => collections.length > 0);
    this.#collected = new Map(some.map((one) => [one.id, collected(values, one)]));
    const all = projects.map((one) => this.of(one)?.project ?? one);
    this.projects = some.length === 0 ? projects : all;
  }

  of({ id }: Pick<Project, "id">): Collected | undefined {
    return this.#collected.get(id);
  }
}

function collected(values: IndexedValues, written: Project): Collected {
  const { lookup } = values;
  const { showsHidden } = lookup.view;
  const { definitions, byValue, problems: ofDefinitions } = collectionsOf(lookup.draft, written);
  const problems = [...ofDefinitions, ...unknownExceptions(lookup.draft, written)];
  const language = lookup.languageNumber(languageOf(written));
  const taken = new Taken(written);
  const makers = definitions.map((one) => new Maker(values, written, one));
  const rows = makers.map((maker) => ({ maker, all: maker.all(), shown: [] as Made[] }));
  const hiddenSteps = new Set<string>();
  const take = (ofHidden: boolean) => {
    for (const { maker, all, shown } of rows) {
      for (const made of all) {
        const { id } = made.sortable;
        if (lookup.isHidden(id, language) !== ofHidden) continue;
        const wrong =
          made.wrong ??
          taken.refused(maker.at(id), made.experience, made.step, maker.hasExperiences);
        if (wrong !== undefined) problems.push(wrong);
        else if (!ofHidden || showsHidden) shown.push(made);
        else hiddenSteps.add(made.step.id);
      }
      if (ofHidden) shown.sort(byId);
    }
  };
  // A1a: an entry that is not published takes nothing from one that is.
  take(false);
  if (showsHidden) take(true);
  const refuse = (at: ProblemPlace, page: CollectedExperience) => {
    const wrong = taken.refused(at, page);
    if (wrong !== undefined) problems.push(wrong);
    return wrong !== undefined;
  };
  const steps = rows.flatMap(({ shown }) => shown.map(({ step }) => step));
  const added = rows.map(({ maker, shown }) => {
    const pages = maker.pages(shown).filter((page) => !refuse(maker.listAt, page));
    const own = maker.hasExperiences ? shown.map(({ experience }) => experience) : [];
    return { index: maker.index, experiences: [...own, ...pages] };
  });
  // Q17: after what has entries and lists.
  for (const definition of byValue) {
    const pages = valuePages(values, written, definition, steps, problems);
    added.push({
      index: definition.index,
      experiences: pages.flatMap(({ at, pages: own }) => {
        const end = own.findIndex((page) => refuse(at, page));
        return end < 0 ? own : own.slice(0, end);
      }),
    });
  }
  added.sort((a, b) => a.index - b.index);
  if (!showsHidden) take(true);
  const project = {
    ...written,
    steps: [...written.steps, ...steps],
    experiences: [...written.experiences, ...added.flatMap(({ experiences }) => experiences)],
  };
  return { project, problems, hiddenSteps };
}

/** Q26: what a collection leaves out that is no entry. */
function unknownExceptions({ entries }: Draft, { id, collections = [] }: Project): Problem[] {
  return collections.flatMap(({ except = [] }, index) =>
    except.flatMap((target, at) => {
      const path = jsonPointer(["collections", index, "except", at]);
      const place = { kind: "project", id, path } as const;
      return entries.has(target) ? [] : [problem(place, "reference-deleted", { target })];
    }),
  );
}

function byId(a: Made, b: Made): number {
  return byCodeUnit(a.sortable.id, b.sortable.id);
}

/** By project, collection and model. */
const MADE = new Memory<WeakMap<EntryHead, Made>>();

/** One collection of a project, in one rendering. */
class Maker {
  readonly listAt: ProblemPlace;
  readonly index: number;
  readonly #values: IndexedValues;
  readonly #definition: CollectionDefinition;
  readonly #project: Project;
  readonly #language: number;
  readonly #order: Order;
  readonly #fits: Fits;

  constructor(values: IndexedValues, project: Project, definition: CollectionDefinition) {
    const { index, search } = definition;
    const { lookup } = values;
    this.index = index;
    this.#values = values;
    this.#definition = definition;
    this.#project = project;
    this.#language = lookup.languageNumber(languageOf(project));
    this.#order = new Order(values, search.sort);
    this.#fits = fitsOf(values, search.where, lookup.view.at);
    const path = jsonPointer(["collections", index, "list"]);
    this.listAt = { kind: "project", id: project.id, path };
  }

  /** Q10a: it may give steps alone. */
  get hasExperiences(): boolean {
    return this.#definition.steps.length > 0;
  }

  /** Where an entry with this id has what its id is made of. */
  at(id: string): ProblemPlace {
    const [field = "id"] = this.#definition.patterns.id.names;
    return { kind: "entry", id, path: field === "id" ? "" : jsonPointer([field]) };
  }

  /** What it makes of the entries that fit, in order of their ids. */
  all(): Made[] {
    const { model, collection } = this.#definition;
    const made = MADE.of([this.#project, collection, model], () => new WeakMap());
    const except = new Set(collection.except);
    const all = this.#values.headsOf(model.id).flatMap((head) => {
      if (except.has(head.id) || !this.#fits(head, this.#language)) return [];
      const known = made.get(head) ?? this.#make(head);
      made.set(head, known);
      return known;
    });
    return all.sort(byId);
  }

  /** Q15: the pages of a list of these. */
  pages(shown: readonly Made[]): CollectedExperience[] {
    const { collection, page } = this.#definition;
    if (page === undefined || collection.list === undefined) return [];
    const { size, sort = [] } = collection.list;
    const compare = (a: Made, b: Made) => this.#order.compare(a.sortable, b.sortable);
    const sorted = sort.length === 0 ? shown : [...shown].sort(compare);
    const ids = sorted.map(({ step }) => step.id);
    return pagesOf(ids, size, this.index, (name, number) => page[name].filled(() => number));
  }

  #make(head: EntryHead): Made {
    const { collection, index, patterns, titles, steps } = this.#definition;
    const { id: entry } = head;
    const valuesOf = (field: string) => this.#values.of(head, field, this.#language);
    let missing: string | undefined;
    const text = (pattern: Pattern) =>
      pattern.filled((name) => {
        const [value] = name === "id" ? [entry] : valuesOf(name);
        if (typeof value === "string" && value.trim() !== "") return value;
        missing ??= name;
        return undefined;
      }) ?? "";
    const [id, key] = [text(patterns.id), text(patterns.key)];
    const title = titleBy(titles, ({ key: field }) => valuesOf(field));
    const name = patterns.name ? text(patterns.name) : (title ?? entry);
    const [stepId, stepKey] = [text(patterns.stepId), text(patterns.stepKey)];
    const { layoutName } = collection;
    const step: Step = { id: stepId, key: stepKey, name, layoutName, layoutContentId: entry };
    const stepIds = steps.map((one) => one ?? stepId);
    const experience = { id, key, name, stepIds, collection: index, entry };
    const leftOut = (field: string) => {
      const at = { kind: "entry", id: entry, path: jsonPointer([field]) } as const;
      return problem(at, "collected-left-out", { project: this.#project.id, field });
    };
    const wrong = missing === undefined ? undefined : leftOut(missing);
    return { step, experience, sortable: this.#order.sortable(head, this.#language), wrong };
  }
}

/** What an experience and the step beside it have for themselves in a project. */
const OWN = ["experience id", "experience key", "step id", "step key"] as const;

type Named = Pick<Step, "id" | "key">;

/** Q13: the ids and keys that are taken in a project. */
class Taken {
  readonly #project: string;
  /** For each of `OWN`, who has it. */
  readonly #owners = OWN.map(() => new Map<string, Partial<CollectedExperience> & Named>());

  constructor({ id, steps, experiences }: Project) {
    this.#project = id;
    for (const one of experiences) this.#take(one, [one.id, one.key]);
    for (const one of steps) this.#take(one, [undefined, undefined, one.id, one.key]);
  }

  /**
   * Why an experience and its step cannot have their ids and keys; undefined: they can, and have them from now on.
   *
   * @param isMade Q10a: whether there is more than the step
   */
  refused(
    at: ProblemPlace,
    experience: CollectedExperience,
    step?: Named,
    isMade = true,
  ): Problem | undefined {
    const project = this.#project;
    const own = isMade ? [experience.id, experience.key] : [undefined, undefined];
    const values = [...own, step?.id, step?.key];
    for (const [index, what] of OWN.entries()) {
      const value = values[index];
      if (value === undefined) continue;
      const isFit = index % 2 === 0 ? isId : isKey;
      if (!isFit(value)) return problem(at, "collected-left-out", { project, what, value });
      const owner = this.#owners[index]?.get(folded(index, value));
      if (owner === undefined) continue;
      const { id, entry, collection } = owner;
      const by = collection === undefined ? "project" : entry === undefined ? "page" : "entry";
      const args = { project, what, value, by, other: entry ?? id } as const;
      return problem(at, "collected-left-out", args);
    }
    this.#take(experience, values);
    return undefined;
  }

  #take(owner: Partial<CollectedExperience> & Named, values: readonly (string | undefined)[]) {
    for (const [index, value] of values.entries()) {
      if (value !== undefined) this.#owners[index]?.set(folded(index, value), owner);
    }
  }
}

/** I1: ids of experiences become file names. */
function folded(index: number, value: string): string {
  return index === 0 ? value.toLowerCase() : value;
}
