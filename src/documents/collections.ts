import { jsonPointer } from "../workspace/json.ts";
import type { ProblemPlace } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";

/** An experience that a collection makes: of an entry, or of a page of its list. */
interface CollectedExperience extends Experience {
  /** The place of the collection in its project. */
  readonly collection: number;
  /** The id of the entry; undefined: it is a page. */
  readonly entry?: string;
}

/** Q13: where the problems of an experience are: of a collected one at its entry, or at the list. */
export function experienceAt({ id, experiences }: Project, index: number): ProblemPlace {
  const { collection, entry } = experiences[index] as Partial<CollectedExperience>;
  if (entry !== undefined) return { kind: "entry", id: entry, path: "" };
  const path =
    collection === undefined ? ["experiences", index] : ["collections", collection, "list"];
  return { kind: "project", id, path: jsonPointer(path) };
}
