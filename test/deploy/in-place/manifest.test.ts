import { describe, expect, it } from "vitest";
import { EMPTY, manifestText, parseManifest } from "../../../src/deploy/in-place/manifest.ts";

describe("the manifest of a deploy in place", () => {
  const touches = { "assets/0123456789abcdef/a b.png": ["b"], "503.json": [] };
  const deploy = { id: "d", host: "ci-7", pid: 12, since: "2026-01-02T03:04:05.000Z", touches };

  it("survives a write and a read", () => {
    const manifest = { ...EMPTY, touched: { "404.json": ["a"] }, deploy };
    expect(parseManifest(manifestText(manifest), "")).toEqual(manifest);
  });

  it("of an earlier release lists nothing that was touched", () => {
    const text = JSON.stringify({ ...EMPTY, touched: undefined });
    expect(parseManifest(text, "")).toEqual(EMPTY);
  });

  it.each([
    "",
    "null",
    "[]",
    "{",
    '{"formatVersion":2}',
    manifestText(EMPTY).slice(0, -3),
    JSON.stringify({ ...EMPTY, deploy: { host: 1 } }),
    JSON.stringify({ ...EMPTY, deploy: { ...deploy, touches: { "404.json": 1 } } }),
    JSON.stringify({ ...EMPTY, touched: [] }),
    JSON.stringify({ ...EMPTY, objects: [] }),
    JSON.stringify({ ...EMPTY, objects: { "404.json": { owners: "w" } } }),
  ])("is refused when it is invalid: %s", (text) => {
    expect(() => parseManifest(text, "s3://b/.svc-deploy.json")).toThrow(
      expect.objectContaining({ code: "deploy-manifest-invalid" }),
    );
  });
});
