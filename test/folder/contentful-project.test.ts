import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { FormatOptions } from "../../src/folder/format.ts";
import { UsageError } from "../../src/workspace/errors.ts";
import type { Project, Workspace } from "../../src/workspace/records.ts";
import { entry, type Loose, link, read, type } from "../support/contentful/contentful-export.ts";
import { randomRuns } from "../support/random-runs.ts";

const LINKS = { type: "Array", items: { type: "Link", linkType: "Entry" } };
const PAGE = type(
  "page",
  { title: "Symbol", next: LINKS, text: "RichText" },
  { displayField: "title" },
);
const page = (id: string, ...next: readonly string[]) =>
  entry(id, "page", { next: next.map((to) => link(to)) });

function projectOf(
  entries: readonly Loose[],
  options: Partial<FormatOptions> = {},
  types: readonly Loose[] = [PAGE],
) {
  const { project, report, items } = read({ contentTypes: types, entries }, options);
  const { unreachable, experiences, warnings } = report;
  const [workspace] = items;
  return {
    project,
    unreachable,
    experiences,
    warnings,
    workspace,
    projects: items.flatMap((item) => (item.kind === "projects" ? [item.record] : [])),
    ids: project.experiences.map(({ id }) => id),
  };
}

/** What an import finds that follows on another one. */
const following = (earlier: ReturnType<typeof projectOf>): Pick<FormatOptions, "before"> => ({
  before: () => ({
    name: (earlier.workspace as { record: Workspace }).record.name,
    choices: (earlier.workspace as { record: Workspace }).record.import,
    projects: [earlier.project],
    hidden: new Set(),
    dataOf: () => undefined,
  }),
});

describe("contentful: the generated project", () => {
  it("has an experience with a step for each unreferenced entry, sorted by id", () => {
    const { project, ids } = projectOf([page("b", "c"), page("a"), page("c")]);
    expect(ids).toEqual(["a", "b"]);
    expect(project).toMatchObject({ id: "space1", name: "space1" });
    expect(project.steps[1]).toEqual({
      id: "b",
      key: "b",
      name: "b",
      layoutName: "page",
      layoutContentId: "b",
    });
    expect(project.experiences[1]).toEqual({ id: "b", key: "b", name: "b", stepIds: ["b"] });
  });

  it("X1c: an entry that references itself is a root, and one entry of each cycle", () => {
    expect(projectOf([page("self", "self")])).toMatchObject({ ids: ["self"], unreachable: [] });
    expect(projectOf([page("b", "a", "c"), page("a", "b"), page("c")])).toMatchObject({
      ids: ["a"],
      unreachable: ["a", "b", "c"],
      experiences: { added: ["a"] },
    });
  });

  it("X1c: the first entry that is more than 5 references away from every root is a root", () => {
    const chain = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const entries = chain.map((id, at) => page(id, ...chain.slice(at + 1, at + 2)));
    expect(projectOf(entries)).toMatchObject({ ids: ["a", "g"], unreachable: ["g", "h"] });
    const renamed = chain.map((id) => ({ g: "z" })[id] ?? id);
    const back = renamed.map((id, at) => page(id, ...renamed.slice(at + 1, at + 2)));
    expect(projectOf(back)).toMatchObject({ ids: ["a", "z"], unreachable: ["h", "z"] });
    expect(projectOf([...entries, page("near", "g")])).toMatchObject({
      ids: ["a", "near"],
      unreachable: [],
    });
  });

  it("X1e: a draft has an experience, and what only it leads to has one too", () => {
    const draft = { ...page("d", "b"), sys: { ...page("d").sys, publishedVersion: undefined } };
    expect(projectOf([page("a"), page("b"), draft]).ids).toEqual(["a", "b", "d"]);
  });

  it("a name is the value of the type's displayField, else the entry's id", () => {
    const named = [
      entry("a", "page", { title: "Über uns" }),
      entry("b", "page", { title: " " }),
      entry("c", "page", { title: 7 }),
    ];
    expect(projectOf(named).project.experiences.map(({ name }) => name)).toEqual([
      "Über uns",
      "b",
      "c",
    ]);
  });

  it("I1, I2: keys are derived from ids; experience ids differ in more than letter case", () => {
    const { project } = projectOf([page("1a"), page("Ab"), page("aB"), page("a.b")]);
    const hashed = expect.stringMatching(/^aB[-_]x[0-9a-f]{8}$/);
    expect(project.experiences.map(({ key }) => key)).toEqual(["entry_1a", "Ab", "a_b", hashed]);
    expect(project.experiences.map(({ id }) => id)).toEqual(["1a", "Ab", "a.b", hashed]);
    expect(project.steps.map(({ layoutContentId }) => layoutContentId)).toEqual([
      "1a",
      "Ab",
      "a.b",
      "aB",
    ]);
  });
});

