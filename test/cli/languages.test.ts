import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/workspace/json.ts";
import type { ProjectLocales } from "../../src/workspace/records.ts";
import type { Parts } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { draftBed } from "./published-bed.ts";

const FIELDS = [
  { key: "title", type: "text", localized: true },
  { key: "note", type: "text" },
];
const project = (id: string, locales: ProjectLocales, ...shown: readonly string[]) => ({
  ...projectOf(id, ...(shown.length > 0 ? shown : ["home"])),
  ...locales,
});
const PROJECTS = [
  project("at", { locale: "de-AT", fallbackLocales: ["de"] }),
  project("de", { locale: "de" }, "home", "a", "b", "c"),
  project("en", { locale: "en" }),
];

/** A site in three languages. */
const site = (home: JsonObject, others: readonly JsonObject[] = []): Parts => ({
  models: [{ id: "m", key: "page", name: "Page", fields: FIELDS }],
  projects: PROJECTS,
  entries: [home, ...others].map((data, at) => ({
    id: at === 0 ? "home" : `e${at}`,
    modelId: "m",
    data,
  })),
});

describe("D1: svc diff of languages", () => {
  const before = site({ title: { de: "Start", en: "Home" }, note: "1" });

  it("D1, B1: an entry that changed differently in languages is listed once for each, with the projects", () => {
    const { bed } = draftBed(before, site({ title: { de: "Anfang", en: "Main" }, note: "1" }));
    const { stdout } = bed.ok("diff");
    expect(stdout).toContain("1 entry changed");
    const entries = (stdout.split("\nEntries\n")[1] ?? "").split("\n\n")[0];
    expect(entries).toBe(
      [
        "  ~ Anfang (Page, home)  in projects at, de: at/home, de/home",
        '    ~ title  "Start" → "Anfang"',
        "  ~ Main (Page, home)  in project en: en/home",
        '    ~ title  "Home" → "Main"',
      ].join("\n"),
    );
    const table = bed.ok("diff", "--format", "markdown").stdout;
    expect(table).toContain(
      '| Anfang<br>`home` | Page | title: "Start" → "Anfang" | projects at, de: at/home, de/home |',
    );
    expect(table).toContain(
      '| Main<br>`home` | Page | title: "Home" → "Main" | project en: en/home |',
    );
    expect(bed.json(0, "diff").entries).toMatchObject([
      { id: "home", fields: [{ after: "Anfang" }], documents: { length: 2 } },
      { id: "home", fields: [{ after: "Main" }], documents: { length: 1 } },
    ]);
  });

  it("D1: the projects are left out where an entry changed in one way only", () => {
    const { bed } = draftBed(before, site({ title: { de: "Start", en: "Home" }, note: "2" }));
    expect(bed.ok("diff").stdout).toContain(
      "\n  ~ Start (Page, home)  in at/home, de/home, en/home\n",
    );
  });
});
