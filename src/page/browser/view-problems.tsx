import { useState } from "preact/hooks";
import type { ListedProblem, ProblemGroup } from "../problem-list.ts";
import { useAnswer } from "./answers.ts";
import { FileLink } from "./editor-link.tsx";
import { Button, EmptyState, Group, ProblemCounts, ViewHead } from "./parts.tsx";
import { RemoveIt } from "./problem-notes.tsx";
import { entryHref, viewHref } from "./router.ts";
import { number } from "./words.ts";

/** The title of each problem code, in display order. */
const TITLES: Readonly<Record<ProblemGroup["code"], string>> = {
  "entries-hidden": "No entry is published",
  "experiences-empty": "No experience of a project has content",
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
  "value-computed": "A value is stored where a query finds it",
  "query-exceeded": "Queries find too much",
  "document-over-64mb": "A document is larger than 64 MB",
  "condition-invalid": "A condition or a sort cannot hold",
  "value-duplicate": "A unique value is in two entries",
  "block-not-accepted": "A block is not accepted by its field",
  "reference-model-not-accepted": "A reference points at a model that is not accepted",
  "collection-invalid": "A collection cannot be used as it is defined",
  "collected-left-out": "A collection leaves out an entry or a page",
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
  "experience-key-taken": "The key of an experience is the id of another one",
  "pattern-unbounded": "A pattern may take exponential time",
  "document-heavy": "Documents are heavy",
  "experience-too-deep": "An experience leaves out many entries",
  "image-unreadable": "A file is no image",
  "name-not-portable": "Not every system can have a file of this name",
  "rich-text-malformed": "Rich text has a mistake",
};
/** How many more of a group are listed at once. */
const MORE = 100;

/** H39: all problems, grouped by code. Each links to its value, and to its place in the author's editor. */
export function problemsView(groups: readonly ProblemGroup[]) {
  const counts = {
    errors: groups.reduce((sum, { errors }) => sum + errors, 0),
    warnings: groups.reduce((sum, { warnings }) => sum + warnings, 0),
  };
  const inOrder = Object.keys(TITLES).flatMap((code) => groups.filter((one) => one.code === code));
  return (
    <article key="problems" data-key="problems">
      <ViewHead
        title="Problems"
        beside={<ProblemCounts counts={counts} />}
        below={
          groups.length > 0 &&
          (counts.errors > 0
            ? "Errors prevent publishing, warnings do not."
            : "Warnings do not prevent publishing.")
        }
      />
      {groups.length === 0 && (
        <EmptyState title="No problems">
          <p>Every value fits its field, and every pointer resolves.</p>
        </EmptyState>
      )}
      {inOrder.map((group) => (
        <GroupOfProblems key={group.code} group={group} />
      ))}
    </article>
  );
}

function GroupOfProblems({ group }: { group: ProblemGroup }) {
  const { code, errors, warnings, problems } = group;
  const total = errors + warnings;
  const [most, setMost] = useState(0);
  const { answer } = useAnswer(most > 0 ? "problem-list" : undefined, { code, most });
  const left = total - Math.max(problems.length, most);
  return (
    <Group
      name={code}
      title={TITLES[code]}
      beside={
        <span class={errors > 0 ? "count is-bad" : "count is-warn"} data-flash="">
          {number(total)}
        </span>
      }
    >
      <ul>{(answer?.groups[0]?.problems ?? problems).map(problemRow)}</ul>
      {left > 0 && (
        <Button onClick={() => setMost(most + MORE)}>
          {`Show ${number(Math.min(MORE, left))} more`}
        </Button>
      )}
    </Group>
  );
}

function problemRow(problem: ListedProblem) {
  const { at, title, message, field, value, place } = problem;
  const href = placeHref(at);
  const locale = field?.locale === undefined ? "" : ` (${field.locale})`;
  const name = (
    <>
      {title}
      {field && <span class="soft">{` › ${field.fields.join(" › ")}${locale}`}</span>}
    </>
  );
  return (
    <li class="problem-row" tabIndex={-1}>
      <p class="problem-title" dir="auto">
        {href ? <a href={href}>{name}</a> : name}
      </p>
      <p class="problem-text" dir="auto">
        {message}
        {value !== undefined && (
          <>
            {" "}
            <code>{value}</code>
          </>
        )}{" "}
        <RemoveIt problem={problem} />
      </p>
      {place && (
        <p>
          <FileLink place={place} />
        </p>
      )}
    </li>
  );
}

/** Definitions have no view of their own values. */
function placeHref({ kind, id, path }: ListedProblem["at"]) {
  if (kind === "entry") return entryHref(id, path);
  if (kind === "project") return viewHref(["projects", id], path ? { at: path } : {});
  return kind === "workspace" ? undefined : viewHref([`${kind}s`, id]);
}
