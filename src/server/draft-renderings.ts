import { MemoryPacks } from "../documents/memory-packs.ts";
import { Rendering } from "../documents/rendering.ts";
import { fromParts } from "../documents/rendering-parts.ts";
import { type PackStore, Texts } from "../documents/texts.ts";
import type { Draft } from "../workspace/draft.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";

/** What renderings of drafts are made from. */
export interface RenderingStore {
  /** With an earlier state of the same draft, only what has changed is read anew. */
  draft(workspace: WorkspaceRow, reuse?: { readonly earlier: Draft | undefined }): Draft;
  readonly packs: PackStore;
  readonly renderings: {
    read<T>(workspace: number, work: (read: (part: string) => Uint8Array) => T): T | undefined;
  };
}

/**
 * The renderings of the drafts of a store as they are now. Each begins with the one before it, and
 * the first with what the store keeps. Entries are served when they are first needed.
 */
export class DraftRenderings {
  readonly #store: RenderingStore;
  readonly #program: string;
  readonly #known = new Map<number, { readonly draft: Draft; readonly rendering: Rendering }>();

  /** @param program tells programs apart that may render differently. */
  constructor(store: RenderingStore, program = "") {
    this.#store = store;
    this.#program = program;
  }

  /** Use it within one transaction. */
  of(workspace: WorkspaceRow): Rendering {
    const { number, revision } = workspace;
    const known = this.#known.get(number);
    if (known?.draft.revision === revision) return known.rendering;
    // Its table is brought up to date in place: whatever fails midway must not leave it known.
    this.#known.delete(number);
    const draft = this.#store.draft(workspace, { earlier: known?.draft });
    const earlier = known?.rendering.state ?? this.#store.renderings.read(number, fromParts);
    const texts = known?.rendering.texts ?? new Texts(new MemoryPacks(this.#store.packs));
    texts.forgetIndex();
    const rendering = new Rendering(draft, { earlier, texts, program: this.#program });
    this.#known.set(number, { draft, rendering });
    return rendering;
  }
}
