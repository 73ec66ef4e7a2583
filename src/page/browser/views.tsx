import type { ComponentChildren, VNode } from "preact";
import type { WorkspaceLine } from "../project-view.ts";
import type { Answers } from "../queries.ts";
import { RequestError } from "./access.ts";
import { answerOf } from "./answers.ts";
import { DocumentsPart } from "./documents-part.tsx";
import { AllEntries } from "./entry-table.tsx";
import { chosenProject } from "./locales.tsx";
import type { Route } from "./router.ts";
import { AssetPage, AssetsView } from "./view-assets.tsx";
import { changesPart, changesView } from "./view-changes.tsx";
import { ComingUpView } from "./view-coming-up.tsx";
import { DefinitionView, FeaturesView, ModelsView } from "./view-definitions.tsx";
import { EntriesView } from "./view-entries.tsx";
import { EntryPage } from "./view-entry.tsx";
import { CARDS, ContentPart, experienceView, PARTS, type Part } from "./view-experience.tsx";
import { HistoryPage } from "./view-history.tsx";
import { OverviewView, ProjectPage } from "./view-overview.tsx";
import { problemsView } from "./view-problems.tsx";
import { TeamView } from "./view-team.tsx";
import { TranslationPage } from "./view-translation.tsx";

interface Context {
  /** Requested in parallel. */
  workspace: Promise<WorkspaceLine>;
  signal: AbortSignal;
}

type Get = <Name extends keyof Answers>(name: Name, more?: object) => Promise<Answers[Name]>;

/** A view, with a key of its own. */
type View = [title: string, element: VNode];

/**
 * Loads the view at an address.
 *
 * @throws RequestError 404 when what it shows does not exist.
 */
export async function viewAt(
  { segments, query }: Route,
  { workspace, signal }: Context,
): Promise<View> {
  const [, kind, id, inner, innerId, part] = segments;
  const get: Get = (name, more) => answerOf(name, { ...more }, signal);
  if (kind === undefined) {
    return ["Overview", <OverviewView key={segments[0]} workspace={await workspace} />];
  }
  if (kind === "problems") {
    return ["Problems", problemsView((await get("problem-list")).groups)];
  }
  if (kind === "changes") return ["Changes", changesView(await get("changes"))];
  if (kind === "team") return ["Save for the team", <TeamView key="team" />];
  if (kind === "coming-up") {
    return ["Coming up", <ComingUpView key="coming-up" comingUp={await get("coming-up")} />];
  }
  if (kind === "history") {
    return ["History", <HistoryPage key="history" history={await get("history")} />];
  }
  if (kind === "entries" && id === undefined) {
    const q = query.get("q");
    if (q !== null) return [`Found: ${q}`, <EntriesView key={`entries ${q}`} query={q} />];
    const { models } = await get("definitions");
    return ["Entries", <AllEntries key="entries" models={models} />];
  }
  if (kind === "entries") {
    const to = query.get("translate");
    const entry = await get("entry", { id, ...(to === null && languageOf(query)) });
    if (to === null) return [entry.title, <EntryPage key={`entry ${id}`} entry={entry} />];
    const key = `translate ${id} ${to}`;
    return [entry.title, <TranslationPage key={key} entry={entry} locale={to} />];
  }
  if (kind === "projects" && inner === "experiences" && id && innerId) {
    return experience({ project: id, experience: innerId }, part ?? "content", get);
  }
  if (kind === "projects" && id && inner === undefined) {
    const project = await get("project", { project: id });
    return [project.name, <ProjectPage key={`project ${id}`} project={project} />];
  }
  if (kind === "assets" && id === undefined) return ["Assets", <AssetsView key="assets" />];
  if (kind === "assets" && id) {
    const asset = await get("asset", { id });
    return [asset.title, <AssetPage key={`asset ${id}`} asset={asset} />];
  }
  if (["models", "blocks", "features"].includes(kind)) {
    return definitions(kind, id, await get("definitions"));
  }
  throw noSuchPage();
}

function definitions(kind: string, id: string | undefined, all: Answers["definitions"]): View {
  if (kind === "features") {
    return ["Features", <FeaturesView key="features" features={all.features} />];
  }
  if (id === undefined) return ["Models", <ModelsView key="models" definitions={all} />];
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
  return [definition.name, element];
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

async function experience(
  where: { project: string; experience: string },
  part: string,
  get: Get,
): Promise<View> {
  if (!Object.hasOwn(PARTS, part)) throw noSuchPage();
  const name = part as Part;
  const asked = get("experience", where);
  const contents: Readonly<Record<Part, () => Promise<ComponentChildren>>> = {
    changes: async () => changesPart(await get("experience-changes", where)),
    async content() {
      const first = await get("content", { ...where, most: CARDS });
      return <ContentPart experience={await asked} first={first} />;
    },
    async documents() {
      const { documents } = await get("documents", where);
      return <DocumentsPart where={where} documents={documents} />;
    },
  };
  const [view, content] = await Promise.all([asked, contents[name]()]);
  return [`${view.name}: ${PARTS[name]}`, experienceView(view, name, content)];
}
