import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/workspace/json.ts";
import { contentOn, dataOn, withEntry } from "../support/documents/served-data.ts";
import { type Parts, SURFACES, TestBed } from "../support/test-bed.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";

describe.each(SURFACES)("on the %s surface", (surface) => {
  /** What is served for stored values. */
  const valuesOf = (stored: JsonObject[], more: Parts) => {
    const fields = [{ key: "values", type: "html-asset", repeatable: true }];
    return dataOn(surface, fields, { values: stored }, more).values;
  };

  it.each([
    ["plain", "<p>Grüße 𝐀</p>"],
    ["a byte order mark", "\ufeff<p>"],
    ["line ends and control characters", "a\r\nb\n\rc\u0000\u2028\t "],
    ["nothing", ""],
  ])("V5: html is inlined byte for byte: %s", (_, text) => {
    const { asset, file } = heldAsset("page", "page.html", text, "text/html");
    const parts = { assets: [asset], files: new Map([file]) };
    const [served] = valuesOf([{ assetId: "page" }], parts);
    expect(served).toEqual({ id: "page", content: text });
    expect(Buffer.from(served.content).equals(Buffer.from(text))).toBe(true);
  });

  it.each([
    ["a byte that no text has", [0x61, 0xff]],
    ["half a character", [0x61, 0xe2, 0x82]],
    ["an overlong form", [0xc0, 0xaf]],
    ["half a surrogate pair", [0xed, 0xa0, 0x80]],
  ])("V5: content is null when the bytes are not valid UTF-8: %s", (_, bytes) => {
    const html = Uint8Array.from(bytes);
    const { asset, file } = heldAsset("page", "page.html", html, "text/html");
    const parts = { assets: [asset], files: new Map([file]) };
    expect(valuesOf([{ assetId: "page" }], parts)).toEqual([{ id: "page", content: null }]);
  });

  it("service.md, value shapes 1: html arrives inlined in content[] and in references[]", () => {
    const { asset, file } = heldAsset("page", "page.html", "<p>Hi</p>", "text/html");
    const fields = [
      { key: "text", type: "html-asset" },
      { key: "next", type: "reference" },
    ];
    const text = { assetId: "page" };
    const entry = { id: "next", modelId: "subject", data: { text } };
    const more = { entries: [entry], assets: [asset], files: new Map([file]) };
    const stored = { text, next: { contentEntryId: "next" } };
    const { content, references } = contentOn(
      new TestBed(withEntry(fields, stored, more)),
      surface,
    );
    expect(content[0].data.text).toEqual({ id: "page", content: "<p>Hi</p>" });
    expect(references[0].data.text).toEqual({ id: "page", content: "<p>Hi</p>" });
  });
});
