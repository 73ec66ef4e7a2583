import { RequestError } from "./access.js";
import { el } from "./element.js";
import { code, emptyView } from "./parts.js";
import { viewHref } from "./router.js";

/**
 * The view for an error.
 *
 * @param {unknown} error
 * @param {string | undefined} workspace of the current address
 */
export function errorState(error, workspace) {
  const { status, message } =
    error instanceof RequestError ? error : { status: -1, message: `${error}` };
  const back = workspace && el("a", { href: viewHref([workspace]) }, "Go to the overview");
  switch (status) {
    case 401:
      return emptyView(
        "This page needs its link",
        "svc preview prints a link with a new access key at each start. Open that link. It looks like this:",
        code(`${location.origin}/#key=…`),
      );
    case 404:
      return emptyView("Not found", "The draft does not contain it, or no longer does.", back);
    default:
      return emptyView("This view failed to load", message, back);
  }
}

/** Shown above the view after the server was restarted with another key. */
export function disconnectedBanner() {
  return lostBanner(
    "Disconnected: this page is no longer updated",
    "svc preview was restarted. Open the link that it printed, and this tab reconnects.",
  );
}

/** Shown above the last view while the server does not answer. */
export function awayBanner() {
  return lostBanner(
    "The preview server does not answer",
    "The last view stays until it does: the page tries again each second. If svc preview was stopped, start it again.",
  );
}

/**
 * @param {string} title
 * @param {string} text
 */
function lostBanner(title, text) {
  return el(
    "section",
    { class: "faults", "aria-labelledby": "lost-title", "data-key": "lost", role: "alert" },
    el("h2", { id: "lost-title" }, title),
    el("p", {}, text),
  );
}

/** @param {import("../overview.ts").WorkspaceLine} other */
export function noWorkspace({ id, name }) {
  return emptyView(
    "There is no such workspace",
    el("a", { href: viewHref([id]) }, `Go to ${name}`),
  );
}

/** @param {boolean} hasFaults */
export function noDraft(hasFaults) {
  return emptyView(
    "There is no draft yet",
    hasFaults
      ? "Fix the faults in the folder, and it is imported."
      : ["To import a folder: ", code("svc import <folder>")],
  );
}