describe("contentful: pages are the entries of types with an address", () => {
  const post = (field: string, ...values: readonly unknown[]) =>
    projectOf(
      values.map((value, at) => entry(`e${at}`, "post", { [field]: value })),
      {},
      [type("post", { [field]: "Symbol" })],
    ).ids;

  it("X1g: pages come before what has no address, whatever their ids are", () => {
    const entries = [page("1first", "p"), page("a"), entry("p", "post", { slug: "slug" })];
    const first = projectOf(entries, {}, [PAGE, type("post", { slug: "Symbol" })]);
    expect(first.ids).toEqual(["slug", "1first", "a"]);
    expect(first.project.steps.map(({ id }) => id)).toEqual(["1first", "a", "slug"]);
  });

  it("X2: a workspace and a project keep the names that they were given", () => {
    const first = projectOf([page("a")]);
    const { choices } = following(first).before("space1") ?? { choices: undefined };
    const before = {
      name: "Our magazine",
      choices,
      projects: [{ ...first.project, name: "Website" }],
      hidden: new Set<string>(),
      dataOf: () => undefined,
    };
    const later = projectOf([page("a")], { before: () => before });
    expect(later.workspace).toMatchObject({ record: { id: "space1", name: "Our magazine" } });
    expect(later.project.name).toBe("Website");
  });

  it("X1a: a text field slug, url or path is the address, whatever points at the entry", () => {
    for (const field of ["slug", "url", "path", "Slug"])
      expect(post(field, "b", "a")).toEqual(["a", "b"]);
    const entries = [page("home", "p"), entry("p", "post", { slug: "first" })];
    const types = [PAGE, type("post", { slug: "Symbol" })];
    expect(projectOf(entries, {}, types)).toMatchObject({
      ids: ["first", "home"],
      unreachable: ["home"],
      experiences: { added: ["home"] },
    });
  });

  it.each([
    ["/", "index"],
    ["/blog/first-post/", "blog--first-post"],
    ["/blog/first post/", "blog--first-post-x73f89516"],
    ["https://www.example/about?x#y", "about"],
    ["über-uns", "uber-uns-xf1d886fe"],
    ["中国語", "ZhongGuoYu-x7f5090d4"],
    ["..", "xc7d10cea"],
    [" ", "e0"],
  ])("X1d: the address %j gives the id %j", (slug, id) => {
    expect(post("slug", slug, "other", "more")).toContain(id);
  });

  it("X1f, X25c: a page has its address before a menu item that leads to it, and a warning names both", () => {
    const types = [
      type("item", { title: "Symbol", url: "Symbol" }),
      type("page", { title: "Symbol", slug: "Symbol" }),
      type("landing", { title: "Symbol", url: "Symbol", text: "Text" }),
    ];
    const entries = [
      entry("a", "item", { url: "/" }),
      entry("b", "item", { url: "/offer" }),
      entry("home", "page", { slug: "/" }),
      entry("offer", "landing", { url: "/offer" }),
    ];
    const { project, warnings } = projectOf(entries, {}, types);
    expect(project.steps.map(({ id, layoutContentId }) => `${id} ${layoutContentId}`)).toEqual([
      "index home",
      "index-xffe9aaea a",
      "offer offer",
      "offer-x1e57b933 b",
    ]);
    expect(warnings).toEqual([
      "2 experiences have another id than the entry's address or id gives, as that is taken: " +
        '"index-xffe9aaea" of "a" ("index" is that of "home"), "offer-x1e57b933" of "b" ("offer" is that of "offer")',
    ]);
  });

  it("X1f: a published page has its address before a draft", () => {
    const drafted = entry("a", "post", { slug: "x" });
    const draft = { ...drafted, sys: { ...drafted.sys, publishedVersion: undefined } };
    const types = [type("post", { slug: "Symbol" })];
    const more = Array.from({ length: 9 }, (_, at) => entry(`c${at}`, "post", { slug: `c${at}` }));
    const { project } = projectOf([draft, entry("b", "post", { slug: "x" }), ...more], {}, types);
    expect(project.steps.find(({ id }) => id === "x")?.layoutContentId).toBe("b");
  });

  it("X1a: values that repeat, or that lead to other sites, are no addresses", () => {
    const button = type("button", { slug: "Symbol" });
    const entries = ["/a", "/b", "/a", "/b", "/a"].map((slug, at) =>
      entry(`e${at}`, "button", { slug }),
    );
    expect(projectOf([...entries, page("p", "e0")], {}, [PAGE, button]).ids).toEqual([
      ...["e1", "e2", "e3", "e4"],
      "p",
    ]);
    expect(post("url", "https://a.example/x", "mailto:b@c.example")).toEqual(["e0", "e1"]);
  });

  it.each([
    ["slug", ["x", "x", "y"]],
    ["slug", ["x", "x", "y", "y"]],
    ["url", ["/x", "/x", "/y", "/z"]],
  ] as const)(
    "X1h, X1f: a doubled %s takes the address of one entry, not of its type: %j",
    (...[name, addresses]) => {
      const entries = addresses.map((address, at) => entry(`e${at}`, "post", { [name]: address }));
      const { ids, warnings } = projectOf(entries, {}, [type("post", { [name]: "Symbol" })]);
      expect(ids).toEqual(expect.arrayContaining(["x", "y"]));
      expect(ids.filter((id) => /^[xy]-x/.test(id))).toHaveLength(
        addresses.length - new Set(addresses).size,
      );
      expect(warnings).toEqual([expect.stringContaining('of "e1" ("x" is that of "e0")')]);
    },
  );

  it("X1d, X25c: addresses that differ in letter case alone get different ids, in the order of entries", () => {
    const entries = [
      "one/two",
      "one-two",
      "three",
      "four",
      "five",
      "six",
      "seven",
      "eight",
      "nine",
      "One-two",
    ].map((slug, at) => entry(`e${at}`, "post", { slug }));
    const types = [type("post", { slug: "Symbol" })];
    const { project, warnings } = projectOf(entries, {}, types);
    const idOf = (entryId: string) =>
      project.steps.find(({ layoutContentId }) => layoutContentId === entryId)?.id;
    expect([idOf("e1"), idOf("e9"), idOf("e0")]).toEqual([
      "one-two",
      "One-two-x4e2c70cb",
      "one--two",
    ]);
    expect(warnings).toEqual([
      "1 experience has another id than the entry's address or id gives, as that is taken: " +
        '"One-two-x4e2c70cb" of "e9" ("one-two" is that of "e1")',
    ]);
    expect(projectOf(entries.toReversed(), {}, types).project).toEqual(project);
  });

  it("X1a: --roots: the entries of these types, referenced or not, then what they do not lead to", () => {
    const types = [PAGE, type("post", { slug: "Symbol" })];
    const entries = [page("a", "p"), entry("p", "post"), page("b")];
    expect(projectOf(entries, { roots: ["post"] }, types)).toMatchObject({
      ids: ["a", "b", "p"],
      unreachable: ["a", "b"],
    });
    expect(projectOf(entries, { roots: ["post", "page"] }, types).experiences.added).toEqual([]);
  });

  it("--roots: a type without entries is a usage error that lists those with entries", () => {
    for (const roots of [["nope"], ["page", "__proto__"]]) {
      expect(() => projectOf([page("a")], { roots })).toThrow(UsageError);
    }
  });

  it("X1b: the next import has the same root types", () => {
    const types = [PAGE, type("post", { slug: "Symbol" })];
    const entries = [page("a", "p"), entry("p", "post", { slug: "first" })];
    const named = projectOf(entries, { roots: ["page"] }, types);
    expect(named.workspace).toMatchObject({
      record: { import: { from: "contentful", roots: ["page"] } },
    });
    const more = [...entries, entry("q", "post", { slug: "second" }), page("c", "q")];
    const next = projectOf(more, following(named), types);
    expect(next.ids).toEqual(["a", "c"]);
    expect(next.warnings).toEqual([
      "entries of post have addresses: --roots page,post makes experiences of them too",
    ]);
    expect(projectOf(more, { roots: ["page"] }, types).warnings).toEqual([]);
    const again = projectOf(more, { ...following(named), roots: ["post"] }, types);
    expect(again.workspace).toMatchObject({ record: { import: { roots: ["post"] } } });
  });
});

