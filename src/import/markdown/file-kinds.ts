import { posix } from "node:path";
import { TOOL_FILE } from "../../folder/reading.ts";

/** X23: endings of Markdown, which needs no front matter. */
const MARKDOWN = /\.(?:md|mdx|markdown|mdown|mkdn?|mkdown|mdwn|mdtxt|mdtext|mdoc|svx|qmd|rmd)$/i;

/** Programs: what is between lines of dashes in them is no front matter, and they are no content. */
const PROGRAM = /\.(?:astro|[cm]?[jt]sx?|vue|svelte|css|s[ac]ss|less|styl)$/i;

const DATA = /\.(?:ya?ml|json|toml)$/i;

/** X23h: data files that are not for the public, by their names. */
const SECRET = /secret|credential|vault|passw|token|\.env\b/i;

/** Configurations of site generators and other tools, in lower case; some of these names only beside the folders. */
const TOOL =
  /^[_.]|^(?:[jt]sconfig.*|composer|meta|netlify|vercel|wrangler|firebase|mkdocs|pyproject|cargo|(?:docker-)?compose.*|pnpm-.*|.+[.-](?:config|lock|schema|11tydata|settings))\.[^.]+$/;
const ROOT_TOOL =
  /^(?:config\/.*|(?:config|hugo|zola|book|theme|sidebars|versions|app|nx|now|turbo|lerna|fly|render|site\.webmanifest)(?:[.-][^/]*)?\.[^./]+)$/;

/** The address of a text: its path without extension; of `index` and the like that of its folder. */
export function addressOf(stem: string): string {
  const short = stem.replace(/(?:^|\/)(?:index|_index|README)$/, "");
  return short === "" ? "/" : short;
}

export function isMarkdown(path: string): boolean {
  return MARKDOWN.test(path);
}

/** X23b. */
export function isDataFile(path: string): boolean {
  return DATA.test(path);
}

/** X23b: configurations, also that of a folder for what is in it, as Eleventy has it. */
export function isConfiguration(path: string): boolean {
  const [lower, name] = [path.toLowerCase(), posix.basename(path).toLowerCase()];
  if (TOOL.test(name) || TOOL_FILE.test(name) || ROOT_TOOL.test(lower)) return true;
  return withoutExtension(name) === posix.basename(posix.dirname(lower));
}

/** X23h. */
export function isSecret(path: string): boolean {
  return isDataFile(path) && SECRET.test(posix.basename(path));
}

export function isProgram(path: string): boolean {
  return PROGRAM.test(path);
}

export function withoutExtension(path: string): string {
  return path.replace(/\.[^./]+$/, "");
}

/** In lower case. */
export function endingOf(path: string): string {
  return /\.[^./]+$/.exec(path)?.[0].toLowerCase() ?? "without an ending";
}
