import { pathId, toId } from "../../documents/to-id.ts";
import { UsageError } from "../../workspace/errors.ts";
import { isKey } from "../../workspace/ids.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Experience, ImportChoices, Project, Step } from "../../workspace/records.ts";
import type { FormatOptions, FormatReport, ImportedBefore } from "../format.ts";
import { addressId, type LinkedDocuments, type LinkGraph } from "./linked-documents.ts";
import { FreeNames, plainKey } from "./name-map.ts";
import type { Notes } from "./notes.ts";
import type { Types } from "./stored-data.ts";

interface RootsContext {
  readonly linked: LinkedDocuments;
  readonly types: Types;
  readonly idOf: (number: number) => string;
  readonly notes: Notes;
  /** X3a, X3b: a project for each; none: one project without a language. */
  readonly languages: readonly Language[];
  /** X2: the ids of entries that were not public before, or that are left out as they are not. */
  readonly hidden: ReadonlySet<string>;
  readonly siteName: string | undefined;
}

/** The entries that become experiences (X1, X2), and the projects with them. */
interface Roots {
  readonly types: readonly string[];
  readonly projects: readonly Project[];
  readonly languages: readonly LanguageProject[];
  readonly unreachable: readonly string[];
  readonly experiences: FormatReport["experiences"];
}

/** Called when the experience of an entry cannot have the id that it should have, with what has it. */
type OnTaken = (entry: string, id: string, owner: { id: string; entry: string }) => void;

/** @throws UsageError for a named type without entries. */
export function chooseRoots(
  workspaceId: string,
  context: RootsContext,
  options: FormatOptions,
): Roots {
  const { idOf, notes } = context;
  const { removeExperiences: removes = false } = options;
  const { documents } = context.linked;
  const known = options.before(workspaceId);
  const types = rootTypes(context, options.roots, known?.choices?.roots);
  const all = [...documents.keys()]
    .filter((number) => documents[number] !== undefined)
    .sort((a, b) => byCodeUnit(idOf(a), idOf(b)));
  const byId = new Map(known === undefined ? [] : all.map((number) => [idOf(number), number]));
  const earlier = (known?.projects ?? []).map((project) =>
    withoutHidden(project, context.hidden, (id) => byId.has(id)),
  );
  const before = known && { ...known, projects: earlier.map(({ project }) => project) };
  const isDraft = (number: number) => documents[number]?.draft === true;
  const isOfRootType = (number: number) => types.includes(documents[number]?.type ?? "");
  const graph = context.linked.graph();
  const pages = types.length > 0 ? all.filter(isOfRootType) : graph.unreferenced(all);
  const { unreached, added } = rootsBeside(graph, pages, all, isDraft);
  const rootOf = (number: number) => rootAt(number, context, isOfRootType(number));
  const languages = languageProjects(workspaceId, context.languages, before);
  const nameIn = (id: string, [locale]: Language) =>
    context.siteName === undefined ? id : `${context.siteName} (${locale})`;
  const made = new Set([workspaceId, ...languages.map(({ id }) => id)]);
  const own = before?.projects.find((project) => project.id === workspaceId);
  const [language] = languages.flatMap((one) => (one.id === workspaceId ? [one.language] : []));
  const others = (before?.projects ?? [])
    .filter(({ id }) => !made.has(id))
    // One without a language would have none of the localized values that it had before (B5).
    .map((one) =>
      one.locale !== undefined || language === undefined ? one : inLanguage(one, language),
    );
  const isWanted = new Map([...pages, ...added].map((number) => [idOf(number), number]));
  const wanted = [...isWanted.values()].map(rootOf);
  const projectFrom = (id: string, known: Project | undefined, onTaken: OnTaken = () => {}) =>
    projectOf({ id, name: known?.name ?? context.siteName ?? id }, wanted, {
      before: known,
      removesExperiences: removes,
      onTaken,
      rootOf: (id) => {
        const number = byId.get(id);
        return number === undefined ? undefined : rootOf(number);
      },
    });
  const main = projectFrom(workspaceId, own, (entry, id, owner) =>
    notes.warnAt(
      `"${id}" of "${entry}" ("${owner.id}" is that of "${owner.entry}")`,
      ["experience has", "experiences have"],
      "another id than the entry's address or id gives, as that is taken",
    ),
  );
  const inLanguages = languages.map(({ id, language }) => {
    const known = before?.projects.find((project) => project.id === id);
    // X3b: a new language begins as a copy, so that it has the ids that experiences have kept.
    const { project, earlier } =
      id === workspaceId
        ? main
        : projectFrom(id, known ?? { ...main.project, name: nameIn(id, language) });
    return { project: inLanguage(project, language), earlier: known && earlier };
  });
  const projects =
    languages.length > 0 ? inLanguages.map(({ project }) => project) : [main.project];
  const ofLanguages = (what: "kept" | "removed") =>
    inLanguages.flatMap(({ project: { id }, earlier }) =>
      id === workspaceId ? [] : (earlier?.[what] ?? []).map((experience) => `${id}/${experience}`),
    );
  const ofOthers = others.flatMap(({ id, experiences }) =>
    experiences.map((experience) => `${id}/${experience.id}`),
  );
  const hidden = earlier.flatMap(({ project: { id }, removed }) =>
    removed.map((experience) => (id === workspaceId ? experience : `${id}/${experience}`)),
  );
  return {
    types,
    projects: removes ? projects : [...projects, ...others],
    languages,
    unreachable: unreached.map(idOf),
    experiences: {
      added: added.map(idOf).sort(byCodeUnit),
      kept: removes ? [] : [...main.earlier.kept, ...ofLanguages("kept"), ...ofOthers],
      removed: removes
        ? [...hidden, ...main.earlier.removed, ...ofLanguages("removed"), ...ofOthers]
        : hidden,
    },
  };
}

