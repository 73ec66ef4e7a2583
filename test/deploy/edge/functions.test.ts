import { spawnSync } from "node:child_process";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import {
  MAX_FUNCTION_BYTES,
  printRequestFunction,
  printResponseFunction,
} from "../../../src/deploy/edge/functions.ts";
import { IMMUTABLE, PUBLISHED_HEADERS } from "../../../src/http/published-headers.ts";
import { COMPILER } from "../../support/compiler.ts";
import { temporaryFolder } from "../../support/test-bed.ts";

const TYPES = join(import.meta.dirname, "../../../src/deploy/edge/cloudfront.d.ts");

describe.each([
  ["with a KeyValueStore", printRequestFunction({ kvs: true, preview: "o".repeat(128) })],
  ["without one", printRequestFunction({ kvs: false })],
  ["for responses", printResponseFunction()],
])("the text of the edge function %s", (_name, text) => {
  it("is a single ASCII script, below CloudFront's 10,240 bytes", () => {
    expect(text).toMatch(/^[\x20-\x7e\n]+\}\n$/);
    expect(text).not.toMatch(/^export|\/\*|#if|#end|^import(?! cf from "cloudfront";$)/m);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_FUNCTION_BYTES);
  });

  it("uses no syntax that CloudFront's runtime 2.0 lacks", () => {
    const code = text.replace(/\/\/.*$/gm, "");
    expect(code).not.toMatch(/\bclass\b|\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+of\b|\byield\b/);
    expect(code).not.toMatch(/\?\.[a-z[(]|\?\?|\.\.\.|(?:const|let|var)\s*[[{]/);
    // The runtime knows async functions at the top only, and await in no argument or expression.
    expect(code.replaceAll(/^async function \w+/gm, "")).not.toContain("async");
    expect(code.replaceAll(/^ *const \w+ = await [\w.]+\([^()]*\);$/gm, "")).not.toContain("await");
  });

  it("uses only globals and methods of ES 5.1, Object.assign and promises", () => {
    expect(typeErrors(text)).toBe("");
    expect(typeErrors(`${text}[1].at(0);\n`)).toContain("Property 'at' does not exist");
    expect(typeErrors(`${text}new URLSearchParams();\n`)).toContain("'URLSearchParams'");
  });
});

/** What TypeScript reports of a script that has the libraries of CloudFront's runtime only. */
function typeErrors(text: string): string {
  const folder = temporaryFolder();
  copyFileSync(TYPES, join(folder, "cloudfront.d.ts"));
  writeFileSync(join(folder, "crypto.d.ts"), 'declare module "crypto";');
  writeFileSync(join(folder, "function.js"), text);
  const options = {
    allowJs: true,
    checkJs: true,
    noEmit: true,
    strict: false,
    types: [],
    target: "es2017",
    module: "esnext",
    moduleResolution: "bundler",
    lib: ["es5", "es2015.core", "es2015.promise", "es2015.symbol", "es2015.iterable"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  const { stdout, error } = spawnSync(COMPILER, ["-p", folder], { encoding: "utf8" });
  if (error) throw error;
  return stdout;
}

describe("the response function", () => {
  const H2 = PUBLISHED_HEADERS["Cache-Control"];
  const TOKEN = { preview_token: { value: "t" } };

  it.each([
    ["a release's document", 200, IMMUTABLE, {}, H2],
    ["the same, unchanged", 304, IMMUTABLE, {}, H2],
    ["a part of it", 206, IMMUTABLE, {}, H2],
    ["an object without the header", 200, undefined, {}, H2],
    ["a preview", 200, "no-store", TOKEN, "no-store"],
    ["a preview whose origin sends no header", 200, undefined, TOKEN, "no-store"],
    ["a response with no-store", 200, "private, No-Store", {}, "no-store"],
    ["a problem", 404, "no-store", {}, "no-store"],
    ["a problem that may be cached", 404, "max-age=5", {}, "max-age=5"],
  ])("H2: gives viewers the right Cache-Control: %s (%i, stored %s)", (...given) => {
    const [, statusCode, stored, querystring, expected] = given;
    const headers = stored === undefined ? {} : { "cache-control": { value: stored } };
    const event = { request: { querystring }, response: { statusCode, headers } };
    const response = runInNewContext(`${printResponseFunction()}; handler(event)`, { event });
    expect(response.headers["cache-control"]?.value).toBe(expected);
  });
});
