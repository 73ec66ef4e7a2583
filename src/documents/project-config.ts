import { Serving } from "../fields/serving.ts";
import { jsonPointer } from "../workspace/json.ts";
import { type Finding, type Problem, problem } from "../workspace/problem.ts";
import type { Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Document, Surface } from "./document.ts";
import type { Rendering } from "./rendering.ts";

/** The project config document (C1, C2). */
export function renderProjectConfig(
  rendering: Rendering,
  project: Project,
  { versionId }: Surface,
): Document {
  const { data: fields, serving } = serveProjectFields(rendering, project);
  const known = rendering.stepsOf(project);
  const config = {
    id: project.id,
    versionId,
    fields,
    steps: project.steps.map(({ id, key, name, layoutName, layoutContentId }) => ({
      id,
      key,
      name,
      layoutName,
      layoutContentId: exists(rendering, layoutContentId) ? layoutContentId : null,
    })),
    experiences: project.experiences.map(({ id, key, name, stepIds: named }) => ({
      id,
      key,
      name,
      stepIds: named.filter((stepId) => known.has(stepId)),
    })),
  };
  return {
    bytes: Buffer.from(`${canonicalJson(config)}\n`),
    files: serving.files,
    problems: [...serving.problems, ...danglingIds(rendering, project)],
  };
}

/** The values of the project fields, served like an entry's data (C1). */
export function serveProjectFields(rendering: Rendering, project: Project) {
  const serving = new Serving(rendering, { kind: "project", id: project.id }, ["fields"]);
  const data = serving.data(rendering.draft.workspace.fields ?? [], project.fields ?? {});
  return { data, serving };
}

function exists(rendering: Rendering, entryId: string | undefined): entryId is string {
  return entryId !== undefined && rendering.draft.entryModelId(entryId) !== undefined;
}

function danglingIds(rendering: Rendering, project: Project): Problem[] {
  const known = rendering.stepsOf(project);
  const at = (path: (string | number)[], finding: Finding) =>
    problem({ kind: "project", id: project.id, path: jsonPointer(path) }, finding);
  const steps = project.steps.flatMap(({ key, layoutContentId: target }, index) =>
    target === undefined || exists(rendering, target)
      ? []
      : at(["steps", index, "layoutContentId"], {
          code: "step-entry-missing",
          args: { step: key, target },
        }),
  );
  const experiences = project.experiences.flatMap(({ key, stepIds: named }, index) =>
    named.flatMap((stepId, position) =>
      known.has(stepId)
        ? []
        : at(["experiences", index, "stepIds", position], {
            code: "experience-step-missing",
            args: { experience: key, step: stepId },
          }),
    ),
  );
  return [...steps, ...experiences];
}
