import { SvcError } from "../../workspace/errors.ts";
import type { Workspace } from "../../workspace/records.ts";
import type { SourceItem } from "../../workspace/source.ts";
import type { FormatOptions, ReadExport, UnpublishedEdit } from "../format.ts";
import type { Definitions } from "./definitions.ts";
import { type Assets, type ExcludedRecord, fates } from "./fates.ts";
import type { FoundDocument } from "./found.ts";
import { LinkedDocuments } from "./linked-documents.ts";
import type { Notes } from "./notes.ts";
import { ResolvedTypes } from "./resolved-types.ts";
import { chooseRoots } from "./roots.ts";
import { storedData } from "./stored-data.ts";
import { TypeSurvey } from "./type-survey.ts";

/** What a format reads of an export. */
export interface Documents {
  /** The name of the format. */
  readonly from: string;
  /** What its records are called. */
  readonly record: string;
  /** How to create an export. */
  readonly hint: string;
  readonly workspaceId: string;
  /** The locale that was imported, if the export has any. */
  readonly locale?: string;
  /** The documents, with their ids in the workspace; read anew with each call. */
  documents(): Iterable<FoundDocument>;
  /** Models and blocks that its user has defined. */
  readonly definitions?: Definitions;
  /** The records that are not imported. */
  excluded?(): Iterable<ExcludedRecord>;
  /** Adds what a schema says. */
  expect?(survey: TypeSurvey): void;
  /** Called once, after the documents have been read; what it leaves out is known when it returns. */
  assets(): Assets;
}

/**
 * Converts an export that does not state all types: the first reading of the documents finds them, the
 * second one the references between documents, and the third is the import's own, so that no more than
 * a document is held (X6).
 */
export function converted(read: Documents, options: FormatOptions, notes: Notes): ReadExport {
  const survey = new TypeSurvey();
  read.expect?.(survey);
  for (const document of read.documents()) survey.add(document);
  const types = new ResolvedTypes(survey, notes, read.definitions);
  const linked = new LinkedDocuments(types);
  const unpublishedEdits: UnpublishedEdit[] = [];
  for (const document of read.documents()) {
    if (document.changed) unpublishedEdits.push({ kind: "entry", id: document.source });
    linked.add(document);
  }
  if (linked.size === 0) throw nothingToImport(read, notes);
  notes.drafts(linked.draftCount, linked.size);
  const id = read.workspaceId;
  const roots = chooseRoots(id, linked.context(notes), options);
  const [models, blocks] = [types.models(), types.blocks()];
  const assets = read.assets();
  const workspace: Workspace = {
    ...{ id, name: id },
    ...(assets.haveTexts && { assetTexts: true }),
    import: { from: read.from, ...(roots.types.length > 0 && { roots: roots.types }) },
  };
  function* source(): Generator<SourceItem> {
    yield { kind: "workspace", record: workspace };
    for (const record of models) yield { kind: "models", record };
    for (const record of blocks) yield { kind: "blocks", record };
    for (const record of roots.projects) yield { kind: "projects", record };
    for (const { id, type, members, draft } of read.documents()) {
      const model = types.model(type);
      const data = storedData(members, model, types);
      const record = { id, modelId: model.id, ...(draft && { draft }), data };
      yield { kind: "entries", record };
    }
    yield* assets;
  }
  const report = {
    ...(read.locale !== undefined && { locale: read.locale }),
    leftOut: Object.fromEntries(notes.leftOut),
    notCarriedOver: Object.fromEntries([...notes.notCarriedOver].sort()),
    ...{ drafts: linked.draftCount, unpublishedEdits },
    roots: roots.types,
    unreachable: roots.unreachable,
    experiences: roots.experiences,
    warnings: notes.warnings,
  };
  return {
    source: { [Symbol.iterator]: source },
    size: linked.size,
    report,
    definitions: { models, blocks },
    fates: () =>
      fates({
        ...{ survey, types, projects: roots.projects, assets },
        ...{ documents: read.documents(), excluded: read.excluded?.() ?? [] },
      }),
  };
}

/** X4. */
export function nothingToImport(
  { record, hint }: Pick<Documents, "record" | "hint">,
  { leftOut }: Notes,
): SvcError {
  const reasons = [...leftOut].map(([reason, count]) => `${reason} (${count})`);
  return new SvcError("export-invalid", `the export has no ${record} to import`, {
    hint: reasons.length > 0 ? `left out: ${reasons.join(", ")}` : hint,
  });
}
