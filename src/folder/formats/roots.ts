import { UsageError } from "../../workspace/errors.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import type { Language } from "../../workspace/language.ts";
import type { Project } from "../../workspace/records.ts";
import type { FormatOptions, FormatReport } from "../format.ts";
import { inLanguage, type LanguageProject, languageProjects } from "./languages.ts";
import type { LinkGraph } from "./link-graph.ts";
import type { Notes } from "./notes.ts";
import { addressId, type PageAddresses } from "./page-types.ts";
import { projectOf, type Root } from "./project.ts";

/** The imported entries, by their numbers. */
export interface RootsContext {
  /** The type of each entry that is imported; undefined: only a target. */
  readonly typeIds: readonly (string | undefined)[];
  readonly idOf: (number: number) => string;
  readonly isDraft: (number: number) => boolean;
  readonly names: readonly (string | undefined)[];
  readonly addresses: PageAddresses;
  readonly graph: LinkGraph;
  readonly modelKeyOf: (typeId: string) => string;
  readonly notes: Notes;
  /** X3: a project for each; none: one project without a language. */
  readonly languages: readonly Language[];
}

/** The entries that become experiences (X1, X2), and the projects with them. */
export interface Roots {
  readonly types: readonly string[];
  readonly projects: readonly Project[];
  /** The languages with their projects. */
  readonly languages: readonly LanguageProject[];
  readonly unreachable: readonly string[];
  readonly experiences: FormatReport["experiences"];
}

type NameChange = (from: string, to: string) => void;

/** @throws UsageError for a named type without entries. */
export function chooseRoots(
  workspaceId: string,
  context: RootsContext,
  options: FormatOptions,
): Roots {
  const { typeIds, idOf, graph, notes } = context;
  const before = options.before(workspaceId);
  const types = rootTypes(context, options.roots, before?.choices?.roots);
  const all = typeIds
    .flatMap((type, number) => (type === undefined ? [] : [number]))
    .sort((a, b) => byCodeUnit(idOf(a), idOf(b)));
  const isOfRootType = new Set(types);
  const pages =
    types.length > 0
      ? all.filter((number) => isOfRootType.has(typeIds[number] as string))
      : graph.unreferenced(all);
  const { unreached, added } = rootsBeside(pages, all, context);
  const rootOf = (number: number): Root =>
    rootAt(number, context, { id: idOf(number), isOfRootType });
  const languages = languageProjects(workspaceId, context.languages, before);
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
  const drafts = [...isWanted.values()].filter(context.isDraft).length;
  if (drafts > 0) {
    notes.warn(`drafts without an experience until an import has them published: ${drafts}`);
  }
  const byId = new Map(before === undefined ? [] : all.map((number) => [idOf(number), number]));
  const wanted = [...isWanted.values()].map(rootOf);
  const projectFrom = (id: string, known: Project | undefined, onChange: NameChange = () => {}) =>
    projectOf(id, wanted, {
      ...{ before: known, removesExperiences: options.removeExperiences, onChange },
      rootOf: (id) => {
        const number = byId.get(id);
        return number === undefined ? undefined : rootOf(number);
      },
    });
  const main = projectFrom(workspaceId, own, (from, to) =>
    notes.warn(`the address "${from}" is taken: the experience has the id "${to}"`),
  );
  const inLanguages = languages.map(({ id, language }) => {
    const known = before?.projects.find((project) => project.id === id);
    // A new language begins as a copy, so that it has the ids that experiences have kept.
    const { project, earlier } =
      id === workspaceId ? main : projectFrom(id, known ?? { ...main.project, name: id });
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
  const removes = options.removeExperiences;
  return {
    types,
    projects: removes ? projects : [...projects, ...others],
    languages,
    unreachable: unreached.map(idOf),
    experiences: {
      added: added
        .filter((number) => !context.isDraft(number))
        .map(idOf)
        .sort(byCodeUnit),
      kept: removes ? [] : [...main.earlier.kept, ...ofLanguages("kept"), ...ofOthers],
      removed: removes ? [...main.earlier.removed, ...ofLanguages("removed"), ...ofOthers] : [],
    },
  };
}

/** As `LinkGraph.rootsBeside`; what only drafts lead to is not reached, since they are not published (A1). */
function rootsBeside(
  pages: readonly number[],
  all: readonly number[],
  { graph, typeIds, isDraft }: RootsContext,
): { unreached: number[]; added: number[] } {
  const isEntry = (number: number) => typeIds[number] !== undefined;
  const whole = graph.rootsBeside(pages, isEntry, all);
  if (!all.some(isDraft)) return whole;
  const isPublished = (number: number) => isEntry(number) && !isDraft(number);
  const published = graph.rootsBeside(
    pages.filter(isPublished),
    isPublished,
    all.filter(isPublished),
  );
  return {
    unreached: [...published.unreached, ...whole.unreached.filter(isDraft)],
    added: [...published.added, ...whole.added.filter(isDraft)],
  };
}

/** The types that were named, else those of the last import, else those that have addresses. */
function rootTypes(
  { typeIds, addresses, notes }: RootsContext,
  named: readonly string[] | undefined,
  kept: readonly string[] | undefined,
): string[] {
  const used = new Set(typeIds);
  const missing = named?.find((type) => !used.has(type));
  if (missing !== undefined) {
    const known = [...used].filter((id) => id !== undefined);
    throw new UsageError(
      `no imported entry has the type "${missing}"`,
      `--roots takes types that have entries: ${known.sort().join(", ")}`,
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
  { typeIds, addresses, names, modelKeyOf, isDraft }: RootsContext,
  { id, isOfRootType }: { readonly id: string; readonly isOfRootType: ReadonlySet<string> },
): Root {
  const type = typeIds[number] as string;
  // What a button links to is not its own address.
  const address = isOfRootType.has(type) ? addresses.of(number) : undefined;
  return {
    id,
    layoutName: modelKeyOf(type),
    name: names[number],
    isDraft: isDraft(number),
    wantedId: address === undefined ? id : addressId(address),
  };
}
