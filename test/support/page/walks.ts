import type { Locator, Page } from "playwright-core";
import { expect } from "vitest";
import { readFolder } from "../../../src/folder/read-folder.ts";
import { bytesBelow } from "../file-tree.ts";
import { png } from "../pictures.ts";
import { type Records, recordsOf } from "../read-export.ts";
import { goTo, type PreviewBed } from "../server/preview-bed.ts";
import { Author } from "./author.ts";
import {
  type Article,
  articleOf,
  isRich,
  nameOf,
  type Part,
  storedIn,
  textsOf,
  untranslatedOf,
  wordsOf,
} from "./walked-records.ts";

/** A workspace in which an author works, in a page of a preview of its folder. */
export class Work {
  readonly bed: PreviewBed;
  readonly page: Page;
  readonly author: Author;
  readonly form: Locator;
  readonly records: Records;
  readonly article: Article;
  readonly #id: string;
  #files: Readonly<Record<string, string>>;

  constructor(bed: PreviewBed, page: Page) {
    [this.bed, this.page] = [bed, page];
    this.author = new Author(page);
    this.form = page.locator("form.edit-form");
    const items = [...readFolder(bed.content)];
    const [workspace] = items.flatMap((one) => (one.kind === "workspace" ? [one.record.id] : []));
    this.#id = workspace ?? "";
    this.records = recordsOf(items);
    this.article = articleOf(this.records);
    this.#files = bytesBelow(bed.content);
  }

  goTo(place: string): Promise<void> {
    return goTo(this.page, `${this.#id}/${place}`);
  }

