import type { DraftChanges } from "../workspace/draft.ts";
import { languageKey, languageOf } from "../workspace/language.ts";
import type { Project } from "../workspace/records.ts";
import { type Document, recipeOf, UNVERSIONED } from "./document.ts";
import { documentSize } from "./document-size.ts";
import { contentEntries } from "./experience-content.ts";
import { renderProjectConfig, serveProjectFields } from "./project-config.ts";
import type { ProjectOutline } from "./project-outline.ts";
import type { Rendering } from "./rendering.ts";
import { renderSchemaDocument } from "./schema-document.ts";

/** The outlines of all projects of the draft, in order of the ids. */
export function projectOutlines(rendering: Rendering): ProjectOutline[] {
  const { outlines } = rendering.table;
  const { changes } = rendering.draft;
  const known = new Set<string>();
  const all = changes.projectIds().map((id) => {
    known.add(id);
    let outline = outlines.get(id);
    if (outline === undefined || (outline.config === undefined && rendering.texts)) {
      outline = outlineOf(rendering, projectOf(changes, id));
      outlines.set(id, outline);
      rendering.table.isDirty = true;
    }
    return outline;
  });
  rendering.table.dropOutlines([...outlines.keys()].filter((id) => !known.has(id)));
  return all;
}

function projectOf(changes: DraftChanges, id: string): Project {
  const project = changes.project(id);
  if (project === undefined) throw new TypeError(`the draft has lost the project "${id}"`);
  return project;
}

function outlineOf(rendering: Rendering, project: Project): ProjectOutline {
  const { data, serving } = serveProjectFields(rendering, project);
  const hasErrors = serving.problems.some(({ level }) => level === "error");
  const fault =
    hasErrors || Object.keys(data).length === 0
      ? undefined
      : rendering.validator.fault("fields", data);
  const targets = new Set<string>([
    ...project.steps.flatMap(({ layoutContentId }) => layoutContentId ?? []),
    ...serving.pointers.map(({ target }) => target),
  ]);
  const missing = [...targets].filter((id) => rendering.find(id) === undefined);
  rendering.addMissing(missing);
  const config = renderProjectConfig(rendering, project, UNVERSIONED);
  const schema = renderSchemaDocument(rendering, project, UNVERSIONED);
  const recipe = ({ parts }: Document) =>
    rendering.texts && JSON.stringify(recipeOf(rendering, parts));
  return {
    id: project.id,
    language: languageKey(languageOf(project)),
    experiences: project.experiences.map((experience) => ({
      id: experience.id,
      content: contentEntries(rendering, project, experience),
    })),
    config: recipe(config),
    schema: recipe(schema),
    sizes: {
      config: documentSize(rendering, config.parts),
      schema: documentSize(rendering, schema.parts),
    },
    problems: config.problems,
    files: serving.files,
    schemaFault: fault && `project "${project.id}": ${fault}`,
    entries: [...targets].flatMap((id) => rendering.find(id) ?? []),
    missing,
    assets: [...new Set(serving.assets)].filter((id) => rendering.table.assetIds.number(id) >= 0),
  };
}
