import type { ReferenceField } from "../fields/reference.ts";
import { suggestedLocale } from "../workspace/did-you-mean.ts";
import type { Draft } from "../workspace/draft.ts";
import { byCodeUnit, jsonPointer } from "../workspace/json.ts";
import { inProblemOrder, type Problem, type ProblemPlace, problem } from "../workspace/problem.ts";
import { doneAtOnce } from "../workspace/work.ts";
import { experienceAt } from "./collections.ts";
import { assetProblems, assetTextProblems, definitionProblems } from "./definition-problems.ts";
import { type Document, sizeProblems, VERSION_ID_GROWTH } from "./document.ts";
import { documents } from "./documents.ts";
import type { RenderedEntry, UniqueValue } from "./entry.ts";
import { ContentDocument, tooDeepProblem } from "./experience-content.ts";
import { fileNameProblems } from "./file-names.ts";
import { draftLocales, hiddenIn, leftOutOf } from "./hidden-entries.ts";
import { acrossLanguages } from "./language-problems.ts";
import type { TooDeep } from "./references.ts";
import type { OnProgress, Rendering } from "./rendering.ts";
import { searchProblems } from "./search-problems.ts";
import { withSuggestedIds } from "./suggested-ids.ts";

export interface CheckOptions {
  readonly onProgress?: OnProgress | undefined;
  /** Called for each document that can be published (P6b). */
  readonly onDocument?: (document: Document) => void;
}

/** P1: every problem of the draft in the stable order, of entries that no document shows too. */
export function checkDraft(rendering: Rendering, options?: CheckOptions): readonly Problem[] {
  return doneAtOnce(checkedInParts(rendering, options));
}

/** The same, in parts of an entry or a document. */
export function* checkedInParts(
  rendering: Rendering,
  { onProgress, onDocument }: CheckOptions = {},
): Generator<void, readonly Problem[]> {
  const { draft, lookup } = rendering;
  const problems: Problem[] = [];
  const add = (found: Iterable<Problem>) => {
    for (const one of found) problems.push(one);
  };
  const duplicates = new DuplicateValues();
  const loops = new ParentLoops(draft);
  for (const inLanguages of rendering.byEntry(onProgress)) {
    add(acrossLanguages(inLanguages.map((one) => rendering.problemsOf(one))));
    for (const { entry } of inLanguages) {
      duplicates.add(entry);
      loops.add(entry);
    }
    yield;
  }
  add(duplicates.problems(rendering));
  yield;
  add(rendering.leveled(loops.problems()));
  yield;
  const depth = new DepthProblems();
  const heavy = new HeavyDocuments();
  let largestSchema = 0;
  /** The ids of the projects that have a content document. */
  const served = new Set<string>();
  for (const document of documents(rendering, "published")) {
    const isContent = document instanceof ContentDocument;
    if (!(isContent && document.isTooLarge)) onDocument?.(document);
    if (isContent) {
      served.add(document.address.projectId);
      depth.add(document);
      heavy.add(document);
      add(rendering.leveled(document.foundProblems));
    } else {
      add(document.problems);
      if (document.address.kind === "schema") {
        largestSchema = Math.max(largestSchema, document.size + VERSION_ID_GROWTH);
      }
    }
    yield;
  }
  add(rendering.leveled([...depth.problems(rendering), ...heavy.problems()]));
  // P6: those of all projects are made of the workspace's models.
  const workspace = { kind: "workspace", id: draft.workspace.id, path: "" } as const;
  const found = [
    ...sizeProblems(workspace, { document: "schema", bytes: largestSchema }),
    ...definitionProblems(draft, lookup.optionProblems, problems),
    ...searchProblems(rendering.values.searches, draft.entries),
    ...assetProblems(draft),
    ...fileNameProblems(rendering),
    ...assetTextProblems(draft, lookup.locales),
    ...draftLocaleProblems(rendering),
    ...nothingServed(rendering, workspace, served),
  ];
  add(rendering.leveled(found));
  return inProblemOrder(withSuggestedIds(problems, rendering));
}

/** A pointer that is too deep, in the first experience that has it. */
interface CutPointer {
  readonly found: TooDeep;
  readonly project: string;
  readonly experience: string;
  /** Further experiences in which the same pointer, or another one of the same list, is too deep. */
  others: number;
  /** The last one of all. */
  last: object;
}

/** The experience of a project from which the depth limit leaves out the most entries. */
interface MostCut {
  readonly experience: string;
  /** How many. */
  readonly count: number;
  readonly tooDeep: readonly TooDeep[];
}

/** From this many entries on it is reported that the depth limit leaves them out (P7). */
const MANY = 10;

