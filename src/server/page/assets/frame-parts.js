import { el } from "./element.js";
import { viewHref } from "./router.js";
import { counted, number } from "./words.js";

/** @typedef {import("../overview.ts").Overview} Overview */
/** @typedef {import("../overview.ts").WorkspaceLine} WorkspaceLine */

/**
 * The bar above every view.
 *
 * @param {readonly WorkspaceLine[]} workspaces
 * @param {WorkspaceLine | undefined} workspace the current one
 * @param {{ query: string, connection: "live" | "waiting" | "ended", isNavOpen: boolean, faultCount: number, onSearch: (query: string, isSubmitted: boolean) => void, onNav: () => void }} more
 */
export function topBar(
  workspaces,
  workspace,
  { query, connection, isNavOpen, faultCount, onSearch, onNav },
) {
  const states = { live: "Live", waiting: "Reconnecting…", ended: "Not connected" };
  return el(
    "header",
    { id: "top" },
    el(
      "button",
      {
        type: "button",
        class: "quiet nav-button",
        "aria-expanded": String(isNavOpen),
        "aria-controls": "nav",
        onclick: onNav,
      },
      "Menu",
    ),
    workspaces.length > 1 && workspace
      ? workspaceChoice(workspaces, workspace)
      : el(
          "a",
          { class: "brand", href: viewHref(workspace ? [workspace.id] : []) },
          workspace?.name ?? "Preview",
        ),
    workspace &&
      el(
        "search",
        {},
        el("input", {
          id: "search",
          type: "search",
          placeholder: "Search entries",
          "aria-label": "Search entries by text and id",
          "aria-keyshortcuts": "/",
          autocomplete: "off",
          spellcheck: "false",
          value: query,
          oninput: (/** @type {InputEvent} */ { currentTarget }) =>
            onSearch(typedIn(currentTarget), false),
          onkeydown: (/** @type {KeyboardEvent} */ { key, currentTarget }) => {
            if (key === "Enter") onSearch(typedIn(currentTarget), true);
          },
        }),
      ),
    faultCount > 0 &&
      el(
        "button",
        { type: "button", class: "fault-button", onclick: showFaults },
        counted(faultCount, "fault"),
      ),
    el("p", { class: `connection is-${connection}` }, states[connection]),
  );
}

/** Scrolls to the faults, which are above the view. */
function showFaults() {
  scrollTo({ top: 0, behavior: "instant" });
  const banner = document.querySelector('[data-key="faults"]');
  if (banner instanceof HTMLElement) banner.focus({ preventScroll: true });
}

/** @param {EventTarget | null} input */
function typedIn(input) {
  return /** @type {HTMLInputElement} */ (input).value;
}

/**
 * @param {readonly WorkspaceLine[]} workspaces
 * @param {WorkspaceLine} workspace
 */
function workspaceChoice(workspaces, workspace) {
  return el(
    "select",
    {
      "aria-label": "Workspace",
      onchange: (/** @type {Event} */ { currentTarget }) => {
        location.hash = viewHref([/** @type {HTMLSelectElement} */ (currentTarget).value]);
      },
    },
    workspaces.map(({ id, name }) => {
      const isOnlyOne = workspaces.filter((other) => other.name === name).length === 1;
      const text = isOnlyOne ? name : `${name} (${id})`;
      return el("option", { value: id, dir: "auto", selected: id === workspace.id }, text);
    }),
  );
}

/**
 * @param {WorkspaceLine} workspace
 * @param {readonly string[]} segments of the current address
 * @param {{ errors: number, warnings: number } | undefined} problems undefined until counted
 */
export function navigation(workspace, segments, problems) {
  const { id, counts, projects } = workspace;
  const count = (problems?.errors ?? 0) + (problems?.warnings ?? 0);
  const kind = problems && problems.errors > 0 ? "is-bad" : "is-warn";
  return el(
    "nav",
    { id: "nav", "aria-label": "Workspace" },
    el(
      "ul",
      {},
      place([id], segments, "Overview"),
      place(
        [id, "entries"],
        segments,
        "Entries",
        el("span", { class: "soft" }, number(counts.entries)),
      ),
      place([id, "changes"], segments, "Changes"),
      place(
        [id, "problems"],
        segments,
        "Problems",
        count > 0 && el("span", { class: `count ${kind}`, "data-flash": "" }, number(count)),
      ),
    ),
    projects.map(({ id: project, name, experiences, experienceCount }) => {
      const base = [id, "projects", project];
      const isCut = experienceCount > experiences.length;
      return el(
        "section",
        { "data-key": project },
        el(
          "h2",
          {},
          el("a", { href: viewHref(base), "aria-current": isAt(base, segments) && "page" }, name),
        ),
        el(
          "ul",
          {},
          experiences.map(({ id: experience, name: title }) =>
            place([...base, "experiences", experience], segments, title),
          ),
          isCut && place(base, [], `All ${counted(experienceCount, "experience")}`),
        ),
      );
    }),
  );
}

/**
 * @param {readonly string[]} target
 * @param {readonly string[]} segments
 * @param {string} title
 * @param {import("./element.js").Child} [beside]
 */
function place(target, segments, title, beside) {
  // The parts of an experience count as the experience.
  const here = target[3] === "experiences" ? segments.slice(0, 5) : segments;
  return el(
    "li",
    {},
    el(
      "a",
      { href: viewHref(target), "aria-current": isAt(target, here) && "page" },
      el("span", { dir: "auto" }, title),
      beside,
    ),
  );
}

/**
 * @param {readonly string[]} target
 * @param {readonly string[]} segments
 */
function isAt(target, segments) {
  return (
    target.length === segments.length && target.every((segment, at) => segment === segments[at])
  );
}
