import { describe, expect, it } from "vitest";
import { problemMessage } from "../../src/workspace/problem-messages.ts";
import { allowPatterns } from "../support/allow-patterns.ts";
import { problemsOf, withEntry } from "../support/documents/served-data.ts";
import { type Parts, TestBed } from "../support/test-bed.ts";
import {
  heldAsset,
  page,
  projectOf,
  smallWorkspace,
} from "../support/workspaces/small-workspace.ts";
import { NODE, referenceGraph } from "./reference-graph.ts";

const LINKS = [{ key: "links", type: "reference", repeatable: true }];
const NEIGHBOUR: Parts = {
  id: "neighbour",
  models: [NODE],
  entries: [{ id: "theirs", modelId: NODE.id, data: {} }],
};
const to = (...ids: readonly string[]) => ids.map((contentEntryId) => ({ contentEntryId }));

describe("P3: reference-deleted", () => {
  it("P3: pointers in blocks and in entries that no document shows are reported too", () => {
    const wide = { id: "b", key: "wide", name: "Wide", fields: LINKS };
    const hidden = { id: "hidden", modelId: "subject", data: { links: to("gone") } };
    const fields = [...LINKS, { key: "block", type: "content-block" }];
    const block = { block: { contentBlockId: "b", data: { links: to("gone") } } };
    const parts = withEntry(fields, block, { blocks: [wide], entries: [hidden] });
    expect(problemsOf(parts)).toEqual([
      "warning reference-deleted entry hidden#/links/0",
      "warning reference-deleted entry home#/block/data/links/0",
    ]);
  });
});

describe("P3: reference-too-deep", () => {
  const chain = {
    c0: ["c1"],
    c1: ["c2"],
    c2: ["c3"],
    c3: ["c4"],
    c4: ["c5"],
    c5: ["c0", "c6"],
    c6: ["c7"],
    c7: [],
  };

  it("P3: a pointer of an entry at depth 5 has a target that is not served", () => {
    expect(problemsOf(referenceGraph(chain, ["c0"]))).toEqual([
      "warning reference-too-deep entry c5#/links/1",
    ]);
  });

  it("P3: it is not a problem when the entry is nearer on another path", () => {
    expect(problemsOf(referenceGraph({ ...chain, c2: ["c3", "c6"] }, ["c0"]))).toEqual([]);
    expect(problemsOf(referenceGraph(chain, ["c0", "c2"]))).toEqual([]);
  });

  it("P3: each pointer of an entry that is too deep is reported", () => {
    const c5 = ["c6", "c7", "c0"];
    expect(problemsOf(referenceGraph({ ...chain, c5 }, ["c0"]))).toEqual([
      "warning reference-too-deep entry c5#/links/0",
      "warning reference-too-deep entry c5#/links/1",
    ]);
  });

  it("P3: it is reported once, however many experiences show the chain", () => {
    const parts = referenceGraph(chain, ["c0"]);
    const [project] = parts.projects ?? [];
    const [tour] = project?.experiences ?? [];
    if (!project || !tour) throw new TypeError("no experience");
    const experiences = [tour, { ...tour, id: "y", key: "y" }];
    const shown = { ...parts, projects: [{ ...project, experiences }] };
    expect(problemsOf(shown)).toEqual(["warning reference-too-deep entry c5#/links/1"]);
    expect(new TestBed(shown).check()).toMatchObject([
      { args: { experience: tour.id, others: 1 } },
    ]);
  });
});

describe("P3: asset-missing, html-unreadable", () => {
  const { asset, file } = heldAsset("page", "page.html", "Hi", "text/html");
  const broken = heldAsset("broken", "page.html", Uint8Array.of(0xff), "text/html");
  const { sha256, ...facts } = asset;
  const assets = [asset, broken.asset, { ...facts, id: "byUrl", url: "https://a.example" }];
  const files = new Map([file, broken.file]);
  const stored = [
    { assetId: "page" },
    { assetId: "page", versionId: "v1" },
    { assetId: "gone" },
    { assetId: "broken" },
    { assetId: "byUrl" },
  ];

  it("P3: the text of a file is missing, not held, or not valid UTF-8", () => {
    const fields = [{ key: "texts", type: "html-asset", repeatable: true }];
    expect(problemsOf(withEntry(fields, { texts: stored }, { assets, files }))).toEqual([
      "warning html-unreadable entry home#/texts/1",
      "warning html-unreadable entry home#/texts/2",
      "warning html-unreadable entry home#/texts/3",
      "warning html-unreadable entry home#/texts/4",
    ]);
  });
});

describe("P3: step-entry-missing, experience-step-missing", () => {
  it("P3: the entry of a step does not exist here, or a step of an experience", () => {
    const project = projectOf("site", "home", "gone", "theirs");
    const tour = { id: "tour", key: "tour", name: "Tour", stepIds: ["step-home", "step-x"] };
    const experiences = [...project.experiences, tour];
    const parts = { ...withEntry([], {}), projects: [{ ...project, experiences }] };
    expect(problemsOf(NEIGHBOUR, parts)).toEqual([
      "warning experience-step-missing project site#/experiences/3/stepIds/1",
      "warning step-entry-missing project site#/steps/1/layoutContentId",
      "warning step-entry-missing project site#/steps/2/layoutContentId",
    ]);
  });
});

