import type { Format } from "./format.ts";
import { converted, workspaceIdOf } from "./formats/convert.ts";
import type { ExcludedRecord, FoundDocument, Ids } from "./formats/found.ts";
import { Notes, type Nouns } from "./formats/notes.ts";
import { chosenLocale } from "./formats/roots.ts";
import { AssetItems } from "./sanity/asset-items.ts";
import { assetIdOf } from "./sanity/asset-refs.ts";
import { Dataset, HOW_TO_EXPORT } from "./sanity/dataset.ts";
import { publishedId } from "./sanity/document-ids.ts";
import { FoundValues } from "./sanity/found-value.ts";
import { withoutHidden } from "./sanity/nested-documents.ts";
import { expectedTypes } from "./sanity/schema.ts";

/** Sanity's export of a dataset: NDJSON with the files of assets beside it. */
export const sanity: Format = {
  name: "sanity",
  hint: HOW_TO_EXPORT,
  options: ["locale", "onlyTranslated", "private", "schema", "types"],
  mayBeArchive: true,
  read(paths, options) {
    const notes = new Notes();
    const dataset = new Dataset(paths, options, notes);
    const refs = new Set<string>();
    const workspaceId = workspaceIdOf(options, () => dataset.name);
    const reading = {
      record: "document",
      namesIds: true,
      workspaceId,
      nextLocale: chosenLocale(options.locale, options.before(workspaceId)?.choices),
      ...(options.schema !== undefined && { expect: expectedTypes(options.schema) }),
      assets: () => new AssetItems(dataset, refs, notes),
      onTargets(targets: Iterable<string>) {
        if (options.private) return;
        for (const id of targets) {
          if (dataset.privateIds.has(id)) notes.warnAt(id, ...TO_PRIVATE);
        }
      },
      *records({ entry }: Pick<Ids, "entry">): Generator<FoundDocument | ExcludedRecord> {
        const asset = (ref: string) => {
          refs.add(ref);
          return assetIdOf(ref);
        };
        const ids = { entry: (id: string) => entry(publishedId(id)), asset };
        for (const state of dataset.documents) {
          if ("reason" in state) {
            yield state;
            continue;
          }
          const { id: source, draft } = state;
          const lost = new Notes();
          const document = withoutHidden(state.document, options, ({ reason }) => {
            if (reason !== undefined) lost.leaveOut(reason);
          });
          const type = document._type as string;
          const values = new FoundValues(ids, (what, place) => lost.leaveOut(`${place}: ${what}`));
          const members = values.members(document, type);
          yield { id: publishedId(source), source, type, members, draft, lost };
        }
      },
    };
    return converted(sanity, reading, options, notes);
  },
};

/** X26a. */
const TO_PRIVATE: readonly [Nouns, string] = [
  ["private document is", "private documents are"],
  "left out, and named by references, which lead nowhere",
];
