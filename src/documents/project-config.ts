import { RecordServing } from "../fields/record-serving.ts";
import { suggested } from "../fields/suggested.ts";
import { type JsonObject, jsonPointer } from "../workspace/json.ts";
import { languageOf } from "../workspace/language.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import { bytesOf, type Document, type Surface } from "./document.ts";
import { documentSize, sizeProblems } from "./document-size.ts";
import { localeProblems } from "./locale-problems.ts";
import type { Rendering } from "./rendering.ts";

/** The project config document (C1, C2). */
export function renderProjectConfig(
  rendering: Rendering,
  project: Project,
  { versionId }: Surface,
): Document {
  const { data: fields, serving } = serveProjectFields(rendering, project);
  const known = rendering.stepsOf(project);
  const experiences = jsonList(project.experiences, ({ id, key, name, stepIds: named }) => ({
    id,
    key,
    name,
    stepIds: named.filter((stepId) => known.has(stepId)),
  }));
  const steps = jsonList(project.steps, ({ id, key, name, layoutName, layoutContentId }) => ({
    id,
    key,
    layoutContentId: exists(rendering, layoutContentId) ? layoutContentId : null,
    layoutName,
    name,
  }));
  // Members in canonical order.
  const text =
    `{"experiences":${experiences},"fields":${canonicalJson(fields)},` +
    `"id":${canonicalJson(project.id)},"steps":${steps},"versionId":${canonicalJson(versionId)}}\n`;
  const parts = [{ text }];
  return {
    parts,
    get bytes() {
      return bytesOf(rendering, parts);
    },
    files: serving.files,
    get problems() {
      const at = { kind: "project" as const, id: project.id, path: "" };
      const size = { document: "config" as const, bytes: documentSize(rendering, parts) };
      return [...projectProblems(rendering, project), ...sizeProblems(at, size)];
    },
  };
}

/** A list as JSON. Its elements have their members in canonical order. */
function jsonList<T>(elements: readonly T[], toJson: (element: T) => JsonObject): string {
  return `[${elements.map((element) => JSON.stringify(toJson(element))).join(",")}]`;
}

/** The problems of a project: of its field values, and dangling ids of entries and steps. */
export function projectProblems(rendering: Rendering, project: Project): Problem[] {
  const { serving } = serveProjectFields(rendering, project);
  const ofLocales = localeProblems(rendering.draft, project);
  return [...serving.problems, ...ofLocales, ...danglingIds(rendering, project)];
}

/** The values of the project fields, served like an entry's data (C1). */
export function serveProjectFields(rendering: Rendering, project: Project) {
  const place = { kind: "project" as const, id: project.id };
  const serving = new RecordServing(rendering.lookup, place, languageOf(project), ["fields"]);
  const data = serving.data(rendering.draft.workspace.fields ?? [], project.fields ?? {});
  return { data, serving };
}

function exists(rendering: Rendering, entryId: string | undefined): entryId is string {
  return entryId !== undefined && rendering.find(entryId) !== undefined;
}

function danglingIds(rendering: Rendering, project: Project): Problem[] {
  const known = rendering.stepsOf(project);
  const at = (...path: (string | number)[]) => ({
    ...{ kind: "project" as const, id: project.id, path: jsonPointer(path) },
  });
  const steps = project.steps.flatMap(({ key: step, layoutContentId: target }, index) => {
    if (target === undefined || exists(rendering, target)) return [];
    const place = at("steps", index, "layoutContentId");
    const because = rendering.lookup.hiddenBy(target);
    return because === undefined
      ? problem(place, "step-entry-missing", { step, target })
      : problem(place, "step-entry-draft", { step, target, because });
  });
  const experiences = project.experiences.flatMap(({ key, stepIds: named }, index) =>
    named.flatMap((stepId, position) =>
      known.has(stepId)
        ? []
        : problem(at("experiences", index, "stepIds", position), "experience-step-missing", {
            ...{ experience: key, step: stepId, ...suggested(stepId, known, () => known.keys()) },
          }),
    ),
  );
  return [...steps, ...experiences];
}
