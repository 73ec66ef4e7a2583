import { closeSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";

/** The number of entries of each kind per experience, ten in total. */
const ITEMS_PER_EXPERIENCE = 9;
const ITEMS_ON_PAGE = 6;
const AUTHORS = 450;

/**
 * Writes a workspace folder of `experiences` experiences and about ten times as many entries. Each
 * experience shows a page that points at items, which point at further items and at shared authors: about
 * 20 entries and 18 kB a document. The output is deterministic.
 */
export function makeWorkspace(folder: string, experiences: number): { entries: number } {
  mkdirSync(folder, { recursive: true });
  const json = (name: string, value: unknown) =>
    writeFileSync(join(folder, name), JSON.stringify(value));
  json("workspace.json", { id: "bench", name: "Bench" });
  json("models.json", MODELS);
  json("blocks.json", BLOCKS);
  json("projects.json", [
    {
      id: "bench",
      name: "Bench",
      steps: Array.from({ length: experiences }, (_, index) => ({
        id: `s${index}`,
        key: `step${index}`,
        name: `Step ${index}`,
        layoutName: "page",
        layoutContentId: `page-${index}`,
      })),
      experiences: Array.from({ length: experiences }, (_, index) => ({
        id: `e${index}`,
        key: `experience${index}`,
        name: `Experience ${index}`,
        stepIds: [`s${index}`],
      })),
    },
  ]);
  return { entries: writeEntries(join(folder, "entries.ndjson"), experiences) };
}

function writeEntries(path: string, experiences: number): number {
  const descriptor = openSync(path, "w");
  const items = experiences * ITEMS_PER_EXPERIENCE;
  const text = words();
  let lines: string[] = [];
  let count = 0;
  const put = (id: string, modelId: string, data: object) => {
    lines.push(JSON.stringify({ id, modelId, data }));
    count += 1;
    if (lines.length === 1000) flush();
  };
  const flush = () => {
    if (lines.length > 0) writeSync(descriptor, `${lines.join("\n")}\n`);
    lines = [];
  };
  for (let index = 0; index < AUTHORS; index += 1) {
    put(`author-${index}`, "author", { name: text(2), bio: text(30) });
  }
  for (let index = 0; index < items; index += 1) {
    put(`item-${index}`, "item", {
      title: text(5),
      summary: text(25),
      price: (index * 7919) % 10_000,
      tags: [text(1), text(1)],
      available: index % 3 > 0,
      author: { contentEntryId: `author-${(index * 31) % AUTHORS}` },
      // Two of three items start a chain of up to three.
      ...(index % 3 < 2 && { next: { contentEntryId: `item-${(index + 1) % items}` } }),
      sections: [
        { contentBlockId: "paragraph", data: { text: text(45) } },
        { contentBlockId: "paragraph", data: { text: text(30) } },
      ],
    });
  }
  for (let index = 0; index < experiences; index += 1) {
    const first = index * ITEMS_PER_EXPERIENCE;
    const shown = Array.from({ length: ITEMS_ON_PAGE }, (_, position) => first + position);
    put(`page-${index}`, "page", {
      title: text(6),
      items: shown.map((item) => ({ contentEntryId: `item-${item}` })),
      sections: [{ contentBlockId: "paragraph", data: { text: text(80) } }],
    });
  }
  flush();
  closeSync(descriptor);
  return count;
}

const WORDS =
  "tent stove lake ridge walk morning light rope warm river stone camp map pack rain wool trail sky fire dry".split(
    " ",
  );

/** Deterministic text with this many words. */
function words(): (count: number) => string {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return WORDS[Math.floor((state / 2 ** 32) * WORDS.length)] as string;
  };
  return (count) => Array.from({ length: count }, next).join(" ");
}

const TEXT = { type: "text", required: true };
const SECTIONS = { key: "sections", type: "content-block", repeatable: true };

const BLOCKS = [
  { id: "paragraph", key: "paragraph", name: "Paragraph", fields: [{ key: "text", ...TEXT }] },
];

const MODELS = [
  {
    id: "author",
    key: "author",
    name: "Author",
    fields: [
      { key: "name", ...TEXT, maxLength: 80 },
      { key: "bio", ...TEXT },
    ],
  },
  {
    id: "item",
    key: "item",
    name: "Item",
    fields: [
      { key: "title", ...TEXT, maxLength: 120 },
      { key: "summary", ...TEXT },
      { key: "price", type: "integer", minimum: 0 },
      { key: "tags", type: "text", repeatable: true },
      { key: "available", type: "boolean" },
      { key: "author", type: "reference", models: ["author"] },
      { key: "next", type: "reference", models: ["item"] },
      SECTIONS,
    ],
  },
  {
    id: "page",
    key: "page",
    name: "Page",
    fields: [
      { key: "title", ...TEXT, maxLength: 120 },
      { key: "items", type: "reference", repeatable: true, models: ["item"] },
      SECTIONS,
    ],
  },
];
