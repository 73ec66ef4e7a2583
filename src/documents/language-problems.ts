import { jsonPointer, pathIn } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";

/** How many locales a problem names. */
const NAMED = 3;

type Missing = Extract<Problem, { code: "value-missing" }>;

/**
 * B3, B3a: the problems of one entry in each of its languages: each once, and one for a required value that
 * several languages lack, at its field.
 */
export function acrossLanguages(found: readonly (readonly Problem[])[]): readonly Problem[] {
  const [first = [], ...others] = found;
  if (others.every(({ length }) => length === 0)) return first;
  const problems = new Map<string, Problem>();
  /** By the field, then by locale. */
  const missing = new Map<string, Map<string, Missing>>();
  for (const one of found.flat()) {
    const { level, code, at, args } = one;
    const place = `${at.kind} ${at.id} ${at.path}`;
    if (code === "value-missing" && args.locale !== undefined) {
      const field = place.slice(0, place.lastIndexOf("/"));
      const locales = missing.get(field) ?? new Map<string, Missing>();
      missing.set(field, locales.set(args.locale, one as Missing));
    } else {
      const key = `${code} ${place}`;
      // A7: in a language in which the entry is a draft it is a warning only.
      if (!problems.has(key) || level === "error") problems.set(key, one);
    }
  }
  return [...problems.values(), ...Array.from(missing.values(), ofLocales)];
}

function ofLocales(missing: ReadonlyMap<string, Missing>): Problem {
  const all = [...missing.values()];
  const errors = all.filter(({ level }) => level === "error");
  const found = errors.length > 0 ? errors : all;
  const [first] = found as [Missing];
  if (found.length === 1) return first;
  const { at, args } = first;
  const locales = found.map((one) => one.args.locale as string).sort();
  const more = { locales: locales.slice(0, NAMED), others: Math.max(0, locales.length - NAMED) };
  const path = jsonPointer(pathIn(at.path).slice(0, -1));
  return { ...first, at: { ...at, path }, args: { field: args.field, ...more } };
}
