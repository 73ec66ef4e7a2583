import { describe, expect, it, onTestFinished } from "vitest";
import { AccessKey } from "../../src/page/access-key.ts";
import { DraftState } from "../../src/page/draft-state.ts";
import { entryView, openedEntry } from "../../src/page/entry-view.ts";
import { IMAGE_HOST, keptImageHosts } from "../../src/page/image-hosts.ts";
import { pageHandler } from "../../src/page/page-handler.ts";
import { DraftRenderings } from "../../src/server/draft-renderings.ts";
import { LiveDrafts } from "../../src/server/live-drafts.ts";
import { host } from "../support/server/hosts.ts";
import { ownerOf } from "../support/server/owner-of.ts";
import { TestBed } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";

const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { key: "title", type: "text", localized: true },
    { key: "note", type: "text", format: "markdown" },
    { key: "parts", type: "content-block", repeatable: true },
    { key: "body", type: "rich-text" },
    { key: "pictures", type: "asset", repeatable: true },
    { key: "link", type: "reference" },
  ],
};
const BLOCK = { id: "b", key: "b", name: "B", fields: [{ ...MODEL.fields[0], required: true }] };
const block = (title: object) => ({ contentBlockId: "b", data: { title } });
const UNKNOWN = { sizeBytes: null, width: null, height: null };
const WORKSPACE = {
  models: [MODEL],
  blocks: [BLOCK],
  projects: [
    { ...projectOf("de", "home"), locale: "de" },
    { ...projectOf("en", "home"), locale: "en" },
    { ...projectOf("us", "home"), locale: "en" },
  ],
  assets: [
    {
      ...{ id: "film", fileName: "a.mp4", mimeType: "video/mp4", url: "https://cdn.example/a.mp4" },
      ...UNKNOWN,
    },
    {
      id: "far",
      fileName: "far.png",
      mimeType: "image/png",
      url: "https://cdn.example/far.png",
      ...UNKNOWN,
      title: { en: "Far", de: "Fern" },
      description: "All of it",
    },
  ],
  entries: [
    {
      id: "home",
      modelId: "m",
      data: {
        title: { en: "Home", de: "Start" },
        note: "*so*",
        parts: [block({ en: "One" })],
        body: {
          type: "doc",
          content: [
            block({ en: "gone", de: "weg" }),
            { contentBlockId: "gone", data: {} },
            { type: "p", attrs: { to: { contentEntryId: "other" } } },
          ],
        },
        pictures: [{ assetId: "film" }, { assetId: "far" }],
        link: { contentEntryId: "other" },
      },
    },
    { id: "other", modelId: "m", data: { pictures: [{ assetId: "film" }, { assetId: "far" }] } },
  ],
} as const;

function inState<T>(use: (state: DraftState) => T): T {
  const { store } = new TestBed(WORKSPACE as never);
  return store.read(() => use(new DraftState(store.workspace("w"), new DraftRenderings(store))));
}
const url = (sha256: string) => sha256;

describe("H25: what an entry has to be read", () => {
  it("H25: Markdown is marked, and what is in rich text has its place in the served tree", () => {
    const fields = inState((state) => entryView(state, "home", url))?.fields ?? [];
    expect(fields.filter(({ isMarkdown }) => isMarkdown).map(({ key }) => key)).toEqual(["note"]);
    const body = fields.find(({ key }) => key === "body")?.values[0];
    expect(body?.inside?.map(({ path, place }) => [path, place])).toEqual([
      ["/body/content/0", ["content", 0]],
      ["/body/content/1", undefined],
      ["/body/content/2/attrs/to", ["content", 1, "attrs", "to"]],
    ]);
  });

  it("H26a: files have their texts in the language, and targets the name of their model and their first picture", () => {
    const fields = inState((state) => entryView(state, "home", url, "de"))?.fields ?? [];
    const files = fields.find(({ key }) => key === "pictures")?.values.map(({ file }) => file);
    expect(files).toMatchObject([
      { src: "https://cdn.example/a.mp4", fileName: "a.mp4" },
      { src: "https://cdn.example/far.png", title: "Fern", description: "All of it" },
    ]);
    const target = fields.find(({ key }) => key === "link")?.values[0]?.target;
    expect(target).toMatchObject({ modelName: "Page", picture: { fileName: "far.png" } });
  });
});

