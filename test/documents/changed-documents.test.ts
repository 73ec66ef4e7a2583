import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Address } from "../../src/documents/address.ts";
import { KnownDocuments } from "../../src/documents/changed-documents.ts";
import { documentAt, documents } from "../../src/documents/documents.ts";
import { Rendering } from "../../src/documents/rendering.ts";
import type { FolderDraft } from "../../src/folder/folder-draft.ts";
import { draftOf } from "../support/documents/rendered.ts";
import { randomRuns } from "../support/random-runs.ts";
import { drawnEdits, edited, FIRST, pickBy } from "../support/workspaces/edits.ts";

const PROJECTS = ["site", "zweite"];

/** Every document of a project, byte by byte. */
function bytesOf(rendering: Rendering, projectId: string): ReadonlyMap<string, string> {
  const all = [...documents(rendering, "preview")].filter(
    ({ address }) => address.projectId === projectId,
  );
  return new Map(
    all.map(({ address }) => {
      const document = documentAt(rendering, address, "preview");
      return [keyOf(address), document?.bytes(null).toString() ?? ""];
    }),
  );
}

function keyOf(address: Address): string {
  return address.kind === "content" ? `content ${address.experienceId}` : address.kind;
}

function differences(before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>) {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  const changed = keys.filter((key) => before.get(key) !== after.get(key));
  return {
    experiences: changed
      .flatMap((key) => (key.startsWith("content ") ? key.slice("content ".length) : []))
      .sort(),
    project: changed.includes("project"),
    schema: changed.includes("schema"),
  };
}

const step = fc.record({
  drawn: drawnEdits,
  /** Whether the server asks after this change, or only after a later one. */
  isAsked: fc.boolean(),
});

describe("H51: the changed documents of a preview", () => {
  it("H51: are those whose bytes differ since the state that is named, after any edits", () => {
    const run = (steps: readonly (typeof step extends fc.Arbitrary<infer T> ? T : never)[]) => {
      const known = new KnownDocuments();
      const states = new Map<string, string>();
      const before = new Map<string, ReadonlyMap<string, string>>();
      let world = FIRST;
      let draft: FolderDraft | undefined;
      let earlier: Rendering | undefined;
      for (const { drawn, isAsked } of [
        { drawn: { edits: [], choices: [] }, isAsked: true },
        ...steps,
      ]) {
        world = edited(world, drawn, pickBy(drawn.choices));
        draft = draftOf(world.w, draft);
        const rendering = new Rendering(draft, {
          view: { at: world.at, showsHidden: true },
          earlier,
        });
        earlier = rendering;
        if (!isAsked) continue;
        for (const id of PROJECTS) {
          const bytes = bytesOf(new Rendering(draft, { view: rendering.view }), id);
          const since = states.get(id) ?? "";
          const { state, changed } = known.changes(rendering, id, since);
          const was = before.get(id);
          expect(changed).toEqual(was === undefined ? null : differences(was, bytes));
          const isSame = changed !== null && JSON.stringify(changed) === NOTHING;
          expect(state === since).toBe(isSame);
          states.set(id, state);
          before.set(id, bytes);
        }
      }
    };
    const steps = fc.array(step, { minLength: 2, maxLength: 8, size: "max" });
    fc.assert(fc.property(steps, run), { numRuns: randomRuns(60) });
  });

  it("H51: are not known since a state that is not the last one", () => {
    const draft = draftOf(FIRST.w);
    const view = { at: FIRST.at, showsHidden: true };
    const known = new KnownDocuments();
    const { state } = known.changes(new Rendering(draft, { view }), "site", "");
    for (const since of ["", "another"]) {
      const again = known.changes(new Rendering(draft, { view }), "site", since);
      expect(again).toMatchObject({ state, changed: null });
    }
  });
});

const NOTHING = JSON.stringify({ experiences: [], project: false, schema: false });
