import { RecordRenderer } from "../fields/record-renderer.ts";
import { hiddenHere } from "../fields/reference.ts";
import type { Renderer } from "../fields/renderer.ts";
import { suggested } from "../workspace/did-you-mean.ts";
import { type JsonObject, jsonPointer } from "../workspace/json.ts";
import { languageOf } from "../workspace/language.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import { experienceAt } from "./collections.ts";
import { localeProblems } from "./definition-problems.ts";
import { type Document, sizeProblems, VERSION_ID_GROWTH } from "./document.ts";
import type { Rendering } from "./rendering.ts";
import { shownProject } from "./shown-project.ts";
import { withVersionId } from "./version-id.ts";

/** The project config document (C1, C2, A8). */
export function projectConfig(rendering: Rendering, project: Project): Document {
  const { data: fields, renderer } = renderProjectFields(rendering, project);
  const shown = shownProject(rendering, project);
  const known = stepIds(shown);
  const experiences = jsonList(shown.experiences, ({ id, key, name, stepIds: named }) => ({
    id,
    key,
    name,
    stepIds: named.filter((stepId) => known.has(stepId)),
  }));
  const steps = jsonList(shown.steps, ({ id, key, name, layoutName, layoutContentId }) => ({
    id,
    key,
    layoutContentId: exists(rendering, project, layoutContentId) ? layoutContentId : null,
    layoutName,
    name,
  }));
  // Members in canonical order.
  const text =
    `{"experiences":${experiences},"fields":${canonicalJson(fields)},` +
    `"id":${canonicalJson(project.id)},"steps":${steps},"versionId":null}\n`;
  const bytes = Buffer.from(text);
  return {
    address: { kind: "project", projectId: project.id },
    bytes: (versionId) => withVersionId(bytes, versionId),
    size: bytes.length,
    files: renderer.files,
    get problems() {
      const at = { kind: "project" as const, id: project.id, path: "" };
      const size = bytes.length + VERSION_ID_GROWTH;
      const large = sizeProblems(at, { document: "config", bytes: size });
      return [...projectProblems(rendering, project, renderer), ...rendering.leveled(large)];
    },
  };
}

function stepIds({ steps }: Project): ReadonlySet<string> {
  return new Set(steps.map(({ id }) => id));
}

/** A list as JSON. Its elements have their members in canonical order. */
function jsonList<T>(elements: readonly T[], toJson: (element: T) => JsonObject): string {
  return `[${elements.map((element) => JSON.stringify(toJson(element))).join(",")}]`;
}

/** The problems of a project: of its field values, dangling ids of entries and steps, and its collections. */
export function projectProblems(
  rendering: Rendering,
  project: Project,
  { problems }: Renderer = renderProjectFields(rendering, project).renderer,
): readonly Problem[] {
  const ofLocales = localeProblems(rendering.draft, project);
  return [
    ...rendering.leveled([...problems, ...ofLocales, ...danglingIds(rendering, project)]),
    ...(rendering.collections.of(project)?.problems ?? []).flatMap((one) =>
      one.at.kind === "entry"
        ? rendering.problemsIn(one.at.id, rendering.languageNumber(languageOf(project)), [one])
        : rendering.leveled([one]),
    ),
  ];
}

/** The values of the project fields, rendered like an entry's data (C1). */
export function renderProjectFields(rendering: Rendering, project: Project) {
  const place = { kind: "project" as const, id: project.id };
  const renderer = new RecordRenderer(rendering.lookup, place, languageOf(project), {
    base: ["fields"],
  });
  const data = renderer.data(rendering.draft.workspace.fields ?? [], project.fields ?? {});
  return { data, renderer };
}

function exists(
  rendering: Rendering,
  { locale }: Project,
  entryId: string | undefined,
): entryId is string {
  return entryId !== undefined && rendering.find(entryId, locale) !== undefined;
}

function danglingIds(rendering: Rendering, project: Project): Problem[] {
  const known = stepIds(project);
  const shown = stepIds(shownProject(rendering, project));
  const hiddenSteps = rendering.collections.of(project)?.hiddenSteps;
  const at = (...path: (string | number)[]) => ({
    kind: "project" as const,
    id: project.id,
    path: jsonPointer(path),
  });
  const steps = project.steps.flatMap(({ id, key: step, layoutContentId: target }, index) => {
    if (target === undefined || exists(rendering, project, target)) return [];
    const place = at("steps", index, "layoutContentId");
    const hidden = hiddenHere(target, rendering.lookup, project.locale);
    if (hidden === undefined) return problem(place, "step-entry-missing", { step, target });
    // A8: nothing of it is published, so nothing is missing.
    return shown.has(id) ? problem(place, "step-entry-draft", { step, target, ...hidden }) : [];
  });
  const experiences = project.experiences.flatMap(({ key, stepIds: named }, index) =>
    named.flatMap((stepId, position) =>
      // Q13a: the entry is hidden, not missing.
      known.has(stepId) || hiddenSteps?.has(stepId)
        ? []
        : problem(at("experiences", index, "stepIds", position), "experience-step-missing", {
            experience: key,
            step: stepId,
            ...suggested(stepId, project.steps, () => known),
          }),
    ),
  );
  return [...steps, ...experiences, ...takenKeys(project)];
}

/** P21. */
function takenKeys(project: Project): Problem[] {
  const ids = new Set(project.experiences.map(({ id }) => id));
  return project.experiences.flatMap(({ id, key }, index) =>
    key === id || !ids.has(key)
      ? []
      : problem(experienceAt(project, index), "experience-key-taken", { experience: id, key }),
  );
}
