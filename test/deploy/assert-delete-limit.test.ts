import { expect, it } from "vitest";
import { refuseTooMany } from "../../src/deploy/assert-delete-limit.ts";

it("as many removals as are allowed pass, and one more is refused", () => {
  refuseTooMany(0, 0, "there");
  refuseTooMany(3, 3, "there");
  expect(() => refuseTooMany(4, 3, "there")).toThrow(
    expect.objectContaining({
      code: "too-many-deletes",
      hint: expect.stringContaining("--max-deletes 4"),
    }),
  );
});
