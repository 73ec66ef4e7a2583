import { MemoryPacks } from "../documents/memory-packs.ts";
import { Rendering } from "../documents/rendering.ts";
import { fromParts } from "../documents/rendering-parts.ts";
import { type PackStore, Texts } from "../documents/texts.ts";
import type { Draft } from "../workspace/draft.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";

/** What `DraftRenderings` needs of a store. */
interface RenderingStore {
  /** With an earlier state of the same draft, only changed records are read again. */
  draft(workspace: WorkspaceRow, reuse?: { readonly earlier: Draft | undefined }): Draft;
  readonly packs: PackStore;
  readonly renderings: {
    read<T>(workspace: number, work: (read: (part: string) => Uint8Array) => T): T | undefined;
  };
}

/**
 * The current renderings of a store's drafts, cached by workspace. Each is built incrementally from
 * the one before it, the first from the rendering in the store. Entries are rendered on first use.
 */
export class DraftRenderings {
  readonly #store: RenderingStore;
  readonly #program: string;
  readonly #known = new Map<number, { readonly draft: Draft; readonly rendering: Rendering }>();

  /** @param program identifies the program, since another version may render differently. */
  constructor(store: RenderingStore, program = "") {
    this.#store = store;
    this.#program = program;
  }

  /** The rendering of a workspace's draft, to be used within one transaction. */
  of(workspace: WorkspaceRow): Rendering {
    const { number, revision } = workspace;
    const known = this.#known.get(number);
    if (known?.draft.revision === revision) return known.rendering;
    // The rendering is updated in place: after a failure midway it must not stay in the cache.
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
