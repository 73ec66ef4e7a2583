import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_SCHEMA, load, Type } from "js-yaml";
import { expect, it } from "vitest";
import type { FormatOptions } from "../../src/import/format.ts";
import type { ImportChoices } from "../../src/workspace/records.ts";
import type { Read } from "./read-export.ts";

/** A row, or a part of one, as it is written. */
// biome-ignore lint/suspicious/noExplicitAny: rows have the odd exports of any system
export type Loose = Record<string, any>;

/** The folder of the files of rows. */
export const ROWS = "test/folder/rows";

export interface System {
  /** The members of rows that make an export. */
  readonly source: readonly string[];
  read(source: Loose, options: Partial<FormatOptions>): Read;
  /** The data of an entry without what each has, if it is as each has it. */
  plainData?(data: Loose, id: string): Loose;
  /** What rows write short. */
  expand?(row: unknown): unknown;
  /** What only rows of this system compare. */
  readonly views?: Readonly<Record<string, (read: Read, source: Loose) => unknown>>;
  /** The same of the fields of a model. */
  plainFields?(fields: Loose): Loose;
}

/**
 * Makes a test of each row of a file: what an export has, and what then is in the workspace and is said
 * of it. What is left out, warned of and not carried over is always compared, and is nothing where the row
 * names none. `…` in an expected text is any text. A row has
 *
 * - `each`: rows by their names, of which each has the members of the row too;
 * - `then`: steps that change the export of the one before (`+name` adds to a member) and say what is said
 *   or left out otherwise; one that `follows` is an import after that one.
 */
export function importRows(name: string, system: System): void {
  for (const [title, { each = { "": {} }, ...common }] of Object.entries(
    rowsIn(`${ROWS}/${name}.yaml`),
  )) {
    for (const [label, own] of Object.entries<Loose>(each)) {
      const row = { ...common, ...own };
      const { then = [], ...first } = (system.expand?.(row) ?? row) as Loose;
      it(label === "" ? title : `${title}: ${label}`, () => {
        let source: Loose = {};
        let earlier: Read | undefined;
        let said = SILENT;
        for (const step of [first, ...then]) {
          source = changed(source, step, system);
          const options = {
            ...step.options,
            ...(step.follows && { before: () => left(earlier, step.follows) }),
          };
          const found = () => system.read(source, options);
          if (step.refused === undefined) {
            earlier = found();
            said = compare(earlier, { ...said, ...step }, { system, source });
          } else expect(faultOf(found)).toMatchObject(asFault(step.refused));
        }
      });
    }
  }
}

/** Without dates, as those of exports are texts; with `<<`. */
const SCHEMA = CORE_SCHEMA.extend({
  implicit: [
    new Type("tag:yaml.org,2002:merge", { kind: "scalar", resolve: (text) => text === "<<" }),
  ],
});

/** The rows of a file by their titles. */
export function rowsIn(path: string): Readonly<Record<string, Loose>> {
  const all = Object.entries(load(textOf(path), { schema: SCHEMA }) as Loose);
  return Object.fromEntries(all.filter(([title]) => !title.startsWith(".")));
}

/** What rows of a file share, of which the names begin with a dot. */
export function bedsIn(path: string): Readonly<Record<string, Loose>> {
  return load(textOf(path), { schema: SCHEMA }) as Loose;
}

function textOf(path: string): string {
  const text = readFileSync(join(import.meta.dirname, "../..", path), "utf8");
  const tooLong = text.split("\n").filter((line) => line.length > 100);
  if (tooLong.length > 0) throw Error(`${path} has lines above 100 characters: ${tooLong}`);
  return text;
}

function changed(given: Loose, step: Loose, system: System): Loose {
  const next: Loose = { ...given };
  for (const [name, value] of Object.entries(step)) {
    const own = name.replace("+", "");
    if (!system.source.includes(own)) {
      const isKnown = viewOf(own, system) || /^(?:options|follows|refused)$/.test(own);
      if (isKnown) continue;
      throw Error(`a row has nothing called "${name}"`);
    }
    const before = given[own] ?? (Array.isArray(value) ? [] : {});
    if (own === name) next[own] = value;
    else next[own] = Array.isArray(value) ? [...before, ...value] : { ...before, ...value };
  }
  return next;
}

