import { toId } from "../workspace/ids.ts";
import type { Workspace } from "../workspace/records.ts";
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
import { convertedRecords } from "./contentful/records.ts";
import { Survey, type SurveyContext } from "./contentful/survey.ts";
import { Types } from "./contentful/types.ts";
import { Values } from "./contentful/values.ts";
import type { Format, FormatOptions } from "./format.ts";
import { chosenLocale, importChoices, localesReport } from "./formats/languages.ts";
import { LinkGraph } from "./formats/link-graph.ts";
import { Notes } from "./formats/notes.ts";
import { chooseRoots } from "./formats/roots.ts";
import { workspaceIdOf } from "./formats/workspace-id.ts";

/**
 * Contentful's export format: JSON files (`contentful space export`). The records are read three
 * times: for the lists that are held, for what depends on all records, and to convert each one.
 */
export const contentful: Format = {
  name: "contentful",
  hint: HOW_TO_EXPORT,
  options: ["assets", "locale", "part"],
  read(paths, options) {
    const files = new ExportFiles(paths, options.onProgress);
    const notes = new Notes();
    const { drafts, assets } = options;
    const types = new Types(importedTypes(files.contentTypes, notes), toId, notes);
    const id = workspaceIdFor(files, options);
    const requested = chosenLocale(options.locale, options.before(id)?.choices);
    const locales = localesOf(files, { requested, drafts }, types);
    const { languages } = locales;
    const values = new Values(locales, drafts);
    const { models, notCarried } = modelsOf(types, files, notes, values);
    const assetFiles = assets === undefined ? undefined : new AssetFiles(assets);
    const survey = surveyed(
      {
        ...{ files, types, locales, values, models, drafts, assetFiles },
      },
      notes,
    );
    assertImportable(survey, options, notes);
    notes.drafts(survey.entries.drafts.size, survey.entries.importedCount);
    const ids = {
      entries: new IdMap(survey.entries, notes.renamed("the id of the entry")),
      assets: new IdMap(survey.assets, notes.renamed("the id of the asset")),
    };
    const finished = finishedModels(models, types, survey);
    const roots = chooseRoots(
      id,
      {
        ...{ names: survey.names, addresses: survey.addresses, notes, languages },
        typeIds: survey.typeIds.map((type, number) =>
          survey.entries.isImported(number) ? type : undefined,
        ),
        idOf: (number) => ids.entries.of(survey.entries.ids[number] as string),
        isDraft: (number) => survey.entries.drafts.has(number),
        graph: new LinkGraph(survey.entries.ids.length, survey.from, survey.to),
        modelKeyOf: (typeId) => types.modelKey(typeId),
      },
      options,
    );
    const workspace: Workspace = {
      ...{ id, name: id },
      ...(survey.hasAssetTexts && { assetTexts: true }),
      import: importChoices("contentful", roots, requested),
    };
    function* source(): Generator<SourceItem> {
      yield { kind: "workspace", record: workspace };
      for (const record of finished) yield { kind: "models", record };
      for (const record of roots.projects) yield { kind: "projects", record };
      yield* convertedRecords({ files, survey, types, values, locales, ids, assetFiles });
    }
    const report = {
      ...{ locale: locales.code, drafts: survey.entries.drafts.size },
      ...(languages.length > 0 && { locales: localesReport(roots) }),
      draftLocales: survey.draftLocales,
      unpublishedEdits: survey.unpublishedEdits,
      leftOut: Object.fromEntries(notes.leftOut),
      notCarriedOver: Object.fromEntries([...notes.notCarriedOver].sort()),
      roots: roots.types,
      unreachable: roots.unreachable,
      experiences: roots.experiences,
      warnings: notes.warnings,
    };
    const size = survey.entries.count + survey.assets.count;
    const { contentTypes } = files;
    const { projects } = roots;
    const account = {
      ...{ contentTypes, survey, types, ids, models: finished, notCarried, projects },
    };
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

/** The id from the options, else of the export's space, else the file's name. */
function workspaceIdFor(files: ExportFiles, { workspaceId }: FormatOptions): string {
  return workspaceIdOf(workspaceId, workspaceId ?? files.spaceId ?? files.name);
}
