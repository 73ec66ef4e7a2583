import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import type { ExperienceView, ReachedEntry, UnresolvedPointer } from "../experience-view.ts";
import { problemCounts } from "../problem-counts.ts";
import type { Answers } from "../queries.ts";
import { useAnswer } from "./answers.ts";
import { LanguageTag } from "./locales.tsx";
import { Outlined } from "./outline.tsx";
import {
  Button,
  EmptyState,
  Group,
  ModelTag,
  ProblemCounts,
  PublishingTag,
  RowLink,
  TargetLink,
  ViewHead,
} from "./parts.tsx";
import { ProblemNotes } from "./problem-notes.tsx";
import { Reading, useReading } from "./reading.ts";
import { entryHref, viewHref } from "./router.ts";
import { EntryCard, ShowFields } from "./view-entry.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { counted, number, UNRESOLVED_REASONS } from "./words.ts";

/** The parts of the view, by the last segment of its address. */
export const PARTS = {
  content: "Content",
  changes: "Changes",
  documents: "Documents",
} as const;

export type Part = keyof typeof PARTS;

/** The view of one part of an experience, whose content is loaded by `views.ts`. */
export function experienceView(experience: ExperienceView, part: Part, content: ComponentChildren) {
  const { project, id, name, key, language, problems, collection } = experience;
  const base = ["projects", project.id, "experiences", id];
  return (
    <article key={`experience ${project.id} ${id}`}>
      <ViewHead
        title={name}
        above={
          <>
            <a href={viewHref(base.slice(0, 2))}>{project.name}</a>
            {" / experience "}
            <code>{key}</code>
          </>
        }
        beside={
          <>
            <LanguageTag language={language} />
            <ProblemCounts counts={problemCounts(problems)} href={viewHref(["problems"])} />
          </>
        }
        below={collection && <MadeBy {...experience} />}
      />
      <nav class="parts" aria-label="Parts of the experience">
        {Object.entries(PARTS).map(([segment, title]) => (
          <a
            href={viewHref(segment === "content" ? base : [...base, segment])}
            aria-current={segment === part ? "page" : undefined}
          >
            {title}
          </a>
        ))}
      </nav>
      <div key={part}>{content}</div>
    </article>
  );
}

/** Q10: that nobody wrote the experience. */
function MadeBy({ project, collection: by }: ExperienceView) {
  if (!by) return null;
  const { model, entry } = by;
  const href = viewHref(["projects", project.id], { at: "/collections" });
  return (
    <>
      {entry ? "Made by a " : "A page of the list of a "}
      <a href={href}>collection</a> of {model}
      {entry && [", of ", <TargetLink target={entry} />]}
    </>
  );
}

/** How many content entries are shown at first, and how many more on each request. */
export const CARDS = 20;

