import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { compile, ROOT } from "../support/compiler.ts";

/** A module as bundled for a web page. */
async function bundle(entry: { entryPoints: string[] } | { stdin: { contents: string } }) {
  const { outputFiles, metafile } = await build({
    absWorkingDir: ROOT,
    ...entry,
    ...("stdin" in entry && { stdin: { ...entry.stdin, loader: "ts", resolveDir: CLIENT } }),
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

const CLIENT = join(ROOT, "src/client");

it.each([
  ["K3", "client", 2300, ["ApiError", "createClient"], ["clearTimeout", "fetch", "setTimeout"]],
  ["K5", "rich-text", 2000, ["elements", "escapeHtml", "toHtml", "walk"], []],
] as const)(
  "%s: %s is under %i bytes minified and gzipped, imports nothing, and uses only the language (and fetch, timers)",
  async (_rule, name, most, exported, used) => {
    const { text, inputs, output } = await bundle({ entryPoints: [`src/client/${name}.ts`] });
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

it("K3: who imports ApiError alone gets nothing else, and who imports types or uses nothing gets nothing", async () => {
  const textOf = async (contents: string) => (await bundle({ stdin: { contents } })).text;
  const error = await textOf('import { ApiError } from "./client.ts"; console.log(ApiError);');
  expect(error).toContain('"ApiError"');
  expect(error).not.toMatch(/fetch|projects|experience/);
  expect(error.length).toBeLessThan(250);
  for (const names of ["type Content, type Client", "ApiError, createClient"]) {
    expect(await textOf(`import { ${names} } from "./client.ts"; console.log(1);`)).toBe(
      "console.log(1);\n",
    );
  }
});
