import { dirname, join, posix } from "node:path";
import { Pattern } from "../../fields/pattern/pattern.ts";
import { isJsonObject, type JsonValue } from "../../workspace/json.ts";
import { isMarkdown } from "./file-kinds.ts";
import { linksIn } from "./links.ts";
import { ignoredBy, type PathTest } from "./path-patterns.ts";
import { relativeIn, type SiteConfig, textOf, valuesOf } from "./site-config.ts";
import type { TextFile, TextFiles } from "./text-files.ts";

/** X22i: texts that a config keeps from the public. */
export interface Exclusion {
  /** The member and its file. */
  readonly by: string;
  readonly test: (path: TextFile) => boolean;
}

export interface Exclusions {
  readonly held: readonly Exclusion[];
  /** What holds back in its tool, and is no list that can be read. */
  readonly unread: readonly string[];
}

/** Patterns of a config, as `.gitignore` has them; undefined: they cannot be read. */
interface Listed {
  readonly member: string;
  readonly lines: readonly string[] | undefined;
  /** Folders of the site that they are relative to. */
  readonly bases: readonly string[];
}

const ELEVENTY = ".eleventyignore";

type Lists = (config: SiteConfig) => readonly Listed[];

const LISTS: ReadonlyMap<SiteConfig["generator"], Lists> = new Map<SiteConfig["generator"], Lists>([
  ["Jekyll", (config) => [jekyll(valuesOf(config).exclude)]],
  [
    "Zola",
    (config) => listed("ignored_content", textsOf(valuesOf(config).ignored_content), "content"),
  ],
  ["Eleventy", ({ text }) => listed(ELEVENTY, text.split("\n"), "")],
  ["MkDocs", mkdocs],
  ["Quartz", quartz],
  ["VitePress", (config) => programmed(config, "srcExclude", vitepressFolder(config))],
  ["Docusaurus", (config) => programmed(config, "exclude", "docs", "blog", "src/pages")],
  ["Sphinx", (config) => programmed(config, "exclude_patterns", "")],
]);

/** @param folders that have texts. */
export function exclusionsIn(files: TextFiles, folders: Iterable<string>): Exclusions {
  const { sites, folder } = files;
  const held: Exclusion[] = [];
  const unread: string[] = [];
  for (const site of sites) {
    const inSite = relativeIn(site.folder, folder);
    for (const { member, lines, bases } of LISTS.get(site.generator)?.(site) ?? []) {
      const by = member === site.name ? member : `"${member}" in ${site.name}`;
      if (lines === undefined) unread.push(by);
      else held.push({ by, test: within(inSite, bases, ignoredBy(lines)) });
    }
    if (site.generator === "Hugo") held.push(...hugo(site, folder, unread));
    if (site.generator === "mdBook") held.push(...book(site, files));
    if (site.generator === "Nuxt") {
      held.push({ by: 'a name that begins with "-"', test: (path) => /(?:^|\/)-/.test(path) });
    }
  }
  // Eleventy reads that of its folder of texts too.
  for (const below of folders) {
    const by = posix.join(below, ELEVENTY);
    const lines = below === "" ? undefined : textOf(join(folder, by))?.split("\n");
    if (lines !== undefined) held.push({ by, test: within("", [below], ignoredBy(lines)) });
  }
  return { held, unread };
}

/** Texts that MkDocs shows, but not in its navigation. */
export function notInNavigation({ sites, folder }: TextFiles): Exclusion[] {
  return sites.flatMap((site) => {
    if (site.generator !== "MkDocs") return [];
    const { lines = [], bases } = mkdocsList(site, "not_in_nav");
    return [
      { by: site.name, test: within(relativeIn(site.folder, folder), bases, ignoredBy(lines)) },
    ];
  });
}

function within(inSite: string, bases: readonly string[], test: PathTest): PathTest {
  return (path) =>
    bases.some((base) => {
      const inBase = posix.relative(`/${base}`, posix.join("/", inSite, path));
      return !inBase.startsWith("../") && test(inBase);
    });
}

function listed(
  member: string,
  lines: readonly string[] | undefined,
  ...bases: readonly string[]
): Listed[] {
  return [{ member, lines, bases }];
}

/** Of the site, in which `*` is any text. */
function jekyll(exclude: JsonValue | undefined): Listed {
  const lines = textsOf(exclude).map((one) => anywhere(one.trim()));
  return { member: "exclude", lines: lines.filter((line) => line !== "/"), bases: [""] };
}

function mkdocs(config: SiteConfig): Listed[] {
  const lists = ["exclude_docs", "draft_docs"].map((member) => mkdocsList(config, member));
  const plugins = [valuesOf(config).plugins ?? []].flat();
  const globs = plugins.flatMap((one) =>
    isJsonObject(one) && isJsonObject(one.exclude) ? textsOf(one.exclude.glob) : [],
  );
  lists.push({ ...mkdocsList(config, "plugins"), member: "exclude", lines: globs.map(anywhere) });
  // That it excludes by itself.
  return lists.map((one) =>
    one.member === "exclude_docs" ? { ...one, lines: ["/templates/", ...(one.lines ?? [])] } : one,
  );
}

