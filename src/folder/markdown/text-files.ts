import { lstatSync, readdirSync, readFileSync } from "node:fs";
import { basename, join, posix, resolve } from "node:path";
import { SvcError, UsageError } from "../../workspace/errors.ts";
import { byCodeUnit } from "../../workspace/json.ts";
import { isPrivate } from "../asset-records.ts";
import { Faults, isIgnored } from "../reading.ts";
import { FaultyText, type MarkdownText, splitText } from "./front-matter.ts";

export const HOW_TO_USE = "name the folder whose Markdown files are the content";

/** The folders that a link from the root may mean, as site generators serve them. */
const SERVED = ["", "static", "public", "assets", "content"];

const EXTENSIONS = ["md", "mdx", "markdown"];

export type TextFile = string;

export class TextFiles {
  readonly folder: string;
  readonly name: string;
  readonly texts: readonly TextFile[];
  /** All files below the folder, texts too. */
  readonly #files: ReadonlySet<string>;
  /** Texts and other files by their last name in lower case, the shortest path first. */
  readonly #byName: ReadonlyMap<string, string>;

  /** @throws SvcError `export-not-found`, `export-invalid`; UsageError for several folders. */
  constructor([folder = "", ...others]: readonly string[]) {
    if (others.length > 0) throw new UsageError("Markdown is imported from one folder", "name one");
    const stats = lstatSync(folder, { throwIfNoEntry: false });
    if (stats === undefined) {
      throw new SvcError("export-not-found", `there is no folder "${folder}"`, {
        hint: HOW_TO_USE,
      });
    }
    if (!stats.isDirectory()) throw invalidFolder(folder, "it is not a folder");
    this.folder = folder;
    this.name = basename(resolve(folder));
    const files = filesBelow(folder, "").sort(byCodeUnit);
    this.#files = new Set(files);
    this.texts = files.filter(isText);
    if (this.texts.length === 0) throw invalidFolder(folder, "it has no file *.md");
    const byLength = [...files].sort((a, b) => depth(a) - depth(b) || byCodeUnit(a, b));
    const names = new Map<string, string>();
    for (const path of byLength) {
      const name = posix.basename(path).toLowerCase();
      for (const key of isText(path) ? [name, withoutExtension(name)] : [name]) {
        if (!names.has(key)) names.set(key, path);
      }
    }
    this.#byName = names;
  }

  /**
   * Reads texts, and leaves out those with faults.
   *
   * @param groups of texts that are yielded together.
   *
   * @throws SvcError `export-invalid` with all faults (X19d), after the last text.
   */
  *split<T extends { readonly path: TextFile }, G extends { readonly texts: readonly T[] }>(
    groups: readonly G[],
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
        hint: "correct the front matter (YAML between two lines ---); nothing was changed",
        problems: { kind: "folder", list: faults.list, folder: this.folder },
      },
    );
  }

  #split(file: TextFile, faults: Faults): MarkdownText | undefined {
    try {
      return splitText(this.read(file));
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

  isText(path: string): boolean {
    return isText(path);
  }

  /** The file that a relative link, or one from the root, leads to. */
  linked(from: TextFile, href: string): string | undefined {
    const path = decoded(href.split(/[?#]/)[0] ?? "");
    if (path === "" || /^[a-z][a-z0-9+.-]*:|^\/\//i.test(path)) return undefined;
    const bases = path.startsWith("/") ? SERVED : [posix.dirname(from)];
    for (const base of bases) {
      const found = this.#fileAt(posix.normalize(posix.join(base, path)));
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #fileAt(path: string): string | undefined {
    const bare = path.replace(/^\/|\/$/g, "");
    const texts = [bare, ...["index", "_index", "README"].map((name) => posix.join(bare, name))];
    const named = texts.flatMap((one) => EXTENSIONS.map((extension) => `${one}.${extension}`));
    return [bare, ...named].find((one) => this.#isContent(one));
  }

  /** W8. */
  #isContent(path: string): boolean {
    return this.#files.has(path) && (isText(path) || !isPrivate(this.folder, path));
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

/** The address of a text: its path without extension; of `index` and the like that of its folder. */
export function addressOf(path: TextFile): string {
  const bare = withoutExtension(path);
  const short = bare.replace(/(?:^|\/)(?:index|_index|README)$/, "");
  return short === "" ? "/" : short;
}

/** A folder is a model; texts beside the folders are pages. */
export function modelOf(path: TextFile): string {
  const [first = "", ...others] = path.split("/");
  return others.length === 0 ? "page" : first;
}

function isText(path: string): boolean {
  return /\.(?:md|mdx|markdown)$/i.test(path);
}

export function withoutExtension(path: string): string {
  return path.replace(/\.[^./]+$/, "");
}

function depth(path: string): number {
  return path.split("/").length;
}

/** Hidden files and folders, `node_modules` and links are no content. */
function filesBelow(folder: string, below: string): string[] {
  return readdirSync(join(folder, below), { withFileTypes: true }).flatMap((entry) => {
    if (isIgnored(entry.name)) return [];
    const path = posix.join(below, entry.name);
    if (entry.isDirectory()) return filesBelow(folder, path);
    return entry.isFile() ? [path] : [];
  });
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
