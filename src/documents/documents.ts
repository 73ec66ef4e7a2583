import type { Experience, Project } from "../workspace/records.ts";
import type { Address } from "./address.ts";
import type { Document, Surface } from "./document.ts";
import { renderExperienceContent } from "./experience-content.ts";
import { renderProjectConfig } from "./project-config.ts";
import type { Rendering } from "./rendering.ts";
import { renderSchemaDocument } from "./schema-document.ts";

/**
 * The document at an address; undefined when the workspace has no such project, or the project no
 * such experience, or the experience no content (E6).
 */
export function renderDocument(
  rendering: Rendering,
  address: Address,
  surface: Surface,
): Document | undefined {
  const project = rendering.draft.projects.find(({ id }) => id === address.projectId);
  if (project === undefined) return undefined;
  switch (address.kind) {
    case "project":
      return renderProjectConfig(rendering, project, surface);
    case "schema":
      return renderSchemaDocument(rendering, project, surface);
    case "content": {
      const { experienceId } = address;
      const experience = project.experiences.find(({ id }) => id === experienceId);
      return experience && renderExperienceContent(rendering, project, experience, surface);
    }
  }
}

/** Every document of the workspace with its address. */
export function* renderDocuments(
  rendering: Rendering,
  surface: Surface,
): Generator<{ address: Address; document: Document }> {
  for (const project of rendering.draft.projects) {
    const projectId = project.id;
    for (const experience of project.experiences) {
      const document = renderExperienceContent(rendering, project, experience, surface);
      const address = contentAddress(project, experience);
      if (document !== undefined) yield { address, document };
    }
    yield {
      address: { kind: "schema", projectId },
      document: renderSchemaDocument(rendering, project, surface),
    };
    yield {
      address: { kind: "project", projectId },
      document: renderProjectConfig(rendering, project, surface),
    };
  }
}

function contentAddress(project: Project, experience: Experience): Address {
  return { kind: "content", projectId: project.id, experienceId: experience.id };
}
