import type { HeldFile } from "../workspace/asset.ts";
import { type Problem, problem } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import type { Document, Surface } from "./document.ts";
import { type Reached, reach, type TooDeep, tooDeepPointers } from "./references.ts";
import type { EntryNumber, Rendering } from "./rendering.ts";

/** The entries that one experience shows. */
export interface ExperienceEntries extends Reached {
  readonly content: readonly EntryNumber[];
}

/** E1, E2: the entries behind the steps in step order, and all that they reach. */
export function experienceEntries(
  rendering: Rendering,
  project: Project,
  experience: Experience,
): ExperienceEntries {
  const steps = rendering.stepsOf(project);
  const content = new Set<EntryNumber>();
  for (const stepId of experience.stepIds) {
    const id = steps.get(stepId)?.layoutContentId;
    const entry = id === undefined ? undefined : rendering.find(id);
    if (entry !== undefined) content.add(entry);
  }
  const entries = [...content];
  return { content: entries, ...reach(entries, rendering) };
}

/** The experience content document; undefined when the experience has no content (E6). */
export function renderExperienceContent(
  rendering: Rendering,
  project: Project,
  experience: Experience,
  { versionId }: Surface,
): Document | undefined {
  const shown = experienceEntries(rendering, project, experience);
  if (shown.content.length === 0) return undefined;
  const entries = [...shown.content, ...shown.references];
  return {
    bytes: documentBytes(rendering, shown, [
      // Members in canonical order; the entries are canonical already.
      '{"content":[',
      `],"experienceId":${canonicalJson(experience.id)},"references":[`,
      `],"versionId":${canonicalJson(versionId)}}\n`,
    ]),
    entryIds: entries.map((entry) => rendering.idOf(entry)),
    files: entries.flatMap((entry): readonly HeldFile[] => rendering.filesOf(entry)),
    get problems() {
      const tooDeep = tooDeepPointers(shown, rendering);
      return [
        ...entries.flatMap((entry): readonly Problem[] => rendering.problemsOf(entry)),
        ...tooDeep.map((found) => tooDeepProblem(found, project, experience, 0)),
      ];
    },
  };
}

const COMMA = 0x2c;

/** Put together by copying. The texts between the entries are ASCII, as ids are (I1). */
function documentBytes(
  rendering: Rendering,
  { content, references }: ExperienceEntries,
  [before, between, after]: readonly [string, string, string],
): Buffer {
  let size = before.length + between.length + after.length;
  for (const entries of [content, references]) {
    size += Math.max(0, entries.length - 1);
    for (const entry of entries) size += rendering.sizeOf(entry);
  }
  const bytes = rendering.allocate(size);
  let at = bytes.write(before, "latin1");
  const add = (entries: readonly EntryNumber[]) => {
    for (const [index, entry] of entries.entries()) {
      if (index > 0) at = bytes.writeUInt8(COMMA, at);
      rendering.copyText(entry, bytes, at);
      at += rendering.sizeOf(entry);
    }
  };
  add(content);
  at += bytes.write(between, at, "latin1");
  add(references);
  bytes.write(after, at, "latin1");
  return bytes;
}

/** P3; `others`: in how many further experiences the same pointer is too deep. */
export function tooDeepProblem(
  { entryId, path, target }: TooDeep,
  project: Project,
  experience: Experience,
  others: number,
): Problem {
  const args = { target, experience: experience.id, project: project.id, others };
  return problem({ kind: "entry", id: entryId, path }, { code: "reference-too-deep", args });
}
