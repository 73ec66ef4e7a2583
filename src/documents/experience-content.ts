import type { HeldFile } from "../workspace/asset.ts";
import { jsonPointer } from "../workspace/json.ts";
import { languageKey, languageOf } from "../workspace/language.ts";
import { inProblemOrder, type Problem, problem } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import { bytesOf, type Document, type Part, type Surface, UNVERSIONED } from "./document.ts";
import { documentSize, isLarge, sizeProblems } from "./document-size.ts";
import type { EntryNumber } from "./entry-lookup.ts";
import { heaviestEntry } from "./heaviest-entry.ts";
import { type Reached, reach, type TooDeep } from "./references.ts";
import type { Rendering } from "./rendering.ts";

/** The entries that one experience shows, in their forms of one language. */
export interface ExperienceEntries extends Reached {
  readonly content: readonly EntryNumber[];
  /** B1: its number. */
  readonly language: number;
}

/** E2: the entries of the steps, and all that they reach, in a language. */
export function shownEntries(
  content: readonly EntryNumber[],
  language: number,
  rendering: Rendering,
): ExperienceEntries {
  const { forms } = rendering.table;
  const shown = content.map((entry) => forms.in(language, entry));
  return { content: shown, language, ...reach(shown, language, rendering) };
}

/** E1: the entries of the steps, in step order. */
export function contentEntries(
  rendering: Rendering,
  project: Project,
  experience: Experience,
): EntryNumber[] {
  const steps = rendering.stepsOf(project);
  const content = new Set<EntryNumber>();
  for (const stepId of experience.stepIds) {
    const id = steps.get(stepId)?.layoutContentId;
    const entry = id === undefined ? undefined : rendering.find(id);
    if (entry !== undefined) content.add(entry);
  }
  return [...content];
}

/** E1, E2: what an experience shows. */
export function experienceEntries(
  rendering: Rendering,
  project: Project,
  experience: Experience,
): ExperienceEntries {
  const content = contentEntries(rendering, project, experience);
  const language = rendering.languageNumber(languageKey(languageOf(project)));
  return shownEntries(content, language, rendering);
}

/** The parts of the document, its members in canonical order. */
export function experienceContentParts(
  { content, references }: ExperienceEntries,
  id: string,
  { versionId }: Surface,
): Part[] {
  return [
    '{"content":[',
    content,
    `],"experienceId":${canonicalJson(id)},"references":[`,
    references,
    `],"versionId":${canonicalJson(versionId)}}\n`,
  ];
}

/** The experience content document; undefined when the experience has no content (E6). */
export function renderExperienceContent(
  rendering: Rendering,
  project: Project,
  experience: Experience,
  surface: Surface,
): Document | undefined {
  const shown = experienceEntries(rendering, project, experience);
  if (shown.content.length === 0) return undefined;
  const parts = experienceContentParts(shown, experience.id, surface);
  const place = { project: project.id, experience: experience.id, others: 0 };
  const index = project.experiences.indexOf(experience);
  const entries = [...shown.content, ...shown.references];
  return {
    parts,
    get bytes() {
      return bytesOf(rendering, parts);
    },
    get files() {
      return entries.flatMap((entry): readonly HeldFile[] => rendering.filesOf(entry));
    },
    get problems() {
      return inProblemOrder([
        ...entries.flatMap((entry): readonly Problem[] => rendering.problemsOf(entry)),
        ...shown.tooDeep.map((found) => tooDeepProblem(rendering, found, place)),
        ...contentSizeProblems(rendering, shown, { ...place, index }),
      ]);
    },
  };
}

/** The size of the document as published, in bytes. */
export function contentSize(rendering: Rendering, shown: ExperienceEntries, id: string): number {
  return documentSize(rendering, experienceContentParts(shown, id, UNVERSIONED));
}

/** P6; `index`: the place of the experience in its project. */
export function contentSizeProblems(
  rendering: Rendering,
  shown: ExperienceEntries,
  place: { readonly project: string; readonly experience: string; readonly index: number },
): Problem[] {
  const { project, experience, index } = place;
  const bytes = contentSize(rendering, shown, experience);
  if (!isLarge(bytes)) return [];
  const most = heaviestEntry(shown.content, shown.language, rendering);
  const through = { entry: rendering.idOf(most.entry), bytes: most.bytes };
  const at = { kind: "project" as const, id: project, path: jsonPointer(["experiences", index]) };
  return sizeProblems(at, { document: "content", bytes, experience, through });
}

/** P3; `others`: in how many further experiences the same pointer is too deep. */
export function tooDeepProblem(
  { table }: Rendering,
  { entry, path, target }: TooDeep,
  place: { readonly project: string; readonly experience: string; readonly others: number },
): Problem {
  const at = { id: table.idOf(entry), path: table.paths.list[path] as string };
  const args = { target: table.idOf(target), ...place };
  return problem({ kind: "entry", ...at }, "reference-too-deep", args);
}
