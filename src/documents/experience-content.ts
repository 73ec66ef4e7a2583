import type { HeldFile } from "../workspace/asset.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Document, Surface } from "./document.ts";
import { type Reached, reach, type TooDeep } from "./references.ts";
import type { RenderedEntry, Rendering } from "./rendering.ts";

/** The entries that one experience shows. */
export interface ExperienceEntries extends Reached {
  readonly content: readonly RenderedEntry[];
}

/** E1, E2: the entries behind the steps in step order, and all that they reach. */
export function experienceEntries(
  rendering: Rendering,
  project: Project,
  experience: Experience,
): ExperienceEntries {
  const steps = rendering.stepsOf(project);
  const contentIds = experience.stepIds.flatMap(
    (stepId) => steps.get(stepId)?.layoutContentId ?? [],
  );
  const content = [...new Set(contentIds)].flatMap((id) => rendering.entry(id) ?? []);
  return { content, ...reach(content, rendering) };
}

/** The experience content document; undefined when the experience has no content (E6). */
export function renderExperienceContent(
  rendering: Rendering,
  project: Project,
  experience: Experience,
  { versionId }: Surface,
): Document | undefined {
  const { content, references, tooDeep } = experienceEntries(rendering, project, experience);
  if (content.length === 0) return undefined;
  const entries = [...content, ...references];
  return {
    // Members in canonical order; the entries are canonical already.
    bytes: Buffer.concat([
      Buffer.from('{"content":['),
      ...separated(content),
      Buffer.from(`],"experienceId":${canonicalJson(experience.id)},"references":[`),
      ...separated(references),
      Buffer.from(`],"versionId":${canonicalJson(versionId)}}\n`),
    ]),
    files: entries.flatMap(({ files }): readonly HeldFile[] => files),
    problems: [
      ...entries.flatMap(({ problems }): readonly Problem[] => problems),
      ...tooDeep.map((found) => tooDeepProblem(found, project, experience, 0)),
    ],
  };
}

const COMMA = Buffer.from(",");

function separated(entries: readonly RenderedEntry[]): Buffer[] {
  return entries.flatMap(({ bytes }, index) => (index === 0 ? bytes : [COMMA, bytes]));
}

/** P3; `others`: in how many further experiences the same pointer is too deep. */
export function tooDeepProblem(
  { entryId, pointer }: TooDeep,
  project: Project,
  experience: Experience,
  others: number,
): Problem {
  const args = {
    target: pointer.target,
    experience: experience.id,
    project: project.id,
    others,
  };
  return problem(
    { kind: "entry", id: entryId, path: pointer.path },
    { code: "reference-too-deep", args },
  );
}
