import { UsageError } from "../../workspace/errors.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import type { Model, Project } from "../../workspace/records.ts";
import type { FormatOptions, FormatReport } from "../format.ts";
import type { IdMap } from "./id-index.ts";
import { LinkGraph, NumberColumn } from "./link-graph.ts";
import type { Notes } from "./notes.ts";
import { addressId } from "./page-types.ts";
import { hasPointers } from "./pointers.ts";
import { projectOf, type Root } from "./project.ts";
import type { Survey } from "./survey.ts";
import type { Types } from "./types.ts";

interface RootsContext {
  readonly survey: Survey;
  readonly types: Types;
  readonly ids: { readonly entries: IdMap };
  /** After relaxing: a `json` field has no references. */
  readonly models: readonly Model[];
  readonly notes: Notes;
}

/** The entries that become experiences (X1, X2), and the projects with them. */
export interface Roots {
  readonly types: readonly string[];
  readonly projects: readonly Project[];
  readonly unreachable: readonly string[];
  readonly experiences: FormatReport["experiences"];
}

/** @throws UsageError for a named type without entries. */
export function chooseRoots(
  workspaceId: string,
  context: RootsContext,
  options: FormatOptions,
): Roots {
  const { survey, ids, notes } = context;
  const before = options.before(workspaceId);
  const types = rootTypes(context, options.roots, before?.choices?.roots);
  const idOf = (number: number) => ids.entries.of(survey.entries.ids[number] as string);
  const all = survey.entries.ids
    .flatMap((_, number) => (survey.entries.isImported(number) ? [number] : []))
    .sort((a, b) => byCodeUnit(idOf(a), idOf(b)));
  const isOfRootType = new Set(types);
  const graph = graphOf(context);
  const pages =
    types.length > 0
      ? all.filter((number) => isOfRootType.has(survey.typeIds[number] as string))
      : graph.unreferenced(all);
  const { unreached, added } = graph.rootsBeside(
    pages,
    (number) => survey.entries.isImported(number),
    all,
  );
  const rootOf = (number: number): Root =>
    rootAt(number, context, { id: idOf(number), isOfRootType });
  const own = before?.projects.find((project) => project.id === workspaceId);
  const others = before?.projects.filter((project) => project.id !== workspaceId) ?? [];
  const isWanted = new Map([...pages, ...added].map((number) => [idOf(number), number]));
  const byId = new Map(own === undefined ? [] : all.map((number) => [idOf(number), number]));
  const { project, earlier } = projectOf(workspaceId, [...isWanted.values()].map(rootOf), {
    ...{ before: own, removesExperiences: options.removeExperiences },
    rootOf: (id) => {
      const number = byId.get(id);
      return number === undefined ? undefined : rootOf(number);
    },
    onChange: (from, to) =>
      notes.warn(`the address "${from}" is taken: the experience has the id "${to}"`),
  });
  const ofOthers = others.flatMap(({ id, experiences }) =>
    experiences.map((experience) => `${id}/${experience.id}`),
  );
  const removes = options.removeExperiences;
  return {
    types,
    projects: removes ? [project] : [project, ...others],
    unreachable: unreached.map(idOf),
    experiences: {
      added: added.map(idOf).sort(byCodeUnit),
      kept: removes ? [] : [...earlier.kept, ...ofOthers],
      removed: removes ? [...earlier.removed, ...ofOthers] : [],
    },
  };
}

/** The content types that were named, else those of the last import, else those that have addresses. */
function rootTypes(
  { survey, types, notes }: RootsContext,
  named: readonly string[] | undefined,
  kept: readonly string[] | undefined,
): string[] {
  const used = new Set(survey.typeIds.filter((_, number) => survey.entries.isImported(number)));
  const missing = named?.find((type) => !used.has(type));
  if (missing !== undefined) {
    const known = types.list.filter(({ id }) => used.has(id)).map(({ id }) => id);
    throw new UsageError(
      `no imported entry has the type "${missing}"`,
      `--roots takes types that have entries: ${known.sort().join(", ")}`,
    );
  }
  const found = survey.addresses.pageTypes();
  const chosen = named ?? kept ?? found;
  const others = named === undefined ? found.filter((type) => !chosen.includes(type)) : [];
  if (others.length > 0) {
    notes.warn(
      `entries of ${others.join(", ")} have addresses: --roots ${[...chosen, ...others].join(",")} makes experiences of them too`,
    );
  }
  return [...chosen].sort(byCodeUnit);
}

/** The references of fields that still have pointers. */
function graphOf({ survey, models }: RootsContext): LinkGraph {
  const references = new Set(
    models.flatMap(({ id, fields }) => fields.filter(hasPointers).map(({ key }) => `${id} ${key}`)),
  );
  const isReference = survey.fields.map((name) => references.has(name));
  const { from, to, through } = survey;
  const size = survey.entries.ids.length;
  if (isReference.every((one) => one)) return new LinkGraph(size, from, to);
  const kept = { from: new NumberColumn(), to: new NumberColumn() };
  for (let at = 0; at < from.length; at += 1) {
    if (!isReference[through.at(at)]) continue;
    kept.from.push(from.at(at));
    kept.to.push(to.at(at));
  }
  return new LinkGraph(size, kept.from, kept.to);
}

function rootAt(
  number: number,
  { survey, types }: RootsContext,
  { id, isOfRootType }: { readonly id: string; readonly isOfRootType: ReadonlySet<string> },
): Root {
  const type = survey.typeIds[number] as string;
  // What a button links to is not its own address.
  const address = isOfRootType.has(type) ? survey.addresses.of(number) : undefined;
  return {
    id,
    layoutName: types.modelKey(type),
    name: survey.names[number],
    wantedId: address === undefined ? id : addressId(address),
  };
}
