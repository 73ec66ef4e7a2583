import { AskError } from "./access.js";
import { el } from "./element.js";
import { code, emptyView } from "./parts.js";
import { to } from "./router.js";

/**
 * Why there is nothing to see, and what to do.
 *
 * @param {unknown} error
 * @param {string | undefined} workspace where the reader is
 */
export function errorState(error, workspace) {
  const { status, message } =
    error instanceof AskError ? error : { status: -1, message: `${error}` };
  const back = workspace && el("a", { href: to([workspace]) }, "Go to the overview");
  switch (status) {
    case 401:
      return emptyView(
        "This page needs its link",
        "svc preview prints a link with an access key when it starts, and the key is another one at each start. Open that link. It looks like this:",
        code(`${location.origin}/#key=…`),
      );
    case 404:
      return emptyView(
        "It is not there",
        "It was removed from the draft, or never was in it.",
        back,
      );
    default:
      return emptyView("This could not be shown", message, back);
  }
}

/** Stands above what is shown when the server was started anew. */
export function lostBanner() {
  return el(
    "section",
    { class: "faults", "aria-labelledby": "lost-title", "data-key": "lost", role: "alert" },
    el("h2", { id: "lost-title" }, "The connection is lost: what you see does not change any more"),
    el(
      "p",
      {},
      "svc preview was started anew. Open the link that it printed: this tab goes on then.",
    ),
  );
}

/** @param {import("../overview.ts").WorkspaceLine} other */
export function noWorkspace({ id, name }) {
  return emptyView("There is no such workspace", el("a", { href: to([id]) }, `Go to ${name}`));
}

/** @param {boolean} hasFaults */
export function noDraft(hasFaults) {
  return emptyView(
    "There is no draft yet",
    hasFaults
      ? "Mend the folder: it is imported as soon as it can be."
      : ["A folder is loaded with ", code("svc import <folder>")],
  );
}
