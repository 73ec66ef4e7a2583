import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import {
  asset,
  entry,
  exportOf,
  type Loose,
  link,
  type,
} from "../support/contentful/contentful-export.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const SECRET = /secret/i;

/** Of a Contentful entry that was never published. */
const DRAFT = { publishedVersion: undefined };

/** One published page and one draft, as each system exports them. */
const EXPORTS: Readonly<Record<string, readonly (readonly [path: string, text: string])[]>> = {
  contentful: [
    [
      "in",
      JSON.stringify(
        exportOf({
          contentTypes: [
            type("page", {
              title: "Symbol",
              slug: "Symbol",
              image: { type: "Link", linkType: "Asset" },
            }),
          ],
          entries: [
            entry("a", "page", { title: "Home", slug: "home" }),
            entry(
              ...(["b", "page"] as const),
              { title: "Secret", slug: "secret-plan", image: link("secret-photo", "Asset") },
              DRAFT,
            ),
          ],
          assets: [asset("secret-photo", {}, DRAFT)],
        }),
      ),
    ],
  ],
  markdown: [
    ["in/a.md", "---\ntitle: Home\n---\nHello"],
    ["in/secret-plan.md", "---\ntitle: Secret plan\ndraft: true\n---\nSecret"],
  ],
  sanity: [
    [
      "in",
      `${JSON.stringify({ _id: "a", _type: "page", title: "Home", slug: { current: "home" } })}\n${JSON.stringify(
        { _id: "drafts.b", _type: "page", title: "Secret", slug: { current: "secret-plan" } },
      )}\n`,
    ],
  ],
  storyblok: [
    [
      "in",
      JSON.stringify({
        stories: ["home", "secret-plan"].map((slug, at) => ({
          uuid: `u${at}`,
          name: slug,
          slug,
          full_slug: slug,
          published: at === 0,
          content: { component: "page", title: slug },
        })),
      }),
    ],
  ],
};

it.each(Object.keys(EXPORTS))(
  "X1e, A8: nothing that a draft of %s says is published, its name and address neither",
  (format) => {
    const bed = new CliBed();
    workspaceFolder(Object.fromEntries(EXPORTS[format] ?? []), bed.folder);
    const published = (path: string, ...options: string[]) => {
      bed.ok("import", "--from", format, path, "--write", "content", ...options);
      bed.ok("publish", "content", "--out", "out");
      return JSON.stringify(bytesBelow(bed.path("out")));
    };
    expect(published("in")).not.toMatch(SECRET);
    const { leftOut } = bed.json(0, "publish", "content", "--out", "out", "--dry-run");
    expect(leftOut.draft).toBe(1);
    const projects = Object.entries(bytesBelow(bed.path("content/projects")));
    expect(projects.join(), "X1e: it has an experience").toContain('"id": "secret-plan"');
    expect(published("in", "--drafts"), "published with --drafts").toMatch(SECRET);
    expect(published("in"), "A8: a draft again").not.toMatch(SECRET);
  },
);

it.each([
  [
    "markdown",
    { "in/a.md": "A", "in/secret.md": "---\ndraft: true\n---\nSecret", "next/a.md": "A" },
    "in",
    "next",
  ],
  ["sanity", { in: '{"_id":"a","_type":"page"}\n{"_id":"b.secret","_type":"page"}\n' }, "in", "in"],
])(
  "X2: an experience that nothing would hide any more is removed: of %s",
  (format, files, first, next) => {
    const bed = new CliBed();
    workspaceFolder(files, bed.folder);
    const from = ["import", "--from", format, "--workspace", "w"];
    const isPrivate = format === "sanity" ? ["--private"] : [];
    bed.ok(...from, first, ...isPrivate);
    const { experiences } = bed.json(0, ...from, next);
    expect(experiences).toMatchObject({ kept: [], removed: [expect.stringMatching(SECRET)] });
    bed.ok("publish");
    expect(JSON.stringify(bytesBelow(bed.path("out")))).not.toMatch(SECRET);
  },
);

