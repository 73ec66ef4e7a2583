import type { Address } from "./address.ts";
import type { Document, Surface } from "./document.ts";
import { experienceContent, projectContents } from "./experience-content.ts";
import { projectConfig } from "./project-config.ts";
import type { Rendering } from "./rendering.ts";
import { schemaDocument } from "./schema-document.ts";

/** Every document of the workspace, in the order in which files are written (F3). */
export function* documents(rendering: Rendering, surface: Surface): Generator<Document> {
  const { projects } = rendering;
  for (const project of projects) yield* projectContents(rendering, project);
  for (const project of projects) yield schemaDocument(rendering, project, surface);
  for (const project of projects) yield projectConfig(rendering, project);
}

/**
 * The document at an address; undefined when the workspace has no such project, or the project no
 * such experience, or the experience no content (E6).
 */
export function documentAt(
  rendering: Rendering,
  address: Address,
  surface: Surface,
): Document | undefined {
  const project = rendering.projects.find(({ id }) => id === address.projectId);
  if (project === undefined) return undefined;
  switch (address.kind) {
    case "project":
      return projectConfig(rendering, project);
    case "schema":
      return schemaDocument(rendering, project, surface);
    case "content": {
      const index = project.experiences.findIndex(({ id }) => id === address.experienceId);
      const experience = project.experiences[index];
      return experience && experienceContent(rendering, { project, experience, index });
    }
  }
}