describe("contentful: an address stays", () => {
  const first = () => projectOf([page("a"), page("b")]);
  const linked = [page("a", "b"), page("b")];

  it("X2: an experience whose entry another one begins to reference is kept, and reported", () => {
    expect(projectOf(linked).ids).toEqual(["a"]);
    expect(projectOf(linked, following(first()))).toMatchObject({
      ids: ["a", "b"],
      experiences: { kept: ["b"], removed: [] },
    });
  });

  it("X2: an experience keeps its id when its entry gets another address, and the name is new", () => {
    const types = [type("post", { slug: "Symbol", title: "Symbol" }, { displayField: "title" })];
    const post = (slug: string, title: string) => [entry("p", "post", { slug, title })];
    const earlier = projectOf(post("old", "Old"), {}, types);
    const later = projectOf(post("new", "New"), following(earlier), types);
    expect(later.project.experiences).toEqual([
      { id: "old", key: "old", name: "New", stepIds: ["old"] },
    ]);
    expect(later.experiences.kept).toEqual([]);
    const taken = projectOf(
      [...post("new", "New"), entry("q", "post", { slug: "old" })],
      following(earlier),
      types,
    );
    expect(taken.ids).toEqual(["old", "old-xd98ef49a"]);
  });

  it("X2: experiences of several steps, project fields, and other projects are kept", () => {
    const own: Project = {
      ...first().project,
      fields: { colour: "red" },
      experiences: [{ id: "tour", key: "tour", name: "Tour", stepIds: ["a", "b"] }],
    };
    const other = { ...first().project, id: "other" };
    const { project, experiences, ids, projects } = projectOf([page("a"), page("b")], {
      before: () => ({
        name: "space1",
        choices: undefined,
        projects: [own, other],
        hidden: new Set(),
        dataOf: () => undefined,
      }),
    });
    expect(projects).toEqual([project, other]);
    expect(project.fields).toEqual({ colour: "red" });
    expect(ids).toEqual(["tour"]);
    expect(experiences.kept).toEqual(["tour", "other/a", "other/b"]);
  });

  it("X1, X1c, X1c: whatever the references, an experience leads to every entry within 5 of them", () => {
    const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    const links = fc.array(fc.subarray(NAMES, { maxLength: 2 }), {
      minLength: NAMES.length,
      maxLength: NAMES.length,
    });
    fc.assert(
      fc.property(links, fc.subarray(NAMES), (to, posts) => {
        const entries = NAMES.map((id, at) =>
          entry(id, posts.includes(id) ? "post" : "page", {
            next: to[at]?.map((one) => link(one)),
          }),
        );
        const types = [PAGE, type("post", { next: LINKS })];
        const options = posts.length > 0 ? { roots: ["post"] } : {};
        const { ids, unreachable } = projectOf(entries, options, types);
        const reached = (from: readonly string[]) => {
          let level = new Set(from);
          for (let depth = 1; depth <= 5; depth += 1) {
            const targets = [...level].flatMap((id) => to[NAMES.indexOf(id)] ?? []);
            level = new Set([...level, ...targets]);
          }
          return level;
        };
        expect([...reached(ids)].sort()).toEqual(NAMES);
        if (posts.length > 0) {
          const found = reached(posts);
          expect(unreachable).toEqual(NAMES.filter((id) => !found.has(id)));
        }
      }),
      { numRuns: randomRuns(200) },
    );
  });
});