/** Two published records that were changed since, one published as it is, and a draft. */
const EDITED = exportOf({
  contentTypes: [type("page", { title: "Symbol" })],
  entries: [
    entry("same", "page", { title: "A" }),
    entry("edited", "page", { title: "B" }, { version: 4, publishedVersion: 1 }),
    entry("new", "page", { title: "C" }, { version: 4, ...DRAFT }),
  ],
  assets: [asset("a"), asset("b", {}, { version: 4, publishedVersion: 1 })],
});

describe("X21: edits that were never published", () => {
  const edits = [
    { kind: "entry", id: "edited" },
    { kind: "asset", id: "b" },
  ];
  const from = ["import", "--from", "contentful", "in"];
  const bedOf = () => {
    const bed = new CliBed();
    workspaceFolder({ in: JSON.stringify(EDITED) }, bed.folder);
    return bed;
  };

  it("are imported, and a warning and the report name each record", () => {
    const bed = bedOf();
    expect(bed.json(0, ...from)).toMatchObject({ unpublishedEdits: edits, drafts: 1 });
    const { stderr } = bed.ok(...from, "--report", "report.json");
    expect(stderr).toContain("edits that were never published");
    expect(stderr).toContain("entry edited");
    const { fates } = JSON.parse(readFileSync(bed.path("report.json"), "utf8"));
    const changed = fates.filter(({ lost }: Loose) => `${lost}`.includes("it was changed since"));
    expect(changed.map(({ kind, id }: Loose) => ({ kind, id }))).toEqual(edits);
    expect(fates.filter(({ became }: Loose) => became?.draft)).toMatchObject([{ id: "new" }]);
  });

  it("with --strict are refused with status 1, and nothing is imported", () => {
    const bed = bedOf();
    const before = readdirSync(bed.folder);
    const { error } = bed.json(4, ...from, "--strict");
    expect(error.code).toBe("unpublished-edits");
    expect(error.problems.map(({ record }: Loose) => record)).toEqual(edits);
    expect(readdirSync(bed.folder)).toEqual(before);
  });

  it("with --drafts are meant to be published", () => {
    expect(bedOf().json(0, ...from, "--strict", "--drafts")).toMatchObject({
      unpublishedEdits: [],
      drafts: 0,
    });
  });
});

describe("X3e: an entry that is a draft in a locale", () => {
  const from = ["import", "--from", "contentful", "in"];
  const bedOf = (count = 1) => {
    const bed = new CliBed();
    const entries = Array.from({ length: count }, (_, at) => ({
      ...entry(`e${at}`, "page", {}, { fieldStatus: { "*": { en: "published", de: "draft" } } }),
      fields: { title: { en: "A", de: "Secret" } },
    }));
    const contentTypes = [type("page", { title: { type: "Symbol", localized: true } })];
    const other = { ...entry("f", "page"), fields: { title: { en: "B", de: "B" } } };
    const locales = [{ code: "en", default: true }, { code: "de" }];
    const given = exportOf({ contentTypes, entries: [...entries, other], locales });
    workspaceFolder({ in: JSON.stringify(given) }, bed.folder);
    return bed;
  };

  it("is imported as one, and is in the preview of its language alone; the report names it", () => {
    const bed = bedOf(12);
    const draftLocales = Array.from({ length: 12 }, (_, at) => ({ id: `e${at}`, locales: ["de"] }));
    expect(bed.json(0, ...from)).toMatchObject({ draftLocales, drafts: 0 });
    const { stderr } = bed.ok(...from, "--report", "report.json");
    expect(stderr).toContain(
      "12 entries are drafts in some locales, and publishing leaves them out",
    );
    expect(stderr).toContain("e0 (de), e1 (de)");
    expect(stderr).toContain("and 2 more");
    const [fate] = JSON.parse(readFileSync(bed.path("report.json"), "utf8")).fates.filter(
      ({ id }: { id: string }) => id === "e0",
    );
    expect(fate).toMatchObject({ became: { draft: { de: true } }, lost: [] });
    bed.ok(...from, "--report", "report.md");
    expect(readFileSync(bed.path("report.md"), "utf8")).toContain(
      "entry that is a draft in de, e0",
    );
    bed.ok("publish");
    expect(JSON.stringify(bytesBelow(bed.path("out")))).not.toMatch(SECRET);
  });
});
