import fc from "fast-check";
import { heldText } from "../../src/documents/held-bytes.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import type { JsonObject } from "../../src/workspace/json.ts";
import { documentTexts } from "../support/documents/rendered.ts";
import { randomRuns } from "../support/random-runs.ts";
import { TestBed } from "../support/test-bed.ts";
import {
  NEIGHBOUR,
  plainWorkspace,
  type RandomWorkspace,
  randomWorkspace,
} from "../support/workspaces/random-workspace.ts";

/**
 * Checks the law for random workspaces, imported into one store in turn.
 *
 * @param kind `isPlain`: without queries and collections
 */
export function forEachWorkspace(
  kind: { faulty: boolean; numRuns: number; isPlain?: true },
  law: (bed: TestBed, parts: RandomWorkspace) => void,
): void {
  const bed = new TestBed(NEIGHBOUR);
  const workspaces = kind.isPlain ? plainWorkspace(kind) : randomWorkspace(kind);
  const property = fc.property(workspaces, (parts) => {
    bed.import(parts);
    law(bed, parts);
  });
  fc.assert(property, { numRuns: randomRuns(kind.numRuns) });
}

/** A workspace, and the same with every list of records, and the data of each entry, in another order. */
export const shuffledWorkspace: fc.Arbitrary<[RandomWorkspace, RandomWorkspace]> = randomWorkspace({
  faulty: false,
}).chain((parts) => {
  const shuffled = fc.record({
    models: shuffle(parts.models),
    blocks: shuffle(parts.blocks),
    projects: shuffle(parts.projects),
    entries: shuffle(parts.entries).chain((entries) =>
      fc.tuple(
        ...entries.map((one) =>
          shuffle(Object.entries(one.data)).map((data) => ({
            ...one,
            data: Object.fromEntries(data),
          })),
        ),
      ),
    ),
    assets: shuffle(parts.assets),
    features: fc
      .tuple(
        ...parts.features.map((one) =>
          shuffle(one.variants ?? []).map((variants) => ({ ...one, variants })),
        ),
      )
      .chain(shuffle),
  });
  return shuffled.map((lists) => [parts, { ...parts, ...lists }]);
});

function shuffle<T>(list: readonly T[]): fc.Arbitrary<T[]> {
  return fc.shuffledSubarray([...list], { minLength: list.length });
}

/**
 * Every document of the draft of `w` as preview serves it: its text by path below `out/`.
 *
 * @param showsHidden A2: whether it shows hidden entries too
 */
export function previewTexts(bed: TestBed, showsHidden = false): Map<string, string> {
  return bed.store.read(() => {
    // As a publish reads the clock (Q5).
    const view = { at: Date.now(), showsHidden };
    const rendering = new Rendering(bed.store.draft(bed.store.workspace("w")), { view });
    return documentTexts(rendering, "preview");
  });
}

/** Every entry of the draft of `w` that has a model, as it is served, in a document or not. */
export function servedEntries(bed: TestBed): { id: string; modelKey: string; data: JsonObject }[] {
  return bed.store.read(() => {
    const rendering = new Rendering(bed.store.draft(bed.store.workspace("w")));
    return Array.from(rendering.all(), ({ entry }) => JSON.parse(heldText(entry))).flatMap(
      ({ id, contentModelKey: modelKey, data }) =>
        modelKey === null ? [] : { id, modelKey, data },
    );
  });
}

/** Publishes `w`: "published", or the code of the SvcError, or another error as text. */
export function publishOutcome(bed: TestBed): string {
  try {
    bed.publish({ workspace: "w" });
    return "published";
  } catch (error) {
    return error instanceof SvcError ? error.code : String(error);
  }
}

/**
 * F2, independent of the program: members sorted by code unit; with an `indent`, a line
 * for each member and element. No final newline.
 */
export function canonicalForm(value: unknown, indent = "", margin = "\n"): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const inner = indent === "" ? "" : margin + indent;
  const outer = indent === "" ? "" : margin;
  const form = (part: unknown) => canonicalForm(part, indent, margin + indent);
  if (Array.isArray(value)) {
    if (value.length === 0) return "[]";
    return `[${value.map((element) => inner + form(element)).join(",")}${outer}]`;
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  if (members.length === 0) return "{}";
  const colon = indent === "" ? ":" : ": ";
  return `{${members.map(([name, member]) => inner + JSON.stringify(name) + colon + form(member)).join(",")}${outer}}`;
}
