import { lookup } from "mime-types";
import { byCodeUnit, isJsonObject, type JsonValue } from "../../workspace/json.ts";
import type { Notes } from "../formats/notes.ts";
import { isProgram } from "./file-kinds.ts";
import { isPublishedNote } from "./held-back.ts";
import { FILE, linksIn, type TextLink } from "./links.ts";
import { MdxCount } from "./mdx.ts";
import type { TextFile, TextFiles } from "./text-files.ts";

/** A link of a text, and the file that it leads to. */
export interface NamedFile {
  readonly href: string;
  readonly file: string;
}

/** X19a, X19b, X23c: what the texts of a folder name, in their rest and in their front matter. */
export class NamedFiles {
  /** Files that are no texts. */
  readonly assets = new Set<string>();
  /** Texts and data files, in order of their paths. */
  readonly entries: readonly TextFile[];
  /** X22j: whether a text has `dg-publish: true`. */
  isGarden = false;
  readonly #files: TextFiles;
  readonly #notes: Notes;
  /** What values of front matter name: entries, or assets if they are none. */
  readonly #valued = new Set<string>();
  readonly #missing: { readonly at: string; readonly href: string }[] = [];
  readonly #links = new Map<TextFile, readonly NamedFile[]>();

  /** Reads every text once, and data files that no text links. @throws SvcError `export-invalid` with all faults of texts (X19d). */
  constructor(files: TextFiles, notes: Notes) {
    this.#files = files;
    this.#notes = notes;
    const mdx = new MdxCount();
    const isAsset = (path: string) => this.assets.has(path);
    function* groups() {
      for (const path of files.texts) yield { texts: [{ path }] };
      // All texts were read when these are asked for.
      for (const path of files.data) if (!isAsset(path)) yield { texts: [{ path }] };
    }
    for (const [, [one]] of files.split(groups())) {
      if (one === undefined) continue;
      const { path, text } = one;
      mdx.add(path, text.body);
      this.isGarden ||= isPublishedNote(text.matter);
      const own = linksIn(text.body).flatMap((link) =>
        this.#found(path, link, text.linesBefore + link.line),
      );
      const values = Object.entries(text.matter).flatMap(([member, value]) =>
        textsIn(value).flatMap((one) => this.#inMatter(path, one, () => text.lineOf(member))),
      );
      const links = new Map([...own, ...values].map((link) => [link.href, link]));
      this.#links.set(path, [...links.values()]);
    }
    mdx.report(notes);
    for (const file of this.#valued) if (!this.isEntry(file)) this.assets.add(file);
    this.entries = [...this.#links.keys()].sort(byCodeUnit);
    for (const path of this.entries) if (files.isData(path)) notes.warnAt(path, ...DATA_ENTRIES);
  }

  isEntry(file: string): boolean {
    return this.#links.has(file);
  }

  linksOf(path: TextFile): readonly NamedFile[] {
    return this.#links.get(path) ?? [];
  }

  /** X19b: the file that a value of front matter is, if it is a wiki link alone or a path. */
  valueOf(path: TextFile, value: string): string | undefined {
    const wiki = wikiLink(value);
    if (wiki !== undefined) return this.#files.named(wiki);
    return FILE.test(value) && !isProgram(value) ? this.#files.written(path, value) : undefined;
  }

  #inMatter(path: TextFile, value: string, line: () => number): NamedFile[] {
    const file = this.valueOf(path, value);
    if (file !== undefined) {
      this.#valued.add(file);
      return [];
    }
    const wiki = wikiLink(value);
    if (wiki !== undefined) {
      this.#broken(path, { href: wiki, form: "wiki" }, line());
      return [];
    }
    if (namesFile(value) && this.#files.meant(path, value) === undefined)
      this.#missing.push({ at: `${path}:${line()}`, href: value });
    return linksIn(value).flatMap((link) => {
      const isData = this.#files.isData(this.#target(path, link) ?? "");
      return link.href === value || isData ? [] : this.#found(path, link, line());
    });
  }

  #found(path: TextFile, link: TextLink, line: number): NamedFile[] {
    const file = this.#target(path, link);
    if (file === undefined) {
      this.#broken(path, link, line);
      return [];
    }
    // What is only in quotes or brackets may be about the file.
    const isContent = this.#files.isText(file) || this.#files.isData(file);
    if (link.form === "quoted" && (isContent || isProgram(file))) return [];
    if (link.form === "file" && (file === path || isProgram(file))) return [];
    this.#add(file);
    return [{ href: link.href, file }];
  }

  #target(path: TextFile, { href, form }: TextLink): string | undefined {
    if (form === "wiki") return this.#files.named(href);
    if (form === "link") return this.#files.linked(path, href);
    return this.#files.meant(path, href) ?? (form === "page" ? this.#files.named(href) : undefined);
  }

  #add(file: string): void {
    if (!this.#files.isText(file)) this.assets.add(file);
  }

  /** X23k: what front matter names and is not there, but where that is told already as a value that does not fit (X24). */
  noteMissing(): void {
    const told = this.#notes.placesOf("not fit ");
    for (const { at, href } of this.#missing) {
      if (!told.has(at)) this.#notes.warnAt(`${at} "${href}"`, ...MISSING);
    }
  }

  /** One warning for all links, and one for all other files. */
  #broken(path: TextFile, { href, form }: Pick<TextLink, "href" | "form">, line: number): void {
    const place = `${path}:${line} "${href}"`;
    if (form === "file") {
      if (namesFile(href)) this.#notes.warnAt(place, ...MISSING);
    } else if (form !== "quoted" && (form !== "link" || isInside(href) || namesFile(href))) {
      this.#notes.warnAt(place, ["link leads", "links lead"], "to no file of the folder");
    }
  }
}

/** X23k. */
const MISSING = [["file is", "files are"], "named and not there"] as const;

/** X23h. */
const DATA_ENTRIES = [
  ["data file is an entry", "data files are entries"],
  "published as texts are, with all values",
] as const;

function wikiLink(value: string): string | undefined {
  return /^\[\[([^\]]+)\]\]$/.exec(value.trim())?.[1];
}

/** The texts among the values of front matter, at any depth. */
function textsIn(value: JsonValue): string[] {
  if (typeof value === "string") return [value];
  if (isJsonObject(value)) return Object.values(value).flatMap(textsIn);
  return Array.isArray(value) ? value.flatMap(textsIn) : [];
}

/** Whether a link is meant to lead to a file: no address of another site, and no place in the text. */
function isInside(href: string): boolean {
  return !/^(?:[a-z][a-z0-9+.-]*:|\/|#|\?)/i.test(href);
}

/** Whether an address surely names a file: a relative one with an ending, or a picture, film, sound or font, also from the root. */
function namesFile(href: string): boolean {
  const [path = ""] = href.split(/[?#]/);
  if (!isInside(href.replace(/^\//, "")) || /[\s{}$*]|^[@~]/.test(path) || isProgram(path))
    return false;
  return (
    /^\.\.?\/.*\.[a-z0-9]{1,12}$/i.test(path) ||
    /^(?:image|video|audio|font)\//.test(lookup(path) || "")
  );
}
