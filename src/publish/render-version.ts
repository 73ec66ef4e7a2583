import { type Address, filePath } from "../documents/address.ts";
import { checkDraft } from "../documents/check-draft.ts";
import { recipeOf, UNVERSIONED } from "../documents/document.ts";
import { experienceContentParts } from "../documents/experience-content.ts";
import { assemble, parseRecipe } from "../documents/recipe.ts";
import type { Rendering } from "../documents/rendering.ts";
import type { ServeOptions } from "../documents/serve-stale.ts";
import { sha256 } from "../documents/version-id.ts";
import { assetFilePath, type HeldFile } from "../workspace/asset.ts";
import type { Problem } from "../workspace/problem.ts";
import type { FrozenDocument } from "./version-store.ts";

/** A document as it is to be frozen. */
export type RenderedDocument = Omit<FrozenDocument, "number">;

/** A whole draft as recipes. */
export interface RenderedDraft {
  readonly problems: readonly Problem[];
  /** By path below `out/`, JSON. */
  readonly recipes: Map<string, string>;
  /** The asset files that it shows: SHA-256 by path. */
  readonly files: ReadonlyMap<string, string>;
}

/** Serves what is stale, and puts every document together from numbers of texts. */
export function renderDraft(rendering: Rendering, options: ServeOptions): RenderedDraft {
  const recipes = new Map<string, string>();
  const files = new Map<string, string>();
  const put = (address: Address, recipe: string | undefined) => {
    if (recipe === undefined) throw new TypeError("texts are not stored");
    recipes.set(filePath(address), recipe);
  };
  const publish = (held: readonly HeldFile[]) => {
    for (const file of held) files.set(assetFilePath(file), file.sha256);
  };
  const { table } = rendering;
  const schemaFaults: string[] = [];
  const problems = checkDraft(rendering, {
    ...options,
    onProject: (project) => {
      put({ kind: "project", projectId: project.id }, project.config);
      put({ kind: "schema", projectId: project.id }, project.schema);
      publish(project.files);
      if (project.schemaFault !== undefined) schemaFaults.push(project.schemaFault);
    },
    onExperience: (projectId, experienceId, shown) => {
      if (shown.content.length === 0) return;
      const parts = experienceContentParts(shown, experienceId, UNVERSIONED);
      const recipe = JSON.stringify(recipeOf(rendering, parts));
      put({ kind: "content", projectId, experienceId }, recipe);
      if (table.heldFiles.list.length === 0) return;
      for (const entries of [shown.content, shown.references]) {
        for (const entry of entries) publish(rendering.filesOf(entry));
      }
    },
  });
  schemaFaults.push(...table.schemaFaults.values());
  assertValid(schemaFaults, problems);
  return { problems, recipes, files };
}

/** S4: data that violates the schema although our checks found no error is a defect of svc. */
function assertValid(schemaFaults: readonly string[], problems: readonly Problem[]): void {
  if (schemaFaults.length === 0 || problems.some(({ level }) => level === "error")) return;
  throw new TypeError(
    `served data does not match its published schema: ${schemaFaults.join("; ")}`,
  );
}

/**
 * The documents of a rendered draft, whose recipes are gone then. One whose recipe was hashed before,
 * as a document of the version that is `known`, is not put together again.
 */
export function* renderedDocuments(
  rendering: Rendering,
  recipes: Map<string, string>,
  known: readonly FrozenDocument[],
): Generator<RenderedDocument & { readonly number?: number }> {
  const before = new Map(known.map((document) => [document.path, document]));
  const { texts } = rendering;
  if (texts === undefined) throw new TypeError("texts are not stored");
  // In the order in which their texts are kept.
  for (const path of [...recipes.keys()].sort()) {
    const recipe = recipes.get(path) as string;
    recipes.delete(path);
    const same = before.get(path);
    if (same?.recipe === recipe) {
      yield same;
      continue;
    }
    const bytes = assemble(parseRecipe(recipe), texts);
    yield { path, recipe, frozen: sha256(bytes), size: bytes.length };
  }
}
