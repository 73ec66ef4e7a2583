import type { EntryView } from "../entry-view.ts";
import { problemCounts } from "../problem-counts.ts";
import { ChangedSince } from "./changed-since.tsx";
import { EntryActions, RenameEntry } from "./edit-entry.tsx";
import { EditAll, useEditing } from "./edit-field.tsx";
import { EditorLink } from "./editor-link.tsx";
import { EntryHistory } from "./entry-history.tsx";
import { isTitle } from "./field-kinds.ts";
import { EntryFields } from "./fields.tsx";
import { LanguageChoice } from "./locales.tsx";
import { Outlined } from "./outline.tsx";
import {
  Button,
  CopyButton,
  ModelTag,
  ProblemCounts,
  PublishingTag,
  TitleLink,
  ViewHead,
} from "./parts.tsx";
import { choose, SHOW_FIELDS, useShowsFields } from "./reading.ts";
import { entryHref, viewHref } from "./router.ts";
import { TranslateLink } from "./view-translation.tsx";
import { WhereUsed } from "./where-used.tsx";

/** H25: an entry as a page to be read. */
export function EntryPage({ entry }: { entry: EntryView }) {
  const { title, modelName } = entry;
  return (
    <article class="reading">
      <ViewHead
        title={title}
        above={<a href={viewHref(["entries"])}>Entries</a>}
        beside={
          <>
            <TitlePencil entry={entry} />
            <ModelTag modelName={modelName} />
            <PublishingTag of={entry} />
            <EntryProblems entry={entry} />
          </>
        }
      />
      <ChangedSince id={entry.id} />
      <WhereUsed kind="entries" id={entry.id} />
      <div class="reading-tools">
        <LanguageChoice entry={entry} />
        <TranslateLink entry={entry} />
        <EditAll entry={entry} />
        <EntryActions entry={entry} />
        <ShowFields />
      </div>
      <Outlined>
        <div class="card">
          <EntryFields entry={entry} />
        </div>
      </Outlined>
      <EntryHistory id={entry.id} />
      <EntryDetails entry={entry} />
    </article>
  );
}

/** The counts lead to the first place. */
function EntryProblems({ entry: { id, problems } }: { entry: EntryView }) {
  return (
    <ProblemCounts counts={problemCounts(problems)} href={entryHref(id, problems[0]?.at.path)} />
  );
}

/** Changes the field whose value is the heading, where that is not beside it. */
function TitlePencil({ entry: { id, fields, title } }: { entry: EntryView }) {
  const { edit } = useEditing(id);
  const field = fields.find((one) => isTitle(one, title));
  if (useShowsFields() || field === undefined || edit === undefined) return null;
  return (
    <span class="title-field" data-path={field.path} tabIndex={-1}>
      {edit(field)}
    </span>
  );
}

/** What a developer needs of an entry, in one line. */
function EntryDetails({ entry }: { entry: EntryView }) {
  const { id, modelKey } = entry;
  return (
    <p class="details-line">
      {"Id "}
      <code>{id}</code> <CopyButton text={id} what="the id" /> <RenameEntry entry={entry} />
      {modelKey !== null && (
        <>
          {", model "}
          <code>{modelKey}</code>
        </>
      )}{" "}
      <EditorLink id={id} />
    </p>
  );
}

/** H25: shows names, types and empty fields, until it is used again. */
export function ShowFields() {
  const shows = useShowsFields();
  return (
    <Button aria-pressed={shows} onClick={() => choose(SHOW_FIELDS, shows ? "" : "yes")}>
      Show fields
    </Button>
  );
}

/** An entry among others, under a heading that links to its view. */
export function EntryCard({ entry }: { entry: EntryView }) {
  const { id, title, modelName } = entry;
  return (
    <section class="card" aria-label={title}>
      <header class="card-head">
        <h3>
          <TitleLink href={entryHref(id)} title={title} />
        </h3>
        <TitlePencil entry={entry} />
        <EditAll entry={entry} />
        <p>
          <ModelTag modelName={modelName} /> <PublishingTag of={entry} />{" "}
          <EntryProblems entry={entry} /> <TranslateLink entry={entry} />
        </p>
      </header>
      <EntryFields entry={entry} />
    </section>
  );
}
