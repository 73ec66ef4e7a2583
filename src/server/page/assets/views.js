import { RequestError, request } from "./access.js";
import { changesView } from "./view-changes.js";
import { entriesView } from "./view-entries.js";
import { entryView } from "./view-entry.js";
import { experienceView, PARTS } from "./view-experience.js";
import { overviewView } from "./view-overview.js";
import { problemsView } from "./view-problems.js";
import { projectView } from "./view-project.js";

/** @typedef {import("./router.js").Route} Route */
/** @typedef {import("../overview.ts").WorkspaceLine} WorkspaceLine */

/**
 * What a view needs besides its address.
 *
 * @typedef {object} Context
 * @property {string} workspaceId
 * @property {Promise<WorkspaceLine>} workspace requested in parallel
 * @property {{ errors: number, warnings: number } | undefined} problems
 * @property {() => void} redraw loads the view again, in place
 * @property {Map<string, any>} kept the view's state across redraws at the same address
 * @property {AbortSignal} signal
 */

/** How many content entries are shown at first, and how many more on each request. */
const CARDS = 20;
/** The page size of the `entries` query. */
const PAGE = 200;

/**
 * Loads the view at an address.
 *
 * @param {Route} route
 * @param {Context} context
 * @returns {Promise<{ title: string, element: Element }>}
 * @throws RequestError 404 when what it shows does not exist.
 */
export async function viewAt({ segments, query }, context) {
  const { workspaceId, workspace, problems, signal } = context;
  const [, kind, id, inner, innerId, part] = segments;
  const get = (/** @type {string} */ name, more = {}) =>
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
  throw new RequestError(404, "There is no such page.");
}

/** @typedef {(name: string, more?: object) => Promise<any>} Get */

/**
 * Loads only the pages of the list that are in the window.
 *
 * @param {string} q
 * @param {Context} context
 * @param {Get} get
 */
async function entries(q, { workspaceId, kept }, get) {
  const around = kept.get("around") ?? 0;
  /** @type {Map<number, any>} */
  const pages = new Map();
  const load = async (/** @type {number} */ page) => {
    pages.set(page, undefined);
    pages.set(page, await get("entries", { q, offset: page * PAGE }));
  };
  await load(around);
  const draw = () =>
    entriesView(workspaceId, q, {
      total: pages.get(around).total,
      at: (index) => pages.get(Math.floor(index / PAGE))?.entries[index % PAGE],
      need(first, last) {
        kept.set("around", Math.floor(first / PAGE));
        for (let page = Math.floor(first / PAGE); page * PAGE < last; page += 1) {
          if (pages.has(page)) continue;
          load(page).then(
            () => document.querySelector("windowed-list")?.dispatchEvent(new Event("rows")),
            () => pages.delete(page),
          );
        }
      },
    });
  return { title: q === "" ? "Entries" : `Found: ${q}`, element: draw() };
}

/**
 * @param {{ project: string, experience: string }} where
 * @param {string} part
 * @param {Context} context
 * @param {Get} get
 */
async function experience(where, part, { workspaceId, kept, redraw }, get) {
  if (!(part in PARTS)) throw new RequestError(404, "There is no such page.");
  const name = /** @type {import("./view-experience.js").Part} */ (part);
  const [view, more] = await Promise.all([get("experience", where), moreOf()]);
  return {
    title: `${view.name}: ${PARTS[name]}`,
    element: experienceView(workspaceId, view, name, more),
  };

  async function moreOf() {
    if (part === "changes") return get("experience-changes", where);
    if (part === "documents") {
      const opened = /** @type {Set<string>} */ (kept.get("opened") ?? new Set());
      const bodies = [...opened].map(async (kind) => [
        kind,
        await get("document", { ...where, kind }).catch(() => undefined),
      ]);
      const { documents } = await get("documents", where);
      const open = (/** @type {string} */ kind) => {
        if (opened.has(kind)) return;
        kept.set("opened", opened.add(kind));
        redraw();
      };
      return {
        documents,
        bodies: new Map(/** @type {any} */ (await Promise.all(bodies))),
        open,
        redraw,
      };
    }
    if (part !== "content") return undefined;
    const most = kept.get("cards") ?? CARDS;
    const { entries: cards } = await get("content", { ...where, most });
    const showMore = () => {
      kept.set("cards", most + CARDS);
      redraw();
    };
    return {
      entries: new Map(cards.map((/** @type {{ id: string }} */ one) => [one.id, one])),
      showMore,
    };
  }
}
