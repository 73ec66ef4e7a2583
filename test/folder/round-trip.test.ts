import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { writeFolder } from "../../src/folder/write-folder.ts";
import type { Store } from "../../src/store/store.ts";
import { KINDS, type Kind } from "../../src/workspace/records.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { randomRuns } from "../support/random-runs.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";
import { localizedWorkspace } from "../support/workspaces/localized-workspace.ts";
import { type Files, workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { draftValue } from "./export-bed.ts";

const CONTENTS = [
  "",
  "<p>Grüße</p>",
  "\ufeffBM",
  "GIF89a\u0003\u0000\u0002\u0000",
  "<svg width='3'",
];

/** An asset file as authored: with bytes in the folder, or with a url and authored values. */
const authoredFile = (id: string) =>
  fc
    .record(
      {
        id: fc.constant(id),
        fileName: fc.constantFrom("a.png", "A.PNG", "50% #1?.html", "film.mp4", "none"),
        mimeType: fc.constantFrom("image/png", "text/html", "image/x-odd"),
        title: fc.string(),
        description: fc.constantFrom("", "A text"),
        source: fc.oneof(
          fc.nat({ max: CONTENTS.length - 1 }).map((index) => ({ file: `files/${index}` })),
          fc
            .record(
              { sizeBytes: fc.nat(), width: fc.nat(), height: fc.nat() },
              { requiredKeys: [] },
            )
            .map((facts) => ({ url: "https://a.example/%20?x", ...facts })),
        ),
      },
      { requiredKeys: ["id", "fileName", "source"] },
    )
    .map(({ source, ...authored }) => ({ ...authored, ...source }));

const authoredAssets = fc
  .subarray(["photo", "Photo", "page", "film"])
  .chain((ids) =>
    fc.tuple(
      ...ids.map((id) =>
        fc
          .tuple(authoredFile(id), fc.option(fc.tuple(authoredFile("v1"), authoredFile("V1"))))
          .map(([asset, versions]) => ({ ...asset, ...(versions && { versions }) })),
      ),
    ),
  );

const ids = fc.uniqueArray(fc.constantFrom("a", "A", "a.b", "a-b", "_", "e10", "e9"), {
  maxLength: 3,
});
const data = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { maxKeys: 4 });
const fields = fc.subarray([
  { key: "constructor", type: "text", pattern: "^\\p{Lu}", name: "", title: true },
  { key: "a", type: "select", options: ["", "x"], required: true },
  { key: "b", type: "number", repeatable: true, minItems: 1, minimum: -0.5 },
  { key: "B", description: "Help", type: "reference", models: ["gone"], repeatable: false },
]);
const QUERY = {
  key: "q",
  type: "reference",
  repeatable: true,
  query: { where: { b: { after: "$now" }, a: "$self" }, sort: ["-b", "a"], limit: 3 },
};
const ofRecords = fields.map((list) => [...list, QUERY]);
/** Q10: members in another order than that of their definition, too. */
const collections = fc.subarray([
  { model: "m", id: "a-{id}", layoutName: "L", where: { b: true, a: "" }, steps: ["{step}"] },
  {
    list: { sort: "-b", size: 2, id: "l-{page}" },
    layoutName: "L",
    id: "{a}",
    model: "m",
    name: "N",
  },
]);
const record = <T extends object>(members: fc.Arbitrary<T>) =>
  ids.chain((drawn) =>
    fc.tuple(
      ...drawn.map((id) => members.map((more) => ({ id, key: `k-${drawn.indexOf(id)}`, ...more }))),
    ),
  );
const steps = ids.map((drawn) =>
  drawn.map((id, i) => ({ id, key: `s${i}`, name: "S", layoutName: "L", layoutContentId: "a" })),
);

/** A1, A4: what entries may say of when they are published. */
const SAID = {
  draft: fc.boolean(),
  publishAt: fc.constant("2026-11-21T09:30:00Z"),
  unpublishAt: fc.constant("2026-11-21T10:30:00.5+01:00"),
};

