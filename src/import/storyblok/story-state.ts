import type { FoundDocument } from "../formats/found.ts";
import type { Notes } from "../formats/notes.ts";
import { isLater, publishingTimes, timeOf } from "../formats/publishing-times.ts";
import { type Story, saysSomething } from "./story.ts";

type State = Pick<FoundDocument, "draft" | "changed" | "publishAt" | "unpublishAt">;

/**
 * X17, X21, X26c: whether a story is published, and when it will be.
 *
 * @param lost what is left out of the story.
 */
export function stateOf(story: Story, drafts: boolean, lost: Notes): State {
  const { uuid, full_slug, updated_at, expire_at: until } = story;
  const isPublished = isPublishedStory(story);
  // Newer exports call it the latter.
  const from = story.publish_at ?? story.scheduled_dates;
  if (isPublished && saysSomething(from)) {
    lost.leaveOut("times at which edits of published stories are published");
  }
  const place = typeof full_slug === "string" ? full_slug : uuid;
  const times = publishingTimes(place, { from: isPublished ? undefined : from, until }, lost);
  const { publishAt } = times;
  // A time that had come when it was saved or published is of an earlier publish: it was unpublished since.
  const { published_at, first_published_at } = story;
  const saved = [updated_at, published_at, first_published_at].flatMap(
    (time) => timeOf(time) ?? [],
  );
  const isScheduled =
    publishAt !== undefined &&
    timeOf(updated_at) !== undefined &&
    saved.every((time) => isLater(publishAt, time));
  // An export has only the latest state (X21, X26h).
  const isEdited = story.unpublished_changes === true || saysSomething(story.release_id);
  return {
    ...times,
    draft: !drafts && (times.draft === true || (!isPublished && !isScheduled)),
    changed: isPublished && isEdited && !drafts,
  };
}

/** X26h: the content delivery API has no `published`, and of a draft no `published_at`. */
export function isPublishedStory({ published, published_at }: Story): boolean {
  return published === undefined ? published_at !== null : published === true;
}

/** X26f: what is imported of a story, and what Storyblok notes about each: numbers, authors, times, its folder. */
const TAKEN_OR_NOTED = new Set(
  `
    content name slug full_slug tag_list first_published_at translated_slugs localized_paths published
    unpublished_changes publish_at scheduled_dates expire_at deleted_at is_folder release_id
    id uuid created_at updated_at published_at imported_at last_author last_author_id user_ids space_role_ids
    favourite_for_user_ids can_not_view current_version_id base_version_id main_version_id preview_token
    parent parent_id breadcrumbs group_id default_full_slug default_root translated_slugs_attributes
  `.match(/\w+/g),
);

/** X26f: counts the members of a story that are not imported. */
export function leaveOutMembers(story: Story, lost: Notes): void {
  for (const [name, value] of Object.entries(story)) {
    const isMain = name === "lang" && value === "default";
    if (!TAKEN_OR_NOTED.has(name) && !isMain && saysSomething(value)) {
      lost.leaveOut(`${name} of stories`);
    }
  }
}
