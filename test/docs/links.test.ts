import { existsSync } from "node:fs";
import { join, posix } from "node:path";
import { describe, expect, it } from "vitest";
import { DOCUMENTS, linksOf, ROOMS, ROOT, withoutCode } from "./documents.ts";

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): string[] {
  return [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

describe("README.md and docs", () => {
  const links = [...DOCUMENTS].flatMap(([path, text]) =>
    linksOf(text).map((target) => [path, target] as const),
  );

  it("every relative link leads to a file, and to a heading of it", () => {
    const broken = links.filter(([path, target]) => {
      const [file = "", anchor] = target.split("#");
      const found = file === "" ? path : posix.join(posix.dirname(path), file);
      if (!existsSync(join(ROOT, found))) return true;
      return anchor !== undefined && !anchorsOf(DOCUMENTS.get(found) ?? "").includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  it("no link is by reference: the others here do not see these", () => {
    const prose = [...DOCUMENTS].map(
      ([path, text]) => [path, withoutCode(text).replace(/`[^`]*`/g, "")] as const,
    );
    const byReference = /\]\[|^ *\[[^\]]+\]: |<a\b/m;
    expect(prose.filter(([, text]) => byReference.test(text)).map(([path]) => path)).toEqual([]);
    expect(["[x][y]", "[y]: z.md"].filter((link) => !byReference.test(link))).toEqual([]);
  });

  it("every document can be reached from README.md", () => {
    const reached = new Set(["README.md"]);
    for (const from of reached) {
      for (const [path, target] of links) {
        const to = posix.join(posix.dirname(path), target.split("#")[0] ?? "");
        if (path === from && DOCUMENTS.has(to)) reached.add(to);
      }
    }
    expect([...DOCUMENTS.keys()].filter((path) => !reached.has(path))).toEqual([]);
    expect(links.length).toBeGreaterThan(40);
  });

  const named = [...DOCUMENTS].flatMap(([path, text]) =>
    [...text.matchAll(/(?:^|[\s`(])((?:src|test|scripts|fixtures|bin)\/[\w./-]*[\w/])/gm)].map(
      ([, file = ""]) => [path, file] as const,
    ),
  );

  it("every file of the sources that is named is there", () => {
    expect(named.filter(([, file]) => !existsSync(join(ROOT, file)))).toEqual([]);
    expect(named.length).toBeGreaterThan(40);
  });

  it("the page of a room fits on a screen, and names the files to read first", () => {
    // The client's is that of its package.
    for (const room of ROOMS.filter((name) => name !== "client")) {
      const text = DOCUMENTS.get(`src/${room}/README.md`) ?? "";
      const files = [...text.matchAll(/^- `([^`]+)`/gm)].map(([, file = ""]) => file);
      expect(files.length, room).toBeGreaterThan(1);
      const all = [...text.matchAll(/`([a-z/-]+\.tsx?)`/g)].map(([, file = ""]) => file);
      expect(all.filter((file) => !existsSync(join(ROOT, "src", room, file)))).toEqual([]);
      expect(text.split("\n").length, room).toBeLessThan(25);
    }
  });

  it("the front page has at most 150 lines", () => {
    expect((DOCUMENTS.get("README.md") ?? "").split("\n").length).toBeLessThanOrEqual(151);
  });
});
