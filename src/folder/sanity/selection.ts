import type { ExcludedRecord } from "../formats/fates.ts";
import type { Notes } from "../formats/notes.ts";
import type { Dataset, SanityDocument } from "./dataset.ts";

const DRAFT = "drafts.";

/** The documents of a dataset that are imported, by what the first reading finds. */
export class Selection {
  /** The place of each document that is imported, by its id without `drafts.`. */
  readonly #places = new Map<string, number>();
  readonly #drafts = new Set<string>();
  readonly #dataset: Dataset;

  constructor(dataset: Dataset, { drafts, notes }: { drafts: boolean; notes: Notes }) {
    this.#dataset = dataset;
    const published = new Map<string, number>();
    const unpublished = new Map<string, number>();
    let place = 0;
    for (const { _id, _type } of dataset.documents()) {
      place += 1;
      const reason = exclusionReason(_id, _type);
      if (reason !== undefined) {
        notes.leaveOut(reason);
        continue;
      }
      if (isAsset(_type)) continue;
      const known = _id.startsWith(DRAFT) ? unpublished : published;
      if (known.has(publishedId(_id))) {
        notes.warn(`the export has the document "${_id}" twice: the last one is used`);
      }
      known.set(publishedId(_id), place);
    }
    for (const [id, at] of published) this.#places.set(id, at);
    for (const [id, at] of unpublished) {
      if (!published.has(id)) this.#drafts.add(id);
      else if (!drafts) {
        notes.leaveOut("drafts of published documents");
        continue;
      } else notes.leaveOut("published documents that have a draft");
      this.#places.set(id, at);
    }
    if (drafts) this.#drafts.clear();
  }

  /** Whether a document was never published, and is not published now. */
  isDraft(id: string): boolean {
    return this.#drafts.has(publishedId(id));
  }

  get ids(): Iterable<string> {
    return this.#places.keys();
  }

  /** The documents to import. */
  *documents(): Generator<SanityDocument> {
    let place = 0;
    for (const document of this.#dataset.documents()) {
      place += 1;
      if (this.#places.get(publishedId(document._id)) === place) yield document;
    }
  }

  /** The documents that are not imported, with the reason. */
  *excluded(): Generator<ExcludedRecord> {
    let place = 0;
    for (const { _id: id, _type } of this.#dataset.documents()) {
      place += 1;
      if (isAsset(_type) || this.#places.get(publishedId(id)) === place) continue;
      yield { id, reason: exclusionReason(id, _type) ?? "another state of it is imported" };
    }
  }

  /** The documents of assets: exports of other tools have them. */
  *assets(): Generator<SanityDocument> {
    for (const document of this.#dataset.documents()) if (isAsset(document._type)) yield document;
  }
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
