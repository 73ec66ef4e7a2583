import type { ComponentChildren, VNode } from "preact";
import type { WorkspaceLine } from "../project-view.ts";
import type { SearchResult } from "../search.ts";
import { RequestError, request } from "./access.ts";
import type { Answers } from "./answers.ts";
import { DocumentsPart } from "./documents-part.tsx";
import { AllEntries } from "./entry-table.tsx";
import { GraphPart } from "./graph-part.tsx";
import { chosenProject } from "./locales.tsx";
import type { Route } from "./router.ts";
import { AssetPage, AssetsView, MissingAsset } from "./view-assets.tsx";
import { changesPart, changesView } from "./view-changes.tsx";
import { DefinitionView, FeaturesView, ModelsView } from "./view-definitions.tsx";
import { EntriesView } from "./view-entries.tsx";
import { EntryPage } from "./view-entry.tsx";
import { contentPart, experienceView, PARTS, type Part } from "./view-experience.tsx";
import { HistoryPage } from "./view-history.tsx";
import { OverviewView, ProjectPage } from "./view-overview.tsx";
import { problemsView } from "./view-problems.tsx";

interface Context {
  workspaceId: string;
  /** Requested in parallel. */
  workspace: Promise<WorkspaceLine>;
  /** Loads the view again, in place. */
  redraw: () => void;
  kept: KeptState;
  signal: AbortSignal;
}

/** A view's state across redraws at the same address. */
export interface KeptState {
  /** The page of the list of entries that is in the window. */
  around?: number;
  /** How many content entries are shown. */
  cards?: number;
}

type Get = <Name extends keyof Answers>(name: Name, more?: object) => Promise<Answers[Name]>;

/** A view, with a key of its own. */
export interface View {
  title: string;
  element: VNode;
}

/** How many content entries are shown at first, and how many more on each request. */
const CARDS = 20;
const PAGE = 200;

/**
 * Loads the view at an address.
 *
 * @throws RequestError 404 when what it shows does not exist.
 */
export async function viewAt({ segments, query }: Route, context: Context): Promise<View> {
  const { workspaceId, workspace, signal } = context;
  const [, kind, id, inner, innerId, part] = segments;
  const get: Get = (name, more) =>
    request(`data/${name}`, { workspace: workspaceId, ...more }, { signal });
  if (kind === undefined) {
    return {
      title: "Overview",
      element: <OverviewView key={workspaceId} workspace={await workspace} />,
    };
  }
  if (kind === "problems") {
    const { groups } = await get("problem-list");
    return { title: "Problems", element: problemsView(groups) };
  }
  if (kind === "changes") {
    return { title: "Changes", element: changesView(await get("changes")) };
  }
  if (kind === "history") {
    const history = await get("history");
    const element = <HistoryPage key="history" history={history} />;
    return { title: "History", element };
  }
  if (kind === "entries" && id === undefined && !query.has("q")) {
    const { models } = await get("definitions");
    return { title: "Entries", element: <AllEntries key="entries" models={models} /> };
  }
  if (kind === "entries" && id === undefined) return entries(query.get("q") ?? "", context, get);
  if (kind === "entries") {
    const entry = await get("entry", { id, ...languageOf(query) });
    const element = <EntryPage key={`entry ${id}`} entry={entry} />;
    return { title: entry.title, element };
  }
  if (kind === "projects" && inner === "experiences" && id && innerId) {
    return experience({ project: id, experience: innerId }, part ?? "content", context, get);
  }
  if (kind === "projects" && id && inner === undefined) {
    const project = await get("project", { project: id });
    return {
      title: project.name,
      element: <ProjectPage key={`project ${id}`} project={project} />,
    };
  }
  if (kind === "assets" && id === undefined) {
    return { title: "Assets", element: <AssetsView key="assets" /> };
  }
  if (kind === "assets" && id) return assetPage(id, get);
  if (["models", "blocks", "features"].includes(kind)) {
    return definitions(kind, id, await get("definitions"));
  }
  throw noSuchPage();
}

async function assetPage(id: string, get: Get): Promise<View> {
  const key = `asset ${id}`;
  try {
    const asset = await get("asset", { id });
    return {
      title: asset.title,
      element: <AssetPage key={key} asset={asset} />,
    };
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 404) throw error;
    return { title: id, element: <MissingAsset key={key} id={id} /> };
  }
}

function definitions(kind: string, id: string | undefined, all: Answers["definitions"]): View {
  if (kind === "features") {
    return { title: "Features", element: <FeaturesView key="features" features={all.features} /> };
  }
  if (id === undefined) {
    const element = <ModelsView key="models" definitions={all} />;
    return { title: "Models", element };
  }
  const isModel = kind === "models";
  const definition = (isModel ? all.models : all.blocks).find((one) => one.id === id);
  if (definition === undefined) throw noSuchPage();
  const element = (
    <DefinitionView
      key={`${kind} ${id}`}
      kind={isModel ? "model" : "block"}
      definition={definition}
      models={all.models}
    />
  );
  return { title: definition.name, element };
}

/** H20, H27: in which language an entry is asked for. */
function languageOf(query: URLSearchParams) {
  const project = query.get("project");
  if (project !== null) return { project };
  if (query.get("languages") === "all") return {};
  return { preferred: chosenProject(), at: query.get("at") ?? "" };
}

function noSuchPage() {
  return new RequestError(404, "There is no such page.");
}

/** Loads only the pages of the list that are in the window. */
async function entries(q: string, { kept }: Context, get: Get) {
  const pages = new Map<number, SearchResult | undefined>();
  const load = async (page: number) => {
    pages.set(page, undefined);
    const result = await get("entries", { q, offset: page * PAGE });
    pages.set(page, result);
    return result;
  };
  const { total, others } = await load(0);
  if (kept.around) await load(kept.around);
  /** Loads what is missing for a window, and resolves once there is more to show. */
  const need = async (first: number, last: number) => {
    kept.around = Math.floor(first / PAGE);
    const missing = [];
    for (let page = kept.around; page * PAGE < last; page += 1) {
      if (!pages.has(page)) missing.push(load(page).catch(() => pages.delete(page)));
    }
    await Promise.all(missing);
    return missing.length > 0;
  };
  const at = (index: number) => pages.get(Math.floor(index / PAGE))?.entries[index % PAGE];
  const element = (
    <EntriesView key={`entries ${q}`} query={q} total={total} others={others} at={at} need={need} />
  );
  return { title: `Found: ${q}`, element };
}

async function experience(
  where: { project: string; experience: string },
  part: string,
  { kept, redraw }: Context,
  get: Get,
) {
  if (!Object.hasOwn(PARTS, part)) throw noSuchPage();
  const name = part as Part;
  const asked = get("experience", where);
  const contents: Readonly<Record<Part, () => Promise<ComponentChildren>>> = {
    graph: async () => <GraphPart experience={await asked} />,
    changes: async () => changesPart(await get("experience-changes", where)),
    async content() {
      const most = kept.cards ?? CARDS;
      const { entries: shown } = await get("content", { ...where, most });
      const showMore = () => {
        kept.cards = most + CARDS;
        redraw();
      };
      return contentPart(await asked, shown, showMore);
    },
    async documents() {
      const { documents } = await get("documents", where);
      return <DocumentsPart where={where} documents={documents} />;
    },
  };
  const [view, content] = await Promise.all([asked, contents[name]()]);
  return {
    title: `${view.name}: ${PARTS[name]}`,
    element: experienceView(view, name, content),
  };
}
