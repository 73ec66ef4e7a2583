import { toId } from "../workspace/ids.ts";
import type { SourceItem } from "../workspace/source.ts";
import type { Format } from "./format.ts";
import { converted } from "./formats/convert.ts";
import { type Definitions, readDefinitions } from "./formats/definitions.ts";
import type { FoundDocument } from "./formats/found.ts";
import { NameMap } from "./formats/name-map.ts";
import { Notes } from "./formats/notes.ts";
import { workspaceIdOf } from "./formats/workspace-id.ts";
import { FoundText } from "./markdown/found-text.ts";
import { isDraft } from "./markdown/front-matter.ts";
import { HOW_TO_USE, modelOf, TextFiles, withoutExtension } from "./markdown/text-files.ts";
import { assetByBytes } from "./measure-file.ts";

/** A folder of Markdown files with front matter: a folder below it is a model. */
export const markdown: Format = {
  name: "markdown",
  hint: HOW_TO_USE,
  options: ["schema"],
  keepsSchema: true,
  read(paths, options) {
    const notes = new Notes();
    const files = new TextFiles(paths);
    const ids = new NameMap(toId, { names: files.texts.map(withoutExtension) });
    const assetIds = new NameMap(toId);
    /** The paths, by the id of the asset. */
    const assets = new Map<string, string>();
    const tomlNote = `front matter in TOML${options.drafts ? "" : " (its text has draft: true)"}`;
    let readings = 0;
    const found = new FoundText(files, {
      entry: (path) => ids.of(withoutExtension(path)),
      asset: (path) => {
        const id = assetIds.of(path);
        assets.set(id, path);
        return id;
      },
      onLost: (what) => {
        if (readings === 1) notes.warn(what);
      },
    });
    function* assetItems(): Generator<SourceItem> {
      for (const [id, path] of assets) {
        const bytes = files.read(path);
        const fileName = path.split("/").at(-1) ?? path;
        const record = assetByBytes({ id, fileName }, bytes);
        yield { kind: "file", sha256: record.sha256, bytes };
        yield { kind: "assets", record };
      }
    }
    const definitions: Definitions | undefined =
      options.schema === undefined ? undefined : readDefinitions(options.schema);
    const reading = {
      ...{ from: "markdown", record: "text", hint: HOW_TO_USE },
      workspaceId: workspaceIdOf(options.workspaceId, files.name),
      ...(definitions !== undefined && { definitions }),
      assets: () => ({
        [Symbol.iterator]: assetItems,
        sources: assets,
      }),
      *documents(): Generator<FoundDocument> {
        readings += 1;
        for (const [path, text] of files.split()) {
          if (text.hasToml && readings === 1) notes.leaveOut(tomlNote);
          const isKept = isDraft(text, (name) => {
            if (readings === 1) {
              notes.warn(
                `${path}: "${name}" is neither true nor false: the text is taken as a draft`,
              );
            }
          });
          const draft = isKept && !options.drafts;
          const members = found.members(path, text);
          const id = ids.of(withoutExtension(path));
          yield { id, source: path, type: modelOf(path), members, draft };
        }
      },
    };
    return converted(reading, options, notes);
  },
};