/**
 * X2: a project without the experiences that entries hid which are gone (A8): nothing would hide them
 * any more.
 */
function withoutHidden(
  project: Project,
  hidden: ReadonlySet<string>,
  exists: (entryId: string) => boolean,
): { project: Project; removed: readonly string[] } {
  const entries = new Map(project.steps.map((step) => [step.id, step.layoutContentId ?? ""]));
  const isHidden = ({ stepIds }: Experience) => {
    const own = stepIds.map((id) => entries.get(id) ?? "");
    return own.some((id) => hidden.has(id)) && !own.some(exists);
  };
  const removed = project.experiences.filter(isHidden);
  const experiences = project.experiences.filter((one) => !isHidden(one));
  const shown = new Set(experiences.flatMap(({ stepIds }) => stepIds));
  const gone = new Set(removed.flatMap(({ stepIds }) => stepIds.filter((id) => !shown.has(id))));
  const steps = project.steps.filter(({ id }) => !gone.has(id));
  return { project: { ...project, steps, experiences }, removed: removed.map(idOf) };
}

/** As `LinkGraph.rootsBeside`; what only drafts lead to is not reached, since they are not published (A8, X1e). */
function rootsBeside(
  graph: LinkGraph,
  pages: readonly number[],
  all: readonly number[],
  isDraft: (number: number) => boolean,
): { unreached: number[]; added: number[] } {
  const whole = graph.rootsBeside(pages, all);
  if (!all.some(isDraft)) return whole;
  const isPublished = (number: number) => !isDraft(number);
  const published = graph.rootsBeside(pages.filter(isPublished), all.filter(isPublished));
  return {
    unreached: [...published.unreached, ...whole.unreached.filter(isDraft)],
    added: [...published.added, ...whole.added.filter(isDraft)],
  };
}

/** X1a, X1b: the types that were named, else those of the last import, else those that have addresses. */
function rootTypes(
  { linked: { documents, addresses }, notes }: RootsContext,
  named: readonly string[] | undefined,
  kept: readonly string[] | undefined,
): string[] {
  const used = new Set(documents.flatMap((document) => document?.type ?? []));
  const missing = named?.find((type) => !used.has(type));
  if (missing !== undefined) {
    throw new UsageError(
      `no imported entry has the type "${missing}"`,
      `--roots takes types that have entries: ${[...used].sort().join(", ")}`,
    );
  }
  const found = addresses.pageTypes();
  const chosen = named ?? kept ?? found;
  const others = named === undefined ? found.filter((type) => !chosen.includes(type)) : [];
  if (others.length > 0) {
    notes.warn(
      `entries of ${others.join(", ")} have addresses: --roots ${[...chosen, ...others].join(",")} makes experiences of them too`,
    );
  }
  return [...chosen].sort(byCodeUnit);
}

