import { MAXIMUM_FOUND } from "../workspace/conditions.ts";
import { SvcError } from "../workspace/errors.ts";
import { languageOf } from "../workspace/language.ts";
import { inProblemOrder, type Problem, problem } from "../workspace/problem.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { canonicalJson } from "./canonical-json.ts";
import { experienceAt } from "./collections.ts";
import {
  type Document,
  isHeavy,
  LARGEST_CONTENT,
  sizeProblems,
  VERSION_ID_GROWTH,
} from "./document.ts";
import type { RenderedEntry } from "./entry.ts";
import { heaviestField, reach, type ShownEntries, type TooDeep } from "./references.ts";
import { copyTexts, type Rendering } from "./rendering.ts";

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
    if (content.length > 0) yield new ContentDocument(rendering, place, content);
  }
}

/** The document of one experience; undefined when it has no content (E6). */
export function experienceContent(
  rendering: Rendering,
  place: ExperiencePlace,
): ContentDocument | undefined {
  // Of the steps of 100,000 experiences a map takes longer than all else.
  const wanted = new Set(place.experience.stepIds);
  const steps = place.project.steps.filter(({ id }) => wanted.has(id));
  const entryIds = new Map(steps.map((step) => [step.id, step.layoutContentId]));
  const content = contentEntries(rendering, place, entryIds);
  return content.length === 0 ? undefined : new ContentDocument(rendering, place, content);
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

/** The experience content document, with the entries that it shows. */
export class ContentDocument implements Document {
  readonly shown: ShownEntries;
  readonly size: number;
  readonly #rendering: Rendering;
  readonly #place: ExperiencePlace;

  /** @param content the entries of the steps: not none (E6). */
  constructor(rendering: Rendering, place: ExperiencePlace, content: readonly RenderedEntry[]) {
    this.#rendering = rendering;
    this.#place = place;
    this.shown = reach(content, this.#language, rendering);
    const { references } = this.shown;
    const commas = content.length - 1 + Math.max(0, references.length - 1);
    const around = this.#around(null).reduce((sum, text) => sum + text.length, 0);
    this.size = this.entries().reduce((sum, { size }) => sum + size, around + commas);
  }

  get #language(): number {
    return this.#rendering.languageNumber(languageOf(this.#place.project));
  }

  get address() {
    const { project, experience } = this.#place;
    return { kind: "content", projectId: project.id, experienceId: experience.id } as const;
  }

  entries(): RenderedEntry[] {
    return [...this.shown.content, ...this.shown.references];
  }

  /** What is around the two lists of entries, the members in canonical order. Ids are ASCII (I1). */
  #around(versionId: string | null) {
    return [
      '{"content":[',
      `],"experienceId":${canonicalJson(this.#place.experience.id)},"references":[`,
      `],"versionId":${canonicalJson(versionId)}}\n`,
    ] as const;
  }

  /** P6b: then it is not all that it would have, and has no bytes. */
  get isTooLarge(): boolean {
    return this.size + VERSION_ID_GROWTH > LARGEST_CONTENT;
  }

  /** @throws SvcError `document-too-large`. */
  bytes(versionId: string | null): Buffer {
    if (this.isTooLarge) {
      const what = `the content document of the experience "${this.address.experienceId}"`;
      throw new SvcError("document-too-large", `${what} has more than 64 MB`, {
        hint: "svc check says through which entry",
      });
    }
    const { content, references } = this.shown;
    const [start, middle, end] = this.#around(versionId);
    const size = versionId === null ? this.size : this.size + VERSION_ID_GROWTH;
    const bytes = Buffer.allocUnsafeSlow(size);
    let at = bytes.write(start);
    at = copyTexts(content, bytes, at);
    at += bytes.write(middle, at);
    at = copyTexts(references, bytes, at);
    bytes.write(end, at);
    return bytes;
  }

  get files() {
    return this.entries().flatMap(({ files }) => files);
  }

  get isHeavy(): boolean {
    return isHeavy("content", this.size + VERSION_ID_GROWTH);
  }

  /** P6a: what makes it as large as it is. */
  get through() {
    return heaviestField(this.shown.content, this.#language, this.#rendering);
  }

  /**
   * P6, P6b: that it is heavy, or too large.
   *
   * @param others how many more of its project are heavy
   */
  sizeProblems(others = 0): Problem[] {
    if (!this.isHeavy) return [];
    const { project, experience, index } = this.#place;
    const bytes = this.size + VERSION_ID_GROWTH;
    const { through } = this;
    const heavy = { document: "content", bytes, experience: experience.id, through } as const;
    return sizeProblems(experienceAt(project, index), { ...heavy, ...(others > 0 && { others }) });
  }

  /** Q9: that the queries of all that it shows find too much. */
  get foundProblems(): Problem[] {
    if (!this.#rendering.values.searches.some(({ query }) => query)) return [];
    const found = new Map<string, number>();
    for (const { pointers } of this.entries()) {
      for (const { path, isFound } of pointers) {
        if (isFound) found.set(path, (found.get(path) ?? 0) + 1);
      }
    }
    const count = [...found.values()].reduce((sum, one) => sum + one, 0);
    if (count <= MAXIMUM_FOUND) return [];
    const [[path = ""] = []] = [...found].sort(([, a], [, b]) => b - a);
    const { project, experience, index } = this.#place;
    const args = { experience: experience.id, count, path };
    return [problem(experienceAt(project, index), "query-exceeded", args)];
  }

  get problems(): Problem[] {
    const { project, experience } = this.#place;
    const places = { project: project.id, experience: experience.id, others: 0 };
    return inProblemOrder([
      ...this.entries().flatMap((entry) =>
        this.#rendering.problemsOf({ entry, language: this.#language }),
      ),
      ...this.#rendering.leveled([
        ...this.shown.tooDeep.map((found) => tooDeepProblem(found, places)),
        ...this.sizeProblems(),
        ...this.foundProblems,
      ]),
    ]);
  }
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
