import { el } from "./element.js";
import { lazyFold } from "./lazy-fold.js";
import { code, emptyState, modelTag, targetLink, viewHead } from "./parts.js";
import { entryHref, viewHref } from "./router.js";
import { valueChanges } from "./value-changes.js";
import { counted, listed, number } from "./words.js";

/** @typedef {import("../changes.ts").Changes} Changes */
/** @typedef {import("../changes.ts").CompleteChanges} CompleteChanges */
/** @typedef {import("../../../diff/schema-change.ts").SchemaChange} SchemaChange */
/** @typedef {Changes["config"][number]} ConfigChange */
/** @typedef {Changes["entries"][number]} EntryChange */
/** @typedef {Changes["documents"][number]} DocumentChange */
/** @typedef {import("./element.js").Child} Child */

/** How many changes of a group are shown before a "more" fold. */
const SHOWN = 50;

const DOCUMENTS = { project: "project config", content: "experience content", schema: "schema" };

/**
 * The changes of the draft against the published version.
 *
 * @param {string} workspace
 * @param {CompleteChanges} changes
 */
export function changesView(workspace, changes) {
  const { versionId, schema, errors, unreached, leftOut } = changes;
  const isEmpty = changes.documents.length === 0;
  const breaking = schema.filter(({ verdict }) => verdict === "breaking").length;
  return el(
    "article",
    { "data-key": "changes" },
    viewHead("Changes", {
      beside: schema.length > 0 && [
        breaking > 0 && el("span", { class: "count is-bad" }, `${number(breaking)} breaking`),
        schema.length > breaking &&
          el("span", { class: "count is-good" }, `${number(schema.length - breaking)} safe`),
      ],
      below:
        versionId === null
          ? `Nothing is published yet${isEmpty ? "." : ": publishing would create all of this."}`
          : ["What publishing would change compared with version ", code(versionId.slice(0, 12))],
    }),
    errors > 0 &&
      el(
        "div",
        { class: "notes" },
        el(
          "p",
          { class: "note is-bad" },
          el(
            "a",
            { href: viewHref([workspace, "problems"]) },
            errors === 1
              ? "1 error prevents publishing"
              : `${number(errors)} errors prevent publishing`,
          ),
        ),
      ),
    changeGroups(workspace, changes),
    listGroup(workspace, leftOut, {
      ...{ key: "left-out", title: "Not published" },
      text: "Drafts, and entries that are not due yet or over. Publishing leaves them out.",
    }),
    listGroup(workspace, unreached, {
      ...{ key: "unreached", title: "In no experience" },
      text: "No step shows them, nor does an entry within 5 references of one. Publishing leaves them out.",
    }),
  );
}

/**
 * Entries that are in no document, and so are changes of them.
 *
 * @param {string} workspace
 * @param {CompleteChanges["unreached"]} list
 * @param {{ key: string, title: string, text: string }} words
 */
function listGroup(workspace, { total, entries }, { key, title, text }) {
  if (total === 0) return null;
  return el(
    "section",
    { class: "group", "data-key": key },
    el(
      "div",
      { class: "group-head" },
      el("h2", {}, title),
      el("p", {}, el("span", { class: "count" }, number(total))),
    ),
    el("p", {}, text),
    lazyFold(counted(total, "entry", "entries"), () =>
      el(
        "ul",
        { class: "changes" },
        entries.map((target) => el("li", { class: "change" }, targetLink(workspace, target))),
        total > entries.length && el("li", {}, `and ${number(total - entries.length)} more`),
      ),
    ),
  );
}

/**
 * The changes in groups, with schema changes first, as they can break clients.
 *
 * @param {string} workspace
 * @param {Changes} changes
 */
export function changeGroups(workspace, { versionId, schema, config, entries, documents }) {
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
    group("Schema", "for code generated from it", schema, (change) => schemaItem(change)),
    group("Entries", "", entries, (change) => entryItem(workspace, change)),
    group("Project configs", "", config, (change) => configItem(workspace, change)),
    group("Documents", "", documents, (change) => documentItem(workspace, change)),
  ];
}

