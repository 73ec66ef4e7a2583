import { statSync } from "node:fs";
import { basename, dirname, extname } from "node:path";
import { canonicalJson } from "../../documents/canonical-json.ts";
import { sha256 } from "../../documents/version-id.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import type { FormatOptions } from "../format.ts";
import { ExportFile, filesBelow } from "../formats/export-file.ts";
import type { ExcludedRecord } from "../formats/found.ts";
import type { Notes } from "../formats/notes.ts";
import { assetRefsIn } from "./asset-refs.ts";
import {
  DRAFT,
  exclusionReason,
  isAsset,
  isName,
  isPrivateId,
  publishedId,
  statedId,
} from "./document-ids.ts";
import { NESTED_DRAFT, type NestedDocument, withoutHidden } from "./nested-documents.ts";

export const HOW_TO_EXPORT = "sanity dataset export <dataset> creates one";

const SYSTEM = { name: "Sanity", hint: HOW_TO_EXPORT };

interface SanityDocument extends JsonObject {
  /** Of assets always. */
  readonly _id: string;
  readonly _type: string;
}

interface DocumentState {
  readonly id: string;
  /** Whether it was never published, and is not published now. */
  readonly draft: boolean;
  readonly document: SanityDocument;
}

/** An export of a dataset: a file of documents, and the folder that its assets are in. */
export class Dataset {
  readonly folder: string;
  /** Derived from the names of the folder and the file. */
  readonly name: string;
  /** All but those of assets. */
  readonly documents: readonly (DocumentState | ExcludedRecord)[];
  /** The documents of assets: exports of other tools have them. */
  readonly assets: readonly SanityDocument[];
  /** X26: the ids of private documents. */
  readonly privateIds: ReadonlySet<string>;
  /** X26b: what documents that are left out say about their assets. */
  readonly refsLeftOut: readonly string[];

  /**
   * @param paths the file of documents, or a folder that has one.
   * @throws SvcError `export-not-found`, `export-invalid` for what is no document, with its place;
   *   UsageError for several.
   */
  constructor(
    [path = "", ...others]: readonly string[],
    options: Pick<FormatOptions, "drafts" | "private">,
    notes: Notes,
  ) {
    const { drafts = false, private: takesPrivate = false } = options;
    if (others.length > 0) {
      throw new UsageError("an export of Sanity is one file or folder", "name one");
    }
    const file = documentFile(path);
    this.folder = dirname(file);
    const name = basename(file, extname(file));
    this.name = name === "data" ? basename(this.folder) : name;
    const assets: SanityDocument[] = [];
    const found: (ExcludedRecord | Omit<DocumentState, "draft">)[] = [];
    const refsLeftOut: string[] = [];
    const privateIds = new Set<string>();
    const privateTypes = new Map<string, number>();
    const notePrivate = (id: string, type: string) => {
      privateTypes.set(type, (privateTypes.get(type) ?? 0) + 1);
      privateIds.add(publishedId(id));
    };
    /** Of documents with the same id, the last one. */
    const last = new Map<string, SanityDocument>();
    for (const [place, value] of documentsIn(new ExportFile(file, SYSTEM))) {
      const { document, id, type, hasId, isPrivate, nested } = checked(value, place, options);
      const ofSystem = exclusionReason(id, type);
      if (isPrivate && ofSystem === undefined) notePrivate(id, type);
      const isLeftOut = isPrivate && !takesPrivate;
      const reason = ofSystem ?? (isLeftOut ? `private documents (${type})` : undefined);
      if (reason !== undefined) {
        notes.leaveOut(reason);
        found.push({ id, reason, isHidden: isLeftOut });
        refsLeftOut.push(...assetRefsIn(document));
      } else if (isAsset(type)) assets.push(document);
      else {
        if (last.has(id)) {
          if (hasId) notes.twice("document", id);
          else notes.warnAt(place, ["document has", "documents have"], SAME);
        }
        last.set(id, document);
        found.push({ id, document });
        for (const one of nested) {
          if (one.isPrivate) notePrivate(one.id, one.type);
          if (one.reason === undefined) continue;
          refsLeftOut.push(...assetRefsIn(one.value));
          if (one.reason === NESTED_DRAFT)
            notes.warnAt(one.id, ["draft is", "drafts are"], RESOLVED);
        }
      }
    }
    warnOfPrivate(privateTypes, takesPrivate, notes);
    this.assets = assets;
    this.privateIds = privateIds;
    this.documents = found.map((one) => {
      if ("reason" in one) return one;
      const { id, document } = one;
      const excluded = { id, reason: "another state of it is imported" };
      const isDraft = id.startsWith(DRAFT);
      const hasOther = last.has(isDraft ? publishedId(id) : `${DRAFT}${id}`);
      const isLast = last.get(id) === document;
      if (isLast && (!hasOther || isDraft === drafts)) {
        return { id, document, draft: isDraft && !hasOther && !drafts };
      }
      refsLeftOut.push(...assetRefsIn(document));
      if (isLast) {
        notes.leaveOut(
          isDraft ? "drafts of published documents" : "published documents that have a draft",
        );
      }
      return excluded;
    });
    this.refsLeftOut = refsLeftOut;
  }
}

