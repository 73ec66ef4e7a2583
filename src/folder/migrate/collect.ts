import { scalarsOf } from "../../fields/compared.ts";
import { titleBy, titleFields } from "../../fields/entry-title.ts";
import { fieldType } from "../../fields/registry.ts";
import { type Draft, entryIds, entryOf } from "../../workspace/draft.ts";
import type { JsonObject } from "../../workspace/json.ts";
import { languageOf } from "../../workspace/language.ts";
import {
  type AnyCollection,
  type Collection,
  type Entry,
  type Experience,
  isByValue,
  type Model,
  type Project,
  type Step,
} from "../../workspace/records.ts";
import { folderDraft, readRecords } from "../folder-draft.ts";
import { readFolder } from "../read-folder.ts";
import { findPattern } from "./find-pattern.ts";
import type { Definitions, Migration } from "./migration.ts";

/** A step and an experience that are nothing but one entry. */
export interface Page {
  readonly step: Step;
  readonly experience: Experience;
}

/** `collect`: Q20. */
export function collect({ folder }: Definitions): Migration {
  const draft = folderDraft(readRecords(readFolder(folder)));
  const notes: string[] = [];
  const all = draft.projects.map((project) => {
    const { collections, gone } = collected(draft, project, collectionOf, (model, why) => {
      notes.push(`not collected in the project "${project.id}": ${model.key}: ${why}`);
    });
    return replaced(project, gone, collections);
  });
  const byId = new Map(all.map((project) => [project.id, project]));
  const migration = (kind: string, record: JsonObject): JsonObject => {
    const { steps, experiences, collections } = byId.get(String(record.id)) ?? {};
    if (kind !== "projects" || collections === undefined) return record;
    return { ...record, steps, experiences, collections } as unknown as JsonObject;
  };
  return Object.assign(migration, { notes });
}

/** Makes the collection that gives the pages of these entries, or says why there is none. */
type Collecting = (
  draft: Draft,
  project: Project,
  model: Model,
  entries: readonly string[],
  pages: ReadonlyMap<string, readonly Page[]>,
) => Collection | string;

/**
 * Q20, Q22: the collections of a project with one of each model for which it can be made, and the steps
 * that these are in place of. Models that have a collection are left out.
 */
export function collected(
  draft: Draft,
  project: Project,
  make: Collecting,
  onNone: (model: Model, why: string) => void,
) {
  const pages = pagesOf(project);
  const entries = Map.groupBy(entryIds(draft), (id) => draft.entries.get(id)?.modelId);
  const { collections = [] } = project;
  const gone = new Set<string>();
  const added = draft.models.flatMap((model): Collection[] => {
    const ids = entries.get(model.id) ?? [];
    const isCollected = collections.some((one) => !isByValue(one) && one.model === model.key);
    if (isCollected || !ids.some((id) => pages.has(id))) return [];
    const made = make(draft, project, model, ids, pages);
    if (typeof made === "string") {
      onNone(model, made);
      return [];
    }
    const except = new Set(made.except);
    for (const id of ids) {
      for (const { step } of except.has(id) ? [] : (pages.get(id) ?? [])) gone.add(step.id);
    }
    return [made];
  });
  return { collections: [...collections, ...added], gone };
}

/** The project with collections in place of these steps and their experiences. */
export function replaced(
  project: Project,
  stepIds: ReadonlySet<string>,
  collections: readonly AnyCollection[],
): Project {
  if (collections.length === 0) return project;
  const steps = project.steps.filter(({ id }) => !stepIds.has(id));
  const experiences = project.experiences.filter(({ stepIds: [id = ""] }) => !stepIds.has(id));
  return { ...project, steps, experiences, collections };
}

/** By the ids of entries. A step of several experiences, or beside another one, is none. */
export function pagesOf({ steps, experiences }: Project): ReadonlyMap<string, readonly Page[]> {
  const uses = Map.groupBy(
    experiences.flatMap((experience) => experience.stepIds.map((id) => ({ id, experience }))),
    ({ id }) => id,
  );
  const pages = steps.flatMap((step) => {
    const [use, another] = uses.get(step.id) ?? [];
    return use?.experience.stepIds.length === 1 && !another ? { step, ...use } : [];
  });
  return Map.groupBy(pages, ({ step }) => step.layoutContentId ?? "");
}

