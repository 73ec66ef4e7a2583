import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { printFunction } from "../../../../src/deploy/edge/function/print-function.ts";
import {
  MAX_FUNCTION_BYTES,
  printRequestFunction,
} from "../../../../src/deploy/edge/function/print-request-function.ts";
import { printResponseFunction } from "../../../../src/deploy/edge/function/print-response-function.ts";
import { pointerKey, tokenKey } from "../../../../src/deploy/releases/keys.ts";
import { problemDocument } from "../../../../src/http/problem-document.ts";
import { COMPILER } from "../../../support/compiler.ts";
import { temporaryFolder } from "../../../support/test-bed.ts";

const ROOT = join(import.meta.dirname, "../../../..");

const REQUEST_FUNCTIONS = [
  ["with a KeyValueStore", printRequestFunction({ kvs: true })],
  ["without one", printRequestFunction({ kvs: false })],
] as const;

describe.each([...REQUEST_FUNCTIONS, ["for responses", printResponseFunction()] as const])(
  "the text of the edge function %s",
  (_name, text) => {
    it("is a single ASCII script, below CloudFront's 10,240 bytes", () => {
      expect(text).toMatch(/^[\x20-\x7e\n]+\}\n$/);
      expect(text).not.toMatch(/^export|\/\*|^import(?! cf from "cloudfront";$)/m);
      expect(Buffer.byteLength(text)).toBeLessThan(MAX_FUNCTION_BYTES);
    });

    it("uses no syntax that CloudFront's runtime 2.0 lacks", () => {
      const code = text.replace(/\/\/.*$/gm, "");
      expect(code).not.toMatch(/\bclass\b|\bfor\s*\(\s*(?:const|let|var)\s+\w+\s+of\b|\byield\b/);
      expect(code).not.toMatch(/\?\.[a-z[(]|\?\?|\.\.\.|(?:const|let|var)\s*[[{]/);
      // The runtime knows async functions at the top only, and await in no argument or expression.
      expect(code.replaceAll(/^async function \w+/gm, "")).not.toContain("async");
      expect(code.replaceAll(/^ *const \w+ = await [\w.]+\([^()]*\);$/gm, "")).not.toContain(
        "await",
      );
    });

    it("uses only globals and methods of ES 5.1, Object.assign and promises", () => {
      expect(typeErrors(text)).toBe("");
      expect(typeErrors(`${text}[1].at(0);\n`)).toContain("Property 'at' does not exist");
      expect(typeErrors(`${text}new URLSearchParams();\n`)).toContain("'URLSearchParams'");
    });
  },
);

/** What TypeScript reports of a script that has the libraries of CloudFront's runtime only. */
function typeErrors(text: string): string {
  const folder = temporaryFolder();
  const types = join(ROOT, "src/deploy/edge/function/cloudfront.d.ts");
  copyFileSync(types, join(folder, "cloudfront.d.ts"));
  writeFileSync(join(folder, "crypto.d.ts"), 'declare module "crypto";');
  writeFileSync(join(folder, "function.js"), text);
  const options = {
    ...{ allowJs: true, checkJs: true, noEmit: true, strict: false, types: [] },
    ...{ target: "es2017", module: "esnext", moduleResolution: "bundler" },
    lib: ["es5", "es2015.core", "es2015.promise", "es2015.symbol", "es2015.iterable"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: options }));
  const { stdout, error } = spawnSync(COMPILER, ["-p", folder], { encoding: "utf8" });
  if (error) throw error;
  return stdout;
}

describe("printing an edge function", () => {
  it("inserts the id of the preview origin, up to CloudFront's limit", () => {
    const preview = "o".repeat(128);
    const text = printRequestFunction({ kvs: true, preview });
    expect(text).toContain(`const PREVIEW_ORIGIN = "${preview}";\n`);
    expect(Buffer.byteLength(text)).toBeLessThan(MAX_FUNCTION_BYTES);
  });

  it("fails when the function does not import the setting", () => {
    expect(() => printFunction("./response-function.js", { PREVIEW_ORIGIN: "drafts" })).toThrow(
      "./response-function.js does not import PREVIEW_ORIGIN",
    );
  });

  it.each([
    ["a name that two modules declare", "function twice() {}", "twice is declared twice"],
    ["a name that is a constant's", "const TOKEN = 1;", "TOKEN is declared twice"],
    [
      "an alias",
      'import { TOKEN as T } from "../constants.ts";',
      "cannot be joined: import { TOKEN",
    ],
    ["a default import", 'import b from "./b.js";', "cannot be joined: import b"],
    ["an export of a constant", "export const a = 1;", "cannot be joined: export const a"],
  ])("fails at %s", (_what, line, message) => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, "b.js"), "export function twice() {}\n");
    const imports =
      'import { TOKEN } from "../constants.ts";\nimport { twice } from "./b.js";\ntwice(TOKEN);\n';
    writeFileSync(join(folder, "a.js"), imports);
    expect(printFunction("./a.js", {}, folder)).toContain("function twice() {}\n");
    writeFileSync(join(folder, "a.js"), `${imports}${line}\n`);
    expect(() => printFunction("./a.js", {}, folder)).toThrow(message);
  });
});

