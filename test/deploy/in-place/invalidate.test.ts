import { describe, expect, it } from "vitest";
import { invalidateAll, pathsToInvalidate } from "../../../src/deploy/in-place/invalidate.ts";
import { SvcError } from "../../../src/workspace/errors.ts";

describe("L7: the paths to invalidate", () => {
  it("are the keys, percent-encoded and sorted", () => {
    expect(pathsToInvalidate(["b/ü &?#.png", "a"])).toEqual(["/a", "/b/%C3%BC%20%26%3F%23.png"]);
  });

  it("escape a wildcard in a key", () => {
    expect(pathsToInvalidate(["assets/a*.png", "**"])).toEqual(["/%2A%2A", "/assets/a%2A.png"]);
  });

  it("are one wildcard for more than 1,000 keys", () => {
    const keys = Array.from({ length: 1_001 }, (_, n) => `k${n}`);
    expect(pathsToInvalidate(keys)).toEqual(["/*"]);
    expect(pathsToInvalidate(keys.slice(1))).toHaveLength(1_000);
  });
});

it("L7: every invalidation is requested, even if others fail", async () => {
  const errors: Readonly<Record<string, SvcError>> = {
    E2: new SvcError("invalidation-refused", "too many"),
    E3: new SvcError("distribution-not-found", "none"),
  };
  const cdn = {
    invalidate: async (distribution: string, reference: string) => {
      if (errors[distribution] !== undefined) throw errors[distribution];
      return `I-${reference}`;
    },
  };
  const pending = ["E1", "E2", "E3", "E4"].map((distribution, n) => ({
    ...{ distribution, reference: String(n), paths: ["/a", "/b"] },
  }));
  expect(await invalidateAll(cdn, pending)).toEqual({
    accepted: [
      { distribution: "E1", id: "I-0", paths: 2 },
      { distribution: "E4", id: "I-3", paths: 2 },
    ],
    rest: [pending[1]],
    failures: [errors.E2, errors.E3],
  });
});
