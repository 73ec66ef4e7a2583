import type { FormatOptions } from "../format.ts";
import type { ExcludedRecord } from "../formats/fates.ts";
import type { Notes } from "../formats/notes.ts";
import type { ExportFiles, Story } from "./export-files.ts";

/** The members of a story itself that become fields of its entry. */
const STORY_FIELDS = ["name", "slug", "tags", "first_published_at"] as const;

export type StoryField = (typeof STORY_FIELDS)[number];

/** The stories that are imported, by what the first reading finds. */
export class Selection {
  /** The components of the stories. */
  readonly components = new Set<string>();
  readonly #files: ExportFiles;
  readonly #places = new Map<string, number>();
  readonly #drafts = new Set<string>();
  readonly #takesDrafts: boolean;
  /** By component: the fields of its own. */
  readonly #fields = new Map<string, Set<string>>();

  constructor(files: ExportFiles, { drafts }: FormatOptions, notes: Notes) {
    this.#files = files;
    this.#takesDrafts = drafts;
    let place = 0;
    for (const record of files.records()) {
      place += 1;
      if ("reason" in record) {
        notes.leaveOut(record.reason);
        continue;
      }
      const { story } = record;
      if (this.#places.has(story.uuid)) {
        notes.warn(`the export has the story "${story.uuid}" twice: the last one is used`);
      }
      this.#places.set(story.uuid, place);
      if (!drafts && story.published === false) this.#drafts.add(story.uuid);
      this.#addFields(story);
    }
  }

  #addFields({ content }: Story): void {
    const component = String(content.component);
    this.components.add(component);
    const own = this.#files.components.get(component)?.schema ?? {};
    const fields = this.#fields.get(component) ?? new Set(Object.keys(own));
    for (const name of Object.keys(content)) fields.add(name);
    this.#fields.set(component, fields);
  }

  /** Whether a story is not published. */
  isDraft({ uuid }: Story): boolean {
    return this.#drafts.has(uuid);
  }

  /** Whether it was changed after it was published: an export has only the latest state (X21). */
  isChanged({ published, unpublished_changes }: Story): boolean {
    return !this.#takesDrafts && published === true && unpublished_changes === true;
  }

  get ids(): Iterable<string> {
    return this.#places.keys();
  }

  /** The name of a field of the story itself, beside those of its component. */
  nameOf(field: StoryField, component: string): string {
    return this.#fields.get(component)?.has(field) ? `story_${field}` : field;
  }

  *stories(): Generator<Story> {
    let place = 0;
    for (const record of this.#files.records()) {
      place += 1;
      if ("story" in record && this.#places.get(record.story.uuid) === place) yield record.story;
    }
  }

  /** The records that are not imported, with the reason. */
  *excluded(): Generator<ExcludedRecord> {
    let place = 0;
    for (const record of this.#files.records()) {
      place += 1;
      if ("reason" in record) yield record;
      else if (this.#places.get(record.story.uuid) !== place) {
        yield { id: record.story.uuid, reason: "a later one has its uuid" };
      }
    }
  }
}
