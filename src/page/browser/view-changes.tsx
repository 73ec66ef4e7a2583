import { useState } from "preact/hooks";
import type { SchemaChange } from "../../diff/schema-change.ts";
import { andMore, listed } from "../../workspace/listed.ts";
import type {
  ChangedEntry,
  Changes,
  ComparedBase,
  CompleteChanges,
  ExperienceChanges,
} from "../changes.ts";
import { useAnswer } from "./answers.ts";
import { ComparedValues } from "./compared-values.tsx";
import {
  Awaited,
  ChangeTag,
  EmptyState,
  Failure,
  Fold,
  Group,
  TargetLink,
  TitleLink,
  ViewHead,
} from "./parts.tsx";
import { PublishPanel } from "./publish-panel.tsx";
import { entryHref, viewHref } from "./router.ts";
import { counted, moment, number } from "./words.ts";

const UNREADABLE = "What is published cannot be read";

type DocumentChange = Changes["documents"][number];

/** H17, H31: what publishing would change. */
export function changesView(changes: CompleteChanges) {
  const { base, unreached, leftOut, errors } = changes;
  return (
    <article key="changes">
      <ViewHead
        title="Changes"
        below={<BaseText base={base} hasChanges={changes.documents.length > 0} />}
      />
      {base.problem && <Failure title={UNREADABLE} problem={base.problem} />}
      <Blocking errors={errors} />
      <PublishPanel isBlocked={errors.count > 0} changes={changes} />
      {base.problem === undefined && <ChangeGroups changes={changes} hasMore={true} base={base} />}
      {listGroup(leftOut, {
        key: "left-out",
        title: "Not published",
        text: "Drafts, and entries that are not due yet or over. Publishing leaves them out.",
      })}
      {listGroup(unreached, {
        key: "unreached",
        title: "In no experience",
        text: "No step shows them, nor does an entry within 5 references of one. Publishing leaves them out.",
      })}
    </article>
  );
}

/** With what the draft is compared. */
function BaseText({ base, hasChanges }: { base: ComparedBase; hasChanges: boolean }) {
  const { kind, name, versionId, at, others, problem } = base;
  if (problem !== undefined) return null;
  if (versionId === null) {
    const where = others
      ? `Nothing of this workspace is published in ${name}, which has ${listed(others)}`
      : "Nothing is published yet";
    return `${where}${hasChanges ? ": publishing would create all of this." : "."}`;
  }
  const when = at === null ? "" : ` on ${moment(at)}`;
  const where = kind === "store" ? "" : kind === "out" ? ` in the folder ${name}` : ` at ${name}`;
  return (
    <span title={`Version ${versionId}`}>{`Compared with what was published${when}${where}.`}</span>
  );
}

/** The errors for which a publish is refused. */
function Blocking({ errors }: { errors: CompleteChanges["errors"] }) {
  const { count, first } = errors;
  if (count === 0) return null;
  const href = viewHref(["problems"]);
  return (
    <div class="note is-bad">
      <p>
        <a href={href}>{counted(count, "error prevents", "errors prevent")} publishing</a>
      </p>
      <ul>
        {first.map(({ title, at, message }) => (
          <li>
            {title !== null && (
              <>
                <TitleLink href={entryHref(at.id, at.path)} title={title} />
                {": "}
              </>
            )}
            {message}
          </li>
        ))}
        {count > first.length && <li>{andMore(count - first.length)}</li>}
      </ul>
    </div>
  );
}

function listGroup(
  { total, entries }: CompleteChanges["unreached"],
  { key, title, text }: { key: string; title: string; text: string },
) {
  if (total === 0) return null;
  return (
    <Group key={key} name={key} title={title} beside={<span class="count">{number(total)}</span>}>
      <p>{text}</p>
      <Fold summary={counted(total, "entry", "entries")}>
        {() => (
          <ul class="changes">
            {entries.map((target) => (
              <li class="change">
                <TargetLink target={target} />
              </li>
            ))}
            {total > entries.length && <li>{andMore(total - entries.length)}</li>}
          </ul>
        )}
      </Fold>
    </Group>
  );
}

export function changesPart(changes: ExperienceChanges) {
  const { base } = changes;
  return (
    <>
      <p>
        <BaseText base={base} hasChanges={changes.documents.length > 0} />
      </p>
      {base.problem && <Failure title={UNREADABLE} problem={base.problem} />}
      {base.problem === undefined && <ChangeGroups changes={changes} base={base} />}
    </>
  );
}

