import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TestBed } from "../support/test-bed.ts";
import { PAGE_MODEL, page, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { canonicalForm } from "./workspace-laws.ts";

const EXTRA = '{"b":{"9":1,"10":2,"é":3,"z":4,"-":5,"__proto__":6},"B":[true,null," "]}';

const WORKSPACE = smallWorkspace({
  models: [{ ...PAGE_MODEL, fields: [...PAGE_MODEL.fields, { key: "extra", type: "json" }] }],
  entries: [page("home", "Home – ½ “ ”", { extra: JSON.parse(EXTRA) })],
});

describe("F2: canonical JSON", () => {
  it.each([
    ["content", "api/v1/projects/site/experiences/home/content.json", ""],
    ["config", "api/v1/projects/site/index.json", ""],
    ["schema.json", "api/v1/projects/site/schema.json", "  "],
    ["manifest.json", "manifest.json", "  "],
    ["404.json", "404.json", ""],
  ])("F2: %s is UTF-8 with sorted members and one final newline", (_what, path, step) => {
    const bed = new TestBed(WORKSPACE, { id: "10" }, { id: "9" });
    for (const workspace of ["w", "10", "9"]) bed.publish({ workspace });
    const bytes = readFileSync(join(bed.out, path));
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    expect(text).toBe(`${canonicalForm(JSON.parse(text), step)}\n`);
  });

  it("F2: a member named __proto__ and members like numbers keep their place", () => {
    const bed = new TestBed(WORKSPACE);
    bed.publish();
    const path = join(bed.out, "api/v1/projects/site/experiences/home/content.json");
    expect(readFileSync(path, "utf8")).toContain(
      '"extra":{"B":[true,null," "],"b":{"-":5,"10":2,"9":1,"__proto__":6,"z":4,"é":3}}',
    );
  });
});
