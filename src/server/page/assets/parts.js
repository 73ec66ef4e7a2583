import { el } from "./element.js";
import { entryHref } from "./router.js";
import { counted, UNRESOLVED_REASONS } from "./words.js";

/** @typedef {import("../../../workspace/problem-messages.ts").DescribedProblem} Problem */
/** @typedef {import("./element.js").Child} Child */

/** The height of a list row in pixels. */
export const ROW = 60;

/**
 * The header of a view.
 *
 * @param {string} title
 * @param {{ above?: Child, beside?: Child, below?: Child }} [more]
 */
export function viewHead(title, { above, beside, below } = {}) {
  return el(
    "header",
    { class: "view-head" },
    above && el("p", { class: "above" }, above),
    el("div", { class: "title-line" }, el("h1", { tabindex: -1, dir: "auto" }, title), beside),
    below && el("p", { class: "below" }, below),
  );
}

/**
 * Shown where a part of a view is empty.
 *
 * @param {string} title
 * @param {...Child} more
 */
export function emptyState(title, ...more) {
  return el(
    "div",
    { class: "empty" },
    el("h2", {}, title),
    ...more.map((part) => el("p", {}, part)),
  );
}

/**
 * Shown where the complete view is empty.
 *
 * @param {string} title
 * @param {...Child} more
 */
export function emptyView(title, ...more) {
  return el(
    "div",
    { class: "empty" },
    el("h1", { tabindex: -1 }, title),
    more.map((part) => part && el("p", {}, part)),
  );
}

/** @param {string} text */
export function code(text) {
  return el("code", {}, text);
}

/** @param {string | null} modelKey */
export function modelTag(modelKey) {
  return modelKey === null
    ? el("span", { class: "tag is-bad" }, "model deleted")
    : el("span", { class: "tag" }, modelKey);
}

/**
 * That an entry is not published, and why; null of one that is.
 *
 * @param {import("../entry-summary.ts").EntrySummary["hidden"]} hidden
 */
export function hiddenTag(hidden) {
  if (hidden === null) return null;
  return el("span", { class: "tag is-away", title: "Not published" }, HIDDEN[hidden]);
}

const HIDDEN = { draft: "draft", publishAt: "not due yet", unpublishAt: "over" };

/**
 * "2 errors", "1 warning" in their colours; null without problems.
 *
 * @param {number} errors
 * @param {number} warnings
 */
export function problemCounts(errors, warnings) {
  if (errors + warnings === 0) return null;
  return el(
    "span",
    { class: "counts" },
    errors > 0 && el("span", { class: "count is-bad" }, counted(errors, "error")),
    warnings > 0 && el("span", { class: "count is-warn" }, counted(warnings, "warning")),
  );
}

/**
 * Problems, shown beside the value that they are about.
 *
 * @param {readonly Problem[]} problems
 */
export function problemNotes(problems) {
  return problems.map(({ level, code: name, message }) =>
    el(
      "p",
      { class: `note is-${level === "error" ? "bad" : "warn"}` },
      el("strong", {}, level === "error" ? "Error" : "Warning"),
      ` ${message} `,
      code(name),
    ),
  );
}

/**
 * Problems of a record that are not about the value of one of its fields.
 *
 * @param {readonly Problem[]} problems
 */
export function recordNotes(problems) {
  return el(
    "div",
    { class: "notes" },
    problems.map((problem) => {
      const place = { "data-path": problem.at.path, tabindex: -1 };
      return el("div", place, problemNotes([problem]));
    }),
  );
}

/**
 * A list row that is a link.
 *
 * @param {string} href
 * @param {Child} title
 * @param {Child} below
 * @param {Child} [beside]
 */
export function rowLink(href, title, below, beside) {
  return el(
    "a",
    { class: "row", href },
    el(
      "span",
      { class: "row-text" },
      el("span", { class: "row-title", dir: "auto" }, title),
      el("span", { class: "row-below", dir: "auto" }, below),
    ),
    beside && el("span", { class: "row-beside" }, beside),
  );
}

/**
 * A link to a pointer's target, or the reason why it does not resolve.
 *
 * @param {string} workspace
 * @param {import("../entry-summary.ts").PointerTarget} target
 */
export function targetLink(workspace, { id, title, modelKey, hidden, state }) {
  if (state !== "found") {
    const kind = state === "deleted" ? "is-bad" : "is-away";
    return el(
      "span",
      { class: `target ${kind}` },
      el("span", {}, code(id)),
      el("span", { class: "reason" }, UNRESOLVED_REASONS[state]),
    );
  }
  return el(
    "a",
    { class: "target", href: entryHref(workspace, id) },
    el("span", { class: "target-title", dir: "auto" }, title),
    modelTag(modelKey),
    hiddenTag(hidden),
  );
}

/**
 * A button that copies a text.
 *
 * @param {string} text
 * @param {string} what the text is, for the label and the announcement
 */
export function copyButton(text, what) {
  return el(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": `Copy ${what}`,
      onclick: async (/** @type {MouseEvent} */ { currentTarget }) => {
        const button = /** @type {HTMLButtonElement} */ (currentTarget);
        await navigator.clipboard.writeText(text);
        announce(`Copied ${what}.`);
        button.textContent = "Copied";
        setTimeout(() => {
          button.textContent = "Copy";
        }, 1500);
      },
    },
    "Copy",
  );
}

/**
 * Announces a text to screen readers.
 *
 * @param {string} text
 */
export function announce(text) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

/**
 * The distance of an entry from the content of the steps.
 *
 * @param {number} depth
 */
export function depthTag(depth) {
  return el(
    "span",
    { class: "depth", title: `${depth} references away` },
    el("span", { class: "unseen" }, "distance "),
    String(depth),
  );
}
