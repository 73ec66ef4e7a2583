import { describe, expect, it } from "vitest";
import {
  EMPTY,
  inPlaceManifestText,
  parseInPlaceManifest,
  unsureOf,
} from "../../../src/deploy/in-place/in-place-manifest.ts";

const claim = {
  ...{ deploy: "d", by: { host: "ci", pid: 1 }, beat: 0, isStopped: false },
  ...{ workspaces: ["b"], touches: ["x", "constructor"] },
};

describe("the manifest of a deploy in place", () => {
  it("survives a write and a read", () => {
    const manifest = { ...EMPTY, unsure: { x: ["a"] }, claim };
    expect(parseInPlaceManifest(inPlaceManifestText(manifest), "")).toEqual(manifest);
  });

  it.each([
    ...["", "null", "[]", "{", '{"formatVersion":2}', inPlaceManifestText(EMPTY).slice(0, -3)],
    JSON.stringify({ ...EMPTY, claim: { by: 1 } }),
    JSON.stringify({ ...EMPTY, claim: { ...claim, workspaces: undefined } }),
    JSON.stringify({ ...EMPTY, objects: [] }),
  ])("is refused when it is invalid: %s", (text) => {
    expect(() => parseInPlaceManifest(text, "s3://b/.svc-deploy.json")).toThrow(
      expect.objectContaining({ code: "deploy-manifest-invalid" }),
    );
  });

  it("L6: adds the keys and workspaces of an unfinished deploy to `unsure`", () => {
    expect(unsureOf({ ...EMPTY, unsure: { x: ["a"], y: ["a"] }, claim })).toEqual({
      x: ["a", "b"],
      y: ["a"],
      constructor: ["b"],
    });
  });
});
