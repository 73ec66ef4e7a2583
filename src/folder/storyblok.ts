import { toId } from "../workspace/ids.ts";
import type { Format } from "./format.ts";
import { converted } from "./formats/convert.ts";
import type { Found, FoundDocument, Member } from "./formats/found.ts";
import { NameMap } from "./formats/name-map.ts";
import { Notes } from "./formats/notes.ts";
import { workspaceIdOf } from "./formats/workspace-id.ts";
import { assetIdOf, assetItem } from "./storyblok/asset-urls.ts";
import { expectComponents } from "./storyblok/components.ts";
import { ExportFiles, HOW_TO_EXPORT, type Story } from "./storyblok/export-files.ts";
import { FoundValues } from "./storyblok/found-value.ts";
import { Selection, type StoryField } from "./storyblok/selection.ts";

/** Storyblok's stories and components, as its command line or its management API writes them. */
export const storyblok: Format = {
  name: "storyblok",
  hint: HOW_TO_EXPORT,
  options: ["locale"],
  read(paths, options) {
    const notes = new Notes();
    const files = new ExportFiles(paths, options.onProgress);
    const selection = new Selection(files, options, notes);
    const entryIds = new NameMap(toId, {
      ...{ names: selection.ids, onChange: notes.renamed("the id of the story") },
    });
    /** By the id of the asset. */
    const urls = new Map<string, string>();
    // The stories are read several times: each loss counts once.
    let readings = 0;
    const values = new FoundValues({
      ids: {
        entry: (id) => entryIds.of(id),
        asset: (url) => {
          const id = assetIdOf(url);
          urls.set(id, url);
          return id;
        },
      },
      components: files.components,
      locale: options.locale,
      onTranslation: (locale) => {
        if (readings === 1) notes.leaveOut(`values in the locale ${locale}`);
      },
    });
    const reading = {
      ...{ from: "storyblok", record: "story", hint: HOW_TO_EXPORT },
      workspaceId: workspaceIdOf(options.workspaceId, files.name),
      locale: options.locale ?? "default",
      expect: (survey: Parameters<typeof expectComponents>[0]) =>
        expectComponents(survey, files.components, selection.components, notes),
      assets: () => ({
        [Symbol.iterator]: () => [...urls.values()].map(assetItem).values(),
        sources: urls,
      }),
      excluded: () => selection.excluded(),
      *documents(): Generator<FoundDocument> {
        readings += 1;
        for (const story of selection.stories()) {
          const type = String(story.content.component);
          const own = storyMembers(story, (field) => selection.nameOf(field, type));
          const members = [...own, ...values.members(story.content)];
          const { uuid: source } = story;
          const state = { draft: selection.isDraft(story), changed: selection.isChanged(story) };
          yield { id: entryIds.of(source), source, type, members, ...state };
        }
      },
    };
    return converted(reading, options, notes);
  },
};

/** What a story itself says: its name, its address, its tags and when it was first published. */
function storyMembers(story: Story, nameOf: (field: StoryField) => string): Member[] {
  const { name, slug, full_slug = slug, tag_list, first_published_at } = story;
  const texts = { name, slug: full_slug, first_published_at };
  const members = Object.entries(texts).flatMap(([field, text]): Member[] =>
    typeof text === "string" && text !== ""
      ? [[nameOf(field as StoryField), { kind: "text", tree: text }]]
      : [],
  );
  const tags = Array.isArray(tag_list) ? tag_list.filter((tag) => typeof tag === "string") : [];
  if (tags.length === 0) return members;
  const items = tags.map((tag): Found => ({ kind: "text", tree: tag }));
  return [...members, [nameOf("tags"), { kind: "list", items, tree: tags }]];
}
