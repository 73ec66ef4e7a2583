import { randomUUID } from "node:crypto";
import {
  type ChangedDocuments,
  changedDocuments,
  type ShownDocuments,
  shownDocuments,
} from "../documents/changed-documents.ts";
import type { Rendering } from "../documents/rendering.ts";

/** What has changed of a project's documents, as previewed (H51). */
export interface DocumentChanges {
  /** The state of the documents: another one when the bytes of any differ. */
  readonly state: string;
  /** Since the state that was named; null: that is not known. */
  readonly changed: ChangedDocuments | null;
  /** The readings of the clock with these documents; null: without an end. */
  readonly from: number | null;
  readonly until: number | null;
}

/** The documents of projects as they were when they were asked for last. */
export class KnownDocuments {
  readonly #known = new Map<string, { state: string; shown: ShownDocuments | undefined }>();

  changes(rendering: Rendering, projectId: string, since: string): DocumentChanges {
    const known = this.#known.get(projectId);
    const shown = shownDocuments(rendering, projectId, "preview");
    const changed = changedDocuments(known?.shown, shown);
    const isSame = !changed.project && !changed.schema && changed.experiences.length === 0;
    const state = known !== undefined && isSame ? known.state : randomUUID();
    this.#known.set(projectId, { state, shown });
    const { from, until } = rendering.span;
    return {
      state,
      changed: known?.state === since ? changed : null,
      from: Number.isFinite(from) ? from : null,
      until: Number.isFinite(until) ? until : null,
    };
  }
}
