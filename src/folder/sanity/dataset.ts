import { readdirSync, statSync } from "node:fs";
import { basename, dirname, extname, join } from "node:path";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { byCodeUnit, isJsonObject, type JsonObject } from "../../workspace/json.ts";
import { fileLines } from "../file-lines.ts";
import { JsonFiles, tooDeep } from "../formats/json-files.ts";
import { nestsTooDeep } from "../json-text.ts";

export const HOW_TO_EXPORT = "sanity dataset export <dataset> creates one";

const FILES = new JsonFiles("Sanity", HOW_TO_EXPORT);

/** A document of a dataset. */
export interface SanityDocument extends JsonObject {
  readonly _id: string;
  readonly _type: string;
}

/** An export of a dataset: a file of documents, one a line, and the folder that its assets are in. */
export class Dataset {
  readonly folder: string;
  /** Derived from the names of the folder and the file. */
  readonly name: string;
  readonly #file: string;

  /**
   * @param paths the file of documents, or a folder that has one.
   * @throws SvcError `export-not-found`, `export-invalid`; UsageError for several.
   */
  constructor([path = "", ...others]: readonly string[]) {
    if (others.length > 0) {
      throw new UsageError("an export of Sanity is one file or folder", "name one");
    }
    this.#file = documentFile(path);
    this.folder = dirname(this.#file);
    const name = basename(this.#file, extname(this.#file));
    this.name = name === "data" ? basename(this.folder) : name;
  }

  /** @throws SvcError `export-invalid` for a line that is no document, with its place. */
  *documents(): Generator<SanityDocument> {
    let [line, offset] = [0, 0];
    for (const bytes of fileLines(this.#file)) {
      line += 1;
      const text = line === 1 && isMarked(bytes) ? bytes.subarray(3) : bytes;
      const start = offset + bytes.length - text.length;
      offset += bytes.length + 1;
      if (text.every((byte) => byte <= SPACE)) continue;
      const value = FILES.parsed(this.#file, start, text);
      if (!isJsonObject(value)) throw this.#fault(line, "it is not a JSON object");
      if (!isName(value._id) || !isName(value._type)) {
        throw this.#fault(line, "it has no _id and _type");
      }
      if (nestsTooDeep(value)) throw tooDeep(`${this.#file}:${line}`);
      yield value as SanityDocument;
    }
  }

  #fault(line: number, why: string): SvcError {
    return new SvcError("export-invalid", `${this.#file}:${line} is not a document: ${why}`, {
      hint: HOW_TO_EXPORT,
    });
  }
}

const SPACE = 0x20;

function isName(value: unknown): boolean {
  return typeof value === "string" && value !== "";
}

/** Whether a byte order mark is in front. */
function isMarked([first, second]: Uint8Array): boolean {
  return first === 0xef && second === 0xbb;
}

function documentFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new SvcError("export-not-found", `there is no file or folder "${path}"`, {
      hint: HOW_TO_EXPORT,
    });
  }
  if (!stats.isDirectory()) return path;
  const files = filesBelow(path, 2);
  const file = files.find((name) => basename(name) === "data.ndjson") ?? files[0];
  if (file !== undefined && (files.length === 1 || basename(file) === "data.ndjson")) return file;
  const why = files.length === 0 ? "has no file *.ndjson" : "has several files *.ndjson; name one";
  throw new SvcError("export-invalid", `"${path}" is not a Sanity export: it ${why}`, {
    hint: HOW_TO_EXPORT,
  });
}

function filesBelow(folder: string, depth: number): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => byCodeUnit(a.name, b.name))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return depth > 0 ? filesBelow(path, depth - 1) : [];
      return entry.isFile() && entry.name.endsWith(".ndjson") ? [path] : [];
    });
}
