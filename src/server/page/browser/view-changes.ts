import type { SchemaChange } from "../../../diff/schema-change.ts";
import type { Changes, CompleteChanges } from "../changes.ts";
import { el } from "./element.ts";
import { code, emptyState, group, lazyFold, modelTag, targetLink, viewHead } from "./parts.ts";
import { entryHref, viewHref } from "./router.ts";
import { valueChanges } from "./value-changes.ts";
import { counted, listed, number } from "./words.ts";

type ConfigChange = Changes["config"][number];
type EntryChange = Changes["entries"][number];
type DocumentChange = Changes["documents"][number];

/** How many changes of a group are shown before a "more" fold. */
const SHOWN = 50;

const DOCUMENTS = { project: "project config", content: "experience content", schema: "schema" };

export function changesView(workspace: string, changes: CompleteChanges) {
  const { versionId, schema, errors, unreached, leftOut } = changes;
  const isEmpty = changes.documents.length === 0;
  const breaking = schema.filter(({ verdict }) => verdict === "breaking").length;
  return el(
    "article",
    { "data-key": "changes" },
    viewHead("Changes", {
      beside: schema.length > 0 && [
        breaking > 0 && el("span.count.is-bad", `${number(breaking)} breaking`),
        schema.length > breaking &&
          el("span.count.is-good", `${number(schema.length - breaking)} safe`),
      ],
      below:
        versionId === null
          ? `Nothing is published yet${isEmpty ? "." : ": publishing would create all of this."}`
          : ["What publishing would change compared with version ", code(versionId.slice(0, 12))],
    }),
    errors > 0 &&
      el(
        "div.notes",
        el(
          "p.note.is-bad",
          el("a", { href: viewHref([workspace, "problems"]) }, errorText(errors)),
        ),
      ),
    changeGroups(workspace, changes),
    listGroup(workspace, leftOut, {
      key: "left-out",
      title: "Not published",
      text: "Drafts, and entries that are not due yet or over. Publishing leaves them out.",
    }),
    listGroup(workspace, unreached, {
      key: "unreached",
      title: "In no experience",
      text: "No step shows them, nor does an entry within 5 references of one. Publishing leaves them out.",
    }),
  );
}

function errorText(errors: number) {
  return errors === 1
    ? "1 error prevents publishing"
    : `${number(errors)} errors prevent publishing`;
}

function listGroup(
  workspace: string,
  { total, entries }: CompleteChanges["unreached"],
  { key, title, text }: { key: string; title: string; text: string },
) {
  if (total === 0) return null;
  return group(
    key,
    title,
    el("span.count", number(total)),
    el("p", text),
    lazyFold(counted(total, "entry", "entries"), () =>
      el(
        "ul.changes",
        entries.map((target) => el("li.change", targetLink(workspace, target))),
        total > entries.length && el("li", `and ${number(total - entries.length)} more`),
      ),
    ),
  );
}

/** The changes in groups, with schema changes first, as they can break clients. */
export function changeGroups(
  workspace: string,
  { versionId, schema, config, entries, documents }: Changes,
) {
  if (documents.length === 0 && versionId === null) {
    return emptyState(
      "There is nothing to publish yet",
      "Publishing creates documents for each project, and for each experience that has content.",
    );
  }
  if (documents.length === 0) {
    return emptyState("No changes", "Publishing would change no document.");
  }
  return [
    changeGroup("Schema", " for code generated from it", schema, schemaItem),
    changeGroup("Entries", "", entries, (change) => entryItem(workspace, change)),
    changeGroup("Project configs", "", config, (change) => configItem(workspace, change)),
    changeGroup("Documents", "", documents, (change) => documentItem(workspace, change)),
  ];
}

function changeGroup<T>(
  title: string,
  beside: string,
  items: readonly T[],
  item: (item: T) => Element,
) {
  if (items.length === 0) return null;
  const list = (some: readonly T[]) => el("ul.changes", some.map(item));
  const left = items.slice(SHOWN);
  return group(
    title,
    title,
    [el("span.count", number(items.length)), beside],
    list(items.slice(0, SHOWN)),
    left.length > 0 && lazyFold(`${number(left.length)} more`, () => list(left)),
  );
}

function schemaItem({ verdict, at, message, projects }: SchemaChange) {
  const { kind, key, field } = at;
  return el(
    "li.change",
    el(
      "p.change-head",
      el(`span.verdict.is-${verdict}`, verdict),
      " ",
      el("strong", kind, " ", key && code(key), field && [", field ", code(field)]),
    ),
    el("p", message, el("span.soft", ` in ${projects.join(", ")}`)),
  );
}

function entryItem(workspace: string, change: EntryChange) {
  const { id, title, contentModelKey, contentModelKeyBefore, fields, documents, projects } = change;
  return el(
    "li.change",
    { "data-key": projects ? `${id} ${documents[0]}` : id },
    el(
      "p.change-head",
      el("a", { href: entryHref(workspace, id), dir: "auto" }, title),
      title !== id && [" ", code(id)],
      " ",
      contentModelKeyBefore !== undefined && [modelTag(contentModelKeyBefore), " → "],
      modelTag(contentModelKey),
      el("span.soft", ` in ${counted(documents.length, "document")}`),
      projects && [" of ", listed(projects)],
    ),
    valueChanges(fields),
  );
}

function configItem(
  workspace: string,
  { projectId, projectName, at: { kind, id, key, name }, ...change }: ConfigChange,
) {
  return el(
    "li.change",
    el(
      "p.change-head",
      el("a", { href: viewHref([workspace, "projects", projectId]), dir: "auto" }, projectName),
      ` ${kind === "project-fields" ? "fields" : kind === "project" ? "order" : kind} `,
      key !== undefined && [name ?? id, " ", code(key)],
    ),
    valueChanges([change]),
  );
}

function documentItem(workspace: string, { path, name, change, address, content }: DocumentChange) {
  const { projectId } = address;
  const place =
    address.kind === "content" ? ["experiences", address.experienceId, "documents"] : [];
  const href = viewHref([workspace, "projects", projectId, ...place]);
  const { entriesChanged, entriesAdded, entriesRemoved, entriesMoved } = content ?? {};
  const notes = [
    [entriesChanged, "changed"] as const,
    [entriesAdded, "added"] as const,
    [entriesRemoved, "removed"] as const,
    [entriesMoved, "moved between content and references"] as const,
  ].flatMap(([some, what]) =>
    some?.length ? `${counted(some.length, "entry", "entries")} ${what}` : [],
  );
  return el(
    "li.change.is-line",
    el(`span.mark.is-${change}`, change),
    el(
      "span",
      change === "removed" ? el("strong", name) : el("a", { href, dir: "auto" }, name),
      ` ${DOCUMENTS[address.kind]} `,
      code(path),
      notes.length > 0 && el("span.soft", ` ${notes.join(", ")}`),
    ),
  );
}
