// node make-site.ts <folder> [--experiences 1000] [--dangling 0] [--hubs 1] [--chains 0] [--projects 1]
// [--languages] [--collections | --pages] [--queries | --related]: writes a workspace folder like that of a
// grown site. An experience is a page that points at items, which point at further items and at authors
// that many share: ten entries an experience, of 1 kB each. Always the same bytes for the same options, and
// memory does not grow with the size.
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";

export interface SiteOptions {
  readonly experiences: number;
  /** The share of entries that point at an entry or an asset that is gone. */
  readonly dangling?: number;
  /** The share of items that point at an author. */
  readonly hubs?: number;
  /** The share of experiences whose items form one chain, which the depth limit cuts. */
  readonly chains?: number;
  readonly projects?: number;
  /** Whether it is in three languages, with rich text; a project has one of them. */
  readonly languages?: boolean;
  /** Q10: whether a collection gives the experiences; `pages`: the same ones, written by hand. */
  readonly collections?: boolean;
  readonly pages?: boolean;
  /** Q1: whether pages find others of their section; `related`: the same ones, written by hand. */
  readonly queries?: boolean;
  readonly related?: boolean;
}

const RELATED = 3;
const PAGES_OF_SECTION = 20;
const ITEMS = 9;
const ITEMS_ON_PAGE = 6;
const AUTHORS = 450;
/** By locale: of how many texts in ten it has none, so that fallbacks are served. */
const MISSING = { en: 0, de: 2, "pt-BR": 5 };

/** Writes the folder; returns how many entries it has. */
export function makeSite(folder: string, options: SiteOptions): { entries: number } {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, "html"), { recursive: true });
  writeFileSync(join(folder, "workspace.json"), JSON.stringify({ id: "bench", name: "Bench" }));
  const site = new Site(folder, options);
  writeLines(folder, "models", models(options));
  writeLines(folder, "blocks", BLOCKS);
  writeLines(folder, "projects", site.projects());
  writeLines(folder, "assets", site.assets());
  return { entries: writeLines(folder, "entries", site.entries()) };
}

type Data = Record<string, unknown>;

class Site {
  readonly #folder: string;
  readonly #options: Required<SiteOptions>;
  #state = 1;
  #texts = 0;

  constructor(folder: string, options: SiteOptions) {
    this.#folder = folder;
    const ordinary = { dangling: 0, hubs: 1, chains: 0, projects: 1, languages: false };
    const lists = { collections: false, pages: false, queries: false, related: false };
    this.#options = { ...ordinary, ...lists, ...options };
  }

  *projects(): Generator<Data> {
    const { experiences, projects, languages } = this.#options;
    for (let project = 0; project < projects; project += 1) {
      const own: number[] = [];
      for (let page = project; page < experiences; page += projects) own.push(page);
      const { collections, pages } = this.#options;
      const ids = pages ? own.map((page) => `page-${page}`).sort() : [];
      const inCollection = { layoutName: "page", name: "Page {id}" };
      const written = ids.map((id) => ({ id, key: id, name: `Page ${id}` }));
      const collected = {
        steps: written.map((one) => ({ ...one, layoutName: "page", layoutContentId: one.id })),
        experiences: written.map((one) => ({ ...one, stepIds: [one.id] })),
        ...(collections && { collections: [{ model: "page", id: "{id}", ...inCollection }] }),
      };
      const records =
        collections || pages
          ? collected
          : {
              steps: own.map((page) => {
                const layout = { layoutName: "page", layoutContentId: `page-${page}` };
                return { id: `s${page}`, key: `step${page}`, name: `Step ${page}`, ...layout };
              }),
              experiences: own.map((page) => {
                const name = `Experience ${page}`;
                return { id: `e${page}`, key: `experience${page}`, name, stepIds: [`s${page}`] };
              }),
            };
      const id = project === 0 ? "bench" : `bench-${project}`;
      if (!languages) yield { id, name: "Bench", ...records };
      for (const locale of languages ? Object.keys(MISSING) : []) {
        const fallbackLocales = locale === "en" ? [] : ["en"];
        const name = `Bench, ${locale}`;
        yield { id: `${id}-${locale}`, name, locale, fallbackLocales, ...records };
      }
    }
  }

