import { isUtf8 } from "node:buffer";
import {
  closeSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  realpathSync,
  statSync,
} from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { isPrivate } from "../../folder/asset-records.ts";
import { hasWorkspaceFile, isPublished } from "../../folder/find-workspace.ts";
import { Faults, isIgnored, isRecordPath } from "../../folder/reading.ts";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import {
  endingOf,
  isConfiguration,
  isDataFile,
  isMarkdown,
  isProgram,
  isSecret,
  withoutExtension,
} from "./file-kinds.ts";
import { dataText, FaultyText, LANGUAGES, type MarkdownText, splitText } from "./front-matter.ts";
import { configsOf, type SiteConfig } from "./site-config.ts";

export const HOW_TO_USE =
  "name the folder whose texts are the content: Markdown, or files with front matter";

/** The folders that a link from the root may mean, as site generators serve them. */
const SERVED = ["", "static", "public", "assets", "content", "source"];

/** X23b: larger data files are kept as a database is, and no entry. */
const LARGEST_DATA = 2 ** 20;

/** X23h: folders of a site that are templates, or what these show. */
const NO_CONTENT: ReadonlyMap<SiteConfig["generator"], readonly string[]> = new Map([
  ["Hugo", ["archetypes", "data", "i18n", "themes"]],
  ["Hexo", ["scaffolds", "themes"]],
]);

function foldersOf(sites: readonly SiteConfig[]): ReadonlySet<string> {
  const names = sites.flatMap(({ generator, folder }) =>
    (NO_CONTENT.get(generator) ?? []).map((name) => join(folder, name)),
  );
  return new Set(names);
}

export type TextFile = string;

/** X23e: a file of the folder that is left out: what it counts as, and why. */
export interface LeftOutFile {
  readonly path: string;
  readonly countedAs: string;
  readonly reason: string;
}

export class TextFiles {
  readonly folder: string;
  readonly name: string;
  /** Beside each other. */
  readonly sites: readonly SiteConfig[];
  readonly texts: readonly TextFile[];
  /** X23b: data files that may be entries. */
  readonly data: readonly TextFile[];
  /** All files below the folder, texts too. */
  readonly #files: ReadonlySet<string>;
  readonly #texts: ReadonlySet<TextFile>;
  readonly #data: ReadonlySet<TextFile>;
  /** Texts by their path without ending, Markdown first. */
  readonly #byStem: ReadonlyMap<string, TextFile>;
  /** Texts and other files by their last name in lower case, the shortest path first. */
  readonly #byName: ReadonlyMap<string, string>;
  /** What is not looked into. */
  readonly #passed: readonly LeftOutFile[];

