import { mkdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The token of the workspace. */
export const TOKEN = "bench-token";

/** The URL path of its experience's content. */
export const CONTENT = "/api/v1/projects/site/experiences/tour/content";

/**
 * Writes a workspace folder with one experience and this many entries: a page and its references,
 * about 1 kB per entry.
 */
export function writeExperience(folder: string, entries: number): void {
  mkdirSync(folder, { recursive: true });
  const json = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  const text = { type: "text", required: true };
  json("workspace.json", { id: "site", name: "Site", previewToken: TOKEN });
  json("models.json", [
    {
      id: "page",
      key: "page",
      name: "Page",
      fields: [
        { key: "title", ...text },
        { key: "text", ...text },
        { key: "price", type: "integer" },
        { key: "next", type: "reference", repeatable: true },
      ],
    },
  ]);
  json("projects.json", [
    {
      id: "site",
      name: "Site",
      steps: [{ id: "s", key: "start", name: "Start", layoutName: "page", layoutContentId: "p0" }],
      experiences: [{ id: "tour", key: "tour", name: "Tour", stepIds: ["s"] }],
    },
  ]);
  writeEntries(folder, entries, "Page");
}

/** Replaces all entries at once by as many with this title. */
export function writeEntries(folder: string, count: number, title: string): void {
  const others = Array.from({ length: count - 1 }, (_, index) => ({
    contentEntryId: `p${index + 1}`,
  }));
  const entries = Array.from({ length: count }, (_, number) => ({
    id: `p${number}`,
    modelId: "page",
    data: {
      title,
      text: "tent stove lake ridge walk morning light rope warm river ".repeat(15),
      price: number * 7,
      next: number === 0 ? others : [{ contentEntryId: `p${(number % (count - 1)) + 1}` }],
    },
  }));
  const file = join(folder, "entries.json");
  writeFileSync(`${file}.new`, JSON.stringify(entries));
  renameSync(`${file}.new`, file);
}