it("P21: experience-key-taken warns where a key is the id of another experience, also of a collection", () => {
  const project = projectOf("site", "home");
  const tour = { id: "tour", key: "home", name: "Tour", stepIds: ["step-home"] };
  const collection = {
    model: "subject",
    id: "page-{id}",
    key: "tour",
    stepKey: "of-{id}",
    layoutName: "page",
  };
  const experiences = [...project.experiences.map((one) => ({ ...one, key: "start" })), tour];
  const projects = [{ ...project, experiences, collections: [collection] }];
  expect(problemsOf(NEIGHBOUR, { ...withEntry([], {}), projects })).toEqual([
    "warning experience-key-taken entry home#",
    "warning experience-key-taken project site#/experiences/1",
  ]);
});

describe("P18, P19: nothing is served", () => {
  const draft = (id: string) => ({ ...page(id, id), draft: true });
  const soon = { ...page("soon", "Soon"), publishAt: "2026-06-01T00:00:00Z" };
  const step = { id: "s", key: "s", name: "S", layoutName: "Plain" };
  const tour = { id: "x", key: "x", name: "X", stepIds: ["s"] };
  const header = { id: "site", name: "Site", steps: [step], experiences: [tour] };
  const collected = (model: string) => ({
    ...projectOf("site"),
    collections: [{ model, layoutName: "Plain", id: "{id}" }],
  });
  const none: readonly string[] = [];
  const home = page("home", "Home");

  it.each<[what: string, parts: Parts, messages: readonly string[]]>([
    ["no entry and no experience", { projects: [projectOf("site")] }, none],
    ["an entry that no experience shows", { projects: [projectOf("site")], entries: [home] }, none],
    [
      "the only entry is a draft",
      { projects: [header], entries: [draft("home")] },
      ["no entry is published, so no content is served (drafts: 1)"],
    ],
    [
      "all entries are hidden",
      { projects: [projectOf("site", "a")], entries: [draft("a"), draft("b"), soon] },
      ["no entry is published, so no content is served (drafts: 2, not due yet: 1)"],
    ],
    [
      "the entries of all experiences are hidden",
      { projects: [projectOf("site", "a", "b")], entries: [draft("a"), draft("b"), home] },
      [
        'the project "site" serves no content: none of its 2 experiences shows an entry that is published; entries that are not published: 2',
      ],
    ],
    [
      "an experience has no entry",
      { projects: [header], entries: [home] },
      [
        'the project "site" serves no content: its only experience shows no entry that is published',
      ],
    ],
    [
      "the experience of another project has one",
      { projects: [{ ...header, id: "other" }, projectOf("site", "home")], entries: [home] },
      [
        'the project "other" serves no content: its only experience shows no entry that is published',
      ],
    ],
    [
      "all entries are drafts in the locale of one project",
      {
        projects: [
          { ...projectOf("fr", "home"), locale: "fr" },
          { ...projectOf("en", "home"), locale: "en" },
        ],
        entries: [{ ...home, draft: { fr: true } }],
      },
      [
        'the project "fr" serves no content: its only experience shows no entry that is published; entries that are not published: 1',
      ],
    ],
    [
      "a collection finds nothing",
      { projects: [collected("page")], entries: [] },
      ['the project "site" serves no content: its collection finds no entry that is published'],
    ],
    [
      "a collection is wrong",
      { projects: [collected("gone")], entries: [home] },
      ['there is no model "gone"'],
    ],
  ])("P18, P19: %s", (_what, parts, messages) => {
    const bed = new TestBed(smallWorkspace({ entries: [], ...parts }));
    expect(bed.check().map(problemMessage)).toEqual(messages);
    if (messages.length > 0) expect(() => bed.publish({ strict: true })).toThrow("1 ");
    else bed.publish({ strict: true });
  });
});

describe("P3: pattern-unbounded", () => {
  const slow = { key: "a", type: "text", pattern: "^(a+)+$" };
  const hidden = { id: "b", key: "wide", name: "Wide", fields: [slow] };

  it("P3, P4a: the pattern of a model, a block or a project field may take exponential time", () => {
    const field = { key: "ok", type: "text", pattern: "^a+$" };
    const parts = withEntry([field, slow], {}, { blocks: [hidden], fields: [slow] });
    expect(problemsOf(parts)).toEqual([
      "warning pattern-unbounded block b#/fields/0/pattern",
      "warning pattern-unbounded model subject#/fields/1/pattern",
      "warning pattern-unbounded workspace w#/fields/0/pattern",
    ]);
  });

  it("P4: a value that takes too long is an error, and others are not", () => {
    allowPatterns({ one: 250, all: 5000 });
    const list = { ...slow, repeatable: true };
    const stored = { a: ["aaa", `${"a".repeat(100)}!`, "a".repeat(100)] };
    expect(problemsOf(withEntry([list], stored))).toEqual([
      "error value-constraint entry home#/a/1",
      "warning pattern-unbounded model subject#/fields/0/pattern",
    ]);
  });
});
