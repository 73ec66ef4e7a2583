import { portableName } from "../workspace/asset.ts";
import { type Problem, type ProblemPlace, problem } from "../workspace/problem.ts";
import { experienceAt } from "./collections.ts";
import { filesOf } from "./definition-problems.ts";
import type { Rendering } from "./rendering.ts";

/** P20: ids and names of files that Windows or macOS cannot have, or have only one of. */
export function fileNameProblems({ draft, projects }: Rendering): Problem[] {
  const problems: Problem[] = [];
  const check = (name: string, at: () => ProblemPlace) => {
    if (portableName(name) !== name) problems.push(problem(at(), "name-not-portable", { name }));
  };
  for (const project of projects) {
    check(project.id, () => ({ kind: "project", id: project.id, path: "/id" }));
    for (const [index, { id }] of project.experiences.entries()) {
      check(id, () => experienceAt(project, index));
    }
  }
  // Ids that are alike are refused (I1).
  const names = new Map<string, string>();
  for (const asset of draft.assets.values()) {
    for (const [path, { fileName, sha256 }] of filesOf(asset)) {
      if (sha256 === undefined) continue;
      const at = { kind: "asset", id: asset.id, path: `${path}/fileName` } as const;
      check(fileName, () => at);
      const folded = `${sha256} ${fileName.normalize("NFC").toLowerCase()}`;
      const other = names.get(folded) ?? fileName;
      names.set(folded, other);
      if (other !== fileName) {
        problems.push(problem(at, "name-not-portable", { name: fileName, other }));
      }
    }
  }
  return problems;
}
