import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  edgeFunction,
  MOST_FUNCTION_BYTES,
} from "../../../../src/deploy/edge/function/edge-function.ts";
import { problemDocument } from "../../../../src/http/problem-document.ts";

const VARIANTS = [
  ["with a KeyValueStore", edgeFunction({ kvs: true })],
  ["without one", edgeFunction({ kvs: false })],
] as const;

/** Long ids of an origin included: CloudFront takes up to 128 letters. */
const LONGEST = edgeFunction({ kvs: true, preview: "o".repeat(128) });

describe.each(VARIANTS)("the text of the edge function, %s", (_what, text) => {
  it("is smaller than CloudFront's 10,240 bytes", () => {
    expect(Buffer.byteLength(text)).toBeLessThan(MOST_FUNCTION_BYTES);
    expect(Buffer.byteLength(LONGEST)).toBeLessThan(MOST_FUNCTION_BYTES);
  });

  it("is ASCII, ends its last line, and is the same whenever it is printed", () => {
    expect(text).toMatch(/^[\x20-\x7e\n]+\n$/);
    expect(edgeFunction({ kvs: text.includes("cf.kvs") })).toBe(text);
  });

  it("uses no syntax that CloudFront's runtime 2.0 has not", () => {
    const code = text.replace(/\/\/.*$/gm, "");
    expect(code).not.toMatch(/\bclass\b|\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+of\b|\byield\b/);
    expect(code).not.toMatch(/\?\.[a-z[(]|\?\?|\.\.\.|=>|`/);
    expect(code).not.toMatch(/(?:const|let|var)\s*[[{]|URLSearchParams|\bBuffer\b|\bglobalThis\b/);
    // An await stands in no argument and in no expression.
    expect(code.replaceAll(/^ *const \w+ = await [\w.]+\([^()]*\);$/gm, "")).not.toContain("await");
  });

  it("H4: tells every problem in the words of the server", () => {
    const [, problems = ""] = /^const PROBLEMS = (\{.*?\n\});$/ms.exec(text) ?? [];
    const told = Object.entries(runInNewContext(`(${problems})`)) as [
      Parameters<typeof problemDocument>[0],
      [number, string, string],
    ][];
    expect(told.length).toBeGreaterThanOrEqual(8);
    for (const [code, [status, title, document]] of told) {
      expect({ status, text: document }).toEqual(problemDocument(code));
      expect(title).toBe(JSON.parse(document).title);
    }
  });
});
