import { expect, it } from "vitest";
import { assertDeleteLimit } from "../../src/deploy/assert-delete-limit.ts";

it("removals up to the limit pass, and one more is refused", () => {
  assertDeleteLimit(0, 0, "there");
  assertDeleteLimit(3, 3, "there");
  expect(() => assertDeleteLimit(4, 3, "there")).toThrow(
    expect.objectContaining({
      code: "too-many-deletes",
      hint: expect.stringContaining("--max-deletes 4"),
    }),
  );
});
