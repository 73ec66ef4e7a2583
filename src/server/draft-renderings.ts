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
  /** Those of now, whose drafts these are; undefined: itself. */
  readonly #current: DraftRenderings | undefined;
  /** By workspace number, and whether hidden entries are shown. */
  readonly #known = new Map<string, { readonly revision: number; readonly rendering: Rendering }>();

  /** @param now reads the clock, in milliseconds since 1970. */
  constructor(
    drafts: PreviewedDrafts,
    now: () => number = Date.now,
    severities?: Severities,
    current?: DraftRenderings,
  ) {
    this.#drafts = drafts;
    this.#severities = severities;
    this.#now = now;
    this.#current = current;
  }

  /** H56: the same drafts at another reading of the clock. */
  at(time: number): DraftRenderings {
    return new DraftRenderings(this.#drafts, () => time, this.#severities, this);
  }

  /** A2: a workspace's draft as previewed, to be used within one transaction. */
  of(workspace: WorkspaceRow): Rendering {
    return this.#rendering(workspace, true);
  }

  /** A1: as it would be published now. The same rendering while no entry is hidden. */
  published(workspace: WorkspaceRow): Rendering {
    const previewed = this.of(workspace);
    const { byId, inLocales } = previewed.hidden;
    return byId.size + inLocales.size === 0 ? previewed : this.#rendering(workspace, false);
  }

  #rendering(workspace: WorkspaceRow, showsHidden: boolean): Rendering {
    const { number, revision } = workspace;
    const key = `${number} ${showsHidden}`;
    const known = this.#known.get(key);
    const view = { at: this.#now(), showsHidden };
    if (known?.revision === revision && isWithin(known.rendering.span, view.at)) {
      return known.rendering;
    }
    const earlier = known?.rendering;
    const draft =
      this.#current?.of(workspace).draft ?? this.#drafts.draft(workspace, earlier?.draft);
    const rendering = new Rendering(draft, { view, earlier, severities: this.#severities });
    this.#known.set(key, { revision, rendering });
    return rendering;
  }
}
