import { el } from "./element.js";
import { code } from "./parts.js";
import { to } from "./router.js";
import { counted, number } from "./words.js";

/** @typedef {import("../overview.ts").Overview} Overview */

/**
 * What a reader must know of the folder before they believe the view.
 *
 * @param {Overview | undefined} overview
 * @param {string | undefined} shown the workspace at which the reader is
 */
export function banners(overview, shown) {
  if (overview === undefined) return null;
  const { faults, workspaces } = overview;
  return [faultsBanner(faults, workspaces.length > 0), folderNote(overview, shown)];
}

/**
 * Leads to the folder's workspace from another one: whoever edits the folder sees no change here.
 *
 * @param {Overview} overview
 * @param {string | undefined} shown
 */
function folderNote({ workspaces, folderWorkspaceId }, shown) {
  const folder = workspaces.find(({ id }) => id === folderWorkspaceId);
  if (folder === undefined || folder.id === shown) return null;
  const link = el("a", { href: to([folder.id]) }, folder.name, " ", code(folder.id));
  return el(
    "div",
    { class: "notes", "data-key": "folder" },
    el("p", { class: "note is-warn" }, "The folder is another workspace than this one: ", link),
  );
}

/**
 * What keeps the folder from being imported; nothing when it was.
 *
 * @param {Overview["faults"]} faults
 * @param {boolean} hasDraft whether there is something to see all the same
 */
function faultsBanner(faults, hasDraft) {
  if (faults.length === 0) return null;
  const them = faults.length === 1 ? "it" : "them";
  // What is no fault of a file is one of the store.
  const isOfFolder = faults.some(({ file }) => file !== "");
  const title = isOfFolder
    ? `The folder has ${counted(faults.length, "fault")}: `
    : "The store cannot be used: ";
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
      hasDraft
        ? `what you see is the last draft without ${them}`
        : `there is no draft until you mend ${them}`,
    ),
    el(
      "ol",
      {},
      faults
        .slice(0, 100)
        .map(({ file, line, column, message }) =>
          el(
            "li",
            {},
            code(
              [file, line, column].filter((part) => part !== undefined && part !== "").join(":"),
            ),
            " ",
            message,
          ),
        ),
    ),
    faults.length > 100 &&
      el("p", {}, `and ${number(faults.length - 100)} more, which the terminal lists`),
  );
}