const TEXTS: Readonly<Record<string, (page: Page) => string>> = {
  id: ({ experience }) => experience.id,
  key: ({ experience }) => experience.key,
  stepId: ({ step }) => step.id,
  stepKey: ({ step }) => step.key,
  name: ({ experience }) => experience.name,
};

/** Whether two have the same ids and keys. */
export function isSamePage(a: Page, b: Page): boolean {
  return Object.entries(TEXTS).every(([member, of]) => member === "name" || of(a) === of(b));
}

/** Which text a collection without the pattern gives. */
const DEFAULTS: Readonly<Record<string, string>> = { key: "id", stepId: "id", stepKey: "key" };

/**
 * Q22: the collection that gives all of these pages, or why there is none.
 *
 * @param keepsNames whether there is none when no pattern gives the names.
 */
export function collectionOf(
  draft: Draft,
  project: Project,
  model: Model,
  entries: readonly string[],
  pages: ReadonlyMap<string, readonly Page[]>,
  keepsNames = true,
): Collection | string {
  if (entries.length < 2) return "one entry only";
  const own: Page[] = [];
  for (const id of entries) {
    const [page, another] = pages.get(id) ?? [];
    if (!page || another) return `"${id}" has ${page ? "several" : "no"} experiences of its own`;
    const { step, experience } = page;
    if (keepsNames && step.name !== experience.name) {
      return `the step "${step.id}" has another name than its experience`;
    }
    own.push(page);
  }
  const [layoutName = "", other] = new Set(own.map(({ step }) => step.layoutName));
  if (other !== undefined) return `its steps have the layouts "${layoutName}" and "${other}"`;
  const texts = entries.map((id) => textsOf(draft, id, model, project));
  const titles = texts.map((own) => titleOf(own, model));
  const patterns: Record<string, string> = {};
  for (const [member, of] of Object.entries(TEXTS)) {
    const wanted = own.map(of);
    const byDefault = TEXTS[DEFAULTS[member] ?? ""];
    const others = byDefault ? own.map(byDefault) : titles;
    if (member !== "id" && wanted.every((text, at) => text === others[at])) continue;
    const found = (count: number) => findPattern(wanted.slice(0, count), texts.slice(0, count));
    const pattern = found(entries.length);
    if (pattern !== undefined) patterns[member] = pattern;
    else if (member !== "name" || keepsNames) {
      let [fits, not] = [1, entries.length];
      while (not - fits > 1) {
        const middle = (fits + not) >> 1;
        if (found(middle) === undefined) not = middle;
        else fits = middle;
      }
      return `no pattern gives each ${member}, with that of "${entries[not - 1]}": "${wanted[not - 1]}"`;
    }
  }
  return { model: model.key, ...patterns, layoutName } as Collection;
}

/** Q11: the name that a collection without a pattern gives. */
export function titleOf(texts: ReadonlyMap<string, string>, { fields }: Model): string | undefined {
  return titleBy(titleFields(fields), ({ key }) => [texts.get(key)]) ?? texts.get("id");
}

/** The id of an entry, and the texts of its fields that a pattern can have, on both surfaces. */
export function textsOf(draft: Draft, id: string, { fields }: Model, project: Project) {
  const { draft: isDraft, data } = entryOf(draft, id) as Entry;
  const texts = new Map([["id", id]]);
  for (const field of fields) {
    const { key, type, repeatable, localized } = field;
    if (repeatable || fieldType(type).shape !== "string" || key === "id") continue;
    // A7a: a draft in some languages may have another text in the preview.
    const isOther = localized && typeof isDraft === "object";
    const [text] = isOther ? [] : scalarsOf(field, data[key], languageOf(project));
    if (typeof text === "string" && text.trim() !== "") texts.set(key, text);
  }
  return texts;
}
