import { el } from "./element.js";
import { code } from "./parts.js";
import { viewHref } from "./router.js";
import { counted, number } from "./words.js";

/** @typedef {import("../overview.ts").Overview} Overview */

const UNUSABLE = {
  folder: "The folder cannot be read: ",
  store: "The store cannot be used: ",
};

/**
 * Warnings above the view: faults of the folder, or a folder of another workspace.
 *
 * @param {Overview | undefined} overview
 * @param {string | undefined} shown the workspace in the view
 */
export function banners(overview, shown) {
  if (overview === undefined) return null;
  const { faults, workspaces } = overview;
  return [faultsBanner(faults, workspaces.length > 0), folderNote(overview, shown)];
}

/**
 * Links to the folder's workspace from another one, where edits of the folder have no effect.
 *
 * @param {Overview} overview
 * @param {string | undefined} shown
 */
function folderNote({ workspaces, folderWorkspaceId }, shown) {
  const folder = workspaces.find(({ id }) => id === folderWorkspaceId);
  if (folder === undefined || folder.id === shown) return null;
  const link = el("a", { href: viewHref([folder.id]) }, folder.name, " ", code(folder.id));
  return el(
    "div",
    { class: "notes", "data-key": "folder" },
    el("p", { class: "note is-warn" }, "The folder contains another workspace: ", link),
  );
}

/**
 * The faults that prevented the reading of the folder, if any.
 *
 * @param {Overview["faults"]} faults
 * @param {boolean} hasDraft whether the store has a draft to show
 */
function faultsBanner(faults, hasDraft) {
  if (faults.length === 0) return null;
  const [first] = faults;
  const them = faults.length === 1 ? "it" : "them";
  const title = first?.subject
    ? UNUSABLE[first.subject]
    : `The folder has ${counted(faults.length, "fault")}: `;
  const draft = first?.subject
    ? "this is the last draft"
    : `this is the last draft without ${them}`;
  return el(
    "section",
    {
      class: "faults",
      "aria-labelledby": "faults-title",
      "data-key": "faults",
      tabindex: -1,
      role: "alert",
    },
    el(
      "h2",
      { id: "faults-title" },
      title,
      hasDraft ? draft : `there is no draft until you fix ${them}`,
    ),
    el(
      "ol",
      {},
      faults
        .slice(0, 100)
        .map(({ file, line, column, record, message }) =>
          el(
            "li",
            {},
            code(
              [file, line, column].filter((part) => part !== undefined && part !== "").join(":"),
            ),
            record ? ` ${record.kind} "${record.id}": ` : " ",
            message,
          ),
        ),
    ),
    faults.length > 100 &&
      el("p", {}, `and ${number(faults.length - 100)} more; the terminal lists all of them`),
  );
}