/** P3, P7: what the depth limit leaves out of all experiences. */
class DepthProblems {
  /** By entry and path: a pointer that is too deep in several experiences is one problem. */
  readonly #pointers = new Map<string, CutPointer>();
  /** By project. */
  readonly #most = new Map<string, MostCut>();

  add({ address, shown: { tooDeep } }: ContentDocument): void {
    const { projectId: project, experienceId: experience } = address;
    for (const found of tooDeep) {
      const place = `${found.entry.head.id} ${found.path}`;
      const known = this.#pointers.get(place);
      if (known === undefined) {
        this.#pointers.set(place, { found, project, experience, others: 0, last: tooDeep });
      } else if (known.last !== tooDeep) {
        known.others += 1;
        known.last = tooDeep;
      }
    }
    const least = this.#most.get(project)?.count ?? MANY - 1;
    if (tooDeep.length <= least) return;
    const { size: count } = new Set(tooDeep.map(({ target }) => target));
    if (count > least) this.#most.set(project, { experience, count, tooDeep });
  }

  problems({ projects }: Rendering): Problem[] {
    return [
      ...Array.from(this.#pointers.values(), ({ found, last: _, ...place }) =>
        tooDeepProblem(found, place),
      ),
      ...projects.flatMap((project) => {
        const most = this.#most.get(project.id);
        if (most === undefined) return [];
        const { experience, count, tooDeep } = most;
        const pointers = Map.groupBy(tooDeep, ({ entry }) => entry.head.id);
        const [first] = [...pointers].sort(([, a], [, b]) => b.length - a.length);
        const [entry, cut] = first as [string, TooDeep[]];
        const index = project.experiences.findIndex((one) => one.id === experience);
        const args = { experience, count, entry, pointers: cut.length };
        return problem(experienceAt(project, index), "experience-too-deep", args);
      }),
    ];
  }
}

/** P6: the content documents that are heavy. */
class HeavyDocuments {
  /** By project. */
  readonly #heaviest = new Map<string, { document: ContentDocument; count: number }>();
  /** P6b: each is an error. */
  readonly #tooLarge: ContentDocument[] = [];

  add(document: ContentDocument): void {
    if (document.isTooLarge) this.#tooLarge.push(document);
    if (document.isTooLarge || !document.isHeavy) return;
    const { projectId } = document.address;
    const known = this.#heaviest.get(projectId);
    if (known === undefined) this.#heaviest.set(projectId, { document, count: 1 });
    else {
      known.count += 1;
      if (document.size > known.document.size) known.document = document;
    }
  }

  problems(): Problem[] {
    return [
      ...this.#tooLarge.flatMap((document) => document.sizeProblems()),
      ...[...this.#heaviest.values()].flatMap(({ document, count }) =>
        document.sizeProblems(count - 1),
      ),
    ];
  }
}

interface Holder {
  readonly id: string;
  readonly value: UniqueValue;
}

/**
 * V10: finds the entries whose value of a unique field another entry has too. Of entries with the same
 * value, the first by id is named by the problems of all others.
 */
export class DuplicateValues {
  /** By model, field, language and value. */
  readonly #holders = new Map<string, Holder | Holder[]>();

  add({ head, uniqueValues }: RenderedEntry): void {
    for (const value of uniqueValues) {
      const key = `${head.modelId} ${value.field.key} ${value.language} ${value.text}`;
      const holder = { id: head.id, value };
      const known = this.#holders.get(key);
      if (Array.isArray(known)) known.push(holder);
      else this.#holders.set(key, known === undefined ? holder : [known, holder]);
    }
  }

  problems(rendering: Rendering): Problem[] {
    const { inLocales } = rendering.hidden;
    return [...this.#holders.values()].flatMap((holders) => {
      if (!Array.isArray(holders)) return [];
      const [{ value }] = holders as [Holder];
      // A7: what all languages have may be a duplicate in some, since not all entries are in all.
      const isInEach = !value.field.localized && holders.some(({ id }) => inLocales.has(id));
      const languages = isInEach ? [...rendering.lookup.languages.keys()] : [value.language];
      return languages.flatMap((language) => this.#duplicates(holders, language, rendering));
    });
  }

  #duplicates(holders: Holder[], language: number, rendering: Rendering): Problem[] {
    // A1a, A3: that an unfinished entry comes first is no error of one that is published.
    const isLate = ({ id }: Holder) => rendering.isHidden(id, language);
    holders.sort((a, b) => Number(isLate(a)) - Number(isLate(b)) || byCodeUnit(a.id, b.id));
    const [first, ...others] = holders as [Holder, ...Holder[]];
    return others.flatMap(({ id, value: { field } }) => {
      const locale = rendering.lookup.localeOf(language);
      const names = field.localized && locale !== undefined && { locale };
      const place = { kind: "entry", id, path: jsonPointer([field.key]) } as const;
      const args = { field: field.key, other: first.id, ...names };
      return rendering.problemsIn(id, language, [problem(place, "value-duplicate", args)]);
    });
  }
}

