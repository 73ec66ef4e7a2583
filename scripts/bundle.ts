// The last step of `npm run build`: dist/bin/svc.js and its chunks, made of the modules of src/ and
// of packages that each start would have to gather file by file (ajv alone has 86). A command stays
// a chunk of its own, which is loaded when it runs. test/bench/start.ts tells what it gains.
import { cpSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { build, type Plugin } from "esbuild";
import packageJson from "../package.json" with { type: "json" };
import { programFingerprint } from "../src/cli/program-fingerprint.ts";
import { builtins } from "./builtins.ts";
import { compiledMetaSchema } from "./compiled-meta-schema.ts";

/** Packages of plain JavaScript that the commands run most need; the others are found as ever. */
const BUNDLED = ["commander", "ajv", "ajv-formats", "diff", "fast-json-stable-stringify"];

const metaSchema: Plugin = {
  name: "meta-schema",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]documents[/\\]meta-schema\.ts$/ }, ({ path }) => ({
      contents: compiledMetaSchema(),
      resolveDir: join(path, ".."),
    }));
  },
};

/** What renders is known now, so that no start has to look for it. */
const fingerprint: Plugin = {
  name: "fingerprint",
  setup({ onLoad }) {
    onLoad({ filter: /[/\\]src[/\\]cli[/\\]program-fingerprint\.ts$/ }, () => ({
      contents: `export const programFingerprint = () => "${programFingerprint()}";`,
    }));
  },
};

const root = join(import.meta.dirname, "..");

/** The preview page's files and the edge functions, which the program reads from beside itself. */
const READ_AT_RUN_TIME = ["src/server/page/assets", "src/deploy/edge/function/cloudfront"];

/** @param folder where the program is written, below the package; it is removed first. */
export async function bundle(folder = "dist/bin"): Promise<void> {
  rmSync(join(root, folder), { recursive: true, force: true });
  await build({
    absWorkingDir: root,
    entryPoints: {
      svc: "bin/svc.ts",
      "serving-worker": "src/cli/serving-worker.ts",
      "import-thread": "src/follow/import-thread.ts",
    },
    outdir: folder,
    chunkNames: "[name]-[hash]",
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node22",
    external: Object.keys(packageJson.dependencies).filter((name) => !BUNDLED.includes(name)),
    plugins: [builtins, metaSchema, fingerprint],
    logLevel: "warning",
  });
  for (const read of READ_AT_RUN_TIME) {
    cpSync(join(root, read), join(root, folder, basename(read)), { recursive: true });
  }
}

if (import.meta.main) await bundle();
