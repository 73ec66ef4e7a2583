import { toId } from "../workspace/ids.ts";
import type { Format } from "./format.ts";
import { converted } from "./formats/convert.ts";
import type { FoundDocument } from "./formats/found.ts";
import { NameMap } from "./formats/name-map.ts";
import { Notes } from "./formats/notes.ts";
import { workspaceIdOf } from "./formats/workspace-id.ts";
import { AssetItems } from "./sanity/asset-items.ts";
import { assetIdOf } from "./sanity/asset-refs.ts";
import { Dataset, HOW_TO_EXPORT } from "./sanity/dataset.ts";
import { FoundValues } from "./sanity/found-value.ts";
import { expectedTypes } from "./sanity/schema.ts";
import { publishedId, Selection } from "./sanity/selection.ts";

/** Sanity's export of a dataset: NDJSON with the files of assets beside it. */
export const sanity: Format = {
  name: "sanity",
  hint: HOW_TO_EXPORT,
  options: ["schema"],
  mayBeArchive: true,
  read(paths, options) {
    const notes = new Notes();
    const dataset = new Dataset(paths);
    const selection = new Selection(dataset, { drafts: options.drafts, notes });
    const entryIds = new NameMap(toId, {
      ...{ names: selection.ids, onChange: notes.renamed("the id of the document") },
    });
    const refs = new Set<string>();
    const ids = {
      entry: (id: string) => entryIds.of(publishedId(id)),
      asset: (ref: string) => {
        refs.add(ref);
        return assetIdOf(ref);
      },
    };
    // The documents are read several times: each loss counts once.
    let readings = 0;
    const values = new FoundValues(ids, (what, place) => {
      if (readings === 1) notes.leaveOut(`${place}: ${what}`);
    });
    const reading = {
      ...{ from: "sanity", record: "document", hint: HOW_TO_EXPORT },
      workspaceId: workspaceIdOf(options.workspaceId, dataset.name),
      ...(options.schema !== undefined && { expect: expectedTypes(options.schema) }),
      assets: () => new AssetItems(dataset.folder, refs, selection.assets(), notes),
      excluded: () => selection.excluded(),
      *documents(): Generator<FoundDocument> {
        readings += 1;
        for (const document of selection.documents()) {
          const { _id, _type: type } = document;
          const members = values.members(document, type);
          yield { id: ids.entry(_id), source: _id, type, members, draft: selection.isDraft(_id) };
        }
      },
    };
    return converted(reading, options, notes);
  },
};
