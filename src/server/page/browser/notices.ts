import type { Overview, WorkspaceLine } from "../project-view.ts";
import { RequestError } from "./access.ts";
import { type Child, el } from "./element.ts";
import { code, emptyView } from "./parts.ts";
import { viewHref } from "./router.ts";
import { counted, number } from "./words.ts";

const UNUSABLE = {
  folder: "The folder cannot be read: ",
  store: "The store cannot be used: ",
};

/** The faults that prevented the reading of the folder or the store, if any. */
export function faultsBanner(overview: Overview | undefined) {
  const { faults = [], workspaces = [] } = overview ?? {};
  const [first] = faults;
  if (first === undefined) return null;
  const hasDraft = workspaces.length > 0;
  const them = faults.length === 1 ? "it" : "them";
  const title = first.subject
    ? UNUSABLE[first.subject]
    : `The folder has ${counted(faults.length, "fault")}: `;
  const draft = first.subject ? "this is the last draft" : `this is the last draft without ${them}`;
  return alertBanner(
    "faults",
    [title, hasDraft ? draft : `there is no draft until you fix ${them}`],
    el(
      "ol",
      faults
        .slice(0, 100)
        .map(({ file, line, column, record, message, other }) =>
          el(
            "li",
            code(
              [file, line, column].filter((part) => part !== undefined && part !== "").join(":"),
            ),
            record ? ` ${record.kind} "${record.id}": ` : " ",
            message,
            other ? ` (also in ${other})` : "",
          ),
        ),
    ),
    faults.length > 100 &&
      el("p", `and ${number(faults.length - 100)} more; the terminal lists all of them`),
  );
}

export function errorState(error: unknown, workspace: string | undefined) {
  const { status, message } =
    error instanceof RequestError ? error : { status: -1, message: `${error}` };
  const back = workspace && el("a", { href: viewHref([workspace]) }, "Go to the overview");
  switch (status) {
    case 401:
      return emptyView(
        "This page needs its link",
        "The preview prints a link with a new access key at each start. Open that link. It looks like this:",
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
  return alertBanner(
    "lost",
    "Disconnected: this page is no longer updated",
    el("p", "The preview was restarted. Open the link that it printed, and this tab reconnects."),
  );
}

/** Shown above the last view while the server does not answer. */
export function awayBanner() {
  return alertBanner(
    "lost",
    "The preview server does not answer",
    el(
      "p",
      "The last view stays until it does: the page tries again each second. If the preview was stopped, start it again.",
    ),
  );
}

function alertBanner(key: string, title: Child, ...content: Child[]) {
  const labelled = { "aria-labelledby": `${key}-title`, role: "alert", tabindex: -1 };
  return el(
    "section.faults",
    { ...labelled, "data-key": key },
    el("h2", { id: `${key}-title` }, title),
    content,
  );
}

export function noWorkspace({ id, name }: WorkspaceLine) {
  return emptyView(
    "There is no such workspace",
    el("a", { href: viewHref([id]) }, `Go to ${name}`),
  );
}

export function noDraft(hasFaults: boolean) {
  return emptyView(
    "There is no draft yet",
    hasFaults
      ? "Fix the faults in the folder, and it is imported."
      : ["To import a folder: ", code("svc import <folder>")],
  );
}
