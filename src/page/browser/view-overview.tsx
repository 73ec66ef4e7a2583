import type { ComponentChildren } from "preact";
import { useContext } from "preact/hooks";
import { problemCounts } from "../problem-counts.ts";
import type {
  CollectionView,
  ExperienceLine,
  ProjectView,
  StepView,
  WorkspaceLine,
} from "../project-view.ts";
import { Shown } from "./answers.ts";
import { sinceText, useStanding } from "./changed-since.tsx";
import { NewEntry } from "./edit-new.tsx";
import { NewPage } from "./edit-page.tsx";
import { Fields } from "./fields.tsx";
import { LanguageTag } from "./locales.tsx";
import {
  EmptyState,
  Facts,
  Group,
  ProblemCounts,
  RowLink,
  RowText,
  TargetLink,
  TitleLink,
  ViewHead,
} from "./parts.tsx";
import { RecordNotes } from "./problem-notes.tsx";
import { Reading } from "./reading.ts";
import { viewHref } from "./router.ts";
import { TranslationFacts } from "./translations.tsx";
import { WindowedList } from "./windowed-list.tsx";
import { counted, number } from "./words.ts";

/** Whether projects, as those of fifty languages, are listed without their experiences. */
export const isMany = (projects: WorkspaceLine["projects"]) => projects.length > 6;

/** What an author asks first: what prevents publishing, what has changed, and where things are. */
export function OverviewView({ workspace }: { workspace: WorkspaceLine }) {
  const { name, counts, projects, isTranslated } = workspace;
  const { entries, assets, models, features } = counts;
  const facts = [
    { text: counted(entries, "entry", "entries"), href: viewHref(["entries"]) },
    { text: counted(assets, "asset"), href: viewHref(["assets"]) },
    { text: counted(models, "model"), href: viewHref(["models"]) },
    { text: counted(features, "feature"), href: viewHref(["features"]) },
  ];
  return (
    <article>
      <ViewHead title={name} />
      <div class="panels">
        <ProblemPanel />
        <ChangesPanel />
        <Panel title="Content">
          <Facts facts={features > 0 ? facts : facts.slice(0, 3)} />
          <NewEntry />
        </Panel>
        {isTranslated && (
          <Panel title="Translations">
            <TranslationFacts />
          </Panel>
        )}
      </div>
      {projects.length === 0 && (
        <EmptyState title="There is no project yet">
          <p>A project has steps with layouts, and experiences that lead through them.</p>
        </EmptyState>
      )}
      {isMany(projects) ? (
        <Group name="projects" title="Projects" beside={number(projects.length)}>
          <WindowedList
            label="Projects"
            items={projects}
            row={({ id, name, experienceCount }) => (
              <RowLink
                href={viewHref(["projects", id])}
                title={name}
                below={counted(experienceCount, "experience")}
              />
            )}
          />
        </Group>
      ) : (
        projects.map(projectGroup)
      )}
    </article>
  );
}

function Panel({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="panel">
      <h2>{title}</h2>
      {children}
    </section>
  );
}

function ProblemPanel() {
  const { faults } = useContext(Shown);
  const { problems } = useStanding();
  const { errors, warnings } = problems ?? { errors: 0, warnings: 0 };
  const href = viewHref(["problems"]);
  return (
    <Panel title="Before publishing">
      {problems === undefined && <p class="soft">Checking…</p>}
      {faults > 0 && (
        <p class="says is-bad">
          {counted(faults, "fault above prevents", "faults above prevent")} publishing
        </p>
      )}
      {problems && errors + faults === 0 && <p class="says is-good">Nothing prevents publishing</p>}
      {errors > 0 && (
        <p class="says is-bad">
          <a href={href}>{counted(errors, "error prevents", "errors prevent")} publishing</a>
        </p>
      )}
      {warnings > 0 && (
        <p>
          <a href={href}>{counted(warnings, "warning")} to look at</a>
        </p>
      )}
    </Panel>
  );
}

