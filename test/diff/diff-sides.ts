import Database from "better-sqlite3";
import type { Snapshot } from "../../src/diff/snapshot.ts";
import { assemble, parseRecipe } from "../../src/documents/recipe.ts";
import { draftSnapshot, versionSnapshot } from "../../src/publish/snapshots.ts";
import type { Parts, TestBed } from "../support/test-bed.ts";

/** Publishes all but the last. Returns the ids of the versions. */
export function publishAll(bed: TestBed, states: readonly Parts[]): string[] {
  return states.flatMap((parts, index) => {
    bed.import(parts);
    return index === states.length - 1 ? [] : bed.publish({ workspace: "w" }).versionId;
  });
}

/** Versions, and the draft. */
export function sidesOf({ store }: TestBed, versionIds: readonly string[]): Snapshot[] {
  return store.read(() => {
    const workspace = store.workspace("w");
    const versions = versionIds.map((id) => versionSnapshot(store, workspace, id));
    return [...versions, draftSnapshot(store, workspace)];
  });
}

/** Replaces the recipes of content documents. */
export function changeRecipes({ store }: TestBed, change: (recipe: string, row: number) => string) {
  const database = new Database(store.file);
  const rows = database
    .prepare<[], { number: number; recipe: string }>(
      "SELECT number, recipe FROM documents WHERE path LIKE '%/content.json'",
    )
    .all();
  const update = database.prepare("UPDATE documents SET recipe = ? WHERE number = ?");
  for (const { number, recipe } of rows) update.run(change(recipe, number), number);
  database.close();
}

/** Keeps content documents as an older form of the store has frozen them. */
export function freezeWhole(bed: TestBed, isMeant: (row: number) => boolean = () => true): void {
  const texts = bed.store.openTexts();
  changeRecipes(bed, (recipe, row) => {
    const bytes = () => assemble(parseRecipe(recipe), texts);
    return isMeant(row) ? JSON.stringify([bytes().toString()]) : recipe;
  });
}
