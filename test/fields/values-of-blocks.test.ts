import { describe, expect, it } from "vitest";
import type { Block } from "../../src/workspace/records.ts";
import { contentOn, dataOn, withEntry } from "../support/documents/served-data.ts";
import { SURFACES, TestBed } from "../support/test-bed.ts";

const HERO: Block = {
  id: "b-hero",
  key: "hero",
  name: "Hero",
  fields: [
    { key: "title", type: "text" },
    { key: "lines", type: "text", repeatable: true },
  ],
};
const SECTION: Block = {
  id: "b-section",
  key: "section",
  name: "Section",
  fields: [
    { key: "top", type: "content-block" },
    { key: "rest", type: "content-block", repeatable: true },
  ],
};

const BLOCKS = { blocks: [HERO, SECTION] };
const FIELDS = [
  { key: "one", type: "content-block" },
  { key: "many", type: "content-block", repeatable: true },
];

const hero = (title: string) => ({ contentBlockId: "b-hero", data: { title } });
const servedHero = (title: string) => ({
  ...{ contentBlockId: "b-hero", contentBlockKey: "hero", data: { title, lines: [] } },
});
const deleted = { contentBlockId: "b-gone", data: { title: "x" } };

describe.each(SURFACES)("on the %s surface", (surface) => {
  it("V6: a block is served with its key; its data follows the rules of an entry's data", () => {
    const data = { title: 1, lines: ["a", 2, null, "b"], old: "left over" };
    expect(dataOn(surface, FIELDS, { one: { contentBlockId: "b-hero", data } }, BLOCKS)).toEqual({
      one: { contentBlockId: "b-hero", contentBlockKey: "hero", data: { lines: ["a", "b"] } },
      many: [],
    });
  });

  it("V6: blocks keep their order, and one definition may be used often", () => {
    const { many } = dataOn(surface, FIELDS, { many: [hero("b"), hero("a"), hero("b")] }, BLOCKS);
    expect(many).toEqual([servedHero("b"), servedHero("a"), servedHero("b")]);
  });

  it("V6: blocks inside blocks are served by the same rules", () => {
    const inner = { contentBlockId: "b-section", data: { top: hero("inner"), rest: [hero("r")] } };
    const stored = { one: { contentBlockId: "b-section", data: { rest: [inner, hero("outer")] } } };
    expect(dataOn(surface, FIELDS, stored, BLOCKS).one).toEqual({
      contentBlockId: "b-section",
      contentBlockKey: "section",
      data: {
        rest: [
          {
            contentBlockId: "b-section",
            contentBlockKey: "section",
            data: { top: servedHero("inner"), rest: [servedHero("r")] },
          },
          servedHero("outer"),
        ],
      },
    });
  });

  it("V6: `contentBlockId` names the definition by its id, never by its key", () => {
    const stored = { one: { contentBlockId: "hero", data: { title: "x" } } };
    expect(dataOn(surface, FIELDS, stored, BLOCKS)).toEqual({ many: [] });
  });

  it("service.md, value shapes 2: a repeatable field leaves out a block that no longer exists", () => {
    const stored = { many: [deleted, hero("a"), deleted, hero("b")] };
    const { many } = dataOn(surface, FIELDS, stored, BLOCKS);
    expect(many).toEqual([servedHero("a"), servedHero("b")]);
  });

  it("service.md, value shapes 2: a single field whose block no longer exists is absent", () => {
    expect(dataOn(surface, FIELDS, { one: deleted, many: [] }, BLOCKS)).toEqual({ many: [] });
    const required = [{ key: "one", type: "content-block", required: true }];
    expect(dataOn(surface, required, { one: deleted }, BLOCKS)).toEqual({});
  });

  it("service.md, value shapes 2: that holds inside blocks too", () => {
    const data = { top: deleted, rest: [deleted, hero("a")] };
    const { one } = dataOn(surface, FIELDS, { one: { contentBlockId: "b-section", data } }, BLOCKS);
    expect(one.data).toEqual({ rest: [servedHero("a")] });
  });

  it("service.md, value shapes 2: deleting a definition removes its blocks", () => {
    const parts = withEntry(FIELDS, { one: hero("a"), many: [hero("b")] }, BLOCKS);
    const bed = new TestBed(parts);
    expect(contentOn(bed, surface).content[0].data.one).toEqual(servedHero("a"));
    bed.import({ ...parts, blocks: [SECTION] });
    expect(contentOn(bed, surface).content[0].data).toEqual({ many: [] });
    bed.import(parts);
    expect(contentOn(bed, surface).content[0].data.one).toEqual(servedHero("a"));
  });
});