/** What authors changed first; what developers ask is folded. */
export function ChangeGroups({
  changes,
  base,
  hasMore = false,
}: {
  changes: Changes;
  base?: ComparedBase;
  /** Whether further pages of entries can be loaded. */
  hasMore?: boolean;
}) {
  const { schema, configs, entries, documents, total, summary } = changes;
  if (documents.length === 0) {
    const isNothing = base?.versionId === null;
    return (
      <EmptyState title={isNothing ? "There is nothing to publish yet" : "No changes"}>
        <p>
          {isNothing
            ? "Publishing creates documents for each project, and for each experience that has content."
            : base
              ? "Everything is published as it is here."
              : "Both are the same."}
        </p>
      </EmptyState>
    );
  }
  const { added, removed, changed } = summary.documents;
  const breaking = schema.filter(({ verdict }) => verdict === "breaking").length;
  return (
    <>
      {total > 0 && (
        <Group title="Entries" beside={entryCounts(summary)}>
          <ul class="changes">{entries.map(entryItem)}</ul>
          {hasMore && <MoreEntries from={entries.length} total={total} />}
          {!hasMore && total > entries.length && (
            <p class="soft">{`and ${counted(total - entries.length, "entry", "entries")} more`}</p>
          )}
        </Group>
      )}
      {configs.length > 0 && (
        <Group title="Projects">
          <ul class="changes">
            {configs.map(({ projectId, projectName, sentence, values }) => (
              <li class="change">
                <p class="change-head">
                  <TitleLink href={viewHref(["projects", projectId])} title={projectName} />
                </p>
                {sentence !== "" && <p dir="auto">{sentence}</p>}
                <ComparedValues values={values} />
              </li>
            ))}
          </ul>
        </Group>
      )}
      <Group
        key="Documents"
        name="Documents"
        title="For developers"
        beside={
          <>
            {breaking > 0 && <span class="count is-bad">{`${number(breaking)} breaking`}</span>}
            {schema.length > breaking && (
              <span class="count is-good">{`${number(schema.length - breaking)} safe`}</span>
            )}
          </>
        }
      >
        {schema.length > 0 && (
          <Fold summary={`${counted(schema.length, "change")} of the schema`}>
            {() => <ul class="changes">{schema.map(schemaItem)}</ul>}
          </Fold>
        )}
        <Fold summary={counted(added + removed + changed, "document")}>
          {() => <ul class="changes">{documents.map(documentItem)}</ul>}
        </Fold>
      </Group>
    </>
  );
}

function entryCounts({ entriesChanged, entriesAdded, entriesRemoved }: Changes["summary"]) {
  return [
    [entriesChanged, "changed"] as const,
    [entriesAdded, "added"] as const,
    [entriesRemoved, "removed"] as const,
  ].map(
    ([count, what]) =>
      count > 0 && <span class={`count is-${what}`}>{`${number(count)} ${what}`}</span>,
  );
}

/** Page by page, as a workspace may have thousands. */
function MoreEntries({ from, total }: { from: number; total: number }) {
  const [isOpen, setOpen] = useState(false);
  const { answer, error } = useAnswer(isOpen ? "changes" : undefined, { offset: from });
  if (from >= total) return null;
  if (!isOpen) {
    return (
      <p>
        <button type="button" onClick={() => setOpen(true)}>
          {`Show more of ${counted(total, "entry", "entries")}`}
        </button>
      </p>
    );
  }
  if (answer === undefined) return <Awaited error={error} text="Comparing…" />;
  const { entries } = answer;
  return (
    <>
      <ul class="changes">{entries.map(entryItem)}</ul>
      {entries.length > 0 && <MoreEntries from={from + entries.length} total={answer.total} />}
    </>
  );
}

function entryItem(change: ChangedEntry) {
  const { id, title, inDraft, modelName, projects, values } = change;
  const key = `${id} ${projects.join()}`;
  return (
    <li class="change" key={key} data-key={key}>
      <p class="change-head">
        <TitleLink href={inDraft ? entryHref(id) : undefined} title={title} />{" "}
        {modelName !== null && <span class="tag">{modelName}</span>}{" "}
        {change.change !== "changed" && <ChangeTag change={change.change} />}
        {projects.length > 0 && <span class="soft">{` in ${listed(projects)}`}</span>}
      </p>
      <ComparedValues values={values} change={change.change} />
    </li>
  );
}

function schemaItem({ verdict, at, message, projects }: SchemaChange) {
  const { kind, key, field } = at;
  return (
    <li class="change">
      <p class="change-head">
        <span class={`verdict is-${verdict}`}>{verdict}</span>{" "}
        <strong>
          {kind} {key && <code>{key}</code>}
          {field && [", field ", <code>{field}</code>]}
        </strong>
      </p>
      <p>
        {message}
        <span class="soft">{` in ${projects.join(", ")}`}</span>
      </p>
    </li>
  );
}

const DOCUMENTS = { project: "project config", content: "experience content", schema: "schema" };

function documentItem({ path, name, change, address }: DocumentChange) {
  const { projectId } = address;
  const place =
    address.kind === "content" ? ["experiences", address.experienceId, "documents"] : [];
  const href = viewHref(["projects", projectId, ...place]);
  return (
    <li class="change is-line">
      <span class={`mark is-${change}`}>{change}</span>
      <span>
        <TitleLink href={change === "removed" ? undefined : href} title={name} />
        {` ${DOCUMENTS[address.kind]} `}
        <code>{path}</code>
      </span>
    </li>
  );
}
