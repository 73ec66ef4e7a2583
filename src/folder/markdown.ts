import { toId } from "../workspace/ids.ts";
import type { SourceItem } from "../workspace/source.ts";
import { assetByBytes } from "./asset-records.ts";
import type { Format } from "./format.ts";
import { converted, workspaceIdOf } from "./formats/convert.ts";
import { readDefinitions } from "./formats/definitions.ts";
import type { FoundDocument, Ids } from "./formats/found.ts";
import { NameMap } from "./formats/name-map.ts";
import { Notes } from "./formats/notes.ts";
import { FoundText } from "./markdown/found-text.ts";
import { isDraft } from "./markdown/front-matter.ts";
import { HOW_TO_USE, modelOf, TextFiles, withoutExtension } from "./markdown/text-files.ts";

/** A folder of Markdown files with front matter: a folder below it is a model. */
export const markdown: Format = {
  name: "markdown",
  hint: HOW_TO_USE,
  options: ["schema"],
  keepsSchema: true,
  read(paths, options) {
    const { drafts, schema } = options;
    const notes = new Notes();
    const files = new TextFiles(paths);
    const assetIds = new NameMap(toId);
    /** The paths, by the id of the asset. */
    const assets = new Map<string, string>();
    const asset = (path: string) => {
      const id = assetIds.of(path);
      assets.set(id, path);
      return id;
    };
    function* assetItems(): Generator<SourceItem> {
      for (const [id, path] of assets) {
        const bytes = files.read(path);
        const fileName = path.split("/").at(-1) ?? path;
        const record = assetByBytes({ id, fileName }, bytes);
        yield { kind: "file", sha256: record.sha256, bytes };
        yield { kind: "assets", record };
      }
    }
    const reading = {
      from: "markdown",
      record: "text",
      hint: HOW_TO_USE,
      workspaceId: workspaceIdOf(options, () => files.name),
      definitions: schema === undefined ? undefined : readDefinitions(schema),
      assets: () => ({
        [Symbol.iterator]: assetItems,
        fates: [...assets].map(([id, path]) => ({
          kind: "asset" as const,
          id: path,
          became: { id },
          lost: [],
        })),
      }),
      *records(ids: Pick<Ids, "entry">): Generator<FoundDocument> {
        const entry = (path: string) => ids.entry(withoutExtension(path));
        for (const [source, text] of files.split()) {
          const lost = new Notes();
          if (text.hasToml) {
            lost.leaveOut(`front matter in TOML${drafts ? "" : " (its text has draft: true)"}`);
          }
          const isKept = isDraft(text, (name) =>
            lost.warn(
              `${source}: "${name}" is neither true nor false: the text is taken as a draft`,
            ),
          );
          const onLost = (what: string) => lost.warn(what);
          const members = new FoundText(files, { entry, asset, onLost }).members(source, text);
          const id = withoutExtension(source);
          yield { id, source, type: modelOf(source), members, draft: isKept && !drafts, lost };
        }
      },
    };
    return converted(reading, options, notes);
  },
};
