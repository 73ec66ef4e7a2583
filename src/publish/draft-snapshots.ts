import type { Snapshot } from "../diff/snapshot.ts";
import { filePath } from "../documents/address.ts";
import type { Document } from "../documents/document.ts";
import { documents } from "../documents/documents.ts";
import { ContentDocument } from "../documents/experience-content.ts";
import type { Rendering } from "../documents/rendering.ts";
import { sha256 } from "../documents/version-id.ts";
import { Work } from "../workspace/work.ts";

interface Hashed {
  /** What a content document is made of; undefined: it is another document. */
  readonly shown: ContentDocument["shown"] | undefined;
  readonly hash: string;
}

/**
 * The documents that publishing a draft would freeze, without checking it. Content documents that show
 * the same entries as in the state before are not rendered again.
 */
export class DraftSnapshots {
  #hashed: ReadonlyMap<string, Hashed> = new Map();
  readonly #made = new WeakMap<Rendering, Work<Snapshot>>();

  of(rendering: Rendering): Work<Snapshot> {
    const known = this.#made.get(rendering) ?? new Work(() => this.#make(rendering));
    this.#made.set(rendering, known);
    return known;
  }

  *#make(rendering: Rendering): Generator<void, Snapshot> {
    const hashed = new Map<string, Hashed>();
    const byPath = new Map<string, Document>();
    for (const document of documents(rendering, "published")) {
      const path = filePath(document.address);
      const shown = document instanceof ContentDocument ? document.shown : undefined;
      // P6b: it would not be published.
      if (document instanceof ContentDocument && document.isTooLarge) continue;
      const before = this.#hashed.get(path);
      const isSame = shown && before?.shown && isSameShown(shown, before.shown);
      hashed.set(path, {
        shown,
        hash: isSame ? before.hash : sha256(document.bytes(null)),
      });
      byPath.set(path, document);
      yield;
    }
    this.#hashed = hashed;
    return {
      definitions: rendering.draft,
      documents: new Map(Array.from(hashed, ([path, { hash }]) => [path, hash])),
      document: (path) => JSON.parse((byPath.get(path) as Document).bytes(null).toString()),
    };
  }
}

function isSameShown(one: ContentDocument["shown"], other: ContentDocument["shown"]): boolean {
  return isSameList(one.content, other.content) && isSameList(one.references, other.references);
}

function isSameList<T>(one: readonly T[], other: readonly T[]): boolean {
  return one.length === other.length && one.every((value, at) => value === other[at]);
}
