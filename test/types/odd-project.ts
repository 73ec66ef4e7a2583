import { partsOf } from "../codegen/schema-sample.ts";
import { draftProjects, type ServedProject } from "../codegen/served-projects.ts";
import { TestBed } from "../support/test-bed.ts";

const ODD_FIELDS = {
  class: { type: "text" },
  list: { type: "text", repeatable: true },
  "not-an-identifier": { type: "text", required: true },
  type: { type: "select", options: ["", "a b", "a-b", "A B"] },
  "next-block": { type: "content-block" },
  anything: { type: "json" },
  text: { type: "rich-text" },
  link: { type: "reference", models: ["step", "blog-post"] },
};

/** Keys that are words of languages, no identifiers, or alike, and models that are named like blocks. */
export function oddProject(): ServedProject {
  const models = ["blog-post", "blogPost", "hero", "hero-block", "step", "page", "page-entry"];
  const blocks = ["hero", "entry", "import"];
  const fields = (keys: readonly string[]) =>
    Object.fromEntries(keys.map((key) => [key, ODD_FIELDS]));
  const parts = partsOf({
    models: fields(models),
    blocks: fields(blocks),
    features: ["on-off"],
    steps: models,
    experiences: ["one-tour"],
  });
  const block = (data: object) => ({
    contentBlockId: "hero",
    data: { "not-an-identifier": "", ...data },
  });
  const data = {
    class: "x",
    list: ["x"],
    "not-an-identifier": "y",
    type: "a b",
    "next-block": block({ "next-block": block({}) }),
    anything: [{ a: null }, 1],
    text: [{ type: "paragraph", content: [{ contentEntryId: "e0" }] }],
    link: { contentEntryId: "e0" },
  };
  const entries = (parts.entries ?? []).map((entry) => ({ ...entry, data }));
  const [project] = draftProjects(new TestBed({ ...parts, entries }), "odd");
  if (project === undefined) throw new Error("no project");
  return project;
}
