import { statSync } from "node:fs";
import { basename, extname } from "node:path";
import type { JsonValue } from "../../workspace/json.ts";
import { JsonFiles } from "../formats/json-files.ts";
import { type ContentType, HOW_TO_EXPORT, type Locale, type Resource } from "./export-file.ts";
import { recordFault } from "./export-shape.ts";

/** The lists with many records, which are read again and again instead of being held. */
type Streamed = "entries" | "assets";

/** The lists that are held. */
interface Held {
  readonly contentTypes: ContentType[];
  readonly locales: Locale[];
  readonly editorInterfaces: JsonValue[];
}

const FILES = new JsonFiles("Contentful", HOW_TO_EXPORT, recordFault);

/**
 * The files of one export (`contentful space export`). Entries and assets are read record by record,
 * so an export may be larger than memory.
 */
export class ExportFiles {
  readonly contentTypes: readonly ContentType[];
  readonly locales: readonly Locale[];
  readonly editorInterfaces: readonly JsonValue[];
  readonly #paths: readonly string[];
  readonly #onRead: (path: string) => (offset: number) => void;

  /**
   * @throws SvcError `export-not-found`; `export-invalid` for syntax errors, with their position, and
   *   for missing lists and records of the wrong shape.
   */
  constructor(
    paths: readonly string[],
    onProgress: (done: number, total: number) => void = () => {},
  ) {
    this.#paths = paths;
    this.#onRead = (path) => {
      const { size } = statSync(path);
      return (offset) => onProgress(offset, size);
    };
    const held: Held = { contentTypes: [], locales: [], editorInterfaces: [] };
    for (const path of paths) {
      FILES.assertFile(path);
      const lists = new Set<string>();
      for (const { member, index, value } of FILES.values(
        path,
        this.#onRead(path),
        (name) => !isStreamed(name),
      )) {
        if (index !== undefined && Object.hasOwn(held, member)) {
          held[member as "locales"].push(value as unknown as Locale);
        }
        if (Array.isArray(value)) lists.add(member);
      }
      if (!lists.has("contentTypes")) throw FILES.invalid(path, 'it has no list "contentTypes"');
    }
    if (held.contentTypes.length === 0) {
      throw FILES.invalid(paths.join('", "'), 'its list "contentTypes" is empty');
    }
    ({
      contentTypes: this.contentTypes,
      locales: this.locales,
      editorInterfaces: this.editorInterfaces,
    } = held);
  }

  /** The id of the space that the content types are of, or else the entries. */
  get spaceId(): string | undefined {
    const ofTypes = this.contentTypes.find(({ sys }) => sys.space)?.sys.space?.sys.id;
    if (ofTypes !== undefined) return ofTypes;
    for (const { sys } of this.records("entries")) if (sys.space) return sys.space.sys.id;
    return undefined;
  }

  /** The name of the first file. */
  get name(): string {
    const [path = ""] = this.#paths;
    return basename(path, extname(path));
  }

  /** The records of one list of all files. */
  *records(list: Streamed): Generator<Resource> {
    for (const path of this.#paths) {
      for (const { index, value } of FILES.values(
        path,
        this.#onRead(path),
        (member) => member === list,
      )) {
        if (index !== undefined) yield value as unknown as Resource;
      }
    }
  }
}

function isStreamed(member: string): boolean {
  return member === "entries" || member === "assets";
}
