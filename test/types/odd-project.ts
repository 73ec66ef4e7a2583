import { partsOf } from "../codegen/schema-sample.ts";
import { draftProjects, type ServedProject } from "../codegen/served-projects.ts";
import { TestBed } from "../support/test-bed.ts";
import { heldAsset } from "../support/workspaces/small-workspace.ts";

const PHOTO = heldAsset("photo", "a b.png", "pixels");
const PAGE = heldAsset("page", "page.html", "<p>Hi</p>", "text/html");

/** Fields of every type. */
const ODD_FIELDS = {
  class: { type: "text" },
  list: { type: "text", repeatable: true },
  "not-an-identifier": { type: "text", required: true },
  type: { type: "select", options: ["", "a b", "a-b", "A B"] },
  "next-block": { type: "content-block" },
  anything: { type: "json" },
  text: { type: "rich-text" },
  link: { type: "reference", models: ["step", "blog-post"] },
  number: { type: "number" },
  integers: { type: "integer", repeatable: true },
  boolean: { type: "boolean" },
  day: { type: "date" },
  time: { type: "date-time" },
  moment: { type: "iso-date" },
  address: { type: "url" },
  mail: { type: "email" },
  photo: { type: "asset" },
  html: { type: "html-asset" },
};

/** Every type of field, keys that are words of languages, no identifiers, or alike, and models that are named like blocks. */
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
    number: 1.5,
    integers: [1, 2],
    boolean: false,
    day: "2024-02-29",
    time: "2024-02-29T12:00:00Z",
    moment: "2024-02-29",
    address: "https://x.example/",
    mail: "a@x.example",
    photo: "photo",
    html: "page",
  };
  const entries = (parts.entries ?? []).map((entry) => ({ ...entry, data }));
  const files = { assets: [PHOTO.asset, PAGE.asset], files: new Map([PHOTO.file, PAGE.file]) };
  const [project] = draftProjects(new TestBed({ ...parts, entries, ...files }), "odd");
  if (project === undefined) throw new Error("no project");
  return project;
}
