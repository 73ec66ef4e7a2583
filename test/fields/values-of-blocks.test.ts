import { describe, expect, it } from "vitest";
import type { Block } from "../../src/workspace/records.ts";
import { dataOn } from "../support/documents/served-data.ts";
import { SURFACES } from "../support/test-bed.ts";

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
  contentBlockId: "b-hero",
  contentBlockKey: "hero",
  data: { title, lines: [] },
});
const deleted = { contentBlockId: "b-gone", data: { title: "x" } };

describe.each(SURFACES)("on the %s surface", (surface) => {
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
});
