import { parseRecipe, textsOf } from "../documents/recipe.ts";
import { packOf } from "../documents/text-packs.ts";
import type { Packs } from "./packs.ts";
import type { Renderings } from "./renderings.ts";
import type { Versions } from "./versions.ts";

/**
 * The packs of which no text is used by a document, nor by what a draft was rendered to; none when a
 * spoiled recipe does not tell which it uses.
 */
export function unusedPacks(
  workspaces: readonly number[],
  { packs, renderings, versions }: { packs: Packs; renderings: Renderings; versions: Versions },
): ReadonlySet<number> {
  const unused = new Set(packs.numbers());
  for (const workspace of workspaces) {
    for (const text of renderings.texts(workspace)) unused.delete(packOf(text));
  }
  if (unused.size === 0) return unused;
  // Few are left, and those of recent edits mostly.
  try {
    for (const recipe of versions.recipes()) {
      for (const text of textsOf(parseRecipe(recipe))) unused.delete(packOf(text));
      if (unused.size === 0) break;
    }
  } catch {
    return new Set();
  }
  return unused;
}
