import { join, posix } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { type Exclusion, exclusionsIn, isExplicit, notInNavigation } from "./exclusions.ts";
import { FaultyText, splitText } from "./front-matter.ts";
import { instantOf } from "./instants.ts";
import { relativeIn, type SiteConfig, textOf, valuesOf } from "./site-config.ts";
import type { TextFile, TextFiles } from "./text-files.ts";

/** A member that a folder gives its texts, and the file that says so. */
interface Given {
  readonly name: string;
  readonly value: JsonValue;
  readonly from: string;
}

/** What is given to the texts of a folder, or to one text, but `unless` is true of their paths. */
interface Defaults {
  readonly below: string;
  readonly given: readonly Given[];
  readonly unless?: (path: TextFile) => boolean;
}

/** X22c, X22e: what the generator that a folder is made for, as its config says, does with texts and their dates. */
export class SiteGenerator {
  /** X22e: members in whose first a text has the date from which on it is published. */
  readonly dateMembers: readonly string[];
  readonly whyDated: string;
  readonly #hasDatedNames: boolean;
  readonly #folders: ReadonlySet<string>;
  /** Of the nearest folder first. */
  readonly #defaults: readonly Defaults[];
  readonly #excluded: readonly Exclusion[];
  /** X22i: members of configs that hold texts back, and cannot be read. */
  readonly unread: readonly string[];
  /** X22j: whether only texts with `publish: true` are published. */
  readonly isExplicit: boolean;