  /** @throws SvcError `export-not-found`, `export-invalid`; UsageError for several folders. */
  constructor([folder = "", ...others]: readonly string[], schema?: string) {
    if (others.length > 0) throw new UsageError("Markdown is imported from one folder", "name one");
    const stats = statSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) {
      throw new SvcError("export-not-found", `there is no folder "${folder}"`, {
        hint: HOW_TO_USE,
      });
    }
    if (!stats.isDirectory()) throw invalidFolder(folder, "it is not a folder");
    this.name = basename(resolve(folder));
    // X19h: the site is looked for where the folder is, and links within it are not read.
    if (lstatSync(folder).isSymbolicLink()) folder = realpathSync(folder);
    this.folder = folder;
    const passed: LeftOutFile[] = [];
    this.sites = configsOf(folder);
    const files = filesBelow(folder, "", passed, foldersOf(this.sites)).sort(byCodeUnit);
    this.#passed = passed;
    this.#files = new Set(files);
    this.texts = files.filter((path) => isMarkdown(path) || hasFrontMatter(join(folder, path)));
    this.#texts = new Set(this.texts);
    const isSchema = (path: string) =>
      schema !== undefined && resolve(folder, path) === resolve(schema);
    this.data = files.filter((path) => this.#isData(path) && !isSchema(path));
    this.#data = new Set(this.data);
    if (this.texts.length === 0) {
      const counts = Map.groupBy(this.leftOut(new Set()), ({ countedAs }) => countedAs);
      const there = Array.from(counts, ([what, { length }]) => `${what} (${length})`).join(", ");
      throw invalidFolder(
        folder,
        `it has no text, ${there === "" ? "and no file" : `but ${there}`}`,
      );
    }
    const byForm = [...this.texts].sort((a, b) => Number(isMarkdown(b)) - Number(isMarkdown(a)));
    this.#byStem = firstOf(byForm.map((path) => [withoutExtension(path), path]));
    const byLength = [...files].sort((a, b) => depth(a) - depth(b) || byCodeUnit(a, b));
    this.#byName = firstOf(
      byLength.flatMap((path): [string, string][] => {
        const name = posix.basename(path).toLowerCase();
        return this.isText(path)
          ? [
              [name, path],
              [withoutExtension(name), path],
            ]
          : [[name, path]];
      }),
    );
  }

  #isData(path: string): boolean {
    if (!isDataFile(path) || isSecret(path) || isConfiguration(path)) return false;
    if (hasWorkspaceFile(this.folder) && isRecordPath(path)) return false;
    const file = join(this.folder, path);
    return statSync(file).size <= LARGEST_DATA && !isMarked(file);
  }

  /**
   * Reads texts and data files, and leaves out those with faults, and data that is no map.
   *
   * @param groups of texts that are yielded together.
   *
   * @throws SvcError `export-invalid` with all faults (X19d), after the last text.
   */
  *split<T extends { readonly path: TextFile }, G extends { readonly texts: readonly T[] }>(
    groups: Iterable<G>,
  ): Generator<readonly [group: G, texts: readonly (T & { readonly text: MarkdownText })[]]> {
    const faults = new Faults();
    for (const group of groups) {
      const texts = group.texts.flatMap((one) => {
        const text = this.#split(one.path, faults);
        return text === undefined ? [] : [{ ...one, text }];
      });
      if (texts.length > 0) yield [group, texts];
    }
    if (!faults.any) return;
    const count = faults.list.length;
    throw new SvcError(
      "export-invalid",
      `${count === 1 ? "1 text" : `${count} texts`} of "${this.folder}" cannot be imported`,
      {
        hint: "correct the front matter and the data files; nothing was changed",
        problems: { kind: "folder", list: faults.list, folder: this.folder },
      },
    );
  }

  #split(file: TextFile, faults: Faults): MarkdownText | undefined {
    try {
      const bytes = this.read(file);
      const language = this.isData(file) ? LANGUAGES.get(endingOf(file).slice(1)) : undefined;
      return language === undefined ? splitText(bytes) : dataText(bytes, language);
    } catch (error) {
      if (!(error instanceof FaultyText)) throw error;
      const { message, at } = error;
      faults.add({ code: "text-invalid", file, ...at, message });
      return undefined;
    }
  }

  read(path: string): Buffer {
    return readFileSync(join(this.folder, path));
  }

  /** Of a text without faults. */
  bodyOf(path: TextFile): string {
    return splitText(this.read(path)).body;
  }

  isText(path: string): boolean {
    return this.#texts.has(path);
  }

  isData(path: string): boolean {
    return this.#data.has(path);
  }

  hasForeignLetters(path: string): boolean {
    return /[^\P{L}a-zA-Z]/u.test(this.read(path).toString());
  }

  /** X23e: every file but those that are imported. */
  leftOut(imported: ReadonlySet<string>): LeftOutFile[] {
    const others = [...this.#files].filter((path) => !this.isText(path) && !imported.has(path));
    const reasonOf = (path: string) => {
      if (!isDataFile(path)) return "no text names it";
      if (isSecret(path)) return "its name says that it is secret";
      return this.isData(path) ? "it is no map of values" : "it is a configuration, or over 1 MiB";
    };
    const counted = others.map((path) => ({
      path,
      countedAs: isSecret(path) ? "data files with secrets" : `files ${endingOf(path)}`,
      reason: reasonOf(path),
    }));
    return [...counted, ...this.#passed].sort((a, b) => byCodeUnit(a.path, b.path));
  }

  /** The file that a relative link, or one from the root, leads to. */
  linked(from: TextFile, href: string): string | undefined {
    const path = pathIn(href).replace(/^@\//, "/");
    if (path === "" || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return undefined;
    const bases = path.startsWith("/") ? SERVED : [posix.dirname(from)];
    for (const base of bases) {
      const found = this.#fileAt(posix.normalize(posix.join(base, path)));
      if (found !== undefined) return found;
    }
    // The address of a page is a folder, in which Hexo has its files.
    const own = posix.normalize(posix.join(withoutExtension(from), path));
    return !path.startsWith("/") && !this.isText(own) && this.#isContent(own) ? own : undefined;
  }

  /** Also from the root where it does not say so: shortcodes and front matter often begin there. */
  meant(from: TextFile, href: string): string | undefined {
    return this.linked(from, href) ?? this.linked(from, `/${href}`);
  }

  /** X19b: the file of the very name that is written, not the text of a page's address, nor the text itself. */
  written(from: TextFile, href: string): string | undefined {
    const name = posix.basename(pathIn(href));
    return [href, `/${href}`]
      .map((one) => this.linked(from, one))
      .find((file) => file !== undefined && file !== from && posix.basename(file) === name);
  }

  #fileAt(path: string): string | undefined {
    const bare = path.replace(/^\/|\/$/g, "");
    if (this.#isContent(bare)) return bare;
    const pages = [bare, ...["index", "_index", "README"].map((name) => posix.join(bare, name))];
    // The address of the page that a generator makes of a text.
    if (/\.html?$/i.test(bare)) pages.push(withoutExtension(bare));
    return pages.map((one) => this.#byStem.get(one)).find((one) => one !== undefined);
  }

  /** W8. */
  #isContent(path: string): boolean {
    return this.#files.has(path) && (this.isText(path) || !isPrivate(this.folder, path));
  }

  /** The file that a wiki link names: by its path from the root, or by its name anywhere. */
  named(link: string): string | undefined {
    const name = link.split(/[#|]/)[0]?.trim() ?? "";
    if (name === "") return undefined;
    const byName = this.#byName.get(name.toLowerCase());
    return (
      this.#fileAt(posix.normalize(name)) ??
      (byName && this.#isContent(byName) ? byName : undefined)
    );
  }
}

function firstOf(pairs: readonly (readonly [string, string])[]): Map<string, string> {
  return new Map([...pairs].reverse());
}

function depth(path: string): number {
  return path.split("/").length;
}

/** How much of a file is looked at, in bytes. */
const LOOKED_AT = 4096;

/** Front matter may follow empty lines and comments. */
const MARK = /^\uFEFF?(?:\s|<!--[\s\S]*?-->|#[^\n]*\n)*((?:---|\+\+\+|;;;)[ \t]*\w*[ \t]*\r?\n|\{)/;

const END = /\n(?:---|\+\+\+|;;;|\.\.\.|\})[ \t]*\r?(?:\n|$)/;

/** The mark that front matter of a file begins with, if it ends too. */
function markOf(file: string): string | undefined {
  const [begin = "", mark] = MARK.exec(beginningOf(file)) ?? [];
  if (mark === undefined) return undefined;
  const rest = readFileSync(file).subarray(Buffer.byteLength(begin) - 1);
  return END.test(rest.toString("latin1")) ? mark : undefined;
}

/** X23b: what has front matter is no data, also if that says nothing: Jekyll makes data of such a file. */
function isMarked(file: string): boolean {
  return (markOf(file) ?? "{") !== "{";
}

/** X23: whether a file that is no Markdown is a text: it has front matter that says something. */
function hasFrontMatter(file: string): boolean {
  const mark = isProgram(file) ? undefined : markOf(file);
  if (mark === undefined) return false;
  const isJson = mark === "{";
  try {
    const { matter, body } = splitText(readFileSync(file));
    const says = Object.values(matter).some((value) => value !== null);
    // A file in JSON is no front matter.
    return says && (body.trim() !== "" || !isJson);
  } catch (error) {
    if (error instanceof FaultyText) return !isJson;
    throw error;
  }
}

/** Empty for what is no text. */
function beginningOf(file: string): string {
  const descriptor = openSync(file, "r");
  try {
    const bytes = Buffer.alloc(LOOKED_AT);
    const length = readSync(descriptor, bytes);
    return bytes.subarray(0, length).includes(0) ? "" : bytes.toString("utf8", 0, length);
  } finally {
    closeSync(descriptor);
  }
}

export const NOT_UTF8 = "files and folders whose names are not UTF-8";

/** Hidden files and folders, links and what svc has written are no content; X23e: `passed` gets them. */
function filesBelow(
  folder: string,
  below: string,
  passed: LeftOutFile[],
  others: ReadonlySet<string>,
): string[] {
  const options = { withFileTypes: true, encoding: "buffer" } as const;
  return readdirSync(join(folder, below), options).flatMap((entry) => {
    const name = entry.name.toString();
    if (name === "node_modules" || name === ".git") return [];
    const path = posix.join(below, name);
    const pass = (countedAs: string, reason: string) => {
      passed.push({ path, countedAs, reason });
      return [];
    };
    // X23i: nothing is there by the name as it was read.
    if (!isUtf8(entry.name)) return pass(NOT_UTF8, "its name is not UTF-8: give it another one");
    if (isIgnored(name)) return pass("hidden files and folders", "it is hidden");
    if (entry.isDirectory()) {
      const own = join(folder, path);
      if (others.has(resolve(own))) return pass("folders of the generator", "it is no content");
      return hasWorkspaceFile(own) || isPublished(own)
        ? pass("folders that svc has written", "it is a workspace folder, or a published one")
        : filesBelow(folder, path, passed, others);
    }
    return entry.isFile()
      ? [path]
      : pass("links of the file system", "it is a link of the file system");
  });
}

/** Of an address as it is written. */
function pathIn(href: string): string {
  return decoded((href.split(/[?#]/)[0] ?? "").replace(/\\([^A-Za-z0-9\s])/g, "$1"));
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function invalidFolder(folder: string, why: string): SvcError {
  return new SvcError("export-invalid", `"${folder}" is no folder of Markdown: ${why}`, {
    hint: HOW_TO_USE,
  });
}
