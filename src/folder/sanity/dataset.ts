import { statSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { sha256 } from "../../documents/version-id.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, nestsTooDeep } from "../../workspace/json.ts";
import { ExportFile, filesBelow, type Slice, tooDeep } from "../formats/export-file.ts";
import type { ExcludedRecord } from "../formats/found.ts";
import type { Notes } from "../formats/notes.ts";

export const HOW_TO_EXPORT = "sanity dataset export <dataset> creates one";

const SYSTEM = { name: "Sanity", hint: HOW_TO_EXPORT };

const DRAFT = "drafts.";

interface SanityDocument extends JsonObject {
  /** Of assets always. */
  readonly _id: string;
  readonly _type: string;
}

interface DocumentState {
  readonly id: string;
  /** Whether it was never published, and is not published now. */
  readonly draft: boolean;
  readonly slice: Slice;
}

/** An export of a dataset: a file of documents, one a line, and the folder that its assets are in. */
export class Dataset {
  readonly folder: string;
  /** Derived from the names of the folder and the file. */
  readonly name: string;
  /** All but those of assets. */
  readonly documents: readonly (DocumentState | ExcludedRecord)[];
  /** The documents of assets: exports of other tools have them. */
  readonly assets: readonly Slice[];

  /**
   * @param paths the file of documents, or a folder that has one.
   * @throws SvcError `export-not-found`, `export-invalid` for a line that is no document, with its place;
   *   UsageError for several.
   */
  constructor(
    [path = "", ...others]: readonly string[],
    { drafts }: { readonly drafts: boolean },
    notes: Notes,
  ) {
    if (others.length > 0) {
      throw new UsageError("an export of Sanity is one file or folder", "name one");
    }
    const file = documentFile(path);
    this.folder = dirname(file);
    const name = basename(file, extname(file));
    this.name = name === "data" ? basename(this.folder) : name;
    const assets: Slice[] = [];
    const found: (ExcludedRecord | Omit<DocumentState, "draft">)[] = [];
    /** Of documents with the same id, the last one. */
    const last = new Map<string, Slice>();
    for (const slice of new ExportFile(file, SYSTEM).lines()) {
      const [id, type] = checked(slice);
      const reason = exclusionReason(id, type);
      if (reason !== undefined) {
        notes.leaveOut(reason);
        found.push({ id, reason });
      } else if (isAsset(type)) assets.push(slice);
      else {
        if (last.has(id)) {
          notes.warn(`the export has the document "${id}" twice: the last one is used`);
        }
        last.set(id, slice);
        found.push({ id, slice });
      }
    }
    this.assets = assets;
    this.documents = found.map((one) => {
      if ("reason" in one) return one;
      const { id, slice } = one;
      const excluded = { id, reason: "another state of it is imported" };
      if (last.get(id) !== slice) return excluded;
      const isDraft = id.startsWith(DRAFT);
      const hasOther = last.has(isDraft ? publishedId(id) : `${DRAFT}${id}`);
      if (!hasOther || isDraft === drafts)
        return { id, slice, draft: isDraft && !hasOther && !drafts };
      notes.leaveOut(
        isDraft ? "drafts of published documents" : "published documents that have a draft",
      );
      return excluded;
    });
  }
}

export function documentOf(slice: Slice): SanityDocument {
  return slice.file.value(slice) as SanityDocument;
}

/** The id of a document, and its type. */
function checked(slice: Slice): readonly [id: string, type: string] {
  const { file, index } = slice;
  const value = file.checked(slice);
  const place = `${file.path}:${index}`;
  const fault = (why: string) =>
    new SvcError("export-invalid", `${place} is not a document: ${why}`, { hint: HOW_TO_EXPORT });
  if (!isJsonObject(value)) throw fault("it is not a JSON object");
  const { _id, _type } = value;
  if (!isName(_type)) throw fault("it has no _type");
  if (nestsTooDeep(value)) throw tooDeep(place);
  if (isName(_id)) return [_id, _type];
  if (_id !== undefined || isAsset(_type)) throw fault("it has no _id");
  // X12a: the same for the same document, wherever it is in the file.
  return [`${_type}-${sha256(Buffer.from(canonicalJson(value))).slice(0, 16)}`, _type];
}

function isName(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The id that a document has, or would have, when it is published. */
export function publishedId(id: string): string {
  return id.startsWith(DRAFT) ? id.slice(DRAFT.length) : id;
}

function isAsset(type: string): boolean {
  return type === "sanity.imageAsset" || type === "sanity.fileAsset";
}

/** Sanity's own documents, some of which hold secrets, are never imported. */
function exclusionReason(id: string, type: string): string | undefined {
  if (isAsset(type)) return undefined;
  if (/^(?:sanity|system)\./.test(type)) return `documents of the system (${type})`;
  if (id.startsWith("_.")) return "documents of the system";
  return id.startsWith("versions.") ? "documents of releases" : undefined;
}

function documentFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new SvcError("export-not-found", `there is no file or folder "${path}"`, {
      hint: HOW_TO_EXPORT,
    });
  }
  if (!stats.isDirectory()) return path;
  const files = filesBelow(path, 3).filter((name) => name.endsWith(".ndjson"));
  const file = files.find((name) => basename(name) === "data.ndjson") ?? files[0];
  if (file !== undefined && (files.length === 1 || basename(file) === "data.ndjson")) return file;
  const why = files.length === 0 ? "has no file *.ndjson" : "has several files *.ndjson; name one";
  throw new SvcError("export-invalid", `"${path}" is not a Sanity export: it ${why}`, {
    hint: HOW_TO_EXPORT,
  });
}
