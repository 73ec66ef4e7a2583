import { describe, expect, it } from "vitest";
import { type ToldRecord, toldRecords } from "../../src/diff/told-records.ts";

const record = (title: string, change: ToldRecord["change"], ...fields: string[]): ToldRecord => {
  return { title, change, fields };
};

describe("D7b: changes of records in one sentence", () => {
  it("D7b: what came, changed and went, by titles and fields, some of each", () => {
    expect(
      toldRecords(
        [
          record("Home", "changed", "Headline", "Picture", "Lead", "Body"),
          record("Old", "removed"),
          ...["A", "B", "C", "D", "E"].map((title) => record(title, "added", "Headline")),
          record("About", "changed"),
        ],
        ["models changed"],
      ),
    ).toBe(
      "New: A, B, C and 2 more; changed: Home (Headline, Picture, Lead and 1 more), About; removed: Old; models changed",
    );
    expect(toldRecords([], ["models changed"])).toBe("Models changed");
    expect(toldRecords([], [])).toBe("");
  });
});
