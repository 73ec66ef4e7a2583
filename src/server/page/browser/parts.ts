import type { DescribedProblem as Problem } from "../../../workspace/problem-messages.ts";
import type { EntrySummary, PointerTarget } from "../entry-summary.ts";
import type { GraphNode } from "../experience-view.ts";
import { type Child, el } from "./element.ts";
import { morph } from "./morph.ts";
import { entryHref } from "./router.ts";
import { windowedList } from "./windowed-list.ts";
import { counted, UNRESOLVED_REASONS } from "./words.ts";

export function viewHead(
  title: string,
  { above, beside, below }: { above?: Child; beside?: Child; below?: Child } = {},
) {
  return el(
    "header.view-head",
    above && el("p.above", above),
    el("div.title-line", el("h1", { tabindex: -1, dir: "auto" }, title), beside),
    below && el("p.below", below),
  );
}

/** A part of a view, with a heading and what is beside that. */
export function group(key: string, title: Child, beside: Child, ...content: Child[]) {
  return el(
    "section.group",
    { "data-key": key },
    el("div.group-head", el("h2", title), el("p", beside)),
    content,
  );
}

export function linkLine(href: string, text: string) {
  return el("p", el("a", { href }, text));
}

export function emptyState(title: string, ...more: Child[]) {
  return el("div.empty", el("h2", title), ...more.map((part) => el("p", part)));
}

export function emptyView(title: string, ...more: Child[]) {
  return el(
    "div.empty",
    el("h1", { tabindex: -1 }, title),
    more.map((part) => part && el("p", part)),
  );
}

export function code(text: string) {
  return el("code", text);
}

export function modelTag(modelKey: string | null) {
  return modelKey === null ? el("span.tag.is-bad", "model deleted") : el("span.tag", modelKey);
}

/** That an entry is not published, and why; null of one that is. */
export function hiddenTag(hidden: EntrySummary["hidden"]) {
  if (hidden === null) return null;
  // A7.
  if (typeof hidden !== "string") {
    const where = hidden.join(", ");
    return el("span.tag.is-away", { title: `Not published in ${where}` }, `draft in ${where}`);
  }
  return el("span.tag.is-away", { title: "Not published" }, HIDDEN[hidden]);
}

const HIDDEN = { draft: "draft", publishAt: "not due yet", unpublishAt: "over" };

export interface Counts {
  errors: number;
  warnings: number;
}

export function countsOf(problems: readonly Problem[]): Counts {
  const errors = problems.filter(({ level }) => level === "error").length;
  return { errors, warnings: problems.length - errors };
}

/** "2 errors", "1 warning" in their colours; null without problems. */
export function problemCounts({ errors, warnings }: Counts) {
  if (errors + warnings === 0) return null;
  return el(
    "span.counts",
    errors > 0 && el("span.count.is-bad", counted(errors, "error")),
    warnings > 0 && el("span.count.is-warn", counted(warnings, "warning")),
  );
}

/** Problems, shown beside the value that they are about. */
export function problemNotes(problems: readonly Problem[]) {
  return problems.map(({ level, code: name, message }) =>
    el(
      level === "error" ? "p.note.is-bad" : "p.note.is-warn",
      el("strong", level === "error" ? "Error" : "Warning"),
      ` ${message} `,
      code(name),
    ),
  );
}

/** Problems of a record that are not about the value of one of its fields. */
export function recordNotes(problems: readonly Problem[]) {
  return el(
    "div.notes",
    problems.map((problem) => {
      const place = { "data-path": problem.at.path, tabindex: -1 };
      return el("div", place, problemNotes([problem]));
    }),
  );
}

export function rowLink(href: string, title: Child, below: Child, beside?: Child) {
  return el(
    "a.row",
    { href },
    el(
      "span.row-text",
      el("span.row-title", { dir: "auto" }, title),
      el("span.row-below", { dir: "auto" }, below),
    ),
    beside && el("span.row-beside", beside),
  );
}

/** A fold whose content is created when it is opened. */
export function lazyFold(summary: string, make: () => Element) {
  let current = make;
  const line = el("summary", summary);
  const fold = el("details.rest", line);
  const fill = () => {
    if (fold.open && fold.children.length === 1) fold.append(current());
  };
  fold.ontoggle = fill;
  return Object.assign(fold, {
    make,
    /** Opens it and creates its content synchronously; the toggle event comes later. */
    unfold() {
      fold.open = true;
      fill();
    },
    adopt(fresh: Element) {
      const next = fresh as HTMLDetailsElement & { make: () => Element };
      current = next.make;
      morph(line, next.firstElementChild as Element);
      const content = fold.children[1];
      if (fold.open && content) morph(content, current());
      else content?.remove();
    },
  });
}

/** A pointer that shows nothing, with the reason. */
export function brokenTarget(id: string, reason: string, kind = "is-bad") {
  return el(`span.target.${kind}`, el("span", code(id)), el("span.reason", reason));
}

/** A link to a pointer's target, or the reason why it does not resolve. */
export function targetLink(
  workspace: string,
  { id, title, modelKey, hidden, state }: PointerTarget,
) {
  if (state !== "found") {
    return brokenTarget(id, UNRESOLVED_REASONS[state], state === "deleted" ? "is-bad" : "is-away");
  }
  return el(
    "a.target",
    { href: entryHref(workspace, id) },
    el("span.target-title", { dir: "auto" }, title),
    modelTag(modelKey),
    hiddenTag(hidden),
  );
}

/** @param what the text is, for the label and the announcement */
export function copyButton(text: string, what: string) {
  return el(
    "button.quiet",
    {
      type: "button",
      "aria-label": `Copy ${what}`,
      onclick: async ({ currentTarget }: MouseEvent) => {
        const button = currentTarget as HTMLButtonElement;
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

export function announce(text: string) {
  const status = document.getElementById("status");
  if (status) status.textContent = text;
}

/** The entries of a reference graph, with their distances from the content of the steps. */
export function nodeList(workspace: string, label: string, nodes: readonly GraphNode[]) {
  return windowedList({
    label,
    items: nodes,
    row(node) {
      const { id, title, modelKey, hidden, depth } = node;
      const away = { title: `${depth} references away` };
      return rowLink(entryHref(workspace, id), title, code(id), [
        problemCounts(node),
        hiddenTag(hidden),
        modelTag(modelKey),
        el("span.depth", away, el("span.unseen", "distance "), String(depth)),
      ]);
    },
  });
}
