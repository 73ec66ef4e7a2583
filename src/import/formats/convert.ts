import { idFrom, toId } from "../../documents/to-id.ts";
import { folderDraft, readRecords } from "../../folder/folder-draft.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { ID_RULE, isId } from "../../workspace/ids.ts";
import type { Language } from "../../workspace/language.ts";
import type { ImportChoices, Project, Publishing, Workspace } from "../../workspace/records.ts";
import type { SourceItem } from "../../workspace/source.ts";
import type { Fate, Format, FormatOptions, ReadExport, UnpublishedEdit } from "../format.ts";
import { withCollections } from "./collections.ts";
import type { Definitions } from "./definitions.ts";
import { EntryNames } from "./entry-names.ts";
import type { ExcludedRecord, FoundDocument, Ids } from "./found.ts";
import { foundLocales } from "./found-locales.ts";
import { LinkedDocuments } from "./linked-documents.ts";
import type { Notes } from "./notes.ts";
import { ResolvedTypes } from "./resolved-types.ts";
import { chooseRoots } from "./roots.ts";
import { storedData, type Types } from "./stored-data.ts";
import { Translations } from "./translations.ts";
import { type TypeChoice, typeChoice, typeChoiceText } from "./type-choice.ts";
import { kindsText, TypeSurvey } from "./type-survey.ts";

/** The assets of an export, whose files are read when their items are taken. */
export interface Assets extends Iterable<SourceItem> {
  /** Whether one has a title or a description (V4c). */
  readonly haveTexts?: boolean;
  readonly fates: readonly Fate[];
  readonly unpublishedEdits?: readonly UnpublishedEdit[];
}

export interface Documents {
  readonly record: string;
  readonly workspaceId: string;
  /** X27: what the site is called, where the export says so beside its records. */
  readonly siteName?: string | undefined;
  /** The id of an entry by that of its record; default: as it is, where it can be (X25). */
  idOf?(id: string): string;
  /** Whether a warning names ids that are not valid. */
  readonly namesIds?: boolean;
  /** The locale that was imported, if the export has any; of one without stated types the main one. */
  readonly locale?: string;
  /** X3: the languages of the projects, of an export with stated types. */
  readonly languages?: readonly Language[];
  /** What the next import takes too. */
  readonly choices?: Pick<ImportChoices, "locales" | "foundLocales">;
  /** X3c: the only locale to import, which the next import takes too. */
  readonly nextLocale?: string | undefined;
  /** All records; read anew with each call. */
  records(ids: Pick<Ids, "entry">): Iterable<FoundDocument | ExcludedRecord>;
  /** The types, if the export states them; a survey of the records follows. */
  types?(survey: TypeSurvey): Types;
  /** Models and blocks that its user has defined. */
  readonly definitions?: Definitions | undefined;
  expect?(survey: TypeSurvey): void;
  /** Called with the ids that references name: X5 refuses a part of an export by them. */
  onTargets?(targets: Iterable<string>): void;
  /** Whether types alone are imported (X4). */
  readonly mayBeEmpty?: boolean;
  /** Called once, after the records have been read; what it leaves out is known when it returns. */
  assets(): Assets;
}

/** Ids of the export, as they are. */
const UNCHANGED = { entry: (id: string) => id };

/**
 * Converts an export: the first reading of the records finds the types that it does not state, the
 * second one the references between documents, and the third is the import's own, so that no more
 * than a record is converted at a time. Where types are stated, the first two are one.
 */
