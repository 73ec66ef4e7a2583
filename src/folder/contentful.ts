import { UsageError } from "../workspace/errors.ts";
import { ID_RULE, isId, toId } from "../workspace/ids.ts";
import type { Model, Workspace } from "../workspace/records.ts";
import type { SourceItem } from "../workspace/source.ts";
import { assertImportable } from "./contentful/assert-importable.ts";
import { AssetFiles } from "./contentful/asset-files.ts";
import { HOW_TO_EXPORT } from "./contentful/export-file.ts";
import { ExportFiles } from "./contentful/export-files.ts";
import { fates } from "./contentful/fates.ts";
import { importedTypes } from "./contentful/filter-records.ts";
import { IdMap } from "./contentful/id-index.ts";
import { localesOf } from "./contentful/locales.ts";
import { finishedModels, modelsOf } from "./contentful/models.ts";
import { Notes } from "./contentful/notes.ts";
import { convertedRecords } from "./contentful/records.ts";
import { chooseRoots } from "./contentful/roots.ts";
import { Survey, type SurveyContext } from "./contentful/survey.ts";
import { Types, Values } from "./contentful/types.ts";
import type { Format, FormatOptions } from "./format.ts";
import { Relaxer } from "./relax.ts";

/**
 * Contentful's export format: JSON files (`contentful space export`). The records are read three
 * times: for the lists that are held, for what depends on all records, and to convert each one.
 */
export const contentful: Format = {
  name: "contentful",
  hint: HOW_TO_EXPORT,
  read(paths, options) {
    const files = new ExportFiles(paths, options.onProgress);
    const notes = new Notes();
    const locales = localesOf(files, options.locale);
    const values = new Values(locales, options.drafts);
    const types = new Types(importedTypes(files.contentTypes, notes), toId, notes);
    const { models, notCarried } = modelsOf(types, files, notes);
    const { drafts, assets } = options;
    const assetFiles = assets === undefined ? undefined : new AssetFiles(assets);
    const survey = surveyed(
      {
        ...{ files, types, locales, values, models, drafts, assetFiles },
        relaxer: options.relax ? (of) => relaxerFor(models, of, types) : undefined,
      },
      notes,
    );
    assertImportable(survey, options);
    const ids = {
      entries: new IdMap(survey.entries, notes.renamed("the id of the entry")),
      assets: new IdMap(survey.assets, notes.renamed("the id of the asset")),
    };
    const finished = finishedModels(models, types, survey, (id) => ids.entries.of(id));
    const id = workspaceIdOf(survey, files, options);
    const roots = chooseRoots(id, { survey, types, ids, models: finished.models, notes }, options);
    const workspace: Workspace = {
      ...{ id, name: id },
      ...(survey.hasAssetTexts && { assetTexts: true }),
      import: { from: "contentful", ...(roots.types.length > 0 && { roots: roots.types }) },
    };
    function* source(): Generator<SourceItem> {
      yield { kind: "workspace", record: workspace };
      for (const record of finished.models) yield { kind: "models", record };
      for (const record of roots.projects) yield { kind: "projects", record };
      yield* convertedRecords({ files, survey, types, values, locales, ids, assetFiles });
    }
    const report = {
      locale: locales.code,
      leftOut: Object.fromEntries(notes.leftOut),
      notCarriedOver: Object.fromEntries([...notes.notCarriedOver].sort()),
      relaxed: finished.dropped,
      roots: roots.types,
      unreachable: roots.unreachable,
      experiences: roots.experiences,
      warnings: notes.warnings,
    };
    const size = survey.entries.count + survey.assets.count;
    const { contentTypes } = files;
    const { projects } = roots;
    const account = { contentTypes, survey, types, ids, ...finished, notCarried, projects };
    return {
      source: { [Symbol.iterator]: source },
      ...{ size, report, fates: () => fates(account) },
    };
  },
};

/** A survey in which each record is counted once. */
function surveyed(context: SurveyContext, notes: Notes): Survey {
  const first = new Notes();
  const survey = new Survey(context, first);
  if (!survey.hasTwice) {
    notes.add(first);
    return survey;
  }
  return new Survey(context, notes, survey);
}

function relaxerFor(models: readonly Model[], { entries, typeIds }: Survey, types: Types): Relaxer {
  return new Relaxer(models, {
    numberOf: (id) => entries.numberOf(id),
    modelKeyOf: (number) =>
      entries.isImported(number) ? types.get(typeIds[number] ?? "")?.modelKey : undefined,
  });
}

/** The id from the options, else of the export's space, else the file's name. */
function workspaceIdOf(
  { spaceId }: Survey,
  files: ExportFiles,
  { workspaceId }: FormatOptions,
): string {
  if (workspaceId === undefined) return toId(files.spaceId ?? spaceId ?? files.name);
  if (isId(workspaceId)) return workspaceId;
  throw new UsageError(`"${workspaceId}" is not a valid workspace id`, ID_RULE);
}