/**
 * @template T
 * @param {string} title
 * @param {string} beside
 * @param {readonly T[]} items
 * @param {(item: T) => Element} item
 */
function group(title, beside, items, item) {
  if (items.length === 0) return null;
  const list = el("ul", { class: "changes" }, items.slice(0, SHOWN).map(item));
  const left = items.slice(SHOWN);
  const rest = () => el("ul", { class: "changes" }, left.map(item));
  return el(
    "section",
    { class: "group", "data-key": title },
    el(
      "div",
      { class: "group-head" },
      el("h2", {}, title),
      el("p", {}, el("span", { class: "count" }, number(items.length)), beside && ` ${beside}`),
    ),
    list,
    left.length > 0 && lazyFold(`${number(left.length)} more`, rest),
  );
}

/** @param {SchemaChange} change */
function schemaItem({ verdict, at, message, projects }) {
  const { kind, key, field } = at;
  return el(
    "li",
    { class: "change" },
    el(
      "p",
      { class: "change-head" },
      el("span", { class: `verdict is-${verdict}` }, verdict),
      " ",
      el("strong", {}, kind, " ", key && code(key), field && [", field ", code(field)]),
    ),
    el("p", {}, message, el("span", { class: "soft" }, ` in ${projects.join(", ")}`)),
  );
}

/**
 * @param {string} workspace
 * @param {EntryChange} change
 */
function entryItem(workspace, change) {
  const { id, title, contentModelKey, contentModelKeyBefore, fields, documents, projects } = change;
  return el(
    "li",
    { class: "change", "data-key": projects ? `${id} ${documents[0]}` : id },
    el(
      "p",
      { class: "change-head" },
      el("a", { href: entryHref(workspace, id), dir: "auto" }, title),
      title !== id && [" ", code(id)],
      " ",
      contentModelKeyBefore !== undefined && [modelTag(contentModelKeyBefore), " → "],
      modelTag(contentModelKey),
      el("span", { class: "soft" }, ` in ${counted(documents.length, "document")}`),
      projects && [" of ", listed(projects)],
    ),
    valueChanges(fields),
  );
}

/**
 * @param {string} workspace
 * @param {ConfigChange} change
 */
function configItem(workspace, { projectId, projectName, at: { kind, id, key, name }, ...change }) {
  return el(
    "li",
    { class: "change" },
    el(
      "p",
      { class: "change-head" },
      el("a", { href: viewHref([workspace, "projects", projectId]), dir: "auto" }, projectName),
      ` ${kind === "project-fields" ? "fields" : kind === "project" ? "order" : kind} `,
      key !== undefined && [name ?? id, " ", code(key)],
    ),
    valueChanges([change]),
  );
}

/**
 * @param {string} workspace
 * @param {DocumentChange} change
 */
function documentItem(workspace, { path, name, change, address, content }) {
  const { projectId } = address;
  const place =
    address.kind === "content" ? ["experiences", address.experienceId, "documents"] : [];
  const notes = content
    ? /** @type {const} */ ([
        [content.entriesChanged.length, "changed"],
        [content.entriesAdded.length, "added"],
        [content.entriesRemoved.length, "removed"],
        [content.entriesMoved.length, "moved between content and references"],
      ]).flatMap(([count, what]) =>
        count === 0 ? [] : `${counted(count, "entry", "entries")} ${what}`,
      )
    : [];
  return el(
    "li",
    { class: "change is-line" },
    el("span", { class: `mark is-${change}` }, change),
    el(
      "span",
      {},
      change === "removed"
        ? el("strong", {}, name)
        : el(
            "a",
            { href: viewHref([workspace, "projects", projectId, ...place]), dir: "auto" },
            name,
          ),
      ` ${DOCUMENTS[address.kind]} `,
      code(path),
      notes.length > 0 && el("span", { class: "soft" }, ` ${notes.join(", ")}`),
    ),
  );
}
