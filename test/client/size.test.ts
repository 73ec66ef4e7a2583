import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { compile, ROOT } from "../support/compiler.ts";

/** A module of the client as bundled for a web page. */
async function bundle(name: string) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    entryPoints: [`src/client/${name}.ts`],
    bundle: true,
    minify: true,
    format: "esm",
    platform: "neutral",
    target: "es2022",
    write: false,
    metafile: true,
    logLevel: "silent",
  });
  const [output] = Object.values(metafile.outputs);
  return { text: outputFiles[0]?.text ?? "", inputs: Object.keys(metafile.inputs), output };
}

it.each([
  ["K3", "client", 2000, ["ApiError", "createClient"], ["clearTimeout", "fetch", "setTimeout"]],
  ["K5", "rich-text", 2000, ["escapeHtml", "toHtml", "walk"], []],
] as const)(
  "%s: %s is under %i bytes minified and gzipped, imports nothing, and uses only the language (and fetch, timers)",
  async (_rule, name, most, exported, used) => {
    const { text, inputs, output } = await bundle(name);
    expect(gzipSync(text, { level: 9 }).byteLength).toBeLessThan(most);
    expect(inputs.filter((path) => !path.startsWith("src/client/"))).toEqual([]);
    expect(output?.imports).toEqual([]);
    expect(output?.exports.sort()).toEqual(exported);
    expect(text).not.toMatch(/\b(?:import|require|eval|Function)\b\s*[(."'{]/);
    const options =
      "--target es2022 --lib es2022 --module esnext --allowJs --checkJs --strict false";
    const errors = compile({ "bundle.js": text }, [...options.split(" "), "--types", ""]);
    const unknown = errors.flatMap((line) => /Cannot find name '(.+?)'/.exec(line)?.[1] ?? []);
    expect([...new Set(unknown)].sort()).toEqual(used);
    // No methods newer than ES2022 either.
    expect(errors.filter((line) => /TS2550|change the 'lib'/.test(line))).toEqual([]);
  },
);