/** Records of every kind, as authored. */
const RECORDS: { readonly [K in Kind]: fc.Arbitrary<readonly object[]> } = {
  models: record(fc.record({ name: fc.string(), fields: ofRecords })),
  blocks: record(
    fc.record({ name: fc.string(), fields: ofRecords, category: fc.constantFrom("x", "y") }),
  ),
  features: record(
    fc.record(
      { name: fc.string(), type: fc.constantFrom("boolean", "text"), variants: fc.constant([]) },
      { requiredKeys: ["name", "type"] },
    ),
  ),
  projects: fc
    .record({ id: fc.constant("p"), name: fc.string(), fields: data, steps, collections })
    .map((project) => [
      { ...project, experiences: [{ id: "x", key: "x", name: "", stepIds: ["a"] }] },
    ]),
  entries: ids.chain((drawn) =>
    fc.tuple(
      ...drawn.map((id) =>
        fc.record(
          { id: fc.constant(id), modelId: fc.string(), data, ...SAID },
          { requiredKeys: ["id", "modelId", "data"] },
        ),
      ),
    ),
  ),
  assets: authoredAssets,
};

/** A random workspace as a folder, each kind in a random form. */
const anyFolder = fc
  .record({
    settings: fc.record(
      {
        fields,
        assetBaseUrl: fc.constantFrom("", "/cdn"),
        import: fc.constantFrom({ from: "x" }, { from: "contentful", roots: ["page"] }),
      },
      { requiredKeys: [] },
    ),
    kinds: fc.tuple(
      ...KINDS.map((kind) =>
        fc.record({
          kind: fc.constant(kind),
          list: RECORDS[kind],
          form: fc.constantFrom("array", "lines", "folder"),
        }),
      ),
    ),
  })
  .map(({ settings, kinds }): Files => {
    const written = kinds.flatMap(({ kind, list, form }): [string, string | object][] => {
      if (form === "array") return [[`${kind}.json`, list]];
      if (form === "folder") return list.map((one, i) => [`${kind}/${i}.json`, one]);
      return [[`${kind}.ndjson`, list.map((one) => JSON.stringify(one)).join("\n")]];
    });
    return Object.fromEntries([
      ["workspace.json", { id: "w", name: "", assetTexts: true, ...settings }],
      ...CONTENTS.map((text, index) => [`files/${index}`, text]),
      ...written,
    ]);
  });

const importInto = (store: Store, folder: string) => store.import(readFolder(folder), new Date(0));

function exported(store: Store): string {
  const folder = temporaryFolder();
  store.read(() => writeFolder(store.draft(store.workspace("w")), folder));
  return folder;
}

/** Exports the draft of one store and imports it into the other, and exports that. */
function expectRoundTrip(first: TestBed, second: TestBed): void {
  const once = exported(first.store);
  importInto(second.store, once);
  expect(draftValue(second.store)).toEqual(draftValue(first.store));
  expect(bytesBelow(exported(second.store))).toEqual(bytesBelow(once));
}

describe("folder: export and import round-trip for random workspaces", () => {
  it("folder: import(export(x)) is the same draft; exporting that gives the same bytes", () => {
    const [first, second] = [new TestBed(), new TestBed()];
    const law = fc.property(anyFolder, (files) => {
      importInto(first.store, workspaceFolder(files));
      expectRoundTrip(first, second);
    });
    fc.assert(law, { numRuns: randomRuns(40) });
  });

  it("folder, B1, B2: so do locales of projects and localized values", () => {
    const law = fc.property(localizedWorkspace, (parts) => {
      const [first, second] = [new TestBed({ ...parts, features: [], assets: [] }), new TestBed()];
      expectRoundTrip(first, second);
    });
    fc.assert(law, { numRuns: randomRuns(40) });
  });
});
