import type { ReferenceField } from "../fields/reference.ts";
import type { Draft } from "../workspace/draft.ts";
import { jsonPointer } from "../workspace/json.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { RenderedEntry } from "./entry.ts";

/** How many entries of a loop are named. */
const NAMED = 5;

/** P16: finds entries that are their own ancestors. */
export class ParentLoops {
  /** By model: the paths of its references to one entry of the same model. */
  readonly #fields = new Map<string, readonly string[]>();
  /** By the path of the reference: the parent of each entry. */
  readonly #parents = new Map<string, Map<string, string>>();

  constructor({ models }: Pick<Draft, "models">) {
    for (const { id, key, fields } of models) {
      const own = (fields as readonly ReferenceField[]).filter(
        ({ type, repeatable, models: accepted = [] }) =>
          type === "reference" && !repeatable && accepted.length === 1 && accepted[0] === key,
      );
      if (own.length > 0)
        this.#fields.set(
          id,
          own.map((field) => jsonPointer([field.key])),
        );
    }
  }

  add({ head, pointers }: RenderedEntry): void {
    const fields = this.#fields.get(head.modelId);
    if (fields === undefined) return;
    for (const { path, target } of pointers) {
      // B2a: of a localized field each locale has its own parents.
      if (!fields.some((field) => path === field || path.startsWith(`${field}/`))) continue;
      const parents = this.#parents.get(path) ?? new Map<string, string>();
      this.#parents.set(path, parents.set(head.id, target));
    }
  }

  /** One for each loop, at its first entry by id. */
  problems(): Problem[] {
    return [...this.#parents].flatMap(([path, parents]) => {
      const field = path.split("/")[1] as string;
      return loopsIn(parents).map((loop) =>
        problem({ kind: "entry", id: loop[0] as string, path }, "parent-loop", {
          field,
          entries: loop.slice(0, NAMED),
          others: Math.max(0, loop.length - NAMED),
        }),
      );
    });
  }
}

/** Each loop once, from its first entry by id on. Each entry is visited once. */
function loopsIn(parents: ReadonlyMap<string, string>): string[][] {
  const loops: string[][] = [];
  /** By entry: the one whose ancestors were followed when it was visited. */
  const visited = new Map<string, string>();
  for (const start of parents.keys()) {
    const way: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && !visited.has(at)) {
      visited.set(at, start);
      way.push(at);
      at = parents.get(at);
    }
    if (at === undefined || visited.get(at) !== start) continue;
    const loop = way.slice(way.indexOf(at));
    const first = loop.indexOf(loop.reduce((least, id) => (id < least ? id : least)));
    loops.push([...loop.slice(first), ...loop.slice(0, first)]);
  }
  return loops;
}
