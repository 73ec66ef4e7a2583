import { type RenderedEntry, renderData } from "../documents/entry.ts";
import { renderProjectFields } from "../documents/project-config.ts";
import { MAXIMUM_DEPTH } from "../documents/references.ts";
import { localizedModels, modelsWithQueries } from "../fields/localized.ts";
import type { EntryHead } from "../workspace/draft.ts";
import { languageOf } from "../workspace/language.ts";
import { Memory } from "../workspace/memory.ts";
import type { Experience, Project } from "../workspace/records.ts";
import { Work } from "../workspace/work.ts";
import type { DraftState } from "./draft-state.ts";
import { pointerTarget } from "./entry-summary.ts";
import { projectName } from "./spoken.ts";

/** How many pages and entries one answer names. */
const LISTED = 200;

/** Lists of numbered nodes by node: those of node `n` are from `starts[n]` to `starts[n + 1]`. */
interface Adjacency {
  readonly starts: Uint32Array;
  readonly nodes: Uint32Array;
}

/** The links of one language, in both directions. */
interface Graph {
  readonly to: Adjacency;
  readonly from: Adjacency;
}

/** An experience with content, of which an author thinks as a page. */
interface Page {
  readonly project: Project;
  readonly experience: Experience;
  readonly graph: Graph;
  /** The entries of its steps (E1). */
  readonly content: readonly number[];
}

/** How often something is used. */
export interface Uses {
  /** The experiences whose content document has it. */
  readonly pages: number;
  /** The entries and projects that name it. */
  readonly users: number;
}

export type WhereUsed = ReturnType<UseIndex["whereUsed"]>;
export type UsedKind = "entries" | "assets";

/** Their numbers by id. */
type Nodes = Readonly<Record<UsedKind, ReadonlyMap<string, number>>>;

/**
 * H34: where the entries and assets of one state of a draft are used, as previewed. Its nodes are
 * numbered: entries, then assets, those that are missing too, then projects.
 */
class UseIndex {
  readonly #state: DraftState;
  readonly #nodes: Nodes;
  readonly #entryIds: readonly string[];
  /** The number of the first project. */
  readonly #projectsAt: number;
  /** Each once: most drafts have one for all languages. */
  readonly #graphs: readonly Graph[];
  readonly #pages: readonly Page[];
  readonly #seen: Uint32Array;
  #walks = 0;
  #counts: Uint32Array | undefined;

  constructor(state: DraftState, nodes: Nodes, graphs: readonly Graph[], pages: readonly Page[]) {
    this.#state = state;
    this.#nodes = nodes;
    this.#entryIds = [...nodes.entries.keys()];
    this.#projectsAt = nodes.entries.size + nodes.assets.size;
    this.#graphs = graphs;
    this.#pages = pages;
    this.#seen = new Uint32Array(this.#projectsAt + state.rendering.projects.length);
  }