/** A key-value store, and the origin chosen. */
interface Edge {
  readonly keys: Readonly<Record<string, string>>;
  origin?: string;
}

/** Runs the printed text as CloudFront does, with its module `cloudfront` as `cf`. */
async function handled(text: string, edge: Edge, target: string, method = "GET") {
  const { pathname, searchParams } = new URL(target, "http://edge");
  const querystring = Object.fromEntries(
    [...searchParams].map(([name, value]) => [name, { value }]),
  );
  const request = { method, uri: pathname, querystring };
  const cf = {
    kvs: () => ({
      exists: async (key: string) => key in edge.keys,
      get: async (key: string) => edge.keys[key],
    }),
    selectRequestOriginById(id: string) {
      edge.origin = id;
    },
  };
  const script = `${text.replace(/^import cf .*$/m, "")}handler({ request })`;
  const require = createRequire(import.meta.url);
  return await runInNewContext(script, { cf, request, require });
}

const PATH = "/api/v1/projects/site";
const RELEASE = `w/${"0".repeat(32)}-${"a".repeat(12)}`;
const LIVE = { [pointerKey("site")]: RELEASE };

describe("the request function of releases", () => {
  const text = printRequestFunction({ kvs: true, preview: "drafts" });

  it.each([
    [PATH, "/index.json"],
    [`${PATH}/schema?a=1`, ".json"],
    [`${PATH}/experiences/home/content`, ".json"],
  ])("H1: %s is read from the live release, without a query", async (target, ending) => {
    const uri = `/r/${RELEASE}${target.split("?")[0]}${ending}`;
    expect(await handled(text, { keys: LIVE }, target)).toMatchObject({ uri, querystring: {} });
  });

  it("H4: a project without a pointer is a 404, and a pointer to no release a 503", async () => {
    const statusOf = async (keys: Edge["keys"]) => (await handled(text, { keys }, PATH)).statusCode;
    expect(await statusOf({})).toBe(404);
    expect(await statusOf({ [pointerKey("site")]: "w/other" })).toBe(503);
  });

  it("H3: a valid token leads to the preview origin, any other is a 401", async () => {
    const key = tokenKey(createHash("sha256").update("secret").digest("hex"), "site");
    const edge: Edge = { keys: { ...LIVE, [key]: "never" } };
    const wrong = await handled(text, edge, `${PATH}?preview_token=wrong`);
    expect([wrong.statusCode, edge.origin]).toEqual([401, undefined]);
    const right = await handled(text, edge, `${PATH}?preview_token=secret`);
    expect([right.uri, edge.origin]).toEqual([PATH, "drafts"]);
  });
});

describe.each(REQUEST_FUNCTIONS)("the request function %s", (_name, text) => {
  const edge: Edge = { keys: LIVE };

  it("H1: answers OPTIONS and refuses other methods, and HEAD has no body", async () => {
    expect(await handled(text, edge, PATH, "OPTIONS")).toMatchObject({ statusCode: 204 });
    const refused = await handled(text, edge, PATH, "POST");
    expect(refused).toMatchObject({
      statusCode: 405,
      headers: { allow: { value: "GET, HEAD, OPTIONS" } },
    });
    const head = await handled(text, edge, "/nowhere", "HEAD");
    expect([head.statusCode, head.body]).toEqual([404, undefined]);
  });

  it("V4b: an asset has one spelling", async () => {
    const { uri } = await handled(text, edge, "/%61ssets/0123456789abcdef/%61+b.png?x");
    expect(uri).toBe("/assets/0123456789abcdef/a%2Bb.png");
  });

  it("H4: has the problem documents of the server", () => {
    const [, problems = ""] = /^const PROBLEMS = (\{.*?\n\});$/ms.exec(text) ?? [];
    const found = Object.entries(runInNewContext(`(${problems})`)) as [
      Parameters<typeof problemDocument>[0],
      [number, string, string],
    ][];
    expect(found.length).toBeGreaterThanOrEqual(8);
    for (const [code, [status, title, document]] of found) {
      expect({ status, text: document }).toEqual(problemDocument(code));
      expect(title).toBe(JSON.parse(document).title);
    }
  });
});

it("H1: in place, a document is read by its URL path", async () => {
  const text = printRequestFunction({ kvs: false });
  const expected = { uri: PATH, querystring: {} };
  expect(await handled(text, { keys: {} }, `${PATH}?a=1`)).toMatchObject(expected);
});
