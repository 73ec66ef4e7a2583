import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { importRows } from "../support/import-rows.ts";
import {
  component,
  exportFiles,
  type Loose,
  read,
  readFiles,
  story,
} from "../support/storyblok/stories.ts";
import { temporaryFolder } from "../support/test-bed.ts";

/** Stories by their uuid, components by their name; `value` is the field of a story each. */
importRows("storyblok", {
  source: ["stories", "components", "field", "value", "contents", "files", "members"],
  read({ stories = {}, components = {}, field, value = [], contents, files }, options) {
    if (files !== undefined) return readFiles(exportFiles(...files), options);
    const schemas = Object.entries<Loose>(field === undefined ? components : { page: { field } });
    return read(
      [
        ...Object.entries<object>(contents ?? {}).map(([id, content]) => story(id, content)),
        ...Object.entries<Loose>(stories).map(([id, { content, ...more }]) =>
          story(id, content, {
            ...more,
            ...(more.published === "absent" && { published: undefined }),
          }),
        ),
        ...value.map((one: unknown, at: number) => story(`s${at}`, { field: one })),
      ],
      schemas.map(([name, { more, ...schema }]) => component(name, schema, more)),
      options,
    );
  },
  plainData({ name = null, slug = null, ...data }, id) {
    return { ...(name !== id && { name }), ...(slug !== id && { slug }), ...data };
  },
  plainFields({ name = null, slug = null, ...fields }) {
    return { ...(name !== "text" && { name }), ...(slug !== "text" && { slug }), ...fields };
  },
});

describe("X26e: a link without an id finds its story by its address, in a field and in rich text", () => {
  const slugs = ["about/team", "about/", "twice", "twice/", "same", "same", "de/own", "own"];
  const targets = slugs.map((full_slug, at) => story(`t${at}`, {}, { full_slug, id: at }));
  const de = { lang: "de", name: "Team", path: "ueber/team" };
  const translated = story("t8", {}, { full_slug: "x", path: "/", localized_paths: [de] });

  it.each([
    ["about/team", "t0"],
    ["/about/team/?a#b", "t0"],
    ["about", "t1"],
    ["twice/", "t3"],
    ["de/about/team", "t0"],
    ["de/own", "t6"],
    ["fr/about/team", "targets of links to stories by an address that none has"],
    ["ueber/team", "t8"],
    ["de/ueber/team", "t8"],
    ["/", "t8"],
    ["same", "targets of links to stories by an address that several have"],
  ])("X26e: %s", (address, expected) => {
    const mark = { type: "link", attrs: { linktype: "story", uuid: null, href: address } };
    const to = { fieldtype: "multilink", linktype: "story", id: "", cached_url: address };
    const text = { type: "doc", content: [{ type: "text", text: "x", marks: [mark] }] };
    const { entries, report } = read([story("a", { to, text }), ...targets, translated]);
    const { data } = entries[0] as Loose;
    const found = [data.to.data, data.text.content[0].marks[0].attrs];
    const isFound = expected.startsWith("t") && !expected.startsWith("targets");
    expect(found.map(({ story }) => story?.contentEntryId)).toEqual(
      Array(2).fill(isFound ? expected : undefined),
    );
    const { "path of stories": _, ...leftOut } = report.leftOut;
    expect(leftOut).toEqual(isFound ? {} : { [expected]: 2 });
  });
});

it("X17: lists, single stories and folders of them are one import", () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "stories"));
  expect(() => readFiles([folder])).toThrow("has no JSON files");
  const files = {
    "components.json": [component("page", { n: { type: "number" } })],
    "stories/a.json": story("a", { n: "1" }),
    "stories/b.json": { story: story("b", { n: "2" }) },
    "stories/row.json": component("row", {}, { is_root: false }),
  };
  for (const [name, value] of Object.entries(files)) {
    writeFileSync(join(folder, name), JSON.stringify(value));
  }
  const { entries, blocks } = readFiles([folder]);
  expect(entries.map(({ id, data }) => `${id} ${data.n}`)).toEqual(["a 1", "b 2"]);
  expect(blocks.map(({ key }) => key)).toContain("row");
  expect(() => readFiles(["gone.json"])).toThrow("there is no file");
});
