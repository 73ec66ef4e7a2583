import { expect, it } from "vitest";
import { CliBed } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

const SECRET = /secret/i;

/** One published page and one draft, as each system exports them. */
const EXPORTS: Readonly<Record<string, readonly (readonly [path: string, text: string])[]>> = {
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
          ...{ uuid: `u${at}`, name: slug, slug, full_slug: slug, published: at === 0 },
          content: { component: "page", title: slug },
        })),
      }),
    ],
  ],
};

it.each(Object.keys(EXPORTS))(
  "X1, A1: nothing that a draft of %s says is published, its name and address neither",
  (format) => {
    const bed = new CliBed();
    workspaceFolder(Object.fromEntries(EXPORTS[format] ?? []), bed.folder);
    const published = (path: string, ...options: string[]) => {
      bed.ok("import", "--from", format, path, "--write", "content", ...options);
      bed.ok("publish", "content", "--out", "out");
      return JSON.stringify(bytesBelow(bed.path("out")));
    };
    expect(published("in")).not.toMatch(SECRET);
    expect(bed.ok("import", "--from", format, "in", "--dry-run").stderr).toMatch(
      "drafts without an experience until an import has them published: 1",
    );
    expect(published("in", "--drafts"), "published with --drafts").toMatch(SECRET);
    expect(published("in"), "an experience that it has stays").toMatch(SECRET);
  },
);