export function converted(
  format: Pick<Format, "name" | "hint">,
  read: Documents,
  options: FormatOptions,
  notes: Notes,
): ReadExport {
  const survey = new TypeSurvey();
  read.expect?.(survey);
  const stated = read.types?.(survey);
  const { workspaceId: id } = read;
  const before = options.before(id);
  const isTranslatedOnly = options.onlyTranslated ?? before?.choices?.onlyTranslated ?? false;
  const statedTranslations =
    stated && new Translations(stated, read.languages ?? [], isTranslatedOnly);
  let linked = stated && new LinkedDocuments(stated, notes);
  const names = new EntryNames();
  const choices = options.types ?? keptTypes(before?.choices?.types);
  const hasNames = read.definitions !== undefined || choices.length > 0;
  const excluded: ExcludedRecord[] = [];
  for (const record of read.records(UNCHANGED)) {
    if ("reason" in record) {
      excluded.push(record);
      if (record.leftOut !== undefined) notes.leaveOut(record.leftOut);
      continue;
    }
    if (record.lost !== undefined) notes.add(record.lost);
    survey.add(record);
    if (hasNames) names.add(record);
    linked?.add(statedTranslations?.of(record) ?? record);
  }
  const { nextLocale } = read;
  const locales = stated
    ? { language: [], languages: read.languages ?? [] }
    : foundLocales(survey, { main: read.locale, requested: nextLocale }, notes);
  const { definitions } = read;
  const types = stated ?? new ResolvedTypes(survey, notes, { definitions, locales, choices });
  const translations =
    statedTranslations ?? new Translations(types, locales.languages, isTranslatedOnly);
  const entryNamed = (name: string, models: readonly string[] | undefined) =>
    names.find(name, (type) => models?.includes(types.model(type).key) ?? true);
  if (linked === undefined) {
    linked = new LinkedDocuments(types, notes, entryNamed);
    for (const record of read.records(UNCHANGED)) {
      if ("reason" in record) continue;
      translations.add(record);
      linked.add(translations.of(record));
    }
    translations.report(notes);
  }
  const { all, draftCount, ids: sources } = linked;
  if (all.length === 0 && !read.mayBeEmpty) throw nothingToImport(format, read, notes);
  read.onTargets?.([...linked.targets].map((number) => sources[number] as string));
  const { idOf: entryId = toId } = read;
  const onChange = notes.renamed("the id of an entry");
  for (const source of read.namesIds ? sources : []) {
    const id = entryId(source);
    if (id !== source) onChange(source, id);
  }
  const assets = read.assets();
  notes.drafts(draftCount, all.length);
  const { languages } = locales;
  const idOf = (number: number) => entryId(sources[number] as string);
  const leftOut = excluded.flatMap((one) => (one.isHidden ? entryId(one.id) : []));
  const hidden = new Set([...(before?.hidden ?? []), ...leftOut]);
  const siteName = read.siteName ?? linked.siteName;
  const context = { linked, types, idOf, notes, languages, hidden, siteName };
  const roots = chooseRoots(id, context, { ...options, before: () => before });
  const [models, blocks] = [types.models(), types.blocks()];
  const collects = options.collections ?? before?.choices?.collections ?? false;
  const workspace: Workspace = {
    id,
    name: before?.name ?? siteName ?? id,
    ...(assets.haveTexts && { assetTexts: true }),
    import: {
      from: format.name,
      ...(roots.types.length > 0 && { roots: roots.types }),
      ...(nextLocale !== undefined && { locale: nextLocale }),
      ...(collects && { collections: true }),
      ...(isTranslatedOnly && { onlyTranslated: true }),
      ...(!stated && choices.length > 0 && { types: choices.map(typeChoiceText) }),
      ...read.choices,
    },
  };
  const entryNamedHere = (...named: Parameters<typeof entryNamed>) => {
    const found = entryNamed(...named);
    return found === undefined ? undefined : entryId(found);
  };
  function* source(projects: readonly Project[]): Generator<SourceItem> {
    yield { kind: "workspace", record: workspace };
    for (const record of models) yield { kind: "models", record };
    for (const record of blocks) yield { kind: "blocks", record };
    for (const record of projects) yield { kind: "projects", record };
    for (const record of read.records({ entry: entryId })) {
      if ("reason" in record) continue;
      const { members } = record;
      const model = types.model(record.type);
      const data = storedData(members, model, { types, entryNamed: entryNamedHere });
      yield {
        kind: "entries",
        record: {
          id: entryId(record.id),
          modelId: model.id,
          ...publishingOf(translations.of(record)),
          data,
        },
      };
    }
  }
  const hasCollections = before?.projects.some((one) => one.collections !== undefined);
  const withAll = () => folderDraft(readRecords(source(roots.projects)));
  const projects =
    collects || hasCollections
      ? withCollections(withAll(), before?.projects ?? [], collects, notes)
      : roots.projects;
  const draftLocales = all.flatMap(({ source, draftLocales: locales = [] }) =>
    locales.length > 0 ? [{ id: source, locales }] : [],
  );
  const imported = roots.languages.map(({ id: project, language: [locale = ""] }) => ({
    locale,
    project,
  }));
  const locale = stated ? read.locale : locales.language[0];
  return {
    workspaceId: id,
    source: {
      *[Symbol.iterator]() {
        yield* source(projects);
        yield* assets;
      },
    },
    size: all.length,
    report: {
      ...(locale !== undefined && { locale }),
      drafts: draftCount,
      ...(imported.length > 0 && { locales: imported }),
      draftLocales,
      unpublishedEdits: [...linked.unpublishedEdits, ...(assets.unpublishedEdits ?? [])],
      leftOut: Object.fromEntries(notes.leftOut),
      notCarriedOver: Object.fromEntries([...notes.notCarriedOver].sort()),
      roots: roots.types,
      unreachable: roots.unreachable,
      experiences: roots.experiences,
      warnings: notes.warnings,
    },
    definitions: { models, blocks },
    *fates() {
      yield* typeFates(types, survey);
      const experiences = experiencesOf(roots.projects);
      for (const { id: source, type, emptied, ...document } of all) {
        const id = entryId(source);
        const experience = experiences.get(id);
        const more = {
          ...publishingOf(document),
          ...(experience !== undefined && { experience }),
        };
        const lost = [
          ...(document.changed ? [WAS_CHANGED] : []),
          ...(emptied.length > 0 ? [`all its values, which are in ${emptied.join(", ")}`] : []),
        ];
        yield { kind: "entry", id: document.source, became: { id, type, ...more }, lost };
      }
      for (const { id, reason } of excluded) yield { kind: "entry", id, lost: [reason] };
      yield* assets.fates;
    },
  };
}

