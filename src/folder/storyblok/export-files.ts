import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SvcError } from "../../workspace/errors.ts";
import { byCodeUnit, isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { ExcludedRecord } from "../formats/fates.ts";
import { JsonFiles } from "../formats/json-files.ts";

export const HOW_TO_EXPORT =
  "storyblok stories pull and storyblok components pull create its files; give them in one command";

const FILES = new JsonFiles("Storyblok", HOW_TO_EXPORT);

/** A page or a record; a folder has no component. */
export interface Story extends JsonObject {
  readonly uuid: string;
  readonly content: JsonObject;
}

/** A type of stories or of blocks in them. */
export interface Component {
  readonly name: string;
  readonly isRoot: boolean;
  readonly isNestable: boolean;
  readonly group: string | undefined;
  readonly schema: Readonly<Record<string, JsonObject>>;
}

/** A story, or why a record is none that can be imported. */
export type StoryRecord = { readonly story: Story } | ExcludedRecord;

/**
 * The files of one export: objects with a list `stories` or `components`, lists of these, and single
 * ones. The records of lists are read one by one.
 */
export class ExportFiles {
  readonly components = new Map<string, Component>();
  /** Derived from the name of the first file, or of the folder. */
  readonly name: string;
  /** By path: an object with lists or a list, or else a record. */
  readonly #files = new Map<string, "lists" | "record">();
  readonly #onRead: (done: number, total: number) => void;

  /** @throws SvcError `export-not-found`, `export-invalid`. */
  constructor(paths: readonly string[], onRead: (done: number, total: number) => void = () => {}) {
    this.#onRead = onRead;
    const [first = ""] = paths;
    for (const path of paths.flatMap(jsonFiles)) this.#survey(path);
    const name = basename(first).replace(/\.json$/i, "");
    this.name = /^stories/.test(name) ? basename(dirname(resolve(first))) || name : name;
  }

  #survey(path: string): void {
    FILES.assertFile(path);
    const isHeld = (member: string) => member === "components";
    const members = new Set<string>();
    for (const { member, index, value, offset } of FILES.values(path, () => {}, isHeld, LISTS)) {
      if (index === undefined) members.add(member);
      else if (member !== "" || isComponent(value)) this.#addComponent(path, value, offset);
    }
    const isRecord = RECORD.some((member) => members.has(member));
    this.#files.set(path, isRecord ? "record" : "lists");
    const value = isRecord ? wholeRecord(path) : null;
    if (isComponent(value)) this.#addComponent(path, value, 0);
  }

  #addComponent(path: string, value: JsonValue, offset: number): void {
    const { name, schema, ...others } = isJsonObject(value) ? value : {};
    const { is_root, is_nestable, component_group_uuid: group } = others;
    if (typeof name !== "string" || !isJsonObject(schema)) {
      throw FILES.invalid(path, "a component has no name or no schema", offset);
    }
    const fields = Object.entries(schema).filter(([, field]) => isJsonObject(field));
    this.components.set(name, {
      ...{ name, isRoot: is_root === true, isNestable: is_nestable !== false },
      group: typeof group === "string" ? group : undefined,
      schema: Object.fromEntries(fields) as Record<string, JsonObject>,
    });
  }

  /**
   * All records but the components.
   *
   * @throws SvcError `export-invalid` for what is no object, and for a story without a uuid.
   */
  *records(): Generator<StoryRecord> {
    for (const [path, form] of this.#files) {
      if (form === "record") {
        const value = wholeRecord(path);
        if (!isComponent(value)) yield storyRecord(path, path, value, 0);
        continue;
      }
      const { size } = lstatSync(path);
      const onRead = (at: number) => this.#onRead(at, size);
      const isWanted = (member: string) => member === "stories";
      for (const { member, index, value, offset } of FILES.values(path, onRead, isWanted, LISTS)) {
        if (index === undefined || !(member === "stories" || member === "")) continue;
        if (member === "" && isComponent(value)) continue;
        yield storyRecord(path, `${member}[${index}]`, value, offset);
      }
    }
  }
}

const LISTS = { mayBeList: true };

/** The members by which a file is a record. */
const RECORD = ["content", "story", "schema"];

function isComponent(value: JsonValue): boolean {
  return isJsonObject(value) && Object.hasOwn(value, "schema") && !isJsonObject(value.content);
}

function storyRecord(path: string, place: string, value: JsonValue, offset: number): StoryRecord {
  if (!isJsonObject(value)) throw FILES.invalid(path, `${place} is not an object`, offset);
  const { content, uuid, id, full_slug, slug, name } = value;
  const isStory = isJsonObject(content) && typeof content.component === "string";
  const isId = (one?: JsonValue) =>
    (typeof one === "string" && one !== "") || typeof one === "number";
  const known = [uuid, id].find(isId);
  if (!isStory) {
    const named = known ?? [full_slug, slug, name].find((one) => typeof one === "string") ?? place;
    return { id: String(named), reason: whyNoStory(value, place.startsWith("stories[")) };
  }
  if (known === undefined) throw FILES.invalid(path, `the story ${place} has no uuid`, offset);
  return { story: { ...value, uuid: String(known) } as Story };
}

/** The command line writes groups, presets and data sources as lists beside those of stories. */
function whyNoStory(value: JsonObject, isListed: boolean): string {
  if (value.is_folder === true) return "folders";
  const isStory = ["content", "full_slug"].some((name) => Object.hasOwn(value, name));
  return isStory || isListed ? "stories without content" : "records that are no stories";
}

/** A story or a component, or an object with a story. */
function wholeRecord(path: string): JsonValue {
  const value = FILES.parsed(path, 0, readFileSync(path));
  return (isJsonObject(value) ? value.story : undefined) ?? value;
}

function jsonFiles(path: string): string[] {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  if (!stats?.isDirectory()) return [path];
  const files = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort(byCodeUnit);
  if (files.length > 0) return files;
  throw new SvcError("export-invalid", `the folder "${path}" has no JSON files`, {
    hint: HOW_TO_EXPORT,
  });
}
