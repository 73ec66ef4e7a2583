import type { CollectedExperience } from "../../documents/collection-pages.ts";
import { draftLocales } from "../../documents/hidden-entries.ts";
import { Rendering } from "../../documents/rendering.ts";
import {
  collected,
  collectionOf,
  isSamePage,
  type Page,
  pagesOf,
  replaced,
  textsOf,
  titleOf,
} from "../../folder/migrate/collect.ts";
import { findPattern } from "../../folder/migrate/find-pattern.ts";
import { type Draft, entryOf } from "../../workspace/draft.ts";
import { isKey } from "../../workspace/ids.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import {
  type AnyCollection,
  type Collection,
  isByValue,
  type Model,
  type Project,
  type Publishing,
} from "../../workspace/records.ts";
import type { ImportedBefore } from "../format.ts";
import type { Notes } from "./notes.ts";

/** Of what no date hides. */
const EVERYTHING = { at: Number.NEGATIVE_INFINITY, showsHidden: true };

/** X2, Q24: what the next import takes of a workspace. */
export function importedBefore(draft: Draft): ImportedBefore {
  const { name, import: choices } = draft.workspace;
  const hidden = [...draft.entries.values()].flatMap(({ id, publishing }) =>
    publishing !== undefined && mayBeHidden(publishing) ? id : [],
  );
  const dataOf = (id: string) => entryOf(draft, id)?.data;
  return { name, choices, projects: written(draft), hidden: new Set(hidden), dataOf };
}

/** By any project, at any time: an import has no clock. */
function mayBeHidden(publishing: Publishing): boolean {
  const { draft, publishAt, unpublishAt } = publishing;
  const isDraft = draft === true || draftLocales(publishing).size > 0;
  return isDraft || publishAt !== undefined || unpublishAt !== undefined;
}

/** Projects with the step and the experience that their collections give each entry, hidden ones too. */
function written(draft: Draft): readonly Project[] {
  return new Rendering(draft, { view: EVERYTHING }).projects.map((project) => {
    const shown = new Map(project.steps.map((step) => [step.id, step.layoutContentId]));
    const experiences = project.experiences.flatMap((experience) => {
      const { id, key, name, stepIds } = experience;
      const { collection, entry } = experience as Partial<CollectedExperience>;
      if (collection === undefined) return experience;
      // Not the pages of a list, and of an entry without the steps around it.
      const own = stepIds.filter((step) => shown.get(step) === entry);
      return entry === undefined ? [] : { id, key, name, stepIds: own };
    });
    return { ...project, experiences };
  });
}

/**
 * Q23, Q24: the projects of an import with the collections that they had, and others where these can be.
 *
 * @param draft of the import, with all steps and experiences in its projects.
 * @param isWanted whether other collections are made.
 */
export function withCollections(
  draft: Draft,
  before: readonly Project[],
  isWanted: boolean,
  notes: Notes,
): Project[] {
  const earlier = new Map(before.map((project) => [project.id, project]));
  const all = draft.projects.map((project): Collected => {
    const { experiences = [], collections = [] } = earlier.get(project.id) ?? {};
    const known = new Set(experiences.map(({ id }) => id));
    // An entry that is gone has no page to be left out.
    const kept = collections.map((one) => excepting(one, [], (id) => draft.entries.has(id)));
    const own = pagesOf(project);
    return { project, own, known, gone: new Set(), collections: kept, before: collections };
  });
  const alone = all.map(({ project, collections }) => {
    return { ...project, steps: [], experiences: [], collections };
  });
  const given = written({ ...draft, projects: alone }).map(pagesOf);
  for (const [at, { own, known, gone }] of all.entries()) {
    for (const [entry, pages] of given[at] ?? []) {
      for (const page of own.get(entry) ?? []) {
        // X2: an experience that was there stays, beside that of its entry's new address.
        const isNew = !known.has(page.experience.id);
        if (isNew || pages.some((one) => isSamePage(one, page))) gone.add(page.step.id);
      }
    }
  }
  const reasons = new Map<string, string>();
  const onNone = (type: string, why: string) => reasons.set(type, why);
  if (isWanted) for (const one of all) collectMore(draft, one, onNone);
  for (const [type, why] of reasons) {
    notes.warnAt(type, ["type is", "types are"], `not collected (${why})`);
  }
  return leftBeside(draft, all, notes);
}

/** A project whose pages become collections. */
interface Collected {
  readonly project: Project;
  /** Its pages by their entries, without any collection. */
  readonly own: ReturnType<typeof pagesOf>;
  /** The ids of the experiences that were there before. */
  readonly known: ReadonlySet<string>;
  /** The steps that collections are in place of. */
  readonly gone: Set<string>;
  collections: readonly AnyCollection[];
  /** Those that it had. */
  readonly before: readonly AnyCollection[];
}

function built({ project, gone, collections }: Collected): Project {
  return replaced(project, gone, collections);
}

