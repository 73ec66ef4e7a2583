import { isWithin } from "../documents/hidden-entries.ts";
import { Rendering } from "../documents/rendering.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import type { Severities } from "../workspace/severity.ts";
import type { PreviewedDrafts } from "./previewed-drafts.ts";

/**
 * The current renderings of drafts, by workspace. Each takes over from the one before it what has not
 * changed, and entries are rendered when a document first shows them.
 */
export class DraftRenderings {
  readonly #drafts: PreviewedDrafts;
  readonly #now: () => number;
  readonly #severities: Severities | undefined;
  /** By workspace number, and whether hidden entries are shown. */
  readonly #known = new Map<string, { readonly revision: number; readonly rendering: Rendering }>();

  /** @param now reads the clock, in milliseconds since 1970. */
  constructor(drafts: PreviewedDrafts, now: () => number = Date.now, severities?: Severities) {
    this.#drafts = drafts;
    this.#severities = severities;
    this.#now = now;
  }

  /** A2: a workspace's draft as previewed, to be used within one transaction. */
  of(workspace: WorkspaceRow): Rendering {
    return this.#current(workspace, true);
  }

  /** A1: as it would be published now. The same rendering while no entry is hidden. */
  published(workspace: WorkspaceRow): Rendering {
    const previewed = this.of(workspace);
    const { byId, inLocales } = previewed.hidden;
    return byId.size + inLocales.size === 0 ? previewed : this.#current(workspace, false);
  }

  #current(workspace: WorkspaceRow, showsHidden: boolean): Rendering {
    const { number, revision } = workspace;
    const key = `${number} ${showsHidden}`;
    const known = this.#known.get(key);
    const view = { at: this.#now(), showsHidden };
    if (known?.revision === revision && isWithin(known.rendering.span, view.at)) {
      return known.rendering;
    }
    const earlier = known?.rendering;
    const draft = this.#drafts.draft(workspace, earlier?.draft);
    const rendering = new Rendering(draft, { view, earlier, severities: this.#severities });
    this.#known.set(key, { revision, rendering });
    return rendering;
  }
}