  /** @param dates whether a `date` ahead holds back; undefined: as the generator has it */
  constructor(files: TextFiles, dates: "publish" | "keep" | undefined) {
    const config = files.sites.find(({ generator }) => OF_BLOGS.has(generator));
    const hasPosts = files.texts.some((path) => /(?:^|\/)_posts\//.test(path));
    const generator = config?.generator ?? (hasPosts ? "Jekyll" : undefined);
    const [, future = `${generator === "Hexo"}`] =
      /^\s*["']?(?:buildFuture|future)["']?\s*[:=]\s*(true|false)\b/im.exec(config?.text ?? "") ??
      [];
    const isFuture = future.toLowerCase() === "true";
    const dated = dates ?? (isFuture || !DATED.has(generator) ? "keep" : generator);
    this.dateMembers = DATED.get(dated) ?? [];
    this.#hasDatedNames = dated !== "keep" && dated !== "Hugo";
    this.whyDated =
      dated === "publish" ? "as --dates says" : `as ${dated} has it (--dates keep: at once)`;
    const values = config?.generator === "Jekyll" ? valuesOf(config) : {};
    const { collections = {} } = values;
    const shown = Object.entries(isJsonObject(collections) ? collections : {}).filter(
      ([, one]) => isJsonObject(one) && one.output === true,
    );
    this.#folders = new Set(["_posts", ...shown.map(([name]) => `_${name}`)]);
    const folders = foldersOf(files.texts);
    const { held, unread } = exclusionsIn(files, folders);
    this.#excluded = held;
    this.unread = unread;
    this.isExplicit = files.sites.some(isExplicit);
    const isZola = config?.generator === "Zola";
    const defaults: Defaults[] = [...cascades(files, isZola), ...directoryData(files, folders)];
    for (const { by, test } of notInNavigation(files)) {
      const members = given({ not_in_nav: true }, by);
      defaults.push({ below: "", given: members, unless: (path) => !test(path) });
    }
    if (config?.generator === "Hugo") defaults.push(...bundles(files, config));
    if (config !== undefined) defaults.push(...scopes(values, config, files.folder));
    this.#defaults = defaults.sort((a, b) => b.below.length - a.below.length);
  }

  /** What its folders give a text, the nearest one first. */
  defaultsOf(path: TextFile): readonly Given[] {
    return this.#defaults.flatMap(({ below, given, unless }) =>
      isBelow(path, below) && !unless?.(path) ? given : [],
    );
  }

  /** X22c: how the path of a text holds it back. */
  heldByPath(path: TextFile): string | undefined {
    const folders = path.split("/");
    const name = folders.pop() ?? "";
    const folder = folders.find((one) => one.startsWith("_") && !this.#folders.has(one));
    if (folder !== undefined) return `the folder "${folder}"`;
    const excluded = this.#excluded.find(({ test }) => test(path));
    if (excluded !== undefined) return excluded.by;
    if (/^_(?!index\.)/.test(name)) return 'a name that begins with "_"';
    return /\.draft\./i.test(name) ? 'a name with ".draft"' : undefined;
  }

  /** X22e: the date in a name, as of `2099-01-01-a-post.md`; without `at` it is none. */
  dateOfName(path: TextFile): { at?: string | undefined; isReal: boolean } | undefined {
    const [, date] = /^(\d{4}-\d\d?-\d\d?)-/.exec(posix.basename(path)) ?? [];
    if (date === undefined || !this.#hasDatedNames) return undefined;
    const at = instantOf(date);
    return { at, isReal: at !== undefined };
  }
}

const OF_BLOGS: ReadonlySet<SiteConfig["generator"]> = new Set(["Hugo", "Jekyll", "Hexo", "Zola"]);

/** Where a `date` ahead holds back, by what. Hugo takes the first that is there. */
const DATED: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["Hugo", ["pubdate", "published", "date"]],
  ["Jekyll", ["date"]],
  // With `future: false` alone.
  ["Hexo", ["date"]],
  ["publish", ["date"]],
]);

/** Whether a path is in a folder, or that of a file itself. */
const isBelow = (path: string, folder: string) =>
  folder === "" || path === folder || path.startsWith(`${folder}/`);

function given(members: JsonObject, from: string): Given[] {
  return Object.entries(members).map(([name, value]) => ({ name, value, from }));
}

/** The `cascade` of Hugo, whatever it is aimed at; a section that is a draft, as Zola has it. */
function* cascades(files: TextFiles, isZola: boolean) {
  for (const path of files.texts) {
    if (!/(?:^|\/)_index\.[^/]*$/.test(path)) continue;
    const { cascade = null, draft = null } = matterOf(files.read(path));
    const below = path.split("/").slice(0, -1).join("/");
    const members = [cascade].flat().flatMap((one) => (isJsonObject(one) ? given(one, path) : []));
    if (isZola && draft === true) members.push(...given({ draft }, path));
    if (members.length > 0) yield { below, given: members };
  }
}

/** What texts beside an `index`, and below it, have of Hugo's leaf bundle: they are shown with it. */
const OF_BUNDLE = /^(?:draft|headless|date|pubdate|published|(?:publish|expiry)date)$/i;
const INDEX = /^index\.[^/]*$/;

function* bundles(files: TextFiles, { folder }: SiteConfig): Generator<Defaults> {
  for (const path of files.texts) {
    const below = posix.dirname(path);
    const isContentItself = relativeIn(folder, join(files.folder, below)) === "content";
    if (!INDEX.test(posix.basename(path)) || below === "." || isContentItself) continue;
    const all = given(matterOf(files.read(path)), path);
    const members = all.filter(({ name }) => OF_BUNDLE.test(name));
    // An index in another language is a page of its own.
    const unless = (one: TextFile) =>
      posix.dirname(one) === below && INDEX.test(posix.basename(one));
    if (members.length > 0) yield { below, given: members, unless };
  }
}

function trimmed(path: string): string {
  return path.replace(/^(?:\.?\/)+|\/+$/g, "");
}

/** Faults are told of where texts are read. */
function matterOf(bytes: Uint8Array): JsonObject {
  try {
    return splitText(bytes).matter;
  } catch (error) {
    if (error instanceof FaultyText) return {};
    throw error;
  }
}

function foldersOf(texts: readonly TextFile[]): ReadonlySet<string> {
  return new Set(
    texts.flatMap((path) => {
      const names = path.split("/").slice(0, -1);
      return ["", ...names.map((_, at) => names.slice(0, at + 1).join("/"))];
    }),
  );
}

/** What Eleventy reads beside texts: `posts/posts.json`, `posts/posts.11tydata.json`. */
function* directoryData({ folder, name: root }: TextFiles, folders: ReadonlySet<string>) {
  for (const below of folders) {
    const name = posix.basename(below) || root;
    for (const file of [`${name}.json`, `${name}.11tydata.json`]) {
      const path = posix.join(below, file);
      const text = textOf(join(folder, path));
      const members = text === undefined ? [] : given(valuesOf({ name: path, text }), path);
      if (members.length > 0) yield { below, given: members };
    }
  }
}

/** The `defaults` of Jekyll. */
function* scopes({ defaults = null }: JsonObject, { folder, name }: SiteConfig, below: string) {
  const inSite = relativeIn(folder, below);
  for (const one of [defaults].flat()) {
    const { scope, values } = isJsonObject(one) ? one : {};
    if (!isJsonObject(values)) continue;
    const { path: scoped, type } = isJsonObject(scope) ? scope : {};
    const path = trimmed(String(scoped ?? ""));
    const isTyped = typeof type === "string" && type !== "pages";
    const wanted = isTyped ? posix.join(path, `_${type}`) : path;
    if (isBelow(`${inSite}/`, wanted)) yield { below: "", given: given(values, name) };
    else if (inSite === "" || isBelow(wanted, inSite)) {
      yield {
        below: inSite === "" ? wanted : wanted.slice(inSite.length + 1),
        given: given(values, name),
      };
    }
  }
}
