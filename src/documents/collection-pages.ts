import { scalarsOf } from "../fields/compared.ts";
import { asLine, titleBy, titleFields } from "../fields/entry-title.ts";
import { byCodeUnit, jsonPointer, ownMember } from "../workspace/json.ts";
import { languageOf } from "../workspace/language.ts";
import { type Problem, type ProblemPlace, problem } from "../workspace/problem.ts";
import type { Experience, Project, Step } from "../workspace/records.ts";
import type { ValueDefinition } from "./collection-definitions.ts";
import type { IndexedValues } from "./indexed-values.ts";
import { fitsOf, Order, type Sortable } from "./select.ts";
import { titleId } from "./to-id.ts";

/** An experience that a collection makes: of an entry, or of a page. */
export interface CollectedExperience extends Experience {
  /** The place of the collection in its project. */
  readonly collection: number;
  /** The id of the entry; undefined: it is a page. */
  readonly entry?: string;
}

/**
 * Q15: the pages of these steps.
 *
 * @param text of a page, which is counted from 1
 */
export function pagesOf(
  stepIds: readonly string[],
  size: number,
  collection: number,
  text: (member: "id" | "key" | "name", page: string) => string | undefined,
): CollectedExperience[] {
  return Array.from({ length: Math.ceil(stepIds.length / size) }, (_, index) => {
    const of = (member: "id" | "key" | "name") => text(member, String(index + 1)) ?? "";
    const own = stepIds.slice(index * size, (index + 1) * size);
    return { id: of("id"), key: of("key"), name: of("name"), stepIds: own, collection };
  });
}

/** The pages of a value, with the place in an entry that has it. */
interface ValuePages {
  readonly at: ProblemPlace;
  readonly pages: readonly CollectedExperience[];
}

/**
 * Q17: the pages of each value, in order of the values.
 *
 * @param steps of the collections of the project
 * @param problems gets those of values that have no pages (Q13)
 */
export function valuePages(
  values: IndexedValues,
  project: Project,
  { collection, index, model, field, page, search }: ValueDefinition,
  steps: readonly Step[],
  problems: Problem[],
): ValuePages[] {
  const { lookup } = values;
  const language = lookup.languageNumber(languageOf(project));
  const except = new Set(collection.except);
  const fits = fitsOf(values, search.where, lookup.view.at);
  const order = new Order(values, search.sort);
  const stepOf = new Map(steps.toReversed().map((step) => [step.layoutContentId, step.id]));
  const groups = new Map<string, (Sortable & { readonly step: string })[]>();
  for (const head of values.headsOf(model.id)) {
    const step = stepOf.get(head.id);
    if (step === undefined || except.has(head.id) || !fits(head, language)) continue;
    const one = { ...order.sortable(head, language), step };
    for (const value of values.of(head, field.key, language)) {
      const group = groups.get(String(value)) ?? [];
      groups.set(String(value), group);
      group.push(one);
    }
  }
  /** By the id that is made of it. */
  const known = new Map<string, string>();
  return [...groups]
    .sort(([a], [b]) => byCodeUnit(a, b))
    .flatMap(([value, group]): ValuePages[] => {
      const named = valueName(values, project, field.type === "reference", value);
      if (named === undefined) return [];
      const [first = ""] = group.map(({ id }) => id).sort();
      const at = { kind: "entry", id: first, path: jsonPointer([field.key]) } as const;
      const other = known.get(named.id.toLowerCase());
      if (named.id === "" || other !== undefined) {
        const args = { project: project.id, ofValue: value, ...(other !== undefined && { other }) };
        problems.push(problem(at, "collected-left-out", args));
        return [];
      }
      known.set(named.id.toLowerCase(), value);
      const ids = group.sort(order.compare).map(({ step }) => step);
      const pages = pagesOf(ids, collection.size, index, (member, number) =>
        page[member].filled((name) => {
          if (name === "page") return number;
          return member === "name" ? named.name : named.id;
        }),
      );
      return [{ at, pages }];
    });
}

/** Q17: what a value is called, and in ids; undefined: it has no pages. */
function valueName(
  { lookup }: IndexedValues,
  project: Project,
  isReference: boolean,
  value: string,
): { readonly id: string; readonly name: string } | undefined {
  if (!isReference) {
    return value.trim() === "" ? undefined : { id: titleId(value, ""), name: value };
  }
  // Q13a: of an entry that is not published, nothing is.
  const head = lookup.find(value, project.locale);
  if (head === undefined) return undefined;
  const data = lookup.draft.dataOf(head);
  const language = lookup.languageOf(head, lookup.languageNumber(languageOf(project)));
  const model = lookup.draft.models.find(({ id }) => id === head.modelId);
  const title = titleBy(titleFields(model?.fields ?? []), (field) =>
    scalarsOf(field, ownMember(data, field.key), language),
  );
  // Else a long title would be in the config for each of many pages.
  return { id: value, name: asLine(title ?? value) };
}