/** What an import leaves for the next one, with what its user changed: names, and more projects. */
export function left(
  read: Read | undefined,
  { name, project = {}, projects = [], copies = [] }: Loose,
) {
  const record = workspaceOf(read as Read);
  const [first, ...others] = read?.projects ?? [];
  return {
    name: name ?? record.name,
    choices: record.import as ImportChoices | undefined,
    projects: [
      { ...first, ...project },
      ...others,
      ...copies.map((id: string) => ({ ...first, id })),
      ...projects.map((one: Loose) => ({ name: one.id, steps: [], experiences: [], ...one })),
    ],
    hidden: new Set<string>(),
    dataOf: (id: string) => read?.entries.find((one) => one.id === id)?.data,
  };
}

const workspaceOf = ({ items: [first] }: Read): Loose => (first as { record: Loose }).record;

function faultOf(run: () => unknown): Loose {
  try {
    run();
  } catch (error) {
    return error as Loose;
  }
  throw Error("it is not refused");
}

const asFault = (refused: unknown) =>
  pattern(typeof refused === "string" ? { message: `…${refused}…` } : refused) as Loose;

const SILENT: Loose = { leftOut: {}, warnings: [], notCarried: {}, edits: [] };

function viewOf(name: string, { views, source }: System): View | undefined {
  if (source.includes(name)) return undefined;
  const plain = name.replace("~", "");
  const own = views?.[plain];
  return own === undefined ? VIEWS[plain] : (read, _, given) => own(read, given);
}

/** Returns what was said. */
function compare(
  read: Read,
  step: Loose,
  { system, source }: { system: System; source: Loose },
): Loose {
  const names = Object.keys(step).filter(
    (name) => viewOf(name, system) && !Object.hasOwn(step, `${name}~`),
  );
  const found = (name: string) => viewOf(name, system)?.(read, system, source);
  const whole = names.filter((name) => !name.endsWith("~"));
  const expected = whole.map((name) => [name, pattern(step[name])]);
  expect(Object.fromEntries(whole.map((name) => [name, found(name)]))).toEqual(
    Object.fromEntries(expected),
  );
  for (const name of names.filter((one) => one.endsWith("~"))) {
    const part = pattern(step[name]) as Loose;
    if (Array.isArray(part)) expect(found(name), name).toEqual(expect.arrayContaining(part));
    else expect(found(name), name).toMatchObject(part);
  }
  return Object.fromEntries(Object.keys(SILENT).map((name) => [name, step[name]]));
}

/** An expected value in which texts with `…` fit any that have the rest of it. */
function pattern(value: unknown): unknown {
  if (value === "…") return expect.anything();
  if (typeof value === "string" && value.includes("…")) {
    const parts = value.split("…").map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
    return expect.stringMatching(RegExp(`^${parts.join("[^]*")}$`));
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(pattern);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, pattern(one)]));
}

/** A value with `entry:<id>` and `asset:<id>` in place of pointers, and the id of a block as its member `=`. */
function shortened(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(shortened);
  const { contentEntryId, assetId, contentBlockId, data } = value as Loose;
  if (contentEntryId !== undefined) return `entry:${contentEntryId}`;
  if (assetId !== undefined) return `asset:${assetId}`;
  const members = Object.entries(contentBlockId === undefined ? value : data);
  const short = Object.fromEntries(members.map(([name, one]) => [name, shortened(one)]));
  return contentBlockId === undefined ? short : { "=": contentBlockId, ...short };
}

/** The definition of a field: `text`, `text[]` for a list, or with all else that it says. */
function definition({ key: _, type, repeatable, ...more }: Loose): unknown {
  const whole = repeatable ? `${type}[]` : type;
  return Object.keys(more).length === 0 ? whole : { type: whole, ...more };
}

const fieldsOf = ({ fields }: Loose) =>
  Object.fromEntries(fields.map((field: Loose) => [field.key, definition(field)]));

/** `id`, `id draft`, `id draft in de`, `id from <time> until <time>`. */
function stateOf({ id, draft, publishAt, unpublishAt }: Loose): string {
  const locales = typeof draft === "object" ? ` in ${Object.keys(draft).join(", ")}` : "";
  const times = [publishAt && ` from ${publishAt}`, unpublishAt && ` until ${unpublishAt}`];
  return [id, draft && ` draft${locales}`, ...times].filter(Boolean).join("");
}

const byId = <T extends { readonly id: string }>(all: readonly T[], of: (one: T) => unknown) =>
  Object.fromEntries(all.map((one) => [one.id, of(one)]));