  *assets(): Generator<Data> {
    for (let page = 0; page < this.#options.experiences; page += 1) {
      const [id, fileName] = [`image-${page}`, `image-${page}.jpg`];
      if (this.#isGone()) continue;
      const url = `https://assets.example.com/${fileName}`;
      const file = { mimeType: "image/jpeg", sizeBytes: 1000 + page, width: 800, height: 600 };
      yield { id, fileName, url, ...file };
      if (page % 100 > 0) continue;
      const html = { id: `html-${page}`, fileName: `${page}.html`, file: `html/${page}.html` };
      writeFileSync(join(this.#folder, html.file), `<p>${this.#words(150)}</p>\n`);
      yield html;
    }
  }

  *entries(): Generator<Data> {
    const { experiences, chains } = this.#options;
    for (let author = 0; author < AUTHORS; author += 1) {
      const data = { name: this.#words(2), bio: this.#words(30) };
      yield { id: `author-${author}`, modelId: "author", data };
    }
    for (let page = 0; page < experiences; page += 1) {
      const isChain = this.#share() < chains;
      for (let place = 0; place < ITEMS; place += 1) {
        yield this.#item(page * ITEMS + place, isChain && place < ITEMS - 1);
      }
      yield this.#page(page, isChain ? 1 : ITEMS_ON_PAGE);
    }
  }

  #item(item: number, isChained: boolean): Data {
    const next = this.#isGone()
      ? "gone"
      : `item-${(item + 1) % (this.#options.experiences * ITEMS)}`;
    const author = { contentEntryId: `author-${(item * 31) % AUTHORS}` };
    const data = {
      title: this.#localized(this.#words(5)),
      summary: this.#words(25),
      price: (item * 7919) % 10_000,
      since: new Date(Date.UTC(2019, 0, 1) + item * 3_600_000).toISOString(),
      tags: [this.#words(1), this.#words(1)],
      available: item % 3 > 0,
      ...(this.#share() < this.#options.hubs && { author }),
      // Otherwise two of three items start a chain of up to three.
      ...((isChained || item % 3 < 2) && { next: { contentEntryId: next } }),
      sections: [this.#block(45), this.#block(30)],
    };
    return { id: `item-${item}`, modelId: "item", data };
  }

  #page(page: number, items: number): Data {
    const first = page * ITEMS;
    const shown = Array.from({ length: items }, (_, place) => `item-${first + place}`);
    const data = {
      title: this.#localized(this.#words(6)),
      items: shown.map((contentEntryId) => ({ contentEntryId })),
      picture: { assetId: `image-${page}` },
      terms: { assetId: `html-${page - (page % 100)}` },
      sections: [this.#block(80)],
      ...(this.#options.languages && { story: this.#localized(this.#story(shown[0])) }),
      ...((this.#options.queries || this.#options.related) && this.#inSection(page)),
    };
    return { id: `page-${page}`, modelId: "page", data };
  }

  /** With the first of its section by rank, then by id, as the query of the model finds them. */
  #inSection(page: number): Data {
    const { experiences, related } = this.#options;
    const sections = Math.ceil(experiences / PAGES_OF_SECTION);
    const rankOf = (one: number) => (one * 7919) % 1000;
    const data = { section: `section ${page % sections}`, rank: rankOf(page) };
    if (!related) return data;
    const others: number[] = [];
    for (let one = page % sections; one < experiences; one += sections) {
      if (one !== page) others.push(one);
    }
    const byId = (a: number, b: number) => (`page-${a}` < `page-${b}` ? -1 : 1);
    const first = others.sort((a, b) => rankOf(b) - rankOf(a) || byId(a, b)).slice(0, RELATED);
    return { ...data, related: first.map((one) => ({ contentEntryId: `page-${one}` })) };
  }

  #block(words: number): Data {
    return { contentBlockId: "paragraph", data: { text: this.#words(words) } };
  }

  #story(contentEntryId: string | undefined): Data {
    const words = { type: "text", text: `${this.#words(20)} ½ “so” 北京` };
    const link = { type: "link", target: { contentEntryId } };
    return { type: "doc", content: [{ type: "paragraph", content: [words, link] }] };
  }

  #localized(value: unknown): unknown {
    if (!this.#options.languages) return value;
    this.#texts += 1;
    const has = Object.entries(MISSING).filter(([, missing]) => this.#texts % 10 >= missing);
    return Object.fromEntries(has.map(([locale]) => [locale, value]));
  }

  #isGone(): boolean {
    return this.#share() < this.#options.dangling;
  }

  #words(count: number): string {
    const word = () => WORDS[Math.floor(this.#share() * WORDS.length)];
    return Array.from({ length: count }, word).join(" ");
  }

  /** In [0, 1). */
  #share(): number {
    this.#state = (Math.imul(this.#state, 1664525) + 1013904223) >>> 0;
    return this.#state / 2 ** 32;
  }
}

const WORDS =
  "tent stove lake ridge walk morning light rope warm river stone camp map pack rain wool trail sky fire dry".split(
    " ",
  );

const TEXT = { type: "text", required: true };
const SECTIONS = { key: "sections", type: "content-block", repeatable: true };

const BLOCKS = [
  { id: "paragraph", key: "paragraph", name: "Paragraph", fields: [{ key: "text", ...TEXT }] },
  { id: "unused", key: "unused", name: "Unused", fields: [{ key: "text", ...TEXT }] },
];

const QUERY = { where: { section: { same: "section" } }, sort: "-rank", limit: RELATED };

function models({ languages = false, queries, related }: SiteOptions): Data[] {
  const inSection = [
    { key: "section", type: "text" },
    { key: "rank", type: "integer" },
    {
      key: "related",
      type: "reference",
      repeatable: true,
      models: ["page"],
      ...(queries && { query: QUERY }),
    },
  ];
  const title = { key: "title", type: "text", maxLength: 120, localized: languages };
  const fields = {
    author: [
      { key: "name", ...TEXT, maxLength: 80 },
      { key: "bio", ...TEXT },
    ],
    item: [
      title,
      { key: "summary", ...TEXT },
      { key: "price", type: "integer", minimum: 0 },
      { key: "since", type: "date-time" },
      { key: "tags", type: "text", repeatable: true },
      { key: "available", type: "boolean" },
      { key: "author", type: "reference", models: ["author"] },
      { key: "next", type: "reference", models: ["item"] },
      SECTIONS,
    ],
    page: [
      title,
      { key: "items", type: "reference", repeatable: true, models: ["item"] },
      { key: "picture", type: "asset" },
      { key: "terms", type: "html-asset" },
      SECTIONS,
      ...(languages ? [{ key: "story", type: "rich-text", localized: true }] : []),
      ...(queries || related ? inSection : []),
    ],
  };
  return Object.entries(fields).map(([key, of]) => ({ id: key, key, name: key, fields: of }));
}

/** Writes records as JSON Lines; returns how many. */
function writeLines(folder: string, kind: string, records: Iterable<unknown>): number {
  const descriptor = openSync(join(folder, `${kind}.ndjson`), "w");
  let [text, count] = ["", 0];
  for (const record of records) {
    text += `${JSON.stringify(record)}\n`;
    count += 1;
    if (text.length < 2 ** 20) continue;
    writeSync(descriptor, text);
    text = "";
  }
  writeSync(descriptor, text);
  closeSync(descriptor);
  return count;
}

if (import.meta.main) {
  const names = ["experiences", "dangling", "hubs", "chains", "projects"] as const;
  const texts = Object.fromEntries(names.map((name) => [name, { type: "string" as const }]));
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      ...texts,
      languages: { type: "boolean" },
      collections: { type: "boolean" },
      pages: { type: "boolean" },
      queries: { type: "boolean" },
      related: { type: "boolean" },
    },
  });
  const given = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === "string" ? Number(value) : value,
  ]);
  const [folder] = positionals;
  if (folder === undefined) throw new Error("which folder?");
  const made = makeSite(folder, { experiences: 1000, ...Object.fromEntries(given) });
  process.stdout.write(`${JSON.stringify(made)}\n`);
}