/** Q23: the collections of types that have none. */
function collectMore(
  draft: Draft,
  all: Collected,
  onNone: (type: string, why: string) => void,
): void {
  const { own, known } = all;
  const isKnown = (id: string) => own.get(id)?.some(({ experience }) => known.has(experience.id));
  const make: typeof firstCollection = (...of) =>
    of[3].some(isKnown) ? collectionOf(...of, false) : firstCollection(...of);
  const more = collected(draft, built(all), make, ({ key }, why) => onNone(key, why));
  all.collections = more.collections;
  for (const step of more.gone) all.gone.add(step);
}

/**
 * Q23: a collection of pages that an import has just named, so that their keys and names may be others. Those
 * whose ids it does not give stay as they are (Q26); where these are more than half of them, there is none.
 */
function firstCollection(
  draft: Draft,
  project: Project,
  model: Model,
  entries: readonly string[],
  pages: ReadonlyMap<string, readonly Page[]>,
): Collection | string {
  if (entries.length < 2) return "one entry only";
  const all = entries.map((id) => {
    const [page] = pages.get(id) ?? [];
    return { id, page, texts: textsOf(draft, id, model, project) };
  });
  if (all.some(({ page }) => page === undefined)) return "not all of their entries are pages";
  const idOf = ({ page }: (typeof all)[number]) => page?.experience.id ?? "";
  const pattern = (given: typeof all, of: (one: (typeof all)[number]) => string) =>
    findPattern(
      given.map(of),
      given.map(({ texts }) => texts),
    );
  const names = new Set(all.flatMap(({ texts }) => [...texts.keys()]));
  const fitting = (name: string) => all.filter((one) => one.texts.get(name) === idOf(one));
  const [best] = [...names].map((name) => ({ name, fits: fitting(name) })).sort(byMostFits);
  const whole = pattern(all, idOf);
  const id = whole ?? `{${best?.name}}`;
  const fits = whole === undefined ? (best?.fits ?? []) : all;
  const except = all.filter((one) => !fits.includes(one)).map((one) => one.id);
  if (fits.length < 2 || fits.length < except.length) return "no field has the ids of most pages";
  const isKeyed = fits.every((one) => isKey(idOf(one)));
  const name = pattern(fits, ({ page }) => page?.experience.name ?? "");
  const isTitle = fits.every(({ page, texts }) => page?.experience.name === titleOf(texts, model));
  return {
    model: model.key,
    id,
    ...(!isKeyed && { key: id === "{id}" ? "entry_{id}" : `${model.key}-${id}` }),
    ...(name !== undefined && !isTitle && { name }),
    layoutName: all[0]?.page?.step.layoutName ?? model.key,
    ...(except.length > 0 && { except }),
  };
}

/** The first of those that fit most. */
function byMostFits(a: { fits: readonly unknown[] }, b: { fits: readonly unknown[] }): number {
  return b.fits.length - a.fits.length;
}

/** Q26: the projects, with the pages that collections cannot give beside these. */
function leftBeside(draft: Draft, all: readonly Collected[], notes: Notes): Project[] {
  const keys = new Map(draft.models.map(({ id, key }) => [id, key]));
  const keyOf = (id: string) => keys.get(draft.entries.get(id)?.modelId ?? "");
  for (;;) {
    // Q17: pages of values have no entry.
    const projects = all.map((one) => {
      return built({ ...one, collections: one.collections.filter((own) => !isByValue(own)) });
    });
    const { collections } = new Rendering({ ...draft, projects }, { view: EVERYTHING });
    let isWhole = true;
    for (const one of all) {
      const left = (collections.of(one.project)?.problems ?? []).flatMap(({ code, at }) =>
        code === "collected-left-out" && at.kind === "entry" && one.own.has(at.id) ? [at.id] : [],
      );
      isWhole &&= left.length === 0;
      for (const { step } of left.flatMap((id) => one.own.get(id) ?? [])) one.gone.delete(step.id);
      const more = (model: string) => left.filter((id) => keyOf(id) === model);
      one.collections = one.collections.map((own) =>
        isByValue(own) ? own : excepting(own, more(own.model)),
      );
    }
    if (isWhole) break;
  }
  const beside = all.flatMap(({ collections, before }) => {
    const known = new Set(before.flatMap(({ except = [] }) => except));
    return collections.flatMap(({ except = [] }) => except.filter((id) => !known.has(id)));
  });
  for (const id of new Set(beside)) notes.warnAt(`"${id}"`, ["page stays", "pages stay"], BESIDE);
  return all.map(built);
}

const BESIDE = "beside the collections, with ids that no pattern gives";

/** Q26: with these exceptions too, and without those that are no entries any more. */
function excepting<C extends AnyCollection>(
  { except = [], ...others }: C,
  more: readonly string[],
  isKept = (_id: string) => true,
): C {
  const all = [...except.filter(isKept), ...more].sort(byCodeUnit);
  return { ...others, ...(all.length > 0 && { except: all }) } as unknown as C;
}
