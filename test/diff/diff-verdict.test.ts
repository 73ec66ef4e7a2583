import { describe, expect, it } from "vitest";
import { diffOf, told } from "./differ.ts";
import {
  BASE,
  blocks,
  checkRow,
  features,
  flag,
  HERO,
  model,
  models,
  NOTE,
  off,
  PAGE,
  type Row,
  text,
  WIDE,
} from "./verdict-world.ts";

const ROWS: Row[] = [
  ["a model removed", models(PAGE), ["breaking removed model note"], ["safe added model note"]],
  [
    "a model's key",
    models(PAGE, { ...model("memo"), id: "m-note" }),
    ["breaking removed model note", "safe added model memo"],
    ["breaking removed model memo", "safe added model note"],
  ],
  ["a model's id", models(PAGE, { ...model("note"), id: "m-2" }), [], []],
  [
    "a model's name",
    models({ ...model("page", "P", text("title")) }, NOTE),
    ["safe name-changed model page"],
    ["safe name-changed model page"],
  ],
  ["the order of models and of fields", models(NOTE, PAGE), [], []],
  ["a block removed", blocks(HERO), ["breaking removed block wide"], ["safe added block wide"]],
  [
    "a block's name",
    blocks({ ...model("hero", "Hero"), id: "b-hero" }, WIDE),
    ["safe name-changed block hero"],
    ["safe name-changed block hero"],
  ],
  [
    "a flag removed",
    features(),
    ["breaking removed feature layout"],
    ["safe added feature layout"],
  ],
  [
    "a Text flag becoming a Boolean one",
    features(flag("layout")),
    ["breaking type-changed feature layout"],
    ["breaking type-changed feature layout"],
  ],
  [
    "a Text flag's value removed",
    features(flag("layout", "text", "b")),
    ["breaking value-removed feature layout"],
    ["safe value-added feature layout"],
  ],
  [
    "a Text flag's value serving false",
    features({
      ...flag("layout", "text", "a"),
      variants: [off("b"), ...(flag("layout", "text", "a").variants ?? [])],
    }),
    ["breaking value-removed feature layout", "safe value-added feature layout"],
    ["breaking value-removed feature layout", "safe value-added feature layout"],
  ],
  ["the order of a Text flag's values", features(flag("layout", "text", "b", "a")), [], []],
  [
    "a key that every object inherits",
    {
      ...models(PAGE, NOTE, model("constructor", "C", text("toString"))),
      ...features(flag("layout", "text", "a", "b"), flag("valueOf", "text", "c")),
    },
    ["safe added feature valueOf", "safe added model constructor"],
    ["breaking removed feature valueOf", "breaking removed model constructor"],
  ],
];

describe("D2: the verdict for models, blocks and flags", () => {
  it.each(ROWS)("%s", checkRow);

  it("a model or block that goes is told where fields accept it too", () => {
    const any = [
      { key: "ref", type: "reference", repeatable: true },
      { key: "part", type: "content-block" },
    ];
    const world = { ...BASE, ...models(model("page", "P", ...any), NOTE) };
    const after = { ...world, ...models(model("page", "P", ...any)), ...blocks(HERO) };
    expect(diffOf(world, after).forth.schema.map(told).sort()).toEqual([
      "breaking block-refused model page.part",
      "breaking removed block wide",
      "breaking removed model note",
      "breaking target-removed model page.ref",
    ]);
  });
});
