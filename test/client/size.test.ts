import { runInNewContext } from "node:vm";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { compile, ROOT } from "../support/compiler.ts";

/** A module of the client as bundled for a web page. */
async function bundle(format: "esm" | "iife", name = "client") {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`src/client/${name}.ts`],
    bundle: true,
    minify: true,
    format,
    ...(format === "iife" && { globalName: "client" }),
    platform: "neutral",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const [output] = Object.values(metafile.outputs);
  return { text: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs), output };
}

it("minified and gzipped it is under 3 kB", async () => {
  const { text } = await bundle("esm");
  expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThan(3000);
  expect(text).toContain("no-answer");
});

it("K5: the module for rich text is under 2 kB minified and gzipped, and imports nothing", async () => {
  const { text, inputs, output } = await bundle("esm", "rich-text");
  expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThan(2000);
  expect(inputs).toEqual(["src/client/rich-text.ts"]);
  expect(output?.imports).toEqual([]);
  expect(output?.exports.sort()).toEqual(["escapeHtml", "toHtml", "walk"]);
  const options = "--target es2022 --lib es2022 --module esnext --allowJs --checkJs --strict false";
  const errors = compile({ "bundle.js": text }, [...options.split(" "), "--types", ""]);
  expect(errors.filter((line) => /Cannot find name|TS2550|change the 'lib'/.test(line))).toEqual(
    [],
  );
});

it("K3: it consists of its own folder only, and imports nothing", async () => {
  const { text, inputs, output } = await bundle("esm");
  expect(inputs.filter((path) => !path.startsWith("src/client/"))).toEqual([]);
  expect(output?.imports).toEqual([]);
  expect(output?.exports.sort()).toEqual(["ApiError", "createClient"]);
  expect(text).not.toMatch(/\b(?:import|require|eval|Function)\b\s*[(."'{]/);
});

it("besides the language itself it uses only fetch", async () => {
  const { text } = await bundle("esm");
  const options = "--target es2022 --lib es2022 --module esnext --allowJs --checkJs --strict false";
  const errors = compile({ "bundle.js": text }, [...options.split(" "), "--types", ""]);
  const unknown = errors.flatMap((line) => /Cannot find name '(.+?)'/.exec(line)?.[1] ?? []);
  expect([...new Set(unknown)]).toEqual(["fetch"]);
  // No methods newer than ES2022 either.
  expect(errors.filter((line) => /TS2550|change the 'lib'/.test(line))).toEqual([]);
});

it("it works with nothing but the language and fetch", async () => {
  const { text } = await bundle("iife");
  const documents: Record<string, unknown> = {
    "": { id: "p", versionId: null, fields: {}, steps: [], experiences: [] },
    "/experiences/e/content": { experienceId: "e", versionId: null, content: [], references: [] },
    "/schema": { $id: "svc:project/p/schema" },
  };
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    const body = documents[url.replace("https://host/api/v1/projects/p", "")];
    const status = body === undefined ? 404 : 200;
    const headers = { get: () => '"etag"' };
    return { ok: status === 200, status, headers, text: async () => JSON.stringify(body ?? {}) };
  };
  const values = await runInNewContext(
    `"use strict"; ${text}
    const { createClient, ApiError } = client;
    const c = createClient({ baseUrl: "https://host/api/v1/", projectId: "p" });
    (async () => {
      const { project, resolve } = await c.content("e");
      const error = await c.content("none").catch((error) => error);
      const found = resolve({ contentEntryId: "a" });
      return [project.id, found, (await c.schema()).$id, error instanceof ApiError, error.status];
    })()`,
    { fetch },
  );
  expect([...values]).toEqual(["p", undefined, "svc:project/p/schema", true, 404]);
  expect(asked).toHaveLength(5);
});