/** X24d. */
function keptTypes(texts: readonly string[] = []): TypeChoice[] {
  return texts.flatMap((text) => {
    const choice = typeChoice(text);
    return choice === undefined ? [] : [{ ...choice, isKept: true }];
  });
}

/** X3d, X3e, A4. */
function publishingOf({
  draft = false,
  draftLocales = [],
  publishAt,
  unpublishAt,
}: Omit<FoundDocument, "id" | "type" | "members">): Publishing {
  const inLocales = draftLocales.map((locale) => [locale, true] as const);
  return {
    ...(draft && { draft }),
    ...(!draft && inLocales.length > 0 && { draft: Object.fromEntries(inLocales) }),
    ...(publishAt !== undefined && { publishAt }),
    ...(unpublishAt !== undefined && { unpublishAt }),
  };
}

/**
 * The id from the options, else that of the export, or one derived from its name. X10a: of a name that
 * differs in digits alone from the folder's workspace, that of the folder.
 *
 * @throws UsageError for one that is not valid.
 */
export function workspaceIdOf(
  { workspaceId, own }: FormatOptions,
  nameOf: () => string,
  stated?: string,
): string {
  if (workspaceId === undefined) {
    const id = idFrom(stated ?? nameOf(), "workspace");
    return stated === undefined && own !== undefined && isSameButDigits(own, id) ? own : id;
  }
  if (isId(workspaceId)) return workspaceId;
  throw new UsageError(`"${workspaceId}" is not a valid workspace id`, ID_RULE);
}

/** As names of exports that have their date. */
export function isSameButDigits(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => name.replaceAll(/\d+/g, "0"));
  return one === other;
}

/** Of a record with unpublished edits (X21). */
export const WAS_CHANGED = "what was published: it was changed since";

/** X4. */
function nothingToImport(
  { hint }: Pick<Format, "hint">,
  { record }: Documents,
  { leftOut }: Notes,
): SvcError {
  const reasons = [...leftOut].map(([reason, count]) => `${reason} (${count})`);
  return new SvcError("export-invalid", `the export has no ${record} to import`, {
    hint: reasons.length > 0 ? `left out: ${reasons.join(", ")}` : hint,
  });
}

/** X9a: what became of each type and each field of an export. */
function* typeFates({ all }: Types, survey: TypeSurvey): Generator<Fate> {
  for (const kind of ["model", "block"] as const) {
    const found = survey[kind === "model" ? "models" : "blocks"];
    for (const [name, { id, fields, omitted = [] }] of all[kind]) {
      yield { kind: "type", id: name, became: { id, type: kind }, lost: [] };
      for (const [member, { definition, source, lost = [] }] of fields) {
        const { key, type, repeatable } = definition;
        const field = found.get(name)?.get(member);
        const { values = 0, others = new Map<string, number>() } = field ?? {};
        yield {
          kind: "field",
          id: `${name}.${source ?? member}`,
          became: { id: key, type: repeatable ? `${type}[]` : type, values },
          lost: [
            ...lost,
            ...(field && field.kinds.size > 1 ? [`one kind of values: ${kindsText(field)}`] : []),
            ...Array.from(others, ([locale, times]) => `values in ${locale}: ${times}`),
          ],
        };
      }
      for (const field of omitted) {
        yield { kind: "field", id: `${name}.${field}`, lost: ["it is omitted"] };
      }
    }
  }
}

/** The experience that shows an entry by a step, by the entry's id. */
function experiencesOf(projects: readonly Project[]): ReadonlyMap<string, string> {
  const shown = projects.flatMap(({ steps, experiences }) => {
    const entries = new Map(steps.map(({ id, layoutContentId }) => [id, layoutContentId]));
    return experiences.flatMap(({ id, stepIds }) =>
      stepIds.map((stepId) => [entries.get(stepId) ?? "", id] as const),
    );
  });
  return new Map(shown);
}