function ChangesPanel() {
  const { base, counts, named = [] } = useStanding().changed ?? {};
  const href = viewHref(["changes"]);
  if (base === undefined || counts === undefined || base.versionId === null) {
    const { message } = base?.problem ?? {};
    return (
      <Panel title="Changes">
        {base === undefined && <p class="soft">Comparing…</p>}
        {base && <p class="says">{message ? "Not compared" : "Nothing is published yet"}</p>}
        {base && <p>{message ?? <a href={href}>What publishing would create</a>}</p>}
      </Panel>
    );
  }
  const count = counts.changed + counts.added + counts.removed;
  return (
    <Panel title={`Changes ${sinceText(base)}`}>
      <p class="says">
        {count === 0 ? "None" : <a href={href}>{counted(count, "entry", "entries")}</a>}
      </p>
      <ul>
        {named.map(({ id, title }) => (
          <li key={id}>
            <TitleLink href={viewHref(["entries", id])} title={title} />
          </li>
        ))}
        {count > named.length && named.length > 0 && <li class="soft">and others</li>}
      </ul>
    </Panel>
  );
}

function projectGroup(project: WorkspaceLine["projects"][number]) {
  const { id, name, experiences, experienceCount } = project;
  const href = viewHref(["projects", id]);
  return (
    <Group
      key={id}
      name={id}
      title={<a href={href}>{name}</a>}
      beside={<a href={href}>{counted(experienceCount, "experience")}</a>}
    >
      <ExperienceList project={id} experiences={experiences} />
      {experienceCount > experiences.length && (
        <p>
          <a href={href}>All {counted(experienceCount, "experience")}</a>
        </p>
      )}
    </Group>
  );
}

function ExperienceList({
  project,
  experiences,
}: {
  project: string;
  experiences: readonly ExperienceLine[];
}) {
  if (experiences.length === 0) return <p class="soft">No experiences.</p>;
  return (
    <WindowedList
      label="Experiences"
      items={experiences}
      row={({ id, name, steps }) => {
        const href = viewHref(["projects", project, "experiences", id]);
        const path = steps.join(" → ");
        return <RowLink href={href} title={name} below={path === name ? "" : path || "no steps"} />;
      }}
    />
  );
}

export function ProjectPage({ project }: { project: ProjectView }) {
  const { id, name, language, fields, collections, steps, experiences, problems } = project;
  const languages = language === null ? [] : [language];
  const beside = { problems, languages, project: id };
  const own = problems.filter(
    ({ at, code }) =>
      at.kind !== "project" || code === "field-unknown" || !at.path.startsWith("/fields/"),
  );
  const href = viewHref(["problems"]);
  return (
    <article>
      <ViewHead
        title={name}
        above="Project"
        beside={
          <>
            <LanguageTag language={language} />
            <NewPage project={id} />
            <ProblemCounts counts={problemCounts(problems)} href={href} />
          </>
        }
      />
      <RecordNotes problems={own} />
      {collections.length > 0 && (
        <div data-path="/collections" tabIndex={-1}>
          <Group title="Collections" beside="Experiences that nobody writes: one of each entry">
            {collections.map(collectionRow)}
          </Group>
        </div>
      )}
      <Group title="Experiences" beside={counted(experiences.length, "experience")}>
        <ExperienceList project={id} experiences={experiences} />
      </Group>
      <Group title="Steps" beside={counted(steps.length, "step")}>
        {steps.length === 0 && <p class="soft">No steps.</p>}
        <WindowedList label="Steps" items={steps} row={stepRow} />
      </Group>
      {fields.length > 0 && (
        <Group title="Fields">
          <Reading.Provider value={beside}>
            <Fields fields={fields} />
          </Reading.Provider>
        </Group>
      )}
    </article>
  );
}

function collectionRow(collection: CollectionView) {
  const { modelId, title, by, pattern, layoutName, entries, pages, list } = collection;
  const sort = list?.sort ? `, ${list.sort}` : "";
  const listed = list && `; ${counted(pages, "page")} of ${list.size}${sort}`;
  return (
    <RowLink
      href={viewHref(modelId === undefined ? ["models"] : ["models", modelId])}
      title={title}
      below={
        <>
          <code>{pattern}</code>
          {by ? `, by ${by}` : `, layout ${layoutName}`}
          {listed}
        </>
      }
      beside={by ? counted(pages, "page") : counted(entries, "entry", "entries")}
    />
  );
}

function stepRow({ name, layoutName, entry }: StepView) {
  if (entry?.state === "found") {
    return (
      <RowLink
        href={viewHref(["entries", entry.id])}
        title={name}
        below={
          <>
            layout {layoutName}: <bdi>{entry.title}</bdi>
          </>
        }
      />
    );
  }
  return (
    <div class="row">
      <RowText
        title={name}
        below={`layout ${layoutName}${entry === null ? ", no content" : ""}`}
        beside={entry && <TargetLink target={entry} />}
      />
    </div>
  );
}
