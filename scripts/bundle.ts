// The last step of `npm run build`: bundles src/ and some packages into dist/bin/svc.js and its
// chunks, because loading them file by file is slow (ajv alone has 86). Each command stays a chunk of
// its own, loaded when it runs. test/bench/start.ts measures the gain.
import { cpSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import packageJson from "../package.json" with { type: "json" };
import { programFingerprint } from "../src/cli/program/program-fingerprint.ts";
import { pageFiles } from "../src/page/page-files.ts";
import { builtins } from "./builtins.ts";
import { compiledMetaSchema, compiledShapes } from "./compiled-checks.ts";

/**
 * Packages that the most used commands need, all plain JavaScript. Others stay external: of
 * serve-handler's url.parse Node warns outside of node_modules.
 */
const BUNDLED = [
  "commander",
  "ajv",
  "ajv-formats",
  "diff",
  "fast-json-stable-stringify",
  "@eslint-community/regexpp",
  "image-size",
  "jsonc-parser",
  "mime-types",
  "p-map",
];

/** Checks that take as long to compile as Node takes to start. */
const compiledChecks: Plugin = {
  name: "compiled-checks",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]documents[/\\]meta-schema\.ts$/ }, ({ path }) => ({
      contents: compiledMetaSchema(),
      resolveDir: join(path, ".."),
    }));
    onLoad({ filter: /[/\\]src[/\\]records[/\\]shape-check\.ts$/ }, ({ path }) => ({
      contents: compiledShapes(),
      resolveDir: join(path, ".."),
    }));
  },
};

/** What is computed at build time: the fingerprint, and the files of the preview page. */
const computed: Plugin = {
  name: "computed",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]cli[/\\]program[/\\]program-fingerprint\.ts$/ }, () => ({
      contents: `export const programFingerprint = () => "${programFingerprint()}";`,
    }));
    onLoad({ filter: /[/\\]src[/\\]page[/\\]page-files\.ts$/ }, () => ({
      contents: `export const pageFiles = () => (${JSON.stringify(pageFiles())});`,
    }));
  },
};

/** Packages as a bundle can have them. */
const packages: Plugin = {
  name: "packages",
  setup({ onLoad, onResolve }) {
    // Its main file requires others by a parameter, which no bundler sees.
    onResolve({ filter: /^jsonc-parser$/ }, ({ resolveDir }) => ({
      path: "jsonc-parser",
      namespace: "as-default",
      pluginData: resolveDir,
    }));
    onLoad({ filter: /.*/, namespace: "as-default" }, ({ path, pluginData }) => ({
      contents: `export * as default from "${path}/lib/esm/main.js";`,
      resolveDir: pluginData,
    }));
    // Of its 2,500 media types the program asks for the character set alone.
    onLoad({ filter: /[/\\]mime-db[/\\]index\.js$/ }, ({ path }) => {
      const all: Record<string, { charset?: string }> = createRequire(path)(path);
      const some = Object.entries(all).flatMap(([type, { charset }]) =>
        charset === undefined ? [] : [[type, { charset }]],
      );
      return { contents: `module.exports = ${JSON.stringify(Object.fromEntries(some))}` };
    });
    // It compares 1,000 media types whenever it is loaded, which takes a third of the start of Node.
    onLoad({ filter: /[/\\]mime-types[/\\]index\.js$/ }, ({ path }) => {
      const { types } = createRequire(path)(path);
      const [made, filled] = [
        "populateMaps(exports.extensions, exports.types)",
        `Object.assign(exports.types, ${JSON.stringify(types)})`,
      ];
      const source = readFileSync(path, "utf8");
      if (!source.includes(made)) throw new Error(`${path} has no ${made}`);
      return { contents: source.replace(made, () => filled) };
    });
  },
};

const root = join(import.meta.dirname, "..");

/** What svc cdn prints, which the program reads from beside itself. */
const PRINTED = "src/deploy/edge/printed";

/**
 * @param folder where the program is written, below the package; it is removed first.
 * @param more further entry points that share its chunks, by name.
 */
export async function bundle(
  folder = "dist/bin",
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  rmSync(join(root, folder), { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: {
      svc: "bin/svc.ts",
      "draft-worker": "src/cli/threads/draft-worker.ts",
      "publish-worker": "src/cli/threads/publish-worker.ts",
      ...more,
    },
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: Object.keys(packageJson.dependencies).filter((name) => !BUNDLED.includes(name)),
    plugins: [builtins, packages, compiledChecks, computed],
    logLevel: "warning",
  });
  cpSync(join(root, PRINTED), join(root, folder, basename(PRINTED)), { recursive: true });
}

if (import.meta.main) await bundle();
