import { jsonPointer } from "../workspace/json.ts";
import { languageOf } from "../workspace/language.ts";
import { inProblemOrder, type Problem, problem } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import { type Document, isLarge, sizeProblems, VERSION_ID_GROWTH } from "./document.ts";
import type { RenderedEntry } from "./entry.ts";
import { heaviestEntry, reach, type ShownEntries, type TooDeep } from "./references.ts";
import { copyTexts, type Rendering } from "./rendering.ts";

/** The experience content document, with the entries that it shows. */
export interface ContentDocument extends Document {
  readonly address: Extract<Document["address"], { kind: "content" }>;
  readonly shown: ShownEntries;
  /** P6: of this document only. */
  readonly sizeProblems: readonly Problem[];
}

/** An experience as its project has it. */
export interface ExperiencePlace {
  readonly project: Project;
  readonly experience: Experience;
  /** The place of the experience in its project. */
  readonly index: number;
}

/** The documents of a project's experiences; none for those without content (E6). */
export function* projectContents(
  rendering: Rendering,
  project: Project,
): Generator<ContentDocument> {
  const entryIds = new Map(project.steps.map((step) => [step.id, step.layoutContentId]));
  for (const [index, experience] of project.experiences.entries()) {
    const place = { project, experience, index };
    const content = contentEntries(rendering, place, entryIds);
    if (content.length > 0) yield contentDocument(rendering, place, content);
  }
}

/** The document of one experience; undefined when it has no content (E6). */
export function experienceContent(
  rendering: Rendering,
  place: ExperiencePlace,
): ContentDocument | undefined {
  const { steps } = place.project;
  const entryIds = new Map(steps.map((step) => [step.id, step.layoutContentId]));
  const content = contentEntries(rendering, place, entryIds);
  return content.length === 0 ? undefined : contentDocument(rendering, place, content);
}

/** E1: the entries of the steps, in step order, each once. */
function contentEntries(
  rendering: Rendering,
  { project, experience }: ExperiencePlace,
  entryIds: ReadonlyMap<string, string | undefined>,
): RenderedEntry[] {
  const language = rendering.languageNumber(languageOf(project));
  const content = new Set<RenderedEntry>();
  for (const stepId of experience.stepIds) {
    const id = entryIds.get(stepId);
    const entry = id === undefined ? undefined : rendering.shown(id, language);
    if (entry !== undefined) content.add(entry);
  }
  return [...content];
}

function contentDocument(
  rendering: Rendering,
  place: ExperiencePlace,
  content: readonly RenderedEntry[],
): ContentDocument {
  const { project, experience } = place;
  const shown = reach(content, rendering.languageNumber(languageOf(project)), rendering);
  const { references, listed, tooDeep } = shown;
  // Members in canonical order.
  const start = '{"content":[';
  const middle = `],"experienceId":${canonicalJson(experience.id)},"references":[`;
  const end = (versionId: string | null) => `],"versionId":${canonicalJson(versionId)}}\n`;
  const commas = content.length - 1 + Math.max(0, references.length - 1);
  // Ids are ASCII (I1).
  const around = start.length + middle.length + end(null).length;
  const size = listed.reduce((sum, { text }) => sum + text.size, around + commas);
  return {
    address: { kind: "content", projectId: project.id, experienceId: experience.id },
    shown,
    size,
    bytes(versionId) {
      const bytes = Buffer.allocUnsafeSlow(versionId === null ? size : size + VERSION_ID_GROWTH);
      let at = bytes.write(start);
      at = copyTexts(content, bytes, at);
      at += bytes.write(middle, at);
      at = copyTexts(references, bytes, at);
      bytes.write(end(versionId), at);
      return bytes;
    },
    get files() {
      return listed.flatMap(({ files }) => files);
    },
    get sizeProblems() {
      return contentSizeProblems(shown, size + VERSION_ID_GROWTH, place);
    },
    get problems() {
      const places = { project: project.id, experience: experience.id, others: 0 };
      return inProblemOrder([
        ...listed.flatMap((entry) => rendering.problemsOf(entry)),
        ...tooDeep.map((found) => tooDeepProblem(found, places)),
        ...this.sizeProblems,
      ]);
    },
  };
}

/** P6. */
function contentSizeProblems(
  shown: ShownEntries,
  bytes: number,
  { project, experience, index }: ExperiencePlace,
): Problem[] {
  if (!isLarge(bytes)) return [];
  const at = {
    kind: "project",
    id: project.id,
    path: jsonPointer(["experiences", index]),
  } as const;
  const through = heaviestEntry(shown);
  return sizeProblems(at, { document: "content", bytes, experience: experience.id, through });
}

/** P3; `others`: in how many further experiences the same pointer is too deep. */
export function tooDeepProblem(
  { entry, path, target }: TooDeep,
  place: { readonly project: string; readonly experience: string; readonly others: number },
): Problem {
  return problem({ kind: "entry", id: entry.head.id, path }, "reference-too-deep", {
    target,
    ...place,
  });
}
