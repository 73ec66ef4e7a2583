import type { JsonValue } from "../../../workspace/json.ts";
import type { DescribedProblem } from "../../../workspace/problem-messages.ts";
import type { Changes, CompleteChanges } from "../changes.ts";
import type { EntryView } from "../entry-view.ts";
import type { ExperienceView } from "../experience-view.ts";
import type { DocumentLine } from "../page-data.ts";
import type { ProjectView, WorkspaceLine } from "../project-view.ts";
import type { SearchResult } from "../search.ts";
import { RequestError, request } from "./access.ts";
import { documentsPart } from "./documents-part.ts";
import type { Child } from "./element.ts";
import { graphPart } from "./graph-part.ts";
import type { Counts } from "./parts.ts";
import type { Route } from "./router.ts";
import { changesView } from "./view-changes.ts";
import { entriesView } from "./view-entries.ts";
import { entryView } from "./view-entry.ts";
import { changesPart, contentPart, experienceView, PARTS, type Part } from "./view-experience.ts";
import { overviewView, projectView } from "./view-overview.ts";
import { problemsView } from "./view-problems.ts";

interface Context {
  workspaceId: string;
  /** Requested in parallel. */
  workspace: Promise<WorkspaceLine>;
  problems: Counts | undefined;
  /** Loads the view again, in place. */
  redraw: () => void;
  kept: KeptState;
  signal: AbortSignal;
}

/** A view's state across redraws at the same address. */
export interface KeptState {
  /** The page of the list of entries that is in the window. */
  around?: number;
  /** The kinds of the documents whose JSON is open. */
  opened?: ReadonlySet<string>;
  /** How many content entries are shown. */
  cards?: number;
}

interface Answers {
  problems: { problems: DescribedProblem[] };
  changes: CompleteChanges;
  "experience-changes": Changes;
  entries: SearchResult;
  entry: EntryView;
  project: ProjectView;
  experience: ExperienceView;
  content: { entries: EntryView[] };
  documents: { documents: DocumentLine[] };
  document: JsonValue;
}
type Get = <Name extends keyof Answers>(name: Name, more?: object) => Promise<Answers[Name]>;

/** How many content entries are shown at first, and how many more on each request. */
const CARDS = 20;
const PAGE = 200;

/**
 * Loads the view at an address.
 *
 * @throws RequestError 404 when what it shows does not exist.
 */
export async function viewAt(
  { segments, query }: Route,
  context: Context,
): Promise<{ title: string; element: Element }> {
  const { workspaceId, workspace, problems, signal } = context;
  const [, kind, id, inner, innerId, part] = segments;
  const get: Get = (name, more) =>
    request(`data/${name}`, { workspace: workspaceId, ...more }, { signal });
  if (kind === undefined) {
    return { title: "Overview", element: overviewView(await workspace, problems) };
  }
  if (kind === "problems") {
    const { problems: all } = await get("problems");
    return { title: "Problems", element: problemsView(workspaceId, all) };
  }
  if (kind === "changes") {
    return { title: "Changes", element: changesView(workspaceId, await get("changes")) };
  }
  if (kind === "entries" && id === undefined) return entries(query.get("q") ?? "", context, get);
  if (kind === "entries") {
    const project = query.get("project");
    const entry = await get("entry", { id, ...(project && { project }) });
    return { title: entry.title, element: entryView(workspaceId, entry) };
  }
  if (kind === "projects" && inner === "experiences" && id && innerId) {
    return experience({ project: id, experience: innerId }, part ?? "content", context, get);
  }
  if (kind === "projects" && id && inner === undefined) {
    const project = await get("project", { project: id });
    return { title: project.name, element: projectView(workspaceId, project) };
  }
  throw noSuchPage();
}

function noSuchPage() {
  return new RequestError(404, "There is no such page.");
}

/** Loads only the pages of the list that are in the window. */
async function entries(q: string, { workspaceId, kept }: Context, get: Get) {
  const pages = new Map<number, SearchResult | undefined>();
  const load = async (page: number) => {
    pages.set(page, undefined);
    const result = await get("entries", { q, offset: page * PAGE });
    pages.set(page, result);
    return result;
  };
  const { total } = await load(kept.around ?? 0);
  const element = entriesView(
    workspaceId,
    q,
    total,
    (index) => pages.get(Math.floor(index / PAGE))?.entries[index % PAGE],
    (first, last) => {
      kept.around = Math.floor(first / PAGE);
      for (let page = kept.around; page * PAGE < last; page += 1) {
        if (pages.has(page)) continue;
        load(page).then(
          () => document.querySelector("windowed-list")?.dispatchEvent(new Event("rows")),
          () => pages.delete(page),
        );
      }
    },
  );
  return { title: q === "" ? "Entries" : `Found: ${q}`, element };
}

async function experience(
  where: { project: string; experience: string },
  part: string,
  { workspaceId, kept, redraw }: Context,
  get: Get,
) {
  if (!Object.hasOwn(PARTS, part)) throw noSuchPage();
  const name = part as Part;
  const asked = get("experience", where);
  const contents: Readonly<Record<Part, () => Promise<Child>>> = {
    graph: async () => graphPart(workspaceId, await asked),
    changes: async () => changesPart(workspaceId, await get("experience-changes", where)),
    async content() {
      const most = kept.cards ?? CARDS;
      const { entries: shown } = await get("content", { ...where, most });
      const showMore = () => {
        kept.cards = most + CARDS;
        redraw();
      };
      return contentPart(workspaceId, await asked, shown, showMore);
    },
    async documents() {
      const opened = kept.opened ?? new Set();
      const bodies = [...opened].map(async (kind) => {
        return [kind, await get("document", { ...where, kind }).catch(() => undefined)] as const;
      });
      const { documents } = await get("documents", where);
      const open = (kind: string) => {
        if (opened.has(kind)) return;
        kept.opened = new Set([...opened, kind]);
        redraw();
      };
      return documentsPart(
        workspaceId,
        documents,
        new Map(await Promise.all(bodies)),
        open,
        redraw,
      );
    },
  };
  const [view, content] = await Promise.all([asked, contents[name]()]);
  return {
    title: `${view.name}: ${PARTS[name]}`,
    element: experienceView(workspaceId, view, name, content),
  };
}
