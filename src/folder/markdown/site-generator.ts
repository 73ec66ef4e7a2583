import { join, posix, relative, resolve, sep } from "node:path";
import { isJsonObject, type JsonObject, type JsonValue } from "../../workspace/json.ts";
import { FaultyText, splitText } from "./front-matter.ts";
import { instantOf } from "./instants.ts";
import { MatterFault, tomlValues, yamlValues } from "./matter-values.ts";
import { type SiteConfig, textOf } from "./site-config.ts";
import type { TextFile, TextFiles } from "./text-files.ts";

/** A member that a folder gives its texts, and the file that says so. */
interface Given {
  readonly name: string;
  readonly value: JsonValue;
  readonly from: string;
}

/** X22c, X22e: what the generator that a folder is made for, as its config says, does with texts and their dates. */
export class SiteGenerator {
  /** X22e: members in whose first a text has the date from which on it is published. */
  readonly dateMembers: readonly string[];
  readonly whyDated: string;
  readonly #hasDatedNames: boolean;
  readonly #folders: ReadonlySet<string>;
  /** Of the nearest folder first. */
  readonly #defaults: readonly { readonly below: string; readonly given: readonly Given[] }[];

  /** @param dates whether a `date` ahead holds back; undefined: as the generator has it */
  constructor(files: TextFiles, dates: "publish" | "keep" | undefined) {
    const config = files.site;
    const hasPosts = files.texts.some((path) => /(?:^|\/)_posts\//.test(path));
    const generator = config?.generator ?? (hasPosts ? "Jekyll" : undefined);
    const isFuture = /^\s*["']?(?:buildFuture|future)["']?\s*[:=]\s*true\b/im.test(
      config?.text ?? "",
    );
    const dated = dates ?? (isFuture || !DATED.has(generator) ? "keep" : generator);
    this.dateMembers = DATED.get(dated) ?? [];
    this.#hasDatedNames = dated === "publish" || dated === "Jekyll";
    this.whyDated =
      dated === "publish" ? "as --dates says" : `as ${dated} has it (--dates keep: at once)`;
    const values = config?.generator === "Jekyll" ? valuesOf(config) : {};
    const { collections = {} } = values;
    const names = Array.isArray(collections) ? collections : Object.keys(collections ?? {});
    this.#folders = new Set(["_posts", ...names.map((name) => `_${name}`)]);
    const isZola = config?.generator === "Zola";
    const defaults = [...cascades(files, isZola), ...directoryData(files)];
    if (config !== undefined) defaults.push(...scopes(values, config, files.folder));
    this.#defaults = defaults.sort((a, b) => b.below.length - a.below.length);
  }

  /** What its folders give a text, the nearest one first. */
  defaultsOf(path: TextFile): readonly Given[] {
    return this.#defaults.flatMap(({ below, given }) => (isBelow(path, below) ? given : []));
  }

  /** X22c: how the path of a text holds it back. */
  heldByPath(path: TextFile): string | undefined {
    const folders = path.split("/");
    const name = folders.pop() ?? "";
    const folder = folders.find((one) => one.startsWith("_") && !this.#folders.has(one));
    if (folder !== undefined) return `the folder "${folder}"`;
    if (/^_(?!index\.)/.test(name)) return 'a name that begins with "_"';
    return /\.draft\./i.test(name) ? 'a name with ".draft"' : undefined;
  }

  /** X22e: the date in a name, as of `2099-01-01-a-post.md`. */
  dateOfName(path: TextFile): string | undefined {
    const [, date = ""] = /^(\d{4}-\d\d?-\d\d?)-/.exec(posix.basename(path)) ?? [];
    return this.#hasDatedNames ? instantOf(date) : undefined;
  }
}

/** Where a `date` ahead holds back, by what. Hugo takes the first that is there. */
const DATED: ReadonlyMap<string | undefined, readonly string[]> = new Map([
  ["Hugo", ["pubdate", "published", "date"]],
  ["Jekyll", ["date"]],
  ["publish", ["date"]],
]);

const isBelow = (path: string, folder: string) => folder === "" || path.startsWith(`${folder}/`);

function valuesOf({ name, text }: Pick<SiteConfig, "name" | "text">): JsonObject {
  try {
    const { value } = name.endsWith(".toml") ? tomlValues(text) : yamlValues(text);
    return isJsonObject(value) ? value : {};
  } catch (error) {
    if (error instanceof MatterFault) return {};
    throw error;
  }
}

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

/** Faults are told of where texts are read. */
function matterOf(bytes: Uint8Array): JsonObject {
  try {
    return splitText(bytes).matter;
  } catch (error) {
    if (error instanceof FaultyText) return {};
    throw error;
  }
}

/** What Eleventy reads beside texts: `posts/posts.json`, `posts/posts.11tydata.json`. */
function* directoryData({ texts, folder, name: root }: TextFiles) {
  const folders = new Set(
    texts.flatMap((path) => {
      const names = path.split("/").slice(0, -1);
      return ["", ...names.map((_, at) => names.slice(0, at + 1).join("/"))];
    }),
  );
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
  const inSite = relative(folder, resolve(below)).split(sep).join("/");
  for (const one of [defaults].flat()) {
    const { scope, values } = isJsonObject(one) ? one : {};
    if (!isJsonObject(values)) continue;
    const { path = "", type } = isJsonObject(scope) ? scope : {};
    const typed = typeof type === "string" ? posix.join(String(path), `_${type}`) : String(path);
    const wanted = type === "pages" ? String(path) : typed;
    if (isBelow(`${inSite}/`, wanted)) yield { below: "", given: given(values, name) };
    else if (inSite === "" || isBelow(wanted, inSite)) {
      yield {
        below: inSite === "" ? wanted : wanted.slice(inSite.length + 1),
        given: given(values, name),
      };
    }
  }
}