/** The content of the steps with all fields, then a list of the references, nearest first. */
export function ContentPart({
  experience,
  first,
}: {
  experience: ExperienceView;
  first: Answers["content"];
}) {
  const { project, id: of, steps, nodes, unresolved, problems } = experience;
  const [most, setMost] = useState(CARDS);
  const [isAll, setAll] = useState(false);
  const isMore = most > CARDS || isAll;
  const open = isAll ? "all" : "";
  const query = { project: project.id, experience: of, most, open };
  const more = useAnswer(isMore ? "content" : undefined, query);
  const { entries: views, opened } = (isMore && more.answer) || first;
  const reading = useReading();
  if (nodes.length === 0) {
    return (
      <EmptyState title="This experience has no content">
        <p>
          None of its steps has a layout with an existing entry, so requests for its content return
          404 and no file is written.
        </p>
        <p>
          {steps.map((step) => [
            <span class="tag">{step?.name ?? "a step that does not exist"}</span>,
            " ",
            step?.entry && [<TargetLink target={step.entry} />, " "],
          ])}
        </p>
      </EmptyState>
    );
  }
  const entries = new Map(views.map((one) => [one.id, one]));
  const tooDeep = problems.filter(({ code: name }) => name === "reference-too-deep");
  const shown = new Set();
  const reached = nodes.filter(({ depth }) => depth > 0);
  const behind = nodes.length - reached.length;
  return (
    <>
      <div class="reading-tools">
        {reached.length > 0 && (
          <Button aria-pressed={isAll} onClick={() => setAll(!isAll)}>
            Open all
          </Button>
        )}
        <ShowFields />
      </div>
      <Outlined>
        <Reading.Provider
          value={{ ...reading, opened: new Map(opened.map((one) => [one.view.id, one])) }}
        >
          <ol class="steps">
            {steps.map((step, index) => {
              if (step === null)
                return (
                  <li class="step">
                    {stepHead(index, "A step that does not exist", "deleted, so not served")}
                  </li>
                );
              const { id, name, layoutName, entry } = step;
              const found = entry?.state === "found" ? entry : undefined;
              const isShown = found && shown.has(found.id);
              if (found) shown.add(found.id);
              const card = found && !isShown && entries.get(found.id);
              // It comes later.
              if (found && !isShown && !card) return null;
              return (
                <li class="step" key={`${index} ${id}`}>
                  {stepHead(index, name, `layout ${layoutName}`)}
                  {entry === null && <p class="soft">No content.</p>}
                  {entry !== null && (found === undefined || isShown) && (
                    <p>
                      <TargetLink target={entry} />
                      {isShown && <span class="soft">{" shown above"}</span>}
                    </p>
                  )}
                  {card && <EntryCard entry={card} />}
                </li>
              );
            })}
          </ol>
        </Reading.Provider>
      </Outlined>
      {entries.size < behind && (
        <p>
          <button type="button" onClick={() => setMost(most + CARDS)}>
            {`Show more of ${counted(behind, "entry", "entries")}`}
          </button>
        </p>
      )}
      {reached.length > 0 && (
        <Group
          title="References"
          beside={`${counted(reached.length, "entry", "entries")} that the content references`}
        >
          <WindowedList label="References" items={reached} row={reachedRow} />
        </Group>
      )}
      {unresolved.length > 0 && (
        <Group title={UNRESOLVED} beside={number(unresolved.length)}>
          <WindowedList
            label={UNRESOLVED}
            items={unresolved}
            row={(one) =>
              unresolvedRow(one, nodes.find(({ id }) => id === one.from)?.title ?? one.from)
            }
          />
        </Group>
      )}
      {tooDeep.length > 0 && (
        <div class="notes">
          <ProblemNotes problems={tooDeep} />
        </div>
      )}
    </>
  );
}

/** An entry, with its distance from the content of the steps. */
function reachedRow(entry: ReachedEntry) {
  const { id, title, modelName, depth } = entry;
  const beside = (
    <>
      <ProblemCounts counts={entry} />
      <PublishingTag of={entry} />
      <ModelTag modelName={modelName} />
      <span class="depth" title={`${depth} references away`}>
        <span class="unseen">distance </span>
        {depth}
      </span>
    </>
  );
  return <RowLink href={entryHref(id)} title={title} below={<code>{id}</code>} beside={beside} />;
}

const UNRESOLVED = "Pointers that do not resolve";
const REASON_CLASSES = { deleted: "bad", "other-workspace": "away", "too-deep": "warn" };

/** @param from the title of the entry that has it. */
function unresolvedRow(pointer: UnresolvedPointer, from: string) {
  const { from: id, path, target, title, reason } = pointer;
  return (
    <RowLink
      href={entryHref(id, path)}
      title={title === target ? <code>{target}</code> : title}
      below={
        <>
          in <bdi>{from}</bdi>
        </>
      }
      beside={<span class={`tag is-${REASON_CLASSES[reason]}`}>{UNRESOLVED_REASONS[reason]}</span>}
    />
  );
}

function stepHead(index: number, name: string, below: string) {
  return (
    <div class="step-head">
      <span class="step-number">{number(index + 1)}</span>
      <h2 dir="auto">{name}</h2>
      <p>{below}</p>
    </div>
  );
}