const dataOf = ({ id, data }: Loose, { plainData }: System): unknown => {
  const short = shortened(data) as Loose;
  return plainData === undefined ? short : plainData(short, id);
};

type View = (read: Read, system: System, source: Loose) => unknown;

/** What rows compare. */
const VIEWS: Readonly<Record<string, View>> = {
  leftOut: ({ report }) => report.leftOut,
  warnings: ({ report }) => report.warnings,
  notCarried: ({ report }) => report.notCarriedOver,
  edits: ({ report }) => report.unpublishedEdits.map(({ kind, id }) => `${kind} ${id}`),
  draftIn: ({ report }) =>
    Object.fromEntries(report.draftLocales.map((one) => [one.id, one.locales])),
  locale: ({ report }) => report.locale ?? null,
  inLocales: ({ report }) => report.locales?.map(({ locale, project }) => `${locale} ${project}`),
  found: ({ report }) => report.found?.map(({ locale, texts }) => `${locale} ${texts}`) ?? null,
  /** The validations that fields of any type lost. */
  lostOf: ({ fates }) =>
    Object.fromEntries(
      fates.flatMap(({ kind, id, lost }) =>
        kind === "field" && lost.length > 0
          ? [[id.split(".")[1], lost.join().replaceAll("the validation ", "")]]
          : [],
      ),
    ),
  project: ({ project }) => project,
  /** Of the experiences, in their order. */
  ids: ({ project }) => project.experiences.map(({ id }) => id),
  kept: ({ report }) => report.experiences.kept,
  removed: ({ report }) => report.experiences.removed,
  added: ({ report }) => report.experiences.added,
  unreachable: ({ report }) => report.unreachable,
  workspace: (read) => workspaceOf(read),
  /** The name of the workspace, then those of its projects. */
  called: (read) => [workspaceOf(read).name, ...read.projects.map(({ name }) => name)],
  entries: ({ entries }, system) => byId(entries, (one) => dataOf(one, system)),
  values: ({ entries }, system) => entries.map((one) => dataOf(one, system)),
  drafts: ({ entries }) => entries.flatMap(({ id, draft }) => (draft ? [id] : [])),
  states: ({ entries }) => entries.map(stateOf),
  modelOf: ({ entries }) => byId(entries, ({ modelId }) => modelId),
  models: ({ models }) => models.map(({ key }) => key),
  fields: ({ models }, { plainFields = (all) => all }) =>
    byId(models, (model) => plainFields(fieldsOf(model))),
  /** The fields of the first model in their order. */
  order: ({ models: [model] }) => model?.fields.map(({ key }) => key),
  blocks: ({ blocks }) => byId(blocks, fieldsOf),
  categories: ({ blocks }) => byId(blocks, ({ category }) => category),
  assets: ({ assets }) => byId(assets, ({ id: _, ...asset }) => asset),
  titles: ({ assets }) => byId(assets, ({ title }) => title),
  fileNames: ({ assets }) => assets.map(({ fileName }) => fileName),
  bytes: ({ items }) => items.filter(({ kind }) => kind === "file").length,
  projects: ({ projects }) =>
    projects.map(({ id, locale, fallbackLocales = [] }) =>
      [id, locale, ...fallbackLocales].filter(Boolean).join(" "),
    ),
  /** Of each project: its experiences, with the entries of their steps. */
  pages: ({ projects }) =>
    Object.fromEntries(
      projects.map(({ id, steps, experiences }) => {
        const shown = byId(steps, ({ layoutContentId }) => layoutContentId);
        const pages = byId(experiences, ({ stepIds }) => stepIds.map((step) => shown[step]).join());
        return [id, pages];
      }),
    ),
  names: ({ project }) => byId(project.experiences, ({ name }) => name),
  /** What became of what the export has: `kind id → became`, and why it was lost. */
  fates: ({ fates }) =>
    fates.flatMap(({ kind, id, became, lost }) => {
      const [to, why] = [became && ` → ${stateOf(became)}`, lost.length > 0 && `: ${lost}`];
      return kind === "type" || kind === "field"
        ? []
        : [kind, " ", id, to, why].filter(Boolean).join("");
    }),
  /** The one field that a row is about. */
  is: ({ models }) => definition(models[0]?.fields.find(({ key }) => key === "field") ?? {}),
  stored: ({ entries }) => entries.map(({ data }) => shortened(data.field) ?? null),
};
