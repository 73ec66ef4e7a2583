import { jsonPointer } from "../workspace/json.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { EntryNumber } from "./entry-lookup.ts";
import type { TooDeep } from "./references.ts";
import type { Rendering } from "./rendering.ts";

/** From this many entries on it is reported that the depth limit leaves them out (P7). */
const MANY = 10;

/** P7: the experience of a project from which the depth limit leaves out the most entries. */
export class MostCut {
  readonly #project: string;
  #count = MANY - 1;
  #most: { experience: string; index: number; tooDeep: readonly TooDeep[] } | undefined;

  constructor(project: string) {
    this.#project = project;
  }

  add(tooDeep: readonly TooDeep[], experience: string, index: number): void {
    if (tooDeep.length <= this.#count) return;
    const { size } = new Set(tooDeep.map(({ target }) => target));
    if (size <= this.#count) return;
    this.#count = size;
    this.#most = { experience, index, tooDeep };
  }

  problems(rendering: Rendering): Problem[] {
    if (this.#most === undefined) return [];
    const { experience, index, tooDeep } = this.#most;
    const pointers = new Map<EntryNumber, number>();
    for (const { entry } of tooDeep) pointers.set(entry, (pointers.get(entry) ?? 0) + 1);
    const [[entry, most]] = [...pointers].sort(([, a], [, b]) => b - a) as [[EntryNumber, number]];
    const path = jsonPointer(["experiences", index]);
    const counts = { count: this.#count, entry: rendering.idOf(entry), pointers: most };
    return [
      problem({ kind: "project", id: this.#project, path }, "experience-too-deep", {
        ...{ experience, ...counts },
      }),
    ];
  }
}
