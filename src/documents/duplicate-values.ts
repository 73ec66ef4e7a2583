import { byCodeUnit, jsonPointer } from "../workspace/json.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { RenderedEntry, UniqueValue } from "./entry.ts";
import { asWarning, type Rendering } from "./rendering.ts";

interface Holder {
  readonly id: string;
  readonly value: UniqueValue;
}

/**
 * V10: finds the entries whose value of a unique field another entry has too. Of entries with the same
 * value, the first by id is named by the problems of all others.
 */
export class DuplicateValues {
  /** By model, field, language and value. */
  readonly #holders = new Map<string, Holder | Holder[]>();

  add({ head, uniqueValues }: RenderedEntry): void {
    for (const value of uniqueValues) {
      const key = `${head.modelId} ${value.field.key} ${value.language} ${value.text}`;
      const holder = { id: head.id, value };
      const known = this.#holders.get(key);
      if (Array.isArray(known)) known.push(holder);
      else this.#holders.set(key, known === undefined ? holder : [known, holder]);
    }
  }

  problems({ hidden, lookup }: Rendering): Problem[] {
    return [...this.#holders.values()].flatMap((holders) => {
      if (!Array.isArray(holders)) return [];
      // A3: that an unfinished entry comes first is no error of one that is published.
      const late = ({ id }: Holder) => Number(hidden.has(id));
      holders.sort((a, b) => late(a) - late(b) || byCodeUnit(a.id, b.id));
      const [first, ...others] = holders as [Holder, ...Holder[]];
      return others.map(({ id, value: { field, language } }) => {
        const [locale] = lookup.languages[language] ?? [];
        const names = field.localized && locale !== undefined && { locale };
        const place = { kind: "entry", id, path: jsonPointer([field.key]) } as const;
        const found = problem(place, "value-duplicate", {
          ...{ field: field.key, other: first.id, ...names },
        });
        return hidden.has(id) ? asWarning(found) : found;
      });
    });
  }
}
