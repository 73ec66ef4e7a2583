import { type Page, textsOf, titleOf } from "../../folder/migrate/collect.ts";
import { findPattern } from "../../folder/migrate/find-pattern.ts";
import type { Draft } from "../../workspace/draft.ts";
import { isKey } from "../../workspace/ids.ts";
import type { Collection, Model, Project } from "../../workspace/records.ts";

/**
 * Q23: a collection of pages that an import has just named, so that their keys and names may be others. Those
 * whose ids it does not give stay as they are (Q26); where these are more than half of them, there is none.
 */
export function firstCollection(
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