function rootAt(
  number: number,
  { linked: { documents, addresses, names }, types, idOf }: RootsContext,
  isOfRootType: boolean,
): Root {
  const { type = "", draft = false } = documents[number] ?? {};
  const id = idOf(number);
  // What a button links to is not its own address.
  const address = isOfRootType ? addresses.of(number) : undefined;
  return {
    id,
    layoutName: types.model(type).key,
    name: names[number],
    address,
    rank: [Number(draft), ...(isOfRootType ? addresses.rank(type) : [Number.POSITIVE_INFINITY])],
    wantedId: address === undefined ? id : pathId(addressId(address)),
  };
}

interface LanguageProject {
  readonly id: string;
  readonly language: Language;
}

/** The locale to import; undefined: all (X3c, X18). `*` takes all, also when the last import took one. */
export function chosenLocale(
  named: string | undefined,
  before: ImportChoices | undefined,
): string | undefined {
  return named === "*" ? undefined : (named ?? before?.locale);
}

/**
 * X3a: the ids of the projects of languages. One language has the workspace's id: that of the project
 * with this id before, else the first one.
 */
function languageProjects(
  workspaceId: string,
  languages: readonly Language[],
  before: ImportedBefore | undefined,
): LanguageProject[] {
  const known = before?.projects.find(({ id }) => id === workspaceId)?.locale;
  const wanted = known ?? before?.choices?.locale;
  const main = languages.find(([locale]) => locale === wanted) ?? languages[0];
  const ids = new FreeNames([workspaceId], inLowerCase);
  return languages.map((language) => {
    const [locale = ""] = language;
    const wanted = () => toId(`${workspaceId}-${locale.toLowerCase()}`);
    return { id: language === main ? workspaceId : ids.take(wanted(), locale), language };
  });
}

function inLanguage(project: Project, [locale, ...fallbackLocales]: Language): Project {
  const { id, name, fields, steps, experiences } = project;
  return {
    id,
    name,
    ...(fields !== undefined && { fields }),
    ...(locale !== undefined && { locale }),
    ...(fallbackLocales.length > 0 && { fallbackLocales }),
    steps,
    experiences,
  };
}

/** An entry that is the content of an experience. */
interface Root {
  readonly id: string;
  readonly layoutName: string;
  /** Undefined: the entry's id. */
  readonly name: string | undefined;
  readonly address: string | undefined;
  /** The experience's id, if that is not taken. */
  readonly wantedId: string;
  /** X1f: of two with the same address the lower one has it: published before draft, page before menu item. */
  readonly rank: readonly number[];
}

/** The ids of experiences that an import keeps, and of those that it removes. */
interface EarlierExperiences {
  readonly kept: readonly string[];
  readonly removed: readonly string[];
}

interface ProjectContext {
  /** The project as the last import, or its users, have left it. */
  readonly before: Project | undefined;
  readonly removesExperiences: boolean;
  readonly rootOf: (entryId: string) => Root | undefined;
  readonly onTaken: OnTaken;
}

/**
 * Generates the project: for each root entry, an experience with one step. An experience that was
 * there before stays as it is, with its id, whatever its entry is now (X2).
 */
