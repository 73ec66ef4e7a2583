import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { type BuildOptions, buildSync } from "esbuild";
import { contentType } from "mime-types";

export interface PageFile {
  readonly type: string;
  readonly text: string;
}

/** The page's HTML document, which names the others, and those by name. */
export interface PageFiles {
  readonly shell: PageFile;
  readonly parts: Readonly<Record<string, PageFile>>;
  /** H47. */
  readonly siteScript: PageFile;
}

const FOLDER = join(import.meta.dirname, "browser");
/** In the order of the cascade. */
const STYLES = [
  "tokens",
  "frame",
  "parts",
  "lists",
  "palette",
  "tables",
  "fields",
  "prose",
  "edit",
  "rich",
  "changes",
  "site",
];

let made: PageFiles | undefined;

/**
 * H21: one script, one style sheet, the worker, the editor of rich text and the icon, each named by a hash of its bytes. From the
 * sources, esbuild bundles them at the first call; `scripts/bundle.ts` puts the result in place of this
 * module, so that the built program needs no esbuild.
 */
export function pageFiles(): PageFiles {
  made ??= bundledPage();
  return made;
}

function bundledPage(): PageFiles {
  const worker = bundled({ entryPoints: ["live-worker.ts"] });
  const richEditor = bundled({ entryPoints: ["rich-editor.ts"] });
  const define = {
    LIVE_WORKER: JSON.stringify(Object.keys(worker)[0]),
    RICH_EDITOR: JSON.stringify(Object.keys(richEditor)[0]),
  };
  const script = bundled({ entryPoints: ["main.tsx", "icon.svg"], define });
  const contents = STYLES.map((name) => `@import url(${name}.css);`).join("");
  const styles = bundled({ stdin: { contents, loader: "css", resolveDir: FOLDER } });
  const parts = { ...script, ...styles, ...worker, ...richEditor };
  const names = Object.keys(parts);
  const html = readFileSync(join(FOLDER, "index.html"), "utf8").replaceAll(
    /(?<=\/_svc\/page\/)(\w+)(\.\w+)/g,
    (name, stem, ending) =>
      names.find((one) => one.startsWith(`${stem}-`) && one.endsWith(ending)) ?? name,
  );
  const [siteScript] = Object.values(
    bundled({ entryPoints: ["site-script.ts"], format: "iife", target: "es2020" }),
  );
  const shell = { type: "text/html; charset=utf-8", text: html };
  return { shell, parts, siteScript: siteScript as PageFile };
}

function bundled(options: BuildOptions): Record<string, PageFile> {
  const { outputFiles = [] } = buildSync({
    absWorkingDir: FOLDER,
    outdir: FOLDER,
    entryNames: "[name]-[hash]",
    write: false,
    bundle: true,
    minify: true,
    format: "esm",
    target: "es2023",
    jsx: "automatic",
    jsxImportSource: "preact",
    loader: { ".svg": "copy" },
    external: ["/_svc/page/*"],
    ...options,
  });
  return Object.fromEntries(
    outputFiles.map(({ path, text }) => {
      const name = basename(path).replace("stdin", "page");
      return [name, { type: contentType(name) || "", text }];
    }),
  );
}
