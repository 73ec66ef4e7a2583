import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { SvcError } from "../../workspace/errors.ts";
import { byCodeUnit, isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { JsonFiles } from "../formats/json-files.ts";
import { nestsTooDeep } from "../json-text.ts";

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

/**
 * The files of one export: objects with a list `stories` or `components`, lists of these, and single
 * stories. Stories of a list in an object are read one by one.
 */
export class ExportFiles {
  readonly components = new Map<string, Component>();
  /** Derived from the name of the first file, or of the folder. */
  readonly name: string;
  /** By path, whether the stories are in a list. */
  readonly #files = new Map<string, "object" | "whole">();
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
    if (isList(path)) {
      for (const value of wholeList(path)) this.#addComponent(path, value);
      this.#files.set(path, "whole");
      return;
    }
    let isStory = false;
    for (const { member, index, value } of FILES.values(path, () => {}, isHeld)) {
      if (member === "components" && index !== undefined) this.#addComponent(path, value);
      isStory ||= member === "content" || member === "story";
    }
    this.#files.set(path, isStory ? "whole" : "object");
  }

  #addComponent(path: string, value: JsonValue): void {
    if (!isJsonObject(value) || isStory(value)) return;
    const { name, schema, is_root, is_nestable, component_group_uuid: group } = value;
    if (typeof name !== "string" || !isJsonObject(schema)) {
      throw FILES.invalid(path, "a component has no name or no schema");
    }
    const fields = Object.entries(schema).filter(([, field]) => isJsonObject(field));
    this.components.set(name, {
      ...{ name, isRoot: is_root === true, isNestable: is_nestable !== false },
      group: typeof group === "string" ? group : undefined,
      schema: Object.fromEntries(fields) as Record<string, JsonObject>,
    });
  }

  /** The stories of all files that are no folders. */
  *stories(): Generator<Story> {
    for (const [path, form] of this.#files) {
      const { size } = lstatSync(path);
      const values =
        form === "whole"
          ? wholeList(path)
          : elements(
              FILES.values(
                path,
                (at) => this.#onRead(at, size),
                (name) => name === "stories",
              ),
            );
      for (const value of values) {
        if (!isJsonObject(value) || !isStory(value)) continue;
        if (nestsTooDeep(value))
          throw FILES.invalid(path, "a story is nested more than 200 levels deep");
        if (typeof value.uuid !== "string" && typeof value.id !== "number") {
          throw FILES.invalid(path, "a story has no uuid");
        }
        yield { ...value, uuid: String(value.uuid ?? value.id) } as Story;
      }
    }
  }
}

const isHeld = (member: string) => member === "components";

function* elements(
  values: Iterable<{ member: string; index: number | undefined; value: JsonValue }>,
) {
  for (const { member, index, value } of values) {
    if (member === "stories" && index !== undefined) yield value;
  }
}

/** Whether it has content of a component. */
function isStory(value: JsonObject): boolean {
  return isJsonObject(value.content) && typeof value.content.component === "string";
}

/** A list, a story, or an object with one, as a list. */
function wholeList(path: string): readonly JsonValue[] {
  const value = FILES.parsed(path, 0, readFileSync(path));
  if (Array.isArray(value)) return value;
  const story = isJsonObject(value) ? value.story : undefined;
  return [story ?? value];
}

function isList(path: string): boolean {
  // White space and a byte order mark may be in front.
  const text = readFileSync(path).subarray(0, 1024).toString("utf8");
  return /^\uFEFF?\s*\[/.test(text);
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
