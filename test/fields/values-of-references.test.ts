import { describe, expect, it } from "vitest";
import { contentOn, dataOn, withEntry } from "../support/documents/served-data.ts";
import { type Parts, SURFACES, TestBed } from "../support/test-bed.ts";

const FIELDS = [
  { key: "one", type: "reference" },
  { key: "many", type: "reference", repeatable: true },
];

const TARGETS = {
  models: [{ id: "m-shop", key: "shop", name: "Shop", fields: [{ key: "name", type: "text" }] }],
  entries: [
    { id: "shop-1", modelId: "m-shop", data: { name: "First" } },
    { id: "shop-2", modelId: "m-shop", data: {} },
    { id: "lost", modelId: "m-gone", data: {} },
  ],
} satisfies Parts;

const NEIGHBOUR: Parts = {
  id: "neighbour",
  models: [{ id: "m-secret", key: "secret", name: "Secret", fields: [] }],
  entries: [{ id: "theirs", modelId: "m-secret", data: {} }],
};

const to = (contentEntryId: string) => ({ contentEntryId });
const toShop = (contentEntryId: string) => ({ contentEntryId, contentModelKey: "shop" });

describe.each(SURFACES)("on the %s surface", (surface) => {
  it("V7: a pointer has the key of its target's model, the entry itself is elsewhere", () => {
    const bed = new TestBed(withEntry(FIELDS, { one: to("shop-1") }, TARGETS));
    const { content, references } = contentOn(bed, surface);
    expect(content[0].data.one).toEqual(toShop("shop-1"));
    expect(references).toEqual([
      { id: "shop-1", contentModelKey: "shop", data: { name: "First" } },
    ]);
  });

  it("service.md, reference pointer: a repeatable reference field holds a list of pointers", () => {
    const stored = { many: [to("shop-2"), to("shop-1"), to("shop-2")] };
    const { many } = dataOn(surface, FIELDS, stored, TARGETS);
    expect(many).toEqual([toShop("shop-2"), toShop("shop-1"), toShop("shop-2")]);
  });

  it("V7: without target, or without the target's model, the pointer stays without key", () => {
    const bed = new TestBed(withEntry(FIELDS, { many: [to("gone"), to("lost")] }, TARGETS));
    const { content, references } = contentOn(bed, surface);
    expect(content[0].data.many).toEqual([to("gone"), to("lost")]);
    expect(references).toEqual([{ id: "lost", contentModelKey: null, data: {} }]);
  });

  it("V7: nothing of another workspace's entry is served", () => {
    const bed = new TestBed(NEIGHBOUR, withEntry(FIELDS, { one: to("theirs") }, TARGETS));
    const document = contentOn(bed, surface);
    expect(document.content[0].data.one).toEqual(to("theirs"));
    expect(document.references).toEqual([]);
    expect(JSON.stringify(document)).not.toContain("secret");
  });

  it("V7: an entry of this workspace is the target, although another one has that id", () => {
    const theirs = { id: "shop-1", modelId: "m-secret", data: {} };
    const parts = withEntry(FIELDS, { one: to("shop-1") }, TARGETS);
    const bed = new TestBed({ ...NEIGHBOUR, entries: [theirs] }, parts);
    expect(contentOn(bed, surface).content[0].data.one).toEqual(toShop("shop-1"));
  });

  it("V7: other stored members than `contentEntryId` are not served, `data` never", () => {
    const more = { contentModelKey: "lie", data: { name: "x" }, extra: 1 };
    const stored = { one: { ...to("gone"), ...more }, many: [{ ...to("shop-1"), ...more }] };
    expect(dataOn(surface, FIELDS, stored, TARGETS)).toEqual({
      one: to("gone"),
      many: [toShop("shop-1")],
    });
  });

  it("V7: a pointer to a model that the field does not accept is served as it is", () => {
    const fields = [{ key: "one", type: "reference", models: ["museum"] }];
    expect(dataOn(surface, fields, { one: to("shop-1") }, TARGETS)).toEqual({
      one: toShop("shop-1"),
    });
  });

  it("service.md, reference resolution 2: the pointer to a deleted target stays", () => {
    const parts = withEntry(FIELDS, { one: to("shop-1") }, TARGETS);
    const bed = new TestBed(parts);
    bed.import({ ...parts, entries: parts.entries.filter(({ id }) => id !== "shop-1") });
    const { content, references } = contentOn(bed, surface);
    expect(content[0].data.one).toEqual(to("shop-1"));
    expect(references).toEqual([]);
  });
});
