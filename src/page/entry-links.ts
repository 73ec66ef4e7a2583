import { type RenderedEntry, renderData } from "../documents/entry.ts";
import { localizedModels, modelsWithQueries } from "../fields/localized.ts";
import type { EntryHead } from "../workspace/draft.ts";
import type { DraftState } from "./draft-state.ts";

/** What an entry names in one language, each once, whether or not it exists. */
interface EntryLinks {
  /** The ids of other entries (E3). */
  readonly entries: readonly string[];
  readonly assets: readonly string[];
}

/** Of each entry one for each language by number, or one for all. */
export type LinksByEntry = ReadonlyMap<EntryHead, readonly EntryLinks[]>;

/**
 * What the entries of a draft name, in each language. Without queries, what an entry names depends on its
 * record and on the definitions only, so it is read again only where these have changed.
 */
export class KnownLinks {
  #definitions = "";
  #known: LinksByEntry = new Map();

  of({ rendering, draft }: DraftState): LinksByEntry {
    const { lookup } = rendering;
    const { models, blocks } = draft;
    const definitions = JSON.stringify([models, blocks, lookup.languages]);
    const earlier = definitions === this.#definitions ? this.#known : new Map();
    const localized = localizedModels({ models, blocks });
    const asking = modelsWithQueries({ models, blocks });
    const languages = Math.max(1, lookup.languages.length);
    const links = new Map<EntryHead, readonly EntryLinks[]>();
    for (const head of draft.entries.values()) {
      let known: readonly EntryLinks[] | undefined = earlier.get(head);
      const asks = asking.has(head.modelId);
      if (known === undefined || asks) {
        const count = localized.has(head.modelId) ? languages : 1;
        known = Array.from({ length: count }, (_, language): EntryLinks => {
          const { pointers, assets } = asks
            ? (rendering.entry(head.id, language) as RenderedEntry)
            : renderData(lookup, head, draft.dataOf(head), language).renderer;
          const others = pointers.flatMap(({ target }) => (target === head.id ? [] : target));
          return { entries: distinct(others), assets: distinct(assets) };
        });
        const [first] = known;
        if (known.every((one) => isSame(one, first))) known = known.slice(0, 1);
      }
      links.set(head, known);
    }
    this.#definitions = definitions;
    this.#known = links;
    return links;
  }
}

const NONE: readonly never[] = [];

function distinct(ids: readonly string[]): readonly string[] {
  return ids.length === 0 ? NONE : [...new Set(ids)];
}

function isSame(a: EntryLinks, b: EntryLinks | undefined): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