function mkdocsList(config: SiteConfig, member: string): Listed {
  const values = valuesOf(config);
  const { docs_dir: folder = "docs" } = values;
  const lines = textsOf(values[member]).flatMap((text) => text.split("\n"));
  return { member, lines, bases: [posix.normalize(String(folder))] };
}

function quartz(config: SiteConfig): Listed[] {
  if (/\.ts$/.test(config.name)) {
    const member = "ignorePatterns";
    const isThere = config.text.includes(member);
    return isThere
      ? programmed(config, member, "content")
      : listed("private", ["/private"], "content");
  }
  const { configuration } = valuesOf(config);
  const { ignorePatterns = ["private"] } = isJsonObject(configuration) ? configuration : {};
  return listed("ignorePatterns", textsOf(ignorePatterns).map(anchored), "content");
}

/** Whether Quartz publishes only what says so. */
export function isExplicit({ generator, name, text }: SiteConfig): boolean {
  if (generator !== "Quartz") return false;
  if (/\.ts$/.test(name)) return /\bExplicitPublish\s*\(/.test(withoutComments(text));
  const { plugins } = valuesOf({ name, text });
  return [plugins ?? []].flat().some((plugin) => {
    const isNamed = /explicit-?publish/i.test(JSON.stringify(plugin));
    return isNamed && !(isJsonObject(plugin) && plugin.enabled === false);
  });
}

function vitepressFolder({ name, text }: SiteConfig): string {
  const [, source = ""] = /\bsrcDir\s*:\s*["'`]([^"'`]+)/.exec(text) ?? [];
  return posix.join(dirname(dirname(name)), source);
}

/** mdBook makes pages only of what its table of contents links. */
function book(config: SiteConfig, files: TextFiles): Exclusion[] {
  const { book } = valuesOf(config);
  const source = posix.normalize(String((isJsonObject(book) ? book.src : undefined) ?? "src"));
  const inSite = relativeIn(config.folder, files.folder);
  const summary = posix.relative(inSite, posix.join(source, "SUMMARY.md"));
  if (!files.isText(summary)) return [];
  const linked = new Set(
    linksIn(files.read(summary).toString()).map(({ href }) => files.linked(summary, href)),
  );
  const below = summary.slice(0, -"SUMMARY.md".length);
  const isPage = (path: TextFile) => path.startsWith(below) && isMarkdown(path);
  const test = (path: TextFile) => path !== summary && isPage(path) && !linked.has(path);
  return [{ by: `absence from ${summary}`, test }];
}

/** Hugo's are expressions for whole paths. */
function hugo(config: SiteConfig, folder: string, unread: string[]): Exclusion[] {
  const [, patterns] =
    Object.entries(valuesOf(config)).find(([name]) => name.toLowerCase() === "ignorefiles") ?? [];
  const by = `"ignoreFiles" in ${config.name}`;
  return textsOf(patterns).flatMap((source) => {
    const pattern = patternOf(source);
    if (pattern === undefined) unread.push(by);
    // What takes too long is held back, as it may fit.
    return pattern ? [{ by, test: (path) => pattern.test(join(folder, path)) !== false }] : [];
  });
}

function patternOf(source: string): Pattern | undefined {
  try {
    const pattern = Pattern.of(source);
    return pattern.unbounded === undefined ? pattern : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A list of texts in a program, as a glob has them: relative to the folder, also without "/". */
function programmed({ text, name }: SiteConfig, member: string, ...bases: string[]): Listed[] {
  const code = withoutComments(text, name.endsWith(".py") ? "#" : "//");
  return Array.from(
    code.matchAll(RegExp(`\\b${member}["']?\\s*[:=]\\s*(?:\\[(?<list>[^\\]]{0,10000})\\])?`, "g")),
    ({ groups: { list } = {} }) => {
      // What is no text in quotes is made by the program.
      const isPlain = list !== undefined && /^[\s,]*$/.test(list.replace(QUOTED, ""));
      const texts = Array.from(list?.matchAll(QUOTED) ?? [], ([one]) => one.slice(1, -1));
      return { member, lines: isPlain ? texts.map(anchored) : undefined, bases };
    },
  );
}

const QUOTED = /"[^"\n]*"|'[^'\n]*'|`[^`$\n]*`/g;

function withoutComments(text: string, mark = "//"): string {
  const comment = RegExp(`(${QUOTED.source})|${mark}.*|/\\*\\s[\\s\\S]{0,10000}?\\*/`, "g");
  return text.replace(comment, (_, quoted: string | undefined) => quoted ?? "");
}

/** A pattern without "/" fits at the beginning alone. */
function anchored(pattern: string): string {
  return pattern.startsWith("!")
    ? `!/${pattern.slice(1)}`
    : `/${pattern.replace(/^(?:\.?\/)+/, "")}`;
}

/** Of the whole path, in which `*` is any text. */
function anywhere(pattern: string): string {
  return anchored(pattern).replace(/\*+/g, "**");
}

function textsOf(value: JsonValue | undefined): string[] {
  return [value ?? []].flat().flatMap((one) => (one === null ? [] : [String(one)]));
}
