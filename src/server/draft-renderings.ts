import { isWithin } from "../documents/hidden-entries.ts";
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
  readonly #now: () => number;
  /** By workspace number, and whether hidden entries are shown. */
  readonly #known = new Map<string, { readonly draft: Draft; readonly rendering: Rendering }>();

  /**
   * @param program identifies the program, since another version may render differently.
   * @param now reads the clock, in milliseconds since 1970.
   */
  constructor(store: RenderingStore, program = "", now: () => number = Date.now) {
    this.#now = now;
    this.#store = store;
    this.#program = program;
  }

  /** A2: a workspace's draft as previewed, to be used within one transaction. */
  of(workspace: WorkspaceRow): Rendering {
    return this.#current(workspace, true);
  }

  /** A1: as it would be published now. The same rendering while no entry is hidden. */
  published(workspace: WorkspaceRow): Rendering {
    const previewed = this.of(workspace);
    return previewed.table.hidden.size === 0 ? previewed : this.#current(workspace, false);
  }

  #current(workspace: WorkspaceRow, showsHidden: boolean): Rendering {
    const { number, revision } = workspace;
    const key = `${number} ${showsHidden}`;
    const known = this.#known.get(key);
    const view = { at: this.#now(), showsHidden };
    if (known?.draft.revision === revision && isWithin(known.rendering.span, view.at)) {
      return known.rendering;
    }
    // The rendering is updated in place: after a failure midway it must not stay in the cache.
    this.#known.delete(key);
    const draft = this.#store.draft(workspace, { earlier: known?.draft });
    const earlier = known?.rendering.state ?? this.#store.renderings.read(number, fromParts);
    const texts = known?.rendering.texts ?? new Texts(new MemoryPacks(this.#store.packs));
    texts.forgetIndex();
    const rendering = new Rendering(draft, { earlier, texts, program: this.#program, view });
    this.#known.set(key, { draft, rendering });
    return rendering;
  }
}