  /** What has been written since this was asked last. */
  written(): { path: string; before: string; now: string }[] {
    const [old, now] = [this.#files, bytesBelow(this.bed.content)];
    this.#files = now;
    return Object.keys({ ...old, ...now })
      .filter((path) => old[path] !== now[path])
      .map((path) => ({ path, before: old[path] ?? "", now: now[path] ?? "" }));
  }

  /** The one file that was written. */
  one() {
    const written = this.written();
    expect(written.map(({ path }) => path)).toEqual([expect.any(String)]);
    return written[0] as (typeof written)[number];
  }
}

/** The jobs of authors, each where an author has what it is done with before them, and how many clicks it takes at most. */
export const WALKS: readonly {
  readonly title: string;
  readonly most: number;
  /** Undefined where the workspace has nothing that it can be done with. */
  readonly walk: (work: Work) => Promise<void> | undefined;
}[] = [
  { title: "H57: a typo is corrected where it is read", most: 3, walk: correct },
  { title: "H67b: an article is written", most: 12, walk: write },
  { title: "H74: an article is translated", most: 3, walk: translate },
  { title: "H56: an article is given dates", most: 3, walk: schedule },
];

/** Does a job in its clicks, with one saving; tells whether there was something to do it with. */
export async function walked(
  work: Work,
  { title, most, walk }: (typeof WALKS)[number],
): Promise<boolean> {
  const { author } = work;
  [author.clicks, author.savings] = [0, 0];
  const walks = walk(work);
  if (walks === undefined) return false;
  await walks;
  console.log(`${title}: ${author.clicks} clicks`);
  expect(author.clicks).toBeLessThanOrEqual(most);
  expect(author.savings).toBe(1);
  return true;
}

const TYPED = "zyx";

/** In rich text; where there is none, in the text of a block. */
function correct(work: Work): Promise<void> | undefined {
  const words = wordsOf(work.records);
  return words && correctIn(work, words);
}

async function correctIn(
  work: Work,
  { entry, path, field, some }: NonNullable<ReturnType<typeof wordsOf>>,
) {
  const { page, author, form } = work;
  await work.goTo(`entries/${entry}`);
  await author.click(page.locator(`main [data-path="${path}"] button.pencil`).first());
  const input = form.getByRole("textbox", { name: nameOf(field), exact: true });
  await author.click(isRich(field) ? input.getByText(some).first() : input);
  await page.keyboard.type(TYPED);
  await author.click(form.getByRole("button", { name: "Save" }));
  await form.waitFor({ state: "detached" });
  const { before, now } = work.one();
  expect(now).toContain(TYPED);
  expect(now.replace(TYPED, "")).toBe(before);
}

const TITLE = "Ten days on the coast";
const LINES = ["One", "Two", "Three"];

async function write(work: Work): Promise<void> {
  const { page, author, records, article } = work;
  const { model, reference, picture, words } = article;
  const dialog = page.locator("dialog.edit-dialog");
  const pick = (name = "") =>
    author.click(page.getByRole("listbox").getByRole("option", { name }).first());
  const rowOf = (name: string, within: Locator = dialog) =>
    within.getByRole("group", { name, exact: true }).first();
  /** The input of a part; a block that it is in is added, of the kind that is chosen where there are several. */
  const inputOf = async ({ field, inside }: Part) => {
    let within = dialog;
    for (const outer of inside) {
      within = rowOf(nameOf(outer.field), within);
      const add = within.getByRole("button", { name: `to ${nameOf(outer.field)}` }).last();
      const isOne = !(await add.innerText()).startsWith("Add a block");
      await author.click(add);
      if (!isOne) await pick(outer.block.name);
    }
    return rowOf(nameOf(field), within);
  };
  const point = async (part: Part) => {
    const row = await inputOf(part);
    if (part.field.type === "asset" && records.assets.length === 0) {
      await author.upload(row.getByRole("button", { name: /^Upload/ }), "boat.png", png());
      await row.getByText("boat.png").waitFor();
      return;
    }
    await author.click(
      row.getByRole("button", { name: part.field.repeatable ? "Add one" : /^Choose/ }),
    );
    await pick();
  };
  await work.goTo("");
  await author.click(page.getByRole("button", { name: "New entry" }));
  const title = dialog.getByLabel("Title", { exact: true });
  await title.waitFor();
  if (records.models.length > 1) {
    await author.select(dialog.getByLabel("Model", { exact: true }), model.name);
    await author.click(title);
  }
  await page.keyboard.type(TITLE);
  if (reference) await point(reference);
  if (picture) await point(picture);
  if (words) {
    const row = await inputOf(words);
    await author.click(row.getByRole("textbox"));
    await page.keyboard.type(LINES.join("\n"));
  }
  await author.click(dialog.getByRole("button", { name: "Create" }));
  await page.getByRole("heading", { name: TITLE, level: 1 }).waitFor();
  const added = work.written().filter(({ path }) => !/^(?:assets|files)\b/.test(path));
  expect(added.map(({ before }) => before)).toEqual([""]);
  const { draft, data } = JSON.parse(added[0]?.now ?? "");
  expect(draft).toBe(true);
  expect(JSON.stringify(data)).toContain(JSON.stringify(TITLE));
  const { reference: to, picture: file, words: said } = article;
  if (to) expect(storedIn(data, to)).toEqual({ contentEntryId: expect.any(String) });
  if (file) expect(storedIn(data, file)).toMatchObject({ assetId: expect.any(String) });
  if (said) expect(textsOf(storedIn(data, said)).join("\n")).toBe(LINES.join("\n"));
}

function translate(work: Work): Promise<void> | undefined {
  const entry = untranslatedOf(work.records, work.article);
  return entry === undefined ? undefined : translateInto(work, entry);
}

const TRANSLATED = "qvw";

async function translateInto(work: Work, entry: string): Promise<void> {
  const { page, author, form } = work;
  await work.goTo(`entries/${entry}`);
  await author.click(page.getByRole("link", { name: "Translate" }));
  await page.waitForURL(/[?&]translate=/);
  const [, locale = ""] = /[?&]translate=([^&]+)/.exec(page.url()) ?? [];
  const side = form.locator(`[data-side="${locale}"]`);
  await side.first().waitFor();
  await expect.poll(() => form.getByText("Loading the editor").count()).toBe(0);
  let typed = 0;
  for (const input of await side.locator("textarea, [contenteditable=true]").all()) {
    const text = await input.evaluate(
      (one) => (one as HTMLTextAreaElement).value ?? one.textContent,
    );
    if (text !== "") continue;
    // H74: the first one has the focus.
    if (typed > 0) await author.goTo(input);
    typed += 1;
    await page.keyboard.type(TRANSLATED);
  }
  expect(typed).toBeGreaterThan(0);
  await author.click(form.getByRole("button", { name: "Save" }));
  await form.waitFor({ state: "detached" });
  const { before, now } = work.one();
  expect(now.split(TRANSLATED).length - 1).toBe(typed);
  const others = (text: string) =>
    JSON.parse(text, (key, value) => (key === locale ? undefined : value));
  expect(others(now)).toEqual(others(before));
}

// Far from the clock of whoever runs this.
const [FROM, UNTIL] = ["2126-12-04T09:00", "2126-12-06T18:00"];
const iso = (local: string) => new Date(local).toISOString().replace(".000Z", "Z");

async function schedule(work: Work): Promise<void> {
  const { page, author, records, article } = work;
  const published = records.entries.filter(
    (one) => !one.draft && !one.publishAt && !one.unpublishAt,
  );
  const entry = published.find(({ modelId }) => modelId === article.model.id) ?? published[0];
  await work.goTo(`entries/${entry?.id}`);
  await author.click(page.getByRole("button", { name: "Publish on…" }));
  const dialog = page.locator("dialog.edit-dialog");
  await dialog.getByLabel("From").fill(FROM);
  await dialog.getByLabel("Until").fill(UNTIL);
  await author.click(dialog.getByRole("button", { name: "Save" }));
  await dialog.waitFor({ state: "detached" });
  const { before, now } = work.one();
  const dates = { publishAt: iso(FROM), unpublishAt: iso(UNTIL) };
  expect(JSON.parse(now)).toEqual({ ...(JSON.parse(before) as object), ...dates });
}

/** Opens the form of an entry of each model, and that of a new one, where nothing may be wider than a phone. */
export async function onPhone(work: Work): Promise<void> {
  const { page, form, records } = work;
  await page.setViewportSize({ width: 390, height: 844 });
  const fits = async (what: string) => {
    await expect.poll(() => form.getByText("Loading the editor").count()).toBe(0);
    const tooWide = await page.evaluate(
      () =>
        [...document.querySelectorAll("html, dialog[open]")].filter(
          (one) => one.scrollWidth > one.clientWidth,
        ).length,
    );
    expect(tooWide, what).toBe(0);
  };
  for (const { id, name } of records.models) {
    const entry = records.entries.find(({ modelId }) => modelId === id);
    if (entry === undefined) continue;
    await work.goTo(`entries/${entry.id}`);
    await fits(`${name}, read`);
    await page.getByRole("button", { name: "Edit all" }).first().click();
    await form.getByRole("group").first().waitFor();
    const unfold = form.getByRole("button", { name: "Unfold all blocks" });
    if (await unfold.isVisible()) await unfold.click();
    await fits(name);
    await form.getByRole("button", { name: "Cancel" }).click();
    await form.waitFor({ state: "detached" });
  }
  await work.goTo("");
  await page.getByRole("button", { name: "New entry" }).click();
  await form.getByRole("group").first().waitFor();
  await fits("a new entry");
  expect(work.written()).toEqual([]);
}