describe("H27: the language in which an entry is opened", () => {
  const opened = (preferred: string, at = "") =>
    inState((state) => openedEntry(state, "home", url, { preferred, at }));

  it("H27: it is that of the preferred project, else the main one (H49), with the problems of all", () => {
    expect([opened("")?.title, opened("gone")?.title, opened("de")?.title]).toEqual([
      "Home",
      "Home",
      "Start",
    ]);
    const paths = opened("en")?.problems.map(({ at }) => at.path);
    expect(paths).toContain("/parts/0/data/title/de");
  });

  it("H27: a value that is looked for is shown: in all languages where it is in another one", () => {
    const only = (at: string) => opened("en", at)?.only;
    for (const at of ["/title", "/title/en", "/note", "/parts/0", "/parts/0/data/title/en"]) {
      expect(only(at), at).toBe(1);
    }
    for (const at of ["/title/de", "/parts/0/data/title/de", "/body/content/0/data/title/de"]) {
      expect(only(at), at).toBe(null);
    }
  });
});

describe("H26: hosts of pictures", () => {
  it("H26: a host is a name with or without a port, and no other word of a policy", () => {
    for (const good of ["cdn.example", "localhost:8080", "127.0.0.1", "a_b.c-d.example"]) {
      expect(IMAGE_HOST.test(good), good).toBe(true);
    }
    const bad = `;|a;b|a b|*|*.a|'self'|"a"|a/b|https://a|a:|a:b|a,b|a\n|\ta|A|ä|.a|-a|data:|[::1]`;
    for (const one of ["", "a".repeat(400), ...bad.split("|")]) {
      expect(IMAGE_HOST.test(one), one).toBe(false);
    }
    expect(keptImageHosts(["a; script-src *", "b.example"]).allowed).toEqual(["b.example"]);
  });

  it("H26: the button allows hosts by the policy of the document, and keeps them; others are refused", async () => {
    const { store: drafts } = new TestBed(WORKSPACE as never);
    const onDefect = (error: unknown) => expect.unreachable(String(error));
    const live = new LiveDrafts(drafts, onDefect);
    onTestFinished(() => live.close());
    const kept: (readonly string[])[] = [];
    const key = new AccessKey();
    const options = {
      owner: ownerOf(drafts),
      live,
      key,
      images: keptImageHosts(["first.example"], (hosts) => kept.push(hosts)),
      onDefect,
    };
    const origin = await host(pageHandler(options, () => expect.unreachable()));
    const post = async (body: object, Authorization = `Bearer ${key.text}`) => {
      const headers = { "Content-Type": "application/json", Authorization };
      const address = `${origin}/_svc/do/images?workspace=w`;
      const sent = { method: "POST", headers, body: JSON.stringify(body) };
      return (await fetch(address, sent)).status;
    };
    const shell = async () => {
      const response = await fetch(`${origin}/`);
      const policy = response.headers.get("content-security-policy") ?? "";
      const sources = (name: string) => new RegExp(`${name} ([^;]*)`).exec(policy)?.[1];
      const named = /name="images" content="([^"]*)"/.exec(await response.text())?.[1];
      return [sources("img-src"), sources("media-src"), sources("script-src"), named];
    };
    const first = "'self' first.example";
    expect(await shell()).toEqual([first, first, "'self'", "first.example"]);
    expect(await post({ hosts: ["cdn.example"] }, "Bearer x")).toBe(401);
    const wrong = [
      {},
      { hosts: [] },
      { hosts: "a" },
      { hosts: [1] },
      { hosts: ["ok.example", "a; script-src *"] },
    ];
    for (const body of wrong) expect(await post(body), JSON.stringify(body)).toBe(422);
    expect(kept).toEqual([]);
    expect(await post({ hosts: ["cdn.example", "cdn.example"] })).toBe(200);
    const both = "first.example cdn.example";
    expect(await shell()).toEqual([`'self' ${both}`, `'self' ${both}`, "'self'", both]);
    expect(kept).toEqual([both.split(" ")]);
  });
});
