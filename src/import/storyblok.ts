import { sha256 } from "../documents/version-id.ts";
import type { JsonValue } from "../workspace/json.ts";
import type { Format } from "./format.ts";
import { converted, workspaceIdOf } from "./formats/convert.ts";
import type { ExcludedRecord, Found, FoundDocument, Ids, Member } from "./formats/found.ts";
import { Notes } from "./formats/notes.ts";
import { chosenLocale } from "./formats/roots.ts";
import { urlAsset } from "./formats/url-asset.ts";
import { expectComponents } from "./storyblok/components.ts";
import { ExportFiles, HOW_TO_EXPORT, type StoryField } from "./storyblok/export-files.ts";
import { FoundValues, inMain, localeOf, MAIN_LOCALE } from "./storyblok/found-value.ts";
import { type Story, translationsOf } from "./storyblok/story.ts";
import { isPublishedStory, leaveOutMembers, stateOf } from "./storyblok/story-state.ts";

/** Storyblok's stories and components, as its command line or its management API writes them. */
export const storyblok: Format = {
  name: "storyblok",
  hint: HOW_TO_EXPORT,
  options: ["locale", "onlyTranslated", "types"],
  read(paths, options) {
    const { drafts = false } = options;
    const notes = new Notes();
    const files = new ExportFiles(paths, notes);
    const { components, used, addresses } = files;
    const urls = new Map<string, string>();
    const asset = (url: string) => {
      const id = `asset-${sha256(Buffer.from(url)).slice(0, 16)}`;
      urls.set(id, url);
      return id;
    };
    const workspaceId = workspaceIdOf(options, () => files.name);
    const nextLocale = chosenLocale(options.locale, options.before(workspaceId)?.choices);
    const reading = {
      record: "story",
      namesIds: true,
      workspaceId,
      locale: MAIN_LOCALE,
      nextLocale,
      expect: (survey: Parameters<typeof expectComponents>[0]) =>
        expectComponents(survey, components, used, notes),
      assets: () => ({
        fates: [...urls].map(([id, url]) => ({
          kind: "asset" as const,
          id: url,
          became: { id },
          lost: [],
        })),
        *[Symbol.iterator]() {
          for (const [id, url] of urls) {
            yield { kind: "assets" as const, record: urlAsset({ id, url }, sizeIn(url)) };
          }
        },
      }),
      *records({ entry }: Pick<Ids, "entry">): Generator<FoundDocument | ExcludedRecord> {
        for (const state of files.stories) {
          if ("reason" in state) {
            yield state;
            continue;
          }
          const { id, story } = state;
          const lost = new Notes();
          const { draft, ...times } = stateOf(story, drafts, lost);
          leaveOutMembers(story, lost);
          const inLocales = translations(story);
          // X26g: where the translations of a space are published each for itself.
          const hidden = drafts || !isPublishedStory(story) ? [] : unpublishedIn(inLocales, files);
          const type = String(story.content.component);
          const values = new FoundValues({ ids: { entry, asset }, components, addresses, lost });
          const own = storyMembers(story, inLocales, (field) => files.nameOf(field, type));
          yield {
            id,
            source: id,
            type,
            members: [...own, ...values.members(story.content)],
            ...times,
            draft: draft || (nextLocale !== undefined && hidden.includes(nextLocale)),
            draftLocales: nextLocale === undefined ? hidden : [],
            lost,
          };
        }
      },
    };
    return converted(storyblok, reading, options, notes);
  },
};

/** The name and the address of a story in a language, where these are translated. */
interface Translation {
  readonly locale: string;
  readonly name: JsonValue | undefined;
  readonly slug: JsonValue | undefined;
  readonly published: JsonValue | undefined;
}

function translations(story: Story): Translation[] {
  return translationsOf(story).flatMap(({ lang, name, path, published }) =>
    typeof lang === "string" ? [{ locale: localeOf(lang), name, slug: path, published }] : [],
  );
}

/** X26g: the locales of an export in which a story is not published. */
function unpublishedIn(
  translations: readonly Translation[],
  { addresses: { languages } }: ExportFiles,
): string[] {
  const known = new Set(Array.from(languages, localeOf));
  const hidden = translations.filter((one) => one.published === false && known.has(one.locale));
  return [...new Set(hidden.map(({ locale }) => locale))];
}

/** What a story itself says: its name, its address, its tags and when it was first published. */
function storyMembers(
  story: Story,
  inLocales: readonly Translation[],
  nameOf: (field: StoryField) => string,
): Member[] {
  const { name, slug, full_slug = slug, tag_list, first_published_at } = story;
  const texts = { name, slug: full_slug, first_published_at };
  const members = Object.entries(texts).flatMap(([field, text]): Member[] => {
    const all = inLocales.map((one) => [one.locale, one[field as keyof Translation]] as const);
    const values = ([[MAIN_LOCALE, text], ...all] as const).flatMap(
      ([locale, value]): [string, Found][] =>
        typeof value === "string" && value !== "" ? [[locale, { kind: "text", tree: value }]] : [],
    );
    return values.length === 0 ? [] : [[nameOf(field as StoryField), inMain(new Map(values))]];
  });
  const tags = Array.isArray(tag_list) ? tag_list.filter((tag) => typeof tag === "string") : [];
  if (tags.length === 0) return members;
  const items = tags.map((tag): Found => ({ kind: "text", tree: tag }));
  return [...members, [nameOf("tags"), { kind: "list", items, tree: tags }]];
}

/** The size of an image, which Storyblok's addresses have. */
function sizeIn(url: string): { width?: number; height?: number } {
  const [, width, height] = /^https:\/\/[^/]+\/f\/\d+\/(\d+)x(\d+)\//.exec(url) ?? [];
  const isKnown = Number(width) > 0 && Number(height) > 0;
  return isKnown ? { width: Number(width), height: Number(height) } : {};
}