/** A7b: entries that are drafts in a locale of no project, where nothing hides them. */
function draftLocaleProblems({ draft, lookup: { locales } }: Rendering): Problem[] {
  return [...draft.entries.values()].flatMap(({ id, publishing = {} }) => {
    const locale = [...draftLocales(publishing)].find((one) => !locales.has(one));
    if (locale === undefined) return [];
    const meant = suggestedLocale(locale, locales);
    return problem({ kind: "entry", id, path: "" }, "draft-locale-unknown", { locale, ...meant });
  });
}

/** P18, P19: why projects serve no content document, if they should. */
function nothingServed(
  { draft, projects, hidden, collections }: Rendering,
  workspace: ProblemPlace,
  served: ReadonlySet<string>,
): Problem[] {
  const { inLocales: _, ...counts } = leftOutOf(hidden);
  const count = hidden.byId.size;
  if (count > 0 && count === draft.entries.size) {
    return [problem(workspace, "entries-hidden", counts)];
  }
  return projects.flatMap((project) => {
    const { id, locale, experiences, collections: made = [] } = project;
    // Q12, Q13: an error says already why collections have none.
    const isSaid = hasErrors(collections.of(project)?.problems);
    if (served.has(id) || isSaid || experiences.length + made.length === 0) return [];
    const isHidden = (entry: string) => hiddenIn(hidden, entry, locale) !== undefined;
    const args = {
      project: id,
      experiences: experiences.length,
      collections: made.length,
      hidden: [...draft.entries.keys()].filter(isHidden).length,
    };
    return problem({ kind: "project", id, path: "" }, "experiences-empty", args);
  });
}

function hasErrors(problems: readonly Problem[] = []): boolean {
  return problems.some(({ level }) => level === "error");
}

/** How many entries of a loop are named. */
const NAMED = 5;

/** P16: finds entries that are their own ancestors. */
export class ParentLoops {
  /** By model: the paths of its references to one entry of the same model. */
  readonly #fields = new Map<string, readonly string[]>();
  /** By the path of the reference: the parent of each entry. */
  readonly #parents = new Map<string, Map<string, string>>();

  constructor({ models }: Pick<Draft, "models">) {
    for (const { id, key, fields } of models) {
      const own = (fields as readonly ReferenceField[]).filter(
        ({ type, repeatable, models: accepted = [] }) =>
          type === "reference" && !repeatable && accepted.length === 1 && accepted[0] === key,
      );
      if (own.length > 0)
        this.#fields.set(
          id,
          own.map((field) => jsonPointer([field.key])),
        );
    }
  }

  add({ head, pointers }: RenderedEntry): void {
    const fields = this.#fields.get(head.modelId);
    if (fields === undefined) return;
    for (const { path, target } of pointers) {
      // B2a: of a localized field each locale has its own parents.
      if (!fields.some((field) => path === field || path.startsWith(`${field}/`))) continue;
      const parents = this.#parents.get(path) ?? new Map<string, string>();
      this.#parents.set(path, parents.set(head.id, target));
    }
  }

  /** One for each loop, at its first entry by id. */
  problems(): Problem[] {
    return [...this.#parents].flatMap(([path, parents]) => {
      const field = path.split("/")[1] as string;
      return loopsIn(parents).map((loop) =>
        problem({ kind: "entry", id: loop[0] as string, path }, "parent-loop", {
          field,
          entries: loop.slice(0, NAMED),
          others: Math.max(0, loop.length - NAMED),
        }),
      );
    });
  }
}

/** Each loop once, from its first entry by id on. Each entry is visited once. */
function loopsIn(parents: ReadonlyMap<string, string>): string[][] {
  const loops: string[][] = [];
  /** By entry: the one whose ancestors were followed when it was visited. */
  const visited = new Map<string, string>();
  for (const start of parents.keys()) {
    const way: string[] = [];
    let at: string | undefined = start;
    while (at !== undefined && !visited.has(at)) {
      visited.set(at, start);
      way.push(at);
      at = parents.get(at);
    }
    if (at === undefined || visited.get(at) !== start) continue;
    const loop = way.slice(way.indexOf(at));
    const first = loop.indexOf(loop.reduce((least, id) => (id < least ? id : least)));
    loops.push([...loop.slice(first), ...loop.slice(0, first)]);
  }
  return loops;
}
