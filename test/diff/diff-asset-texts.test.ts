import { expect, it } from "vitest";
import type { Parts } from "../support/test-bed.ts";
import { changeSummary, diffOf } from "./differ.ts";

it("D2, V4c: that assets have texts now is safe, and that they have none any more is breaking", () => {
  const parts: Parts = {
    models: [{ id: "m", key: "page", name: "Page", fields: [{ key: "a", type: "asset" }] }],
    projects: [{ id: "p", name: "P", steps: [], experiences: [] }],
  };
  const { forth, back } = diffOf(parts, { ...parts, assetTexts: true });
  expect(forth.schema.map(changeSummary)).toEqual(["safe shape-extended model page.a"]);
  expect(back.schema.map(changeSummary)).toEqual(["breaking type-changed model page.a"]);
});