/** X26i. */
const RESOLVED = "left out, which a query put into other documents (--drafts imports them)";

/** X12a. */
const SAME = "no _id and the same values as another one, so that they are one entry";

/** X26. */
function warnOfPrivate(
  types: ReadonlyMap<string, number>,
  areImported: boolean,
  notes: Notes,
): void {
  if (types.size === 0) return;
  const named = Array.from(types, ([type, count]) => `${type} (${count})`).join(", ");
  notes.warn(
    areImported
      ? `documents with a dot in their _id, which Sanity shows to nobody without a token, are imported, and a publish makes them public: ${named}`
      : `documents with a dot in their _id are left out, as Sanity shows them to nobody without a token (--private imports them): ${named}`,
  );
}

/** X26d: the documents of a file, each with its place: one a line, a list of them, or what a query gave. */
function* documentsIn(file: ExportFile): Generator<[place: string, value: JsonValue]> {
  const { path } = file;
  if (!file.isOneValue) {
    for (const [line, value] of file.lines()) yield [`${path}:${line}`, value];
    return;
  }
  const value = file.value();
  const isResult = isJsonObject(value) && value.result !== undefined && !("_type" in value);
  const list = isResult ? value.result : value;
  if (!Array.isArray(list)) yield [path, isResult ? null : value];
  else for (const [at, one] of list.entries()) yield [`${path}[${at}]`, one];
}

interface Checked {
  readonly document: SanityDocument;
  readonly id: string;
  readonly type: string;
  readonly hasId: boolean;
  /** X26: Sanity shows it to nobody without a token. */
  readonly isPrivate: boolean;
  /** X26i: the documents in it that are not shown to everybody. */
  readonly nested: readonly NestedDocument[];
}

function checked(
  value: JsonValue,
  place: string,
  options: Pick<FormatOptions, "drafts" | "private">,
): Checked {
  const fault = (why: string) =>
    new SvcError("export-invalid", `${place} is not a document: ${why}`, { hint: HOW_TO_EXPORT });
  if (!isJsonObject(value)) throw fault("it is not a JSON object");
  const { _id, _type: type } = value;
  if (!isName(type)) throw fault("it has no _type");
  const document = value as SanityDocument;
  const nested: NestedDocument[] = [];
  withoutHidden(value, options, (one) => nested.push(one));
  const id = statedId(value);
  if (id !== undefined && publishedId(id) !== "") {
    return { document, id, type, hasId: true, isPrivate: isPrivateId(id), nested };
  }
  if (_id !== undefined || isAsset(type)) throw fault("it has no _id");
  // X12a: the same for the same document, wherever it is in the file.
  const made = `${type}-${sha256(Buffer.from(canonicalJson(value))).slice(0, 16)}`;
  return { document, id: made, type, hasId: false, isPrivate: false, nested };
}

function documentFile(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) {
    throw new SvcError("export-not-found", `there is no file or folder "${path}"`, {
      hint: HOW_TO_EXPORT,
    });
  }
  if (!stats.isDirectory()) return path;
  const all = filesBelow(path, 3);
  const [lines, others] = [".ndjson", ".json"].map((ending) =>
    all.filter((name) => name.endsWith(ending) && basename(name) !== "assets.json"),
  ) as [string[], string[]];
  const files = lines.length > 0 ? lines : others;
  const file = files.find((name) => /^data\.(?:nd)?json$/.test(basename(name)));
  if (file !== undefined) return file;
  if (files.length === 1) return files[0] as string;
  const names = lines.length > 0 ? "*.ndjson" : "*.ndjson or *.json";
  const why = files.length === 0 ? `has no file ${names}` : `has several files ${names}; name one`;
  throw new SvcError("export-invalid", `"${path}" is not a Sanity export: it ${why}`, {
    hint: HOW_TO_EXPORT,
  });
}
