import { describe, expect, it } from "vitest";
import { UsageError } from "../../src/workspace/errors.ts";
import { entry, type Loose, link, read, type } from "../support/contentful/contentful-export.ts";

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
  options: { roots?: string[]; relax?: boolean } = {},
  more: readonly Loose[] = [],
) {
  const { project, report } = read({ contentTypes: [PAGE, ...more], entries }, options);
  return { project, ids: project.experiences.map(({ id }) => id), unreachable: report.unreachable };
}

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

  it("an entry that references itself is a root; the entries of a cycle are unreachable", () => {
    expect(projectOf([page("self", "self")])).toMatchObject({ ids: ["self"], unreachable: [] });
    expect(projectOf([page("a", "b"), page("b", "a", "c"), page("c")])).toMatchObject({
      ids: [],
      unreachable: ["a", "b", "c"],
    });
  });

  it("E2: an entry that is more than 5 references away from every root is unreachable", () => {
    const chain = ["a", "b", "c", "d", "e", "f", "g", "h"];
    const entries = chain.map((id, at) => page(id, ...chain.slice(at + 1, at + 2)));
    expect(projectOf(entries)).toMatchObject({ ids: ["a"], unreachable: ["g", "h"] });
    expect(projectOf([...entries, page("near", "g")]).unreachable).toEqual([]);
  });

  it("links in rich text, and of entries that are left out, are not references", () => {
    const inText = entry("a", "page", { text: { content: [{ data: { target: link("b") } }] } });
    const draft = { ...page("d", "b"), sys: { ...page("d").sys, publishedVersion: undefined } };
    expect(projectOf([inText, page("b"), draft]).ids).toEqual(["a", "b"]);
  });

  it("links in a field that was relaxed to json are not references, so their targets are roots", () => {
    const odd = entry("odd", "page", { next: "not a list" });
    expect(projectOf([page("a", "b"), page("b"), odd], { relax: true }).ids).toEqual([
      "a",
      "b",
      "odd",
    ]);
  });

  it("--roots: the entries of these types, referenced or not", () => {
    const post = type("post", {});
    const entries = [page("a", "p"), entry("p", "post"), page("b")];
    expect(projectOf(entries, { roots: ["post"] }, [post])).toMatchObject({
      ids: ["p"],
      unreachable: ["a", "b"],
    });
    expect(projectOf(entries, { roots: ["post", "page"] }, [post]).ids).toEqual(["a", "b", "p"]);
  });

  it("--roots: a type without entries is a usage error that lists those with entries", () => {
    for (const roots of [["nope"], ["page", "__proto__"]]) {
      expect(() => projectOf([page("a")], { roots })).toThrow(UsageError);
    }
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
    expect(project.experiences.map(({ key }) => key)).toEqual(["entry_1a", "Ab", "a_b", "aB"]);
    expect(project.experiences.map(({ id }) => id)).toEqual(["1a", "Ab", "a.b", "aB-2"]);
    expect(project.steps.map(({ layoutContentId }) => layoutContentId)).toEqual([
      "1a",
      "Ab",
      "a.b",
      "aB",
    ]);
  });
});
