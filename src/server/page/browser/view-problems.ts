import type { DescribedProblem as Problem } from "../../../workspace/problem-messages.ts";
import { el } from "./element.ts";
import { code, countsOf, emptyState, group, problemCounts, rowLink, viewHead } from "./parts.ts";
import { entryHref, viewHref } from "./router.ts";
import { windowedList } from "./windowed-list.ts";
import { number } from "./words.ts";

/** The title of each problem code, in display order. */
const TITLES: Readonly<Record<Problem["code"], string>> = {
  "value-missing": "A required value is missing",
  "model-missing": "An entry's model does not exist",
  "block-deleted": "A block's definition does not exist",
  "locale-missing": "A project has no locale",
  "draft-locale-unknown": "An entry is a draft in a locale of no project",
  "localized-missing": "A field is not localized, and its values are",
  "locale-unused": "No project has the locale",
  "locale-invalid": "A locale is no language tag",
  "value-type": "A value has the wrong type",
  "value-constraint": "A value breaks a rule of its field",
  "value-duplicate": "A unique value is in two entries",
  "block-not-accepted": "A block is not accepted by its field",
  "reference-model-not-accepted": "A reference points at a model that is not accepted",
  "option-unknown": "A field accepts a model or a category that does not exist",
  "field-unknown": "A value has no field",
  "reference-deleted": "A reference points at an entry that does not exist",
  "reference-draft": "A reference points at an entry that is not published",
  "reference-other-workspace": "A reference points into another workspace",
  "reference-too-deep": "A chain of references is longer than 5",
  "parent-loop": "Entries are their own ancestors",
  "asset-missing": "An asset is missing",
  "html-unreadable": "An html page cannot be read",
  "step-entry-draft": "A step shows an entry that is not published",
  "step-entry-missing": "A step shows an entry that does not exist",
  "experience-step-missing": "An experience names a step that does not exist",
  "pattern-unbounded": "A pattern may take exponential time",
  "document-over-1mb": "A document is larger than 1 MB",
  "document-over-10mb": "A document is larger than 10 MB",
  "experience-too-deep": "An experience leaves out many entries",
  "image-unreadable": "A file is no image",
  "rich-text-malformed": "Rich text has a mistake",
};
/** Row heights in pixels, for messages of two lines, and four on a phone. */
const [ROW, NARROW_ROW] = [76, 116];

/** All problems, grouped by code, in the order of `svc check`. Each links to its value. */
export function problemsView(workspace: string, problems: readonly Problem[]) {
  const counts = countsOf(problems);
  const groups = Object.entries(TITLES).flatMap(([name, title]) => {
    const some = problems.filter((problem) => problem.code === name);
    return some.length === 0 ? [] : [{ name, title, some }];
  });
  return el(
    "article",
    { "data-key": "problems" },
    viewHead("Problems", {
      beside: problemCounts(counts),
      below: problems.length > 0 && [
        "The list of ",
        code("svc check"),
        counts.errors > 0
          ? ": errors prevent publishing, warnings do not."
          : ": warnings do not prevent publishing.",
      ],
    }),
    problems.length === 0 &&
      emptyState("No problems", "Every value fits its field, and every pointer resolves."),
    groups.map(({ name, title, some }) =>
      group(
        name,
        title,
        [
          el(
            some.some(({ level }) => level === "error")
              ? "span.count.is-bad"
              : "span.count.is-warn",
            { "data-flash": "" },
            number(some.length),
          ),
          " ",
          code(name),
        ],
        windowedList({
          label: title,
          items: some,
          height: matchMedia("(max-width: 34rem)").matches ? NARROW_ROW : ROW,
          row: (problem) => problemRow(workspace, problem),
        }),
      ),
    ),
  );
}

function problemRow(workspace: string, { at, message }: Problem) {
  const { kind, id, path } = at;
  return rowLink(placeHref(workspace, at), message, [
    kind !== "entry" && `${kind} `,
    id,
    path && " ",
    path && code(path),
  ]);
}

/** Definitions have no view of their own. */
function placeHref(workspace: string, { kind, id, path }: Problem["at"]) {
  if (kind === "entry") return entryHref(workspace, id, path);
  if (kind === "project") return viewHref([workspace, "projects", id], path ? { at: path } : {});
  return viewHref([workspace, "problems"]);
}
