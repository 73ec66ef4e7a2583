import { lstatSync } from "node:fs";
import { basename, dirname, resolve } from "node:path";
import { SvcError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { ExportFile, filesBelow } from "../formats/export-file.ts";
import type { ExcludedRecord } from "../formats/found.ts";
import type { Notes } from "../formats/notes.ts";
import { type Story, saysSomething } from "./story.ts";
import { StoryAddresses } from "./story-addresses.ts";

export const HOW_TO_EXPORT =
  "storyblok stories pull and storyblok components pull create its files; give them in one command";

const SYSTEM = { name: "Storyblok", hint: HOW_TO_EXPORT };

export interface Component {
  readonly name: string;
  readonly isRoot: boolean;
  readonly isNestable: boolean;
  readonly group: string | undefined;
  readonly schema: Readonly<Record<string, JsonObject>>;
}

/** A record of an export that is no component. */
interface RecordHere {
  readonly file: ExportFile;
  readonly place: string;
  readonly value: JsonValue;
}

interface StoryState {
  readonly id: string;
  readonly story: Story;
}

/** The members of a story itself that become fields of its entry. */
const STORY_FIELDS = ["name", "slug", "tags", "first_published_at"] as const;

export type StoryField = (typeof STORY_FIELDS)[number];

/** The files of one export: objects with a list `stories` or `components`, lists of these, and single ones. */
export class ExportFiles {
  readonly components = new Map<string, Component>();
  /** The components of stories, with the names of the fields of each. */
  readonly used = new Map<string, Set<string>>();
  readonly addresses = new StoryAddresses();
  readonly stories: readonly (StoryState | ExcludedRecord)[];
  /** Derived from the name of the first file, or of the folder. */
  readonly name: string;

  /** @throws SvcError `export-not-found`, `export-invalid`. */
  constructor(paths: readonly string[], notes: Notes) {
    const [first = ""] = paths;
    const records = paths
      .flatMap(jsonFiles)
      .flatMap((path) => this.#records(new ExportFile(path, SYSTEM), notes));
    const name = basename(first).replace(/\.json$/i, "");
    this.name = /^stories/.test(name) ? basename(dirname(resolve(first))) || name : name;
    /** Of stories with the same uuid, the last one. */
    const last = new Map<string, Story>();
    const found = records.map((one) => {
      const record = storyRecord(one);
      if ("reason" in record) {
        notes.leaveOut(record.reason);
        return record;
      }
      const { story } = record;
      const { uuid } = story;
      if (last.has(uuid)) notes.twice("story", uuid);
      last.set(uuid, story);
      this.#addFields(story);
      return { id: uuid, story };
    });
    this.stories = found.map((one) =>
      "reason" in one || last.get(one.id) === one.story
        ? one
        : { id: one.id, reason: "a later one has its uuid" },
    );
    for (const story of last.values()) this.addresses.add(story);
  }

  /** Takes the components of a file; returns all other records. */
  #records(file: ExportFile, notes: Notes): RecordHere[] {
    const whole = file.value();
    if (!Array.isArray(whole) && !isJsonObject(whole))
      throw file.invalid("it is not a JSON object");
    const isOne = RECORD.some((name) => Object.hasOwn(whole, name));
    const records: RecordHere[] = [];
    for (const [member, value] of Object.entries(Array.isArray(whole) ? { "": whole } : whole)) {
      const isRead = ["", "components", "stories"].includes(member);
      if (!isRead && !isOne) {
        const count = Array.isArray(value)
          ? value.length
          : Number(isJsonObject(value) && saysSomething(value));
        notes.leaveOut(`records of "${member}"`, count);
      }
      for (const [at, one] of (isRead && Array.isArray(value) ? value : []).entries()) {
        if (member === "components" || (member === "" && isComponent(one)))
          this.#addComponent(file, one);
        else records.push({ file, place: `${member}[${at}]`, value: one });
      }
    }
    if (!isOne) return records;
    const value = (isJsonObject(whole) ? whole.story : undefined) ?? whole;
    if (!isComponent(value)) return [{ file, place: file.path, value }];
    this.#addComponent(file, value);
    return [];
  }

  #addComponent(file: ExportFile, value: JsonValue): void {
    const { name, schema, ...others } = isJsonObject(value) ? value : {};
    const { is_root, is_nestable, component_group_uuid: group } = others;
    if (typeof name !== "string" || !isJsonObject(schema)) {
      throw file.invalid("a component has no name or no schema");
    }
    const fields = Object.entries(schema).filter(([, field]) => isJsonObject(field));
    this.components.set(name, {
      name,
      isRoot: is_root === true,
      isNestable: is_nestable !== false,
      group: typeof group === "string" ? group : undefined,
      schema: Object.fromEntries(fields) as Record<string, JsonObject>,
    });
  }

  #addFields({ content }: Story): void {
    const component = String(content.component);
    const own = this.components.get(component)?.schema ?? {};
    const fields = this.used.get(component) ?? new Set(Object.keys(own));
    for (const name of Object.keys(content)) fields.add(name);
    this.used.set(component, fields);
  }

  /** The name of a field of the story itself, beside those of its component. */
  nameOf(field: StoryField, component: string): string {
    return this.used.get(component)?.has(field) ? `story_${field}` : field;
  }
}

/** The members by which a file is a record. */
const RECORD = ["content", "story", "schema"];

function isComponent(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, "schema") && !isJsonObject(value.content);
}

/**
 * A story, or why a record is none.
 *
 * @throws SvcError `export-invalid` for what is no object, and for a story without a uuid.
 */
function storyRecord({ place, file, value }: RecordHere): { story: Story } | ExcludedRecord {
  if (!isJsonObject(value)) throw file.invalid(`${place} is not an object`);
  const { content, uuid, id, full_slug, slug, name, deleted_at } = value;
  const isDeleted = typeof deleted_at === "string" && deleted_at !== "";
  const isStory = isJsonObject(content) && typeof content.component === "string";
  const isId = (one?: JsonValue) =>
    (typeof one === "string" && one !== "") || typeof one === "number";
  const known = [uuid, id].find(isId);
  if (!isStory || isDeleted) {
    const named = known ?? [full_slug, slug, name].find((one) => typeof one === "string") ?? place;
    const reason = isStory ? "deleted stories" : whyNoStory(value, place.startsWith("stories["));
    return { id: String(named), reason };
  }
  if (known === undefined) throw file.invalid(`the story ${place} has no uuid`);
  return { story: { ...value, uuid: String(known) } as Story };
}

/** The command line writes groups, presets and data sources as lists beside those of stories. */
function whyNoStory(value: JsonObject, isListed: boolean): string {
  if (value.is_folder === true) return "folders";
  const isStory = ["content", "full_slug"].some((name) => Object.hasOwn(value, name));
  return isStory || isListed ? "stories without content" : "records that are no stories";
}

function jsonFiles(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return [path];
  const files = filesBelow(path).filter((name) => name.endsWith(".json"));
  if (files.length > 0) return files;
  throw new SvcError("export-invalid", `the folder "${path}" has no JSON files`, {
    hint: HOW_TO_EXPORT,
  });
}
