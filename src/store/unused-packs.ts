import { parseRecipe, textsOf } from "../documents/recipe.ts";
import { packOf } from "../documents/text-packs.ts";
import type { Packs } from "./packs.ts";
import type { Renderings } from "./renderings.ts";
import type { Versions } from "./versions.ts";

/**
 * The packs without any text that a document or a cached rendering uses; none when a recipe is
 * damaged.
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
  // Mostly packs of recent edits, so the newest recipes come first.
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