  /** The ids of the assets that are named, but that the draft does not have. */
  get missingAssets(): string[] {
    return [...this.#nodes.assets.keys()].filter((id) => !this.#state.draft.assets.has(id));
  }

  whereUsed(kind: UsedKind, id: string) {
    // Without a node nothing names it.
    const node = this.#nodes[kind].get(id) ?? this.#seen.length;
    const shown = new Set<Page>();
    for (const graph of this.#graphs) {
      // An entry at the maximum depth still shows its assets.
      this.#walk([node], graph.from, MAXIMUM_DEPTH + (kind === "assets" ? 1 : 0));
      for (const page of this.#pages) {
        if (page.graph === graph && page.content.some((one) => this.#isSeen(one))) shown.add(page);
      }
    }
    const pages = this.#pages.filter((page) => shown.has(page));
    const users = this.#users(node);
    const entries = users.filter((one) => one < this.#projectsAt);
    const { draft, rendering } = this.#state;
    const named = (project: Project) => ({
      id: project.id,
      name: projectName(project, draft.workspace),
    });
    return {
      pages: {
        total: pages.length,
        listed: pages.slice(0, LISTED).map(({ project, experience }) => ({
          project: named(project),
          id: experience.id,
          name: experience.name,
        })),
      },
      entries: {
        total: entries.length,
        listed: entries
          .slice(0, LISTED)
          .map((one) => pointerTarget(this.#state, this.#entryIds[one] as string)),
      },
      // Whose own fields, or steps that no experience has, name it.
      projects: users
        .slice(entries.length)
        .map((one) => named(rendering.projects[one - this.#projectsAt] as Project)),
    };
  }

  /** On how many pages it is. */
  pages(kind: UsedKind, id: string): number {
    return this.#pageCounts[this.#nodes[kind].get(id) ?? -1] ?? 0;
  }

  uses(kind: UsedKind, id: string): Uses {
    const node = this.#nodes[kind].get(id);
    const users = node === undefined ? 0 : this.#users(node).length;
    return { pages: this.pages(kind, id), users };
  }

  /** Whether no page shows it, nor the fields of a project. */
  isUnused(kind: UsedKind, id: string): boolean {
    const node = this.#nodes[kind].get(id) as number;
    if (this.#pageCounts[node] !== 0) return false;
    return !this.#users(node).some((one) => one >= this.#projectsAt);
  }

  /** On how many pages each node is: what a content document has, by the same walk (E2). */
  get #pageCounts(): Uint32Array {
    if (this.#counts !== undefined) return this.#counts;
    const counts = new Uint32Array(this.#seen.length);
    const count = (node: number) => {
      (counts[node] as number) += 1;
    };
    for (const { graph, content } of this.#pages) {
      const { listed, last } = this.#walk(content, graph.to, MAXIMUM_DEPTH + 1);
      for (let at = 0; at < last; at += 1) count(listed[at] as number);
      for (let at = last; at < listed.length; at += 1) {
        if ((listed[at] as number) >= this.#entryIds.length) count(listed[at] as number);
      }
    }
    this.#counts = counts;
    return counts;
  }

  /** In order, so that projects are the last. */
  #users(node: number): number[] {
    const users = new Set<number>();
    for (const { from } of this.#graphs) for (const one of around(from, node)) users.add(one);
    return [...users].sort((a, b) => a - b);
  }

  /** @returns the nodes, the nearest first; from `last` on they are `steps` away. */
  #walk(start: readonly number[], links: Adjacency, steps: number) {
    this.#walks += 1;
    const listed: number[] = [];
    const add = (node: number) => {
      if (this.#seen[node] === this.#walks) return;
      this.#seen[node] = this.#walks;
      listed.push(node);
    };
    start.forEach(add);
    let last = 0;
    for (let step = 0; step < steps; step += 1) {
      for (const end = listed.length; last < end; last += 1) {
        around(links, listed[last] as number).forEach(add);
      }
    }
    return { listed, last };
  }

  #isSeen(node: number): boolean {
    return this.#seen[node] === this.#walks;
  }
}

interface LinkedProject {
  readonly project: Project;
  readonly language: number;
  readonly links: Links;
}

/** Each part is of one record, or takes a few milliseconds with 100,000 (H12). */
function* useIndexOf(state: DraftState): Generator<void, UseIndex> {
  const { rendering } = state;
  const links = yield* linksOf(state);
  const projects = rendering.projects.map((project) => ({
    project,
    language: rendering.languageNumber(languageOf(project)),
    links: linksOfProject(state, project),
  }));
  const nodes = yield* nodesOf(state, links, projects);
  const isSame = links.every(({ length }) => length === 1);
  const languages = isSame ? [] : [...rendering.lookup.languages.keys()];
  const graphs: Graph[] = [];
  for (const language of languages.length === 0 ? [0] : languages) {
    graphs.push(yield* graphOf(language, nodes, links, projects));
  }
  const pages: Page[] = [];
  for (const { project, language } of projects) {
    const contentOf = new Map(project.steps.map((step) => [step.id, step.layoutContentId]));
    const graph = graphs[isSame ? 0 : language] as Graph;
    for (const experience of project.experiences) {
      const ids = new Set(experience.stepIds.map((id) => contentOf.get(id) ?? ""));
      const content = [...ids].flatMap((id) => nodes.entries.get(id) ?? []);
      if (content.length > 0) pages.push({ project, experience, graph, content });
      yield;
    }
  }
  return new UseIndex(state, nodes, graphs, pages);
}

function* nodesOf(
  { draft }: DraftState,
  links: readonly (readonly Links[])[],
  projects: readonly LinkedProject[],
): Generator<void, Nodes> {
  const entries = new Map<string, number>();
  for (const id of draft.entries.keys()) {
    entries.set(id, entries.size);
    yield;
  }
  const assets = new Map<string, number>();
  const named = [...links, projects.map((one) => one.links)];
  for (const all of [[{ assets: draft.assets.keys() }], ...named]) {
    for (const one of all) {
      for (const id of one.assets) {
        if (!assets.has(id)) assets.set(id, entries.size + assets.size);
      }
    }
    yield;
  }
  return { entries, assets };
}

function* graphOf(
  language: number,
  nodes: Nodes,
  links: readonly (readonly Links[])[],
  projects: readonly LinkedProject[],
): Generator<void, Graph> {
  const pairs: number[] = [];
  let from = 0;
  const add = (own: Links | undefined) => {
    for (const kind of ["entries", "assets"] as const) {
      for (const id of own?.[kind] ?? NONE) {
        const to = nodes[kind].get(id);
        if (to !== undefined) pairs.push(from, to);
      }
    }
    from += 1;
  };
  for (const all of links) {
    add(all.length === 1 ? all[0] : all[language]);
    yield;
  }
  from = nodes.entries.size + nodes.assets.size;
  for (const one of projects) add(one.links);
  const to = adjacency(pairs, from, 0);
  yield;
  return { to, from: adjacency(pairs, from, 1) };
}

/** What the fields of a project name, and its steps that no experience has. */
function linksOfProject({ rendering }: DraftState, project: Project): Links {
  const { pointers, assets } = renderProjectFields(rendering, project).renderer;
  const taken = new Set(project.experiences.flatMap(({ stepIds }) => stepIds));
  const idle = project.steps.filter(({ id }) => !taken.has(id));
  const ids = [...pointers.map((one) => one.target), ...idle.map((one) => one.layoutContentId)];
  return { entries: distinct(ids.filter((id) => id !== undefined)), assets: distinct(assets) };
}

/** @param side of the pairs: 0 lists the second by the first, 1 the first by the second. */
function adjacency(pairs: readonly number[], size: number, side: 0 | 1): Adjacency {
  const starts = new Uint32Array(size + 1);
  for (let at = side; at < pairs.length; at += 2)
    (starts[(pairs[at] as number) + 1] as number) += 1;
  for (let node = 0; node < size; node += 1) (starts[node + 1] as number) += starts[node] as number;
  const nodes = new Uint32Array(pairs.length / 2);
  const next = starts.slice();
  for (let at = 0; at < pairs.length; at += 2) {
    const node = pairs[at + side] as number;
    nodes[next[node] as number] = pairs[at + 1 - side] as number;
    (next[node] as number) += 1;
  }
  return { starts, nodes };
}

function around({ starts, nodes }: Adjacency, node: number): Uint32Array {
  return nodes.subarray(starts[node], starts[node + 1]);
}

/** What a record names in one language, each once, whether or not it exists. */
interface Links {
  /** The ids of other entries (E3). */
  readonly entries: readonly string[];
  readonly assets: readonly string[];
}

/** By models, blocks and projects. */
const LINKS = new Memory<WeakMap<EntryHead, readonly Links[]>>();

/**
 * Of each entry, in the order of the draft, what it names: a list for each language by number, or one for all.
 * Without queries that depends on its record and on the definitions only.
 */
function* linksOf({ rendering, draft }: DraftState): Generator<void, (readonly Links[])[]> {
  const { lookup } = rendering;
  const remembered = LINKS.of([draft.models, draft.blocks, draft.projects], () => new WeakMap());
  const localized = localizedModels(draft);
  const asking = modelsWithQueries(draft);
  const languages = Math.max(1, lookup.languages.length);
  const linksOfEntry = (head: EntryHead): readonly Links[] => {
    const asks = asking.has(head.modelId);
    const links = asks ? undefined : remembered.get(head);
    if (links !== undefined) return links;
    const count = localized.has(head.modelId) ? languages : 1;
    const all = Array.from({ length: count }, (_, language): Links => {
      const { pointers, assets } = asks
        ? (rendering.entry(head.id, language) as RenderedEntry)
        : renderData(lookup, head, draft.dataOf(head), language).renderer;
      const others = pointers.flatMap(({ target }) => (target === head.id ? [] : target));
      return { entries: distinct(others), assets: distinct(assets) };
    });
    const isSame = all.every((one) => JSON.stringify(one) === JSON.stringify(all[0]));
    const made = isSame ? all.slice(0, 1) : all;
    remembered.set(head, made);
    return made;
  };
  const all: (readonly Links[])[] = [];
  for (const head of draft.entries.values()) {
    all.push(linksOfEntry(head));
    yield;
  }
  return all;
}

const NONE: readonly never[] = [];

function distinct(ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? NONE : [...new Set(ids)];
}

const INDEXES = new Memory<Work<UseIndex>>();

/** H34: where the entries and assets of a state are used, worked out once. */
export function usesIn(state: DraftState): Work<UseIndex> {
  return INDEXES.of([state], () => new Work(() => useIndexOf(state)));
}

export function usesOf(state: DraftState): UseIndex {
  return usesIn(state).made;
}