function projectOf(
  { id, name }: Pick<Project, "id" | "name">,
  roots: readonly Root[],
  context: ProjectContext,
): { project: Project; earlier: EarlierExperiences } {
  const { before, removesExperiences, rootOf } = context;
  const { steps = [], experiences = [] } = before ?? {};
  const stepsById = new Map(steps.map((step) => [step.id, step]));
  const rootIds = new Set(roots.map((root) => root.id));
  const isRoot = ({ stepIds }: Experience) =>
    stepIds.length === 1 && rootIds.has(stepsById.get(stepIds[0] ?? "")?.layoutContentId ?? "");
  const lost = experiences.filter((experience) => !isRoot(experience)).map(idOf);
  const kept = experiences.filter((one) => isRoot(one) || !removesExperiences);
  const keptStepIds = new Set(kept.flatMap(({ stepIds }) => stepIds));
  const keptSteps = steps
    .filter((step) => keptStepIds.has(step.id))
    .map((step) => renewed(step, rootOf(step.layoutContentId ?? "")));
  const shown = new Set(keptSteps.map(({ layoutContentId }) => layoutContentId));
  const others = roots
    .filter((root) => !shown.has(root.id))
    .sort((a, b) => byRank(a.rank, b.rank) || byCodeUnit(a.id, b.id));
  const names = namesOf(others, keptSteps, kept, context.onTaken);
  const added = others.map(({ id, name = id, layoutName }): Step => {
    const own = names.get(id) as { id: string; key: string };
    return { ...own, name, layoutName, layoutContentId: id };
  });
  const keptNames = new Map(keptSteps.map((step) => [step.id, step.name]));
  const allSteps = [...keptSteps, ...added].sort(byId);
  const withAddress = new Set(roots.filter((one) => one.address !== undefined).map(idOf));
  const isPage = ({ layoutContentId }: Step) => withAddress.has(layoutContentId ?? "");
  const pages = new Set(allSteps.filter(isPage).map(idOf));
  const isNoPage = ({ stepIds }: Experience) => Number(!stepIds.some((one) => pages.has(one)));
  return {
    project: {
      ...(before?.fields !== undefined && { fields: before.fields }),
      id,
      name,
      steps: allSteps,
      experiences: [
        ...kept.map((one) => ({
          ...one,
          name:
            one.stepIds.length === 1 ? (keptNames.get(one.stepIds[0] ?? "") ?? one.name) : one.name,
        })),
        ...added.map(({ id, key, name }) => ({ id, key, name, stepIds: [id] })),
      ]
        .sort(byId)
        // X1g.
        .sort((a, b) => isNoPage(a) - isNoPage(b)),
    },
    earlier: { kept: removesExperiences ? [] : lost, removed: removesExperiences ? lost : [] },
  };
}

/** A step with the name and the layout that its entry has now. */
function renewed(step: Step, root: Root | undefined): Step {
  if (root === undefined) return step;
  return { ...step, name: root.name ?? root.id, layoutName: root.layoutName };
}

const idOf = ({ id }: { readonly id: string }) => id;
const byId = (a: { readonly id: string }, b: { readonly id: string }) => byCodeUnit(a.id, b.id);

/** In order of the first number that differs. */
function byRank(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((number, index) => number !== b[index]);
  return at < 0 ? 0 : (a[at] as number) - (b[at] as number);
}

/** Experience ids become file names (I1). */
const inLowerCase = (id: string) => id.toLowerCase();

/** X25c: the id and the key of each new experience and its step, beside those that are taken. */
function namesOf(
  roots: readonly Root[],
  steps: readonly Step[],
  experiences: readonly Experience[],
  onTaken: OnTaken,
): ReadonlyMap<string, { readonly id: string; readonly key: string }> {
  const entries = new Map(steps.map(({ id, layoutContentId = id }) => [id, layoutContentId]));
  const own = experiences.map(({ id, stepIds: [step = ""] }) => [id, entries.get(step) ?? id]);
  const owners = new Map<string, { readonly id: string; readonly entry: string }>();
  const owns = (entry: string, id: string) => owners.set(inLowerCase(id), { id, entry });
  for (const [id = "", entry = ""] of [...entries, ...own]) owns(entry, id);
  const ids = new FreeNames([...owners.keys()], inLowerCase);
  const named = roots.map(({ id: entry, wantedId }) => {
    const id = ids.take(wantedId, entry);
    const owner = owners.get(inLowerCase(wantedId));
    if (owner !== undefined) onTaken(entry, id, owner);
    owns(entry, id);
    return { entry, id };
  });
  // A key that is made never takes the place of an id that is one.
  named.sort((a, b) => Number(isKey(b.id)) - Number(isKey(a.id)));
  const keys = new FreeNames([...steps, ...experiences].map(({ key }) => key));
  return new Map(
    named.map(({ entry, id }) => {
      const key = keys.take(plainKey(id, "entry_").slice(0, 128), entry, "_");
      return [entry, { id, key }];
    }),
  );
}
