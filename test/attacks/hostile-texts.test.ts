import { mkdirSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { linksIn } from "../../src/import/markdown/links.ts";
import { CliBed } from "../support/cli-bed.ts";

const MARKS = [
  ..."`[]()<~*\t ",
  ...[
    "[[",
    "![",
    "](",
    "](<",
    "<!--",
    "<a ",
    '<img src="',
    "{",
    "{{< ref ",
    '="',
    "a.b?",
    "import ",
    "[a]: ",
    "\n",
    "\n[a]:",
    "\n```",
    "a",
  ],
];

/** Milliseconds of CPU time: others keep the machine busy. */
function cpuOf(work: () => void): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Every mark alone, and in turn with every other. */
const units = MARKS.flatMap((a) => ["", ...MARKS].map((b) => `${a}${b}`));

const repeated = (unit: string, length: number) => unit.repeat(Math.ceil(length / unit.length));

describe("X19f: links of texts of 50 kB of one mark or two", () => {
  it("are found in a time that grows with the length", () => {
    const slow = (length: number) =>
      units.filter((unit) => cpuOf(() => linksIn(repeated(unit, length))) > 1000);
    // What needs the square of the length needs many seconds.
    expect(slow(50_000)).toEqual([]);
  });

  it("each number of backticks once, and as many as the text has", () => {
    let rising = "";
    for (let count = 1; rising.length < 200_000; count += 1) rising += `${"`".repeat(count)}x`;
    for (const text of [rising, "`".repeat(200_000), `${"`".repeat(200_000)}x`]) {
      expect(cpuOf(() => linksIn(text))).toBeLessThan(1000);
    }
  });

  it("an address of 20 MB, as pictures within a text have", () => {
    for (const [start, unit] of [
      ["![](data:", "x"],
      ["![](", "(a)"],
      ["[[", "x"],
      ["[a]: ", "x"],
      ["<img ", "x"],
    ] as const) {
      const text = start + repeated(unit, 20_000_000);
      expect(cpuOf(() => linksIn(text))).toBeLessThan(4000);
    }
  });
});

/** Imports texts, and returns the first error, if there is one, and the CPU time of the program. */
function imported(...texts: readonly string[]): { message: string; seconds: number } {
  const bed = new CliBed();
  mkdirSync(bed.path("in"));
  for (const [at, text] of texts.entries()) writeFileSync(bed.path("in", `${at}.md`), text);
  const { status, stdout } = bed.run("import", "--from", "markdown", "in", "--json");
  const seconds = bed.cpu / 1000;
  const { error } = JSON.parse(stdout);
  expect(status).toBe(error === undefined ? 0 : 1);
  rmSync(join(bed.folder), { recursive: true });
  return { message: error?.problems?.[0]?.message ?? error?.message ?? "", seconds };
}

describe("W9: a text of JSON of more than 256 MiB", () => {
  const huge = 257 * 2 ** 20;

  it("is a fault of a workspace folder, also as a line", () => {
    const bed = new CliBed();
    mkdirSync(bed.path("site"));
    writeFileSync(bed.path("site/workspace.json"), '{"id":"site","name":"Site"}');
    for (const name of ["models.json", "entries.ndjson"]) {
      writeFileSync(bed.path("site", name), "");
      // Takes no room on the disk.
      truncateSync(bed.path("site", name), huge);
    }
    const { error } = bed.json(1, "check", "site");
    const message = "is larger than 256 MiB, the most that one text of JSON may have";
    expect(error.problems.map((one: object) => Object.values(one).join(" "))).toEqual([
      expect.stringContaining(`the line ${message}`),
      expect.stringContaining(`${message}: divide it`),
    ]);
  });
});

const matter = (yaml: string) => `---\n${yaml}\n---\ntext\n`;

describe("X19e: front matter that an attacker wrote", () => {
  it("20,000 members are read", () => {
    const yaml = Array.from({ length: 20_000 }, (_, at) => `k${at}: ${at}`).join("\n");
    const { message, seconds } = imported(matter(yaml));
    expect(message).toBe("");
    expect(seconds).toBeLessThan(20);
  });

  it("aliases of aliases, an alias within itself, and aliases of a long text are refused", () => {
    const bomb = ["a: &a [x, x, x, x, x, x, x, x, x]"];
    for (const [name, next] of ["ab", "bc", "cd", "de", "ef", "fg", "gh", "hi"]) {
      bomb.push(`${next}: &${next} [${Array(9).fill(`*${name}`).join()}]`);
    }
    const large = "front matter has at most 1048576 characters, also with its aliases filled in";
    expect(imported(matter(bomb.join("\n"))).message).toBe(large);
    const long = `a: &a ${"x".repeat(100_000)}\nb: [${Array(1000).fill("*a").join()}]`;
    expect(imported(matter(long)).message).toBe(large);
    const members = Array.from({ length: 1000 }, (_, at) => `k${at}: 1`).join(", ");
    const merged = Array.from({ length: 5000 }, (_, at) => `m${at}: { <<: *a }`).join("\n");
    expect(imported(matter(`a: &a { ${members} }\n${merged}`)).message).not.toBe("");
    expect(imported(matter("a: &a [*a, *a]")).message).toMatch(/nested more|at most 1048576/);
    expect(imported(matter(`a: ${"x".repeat(2 ** 20)}`)).message).toBe(large);
  });

  it("200 kB of each mark, alone, in a list, in quotes and in a block, are read or refused at once", () => {
    const marks = ["[", "{", "- ", "? ", "&a ", "!a ", "a: ", '"', "'", "|", "#", "\t", "*a "];
    for (const start of ["", "a: ", "a: [", 'a: "', "a: |\n  "]) {
      const texts = marks.map((mark) => matter(start + repeated(mark, 200_000)));
      // What needs the square of the length needs more, of one text.
      expect(imported(...texts).seconds, start).toBeLessThan(15);
    }
  });
});

describe("W4c: broken JSON in one line", () => {
  it("of 600 kB is explained in a time that grows with the length", () => {
    const bed = new CliBed();
    mkdirSync(bed.path("site"));
    writeFileSync(bed.path("site/workspace.json"), '{"id":"site","name":"Site"}');
    for (const unit of ["[],", "{},", '"\\\\",', " [],"]) {
      const text = `${" ".repeat(100_000)}[${repeated(unit, 600_000)}!]`;
      writeFileSync(bed.path("site/models.json"), text);
      const { error } = bed.json(1, "check", "site");
      expect(error.problems[0].message).toContain("broken JSON");
      // What needs the square of the length needs minutes.
      expect(bed.cpu).toBeLessThan(10_000);
    }
  });
});

describe("S11b: a schema document that an attacker made", () => {
  const types = (document: object) => {
    const bed = new CliBed();
    writeFileSync(bed.path("schema.json"), JSON.stringify(document));
    return bed.json(1, "types", "schema.json").error;
  };

  it("in which each definition refers to the next one twice is refused", () => {
    const $ref = (at: number) => ({ $ref: `#/$defs/fields/$defs/d${at}` });
    const shared = Array.from({ length: 60 }, (_, at) => [
      `d${at}`,
      { type: "object", properties: { x: $ref(at + 1), y: $ref(at + 1) } },
    ]);
    const page = { type: "object", properties: { x: $ref(0) } };
    const $defs = { contentModels: { page }, contentBlocks: {} };
    const fields = { $defs: Object.fromEntries(shared) };
    const found = types({ $id: "svc:project/site/schema", $defs: { ...$defs, fields } });
    expect(found).toMatchObject({ code: "schema-invalid" });
    expect(found.message).toContain("larger than 2000000 objects");
  });

  it("whose texts are objects that are no text is refused", () => {
    expect(types({ $id: { toString: 1 } })).toMatchObject({ code: "schema-invalid" });
  });
});

it("X15: limits of an export that are objects are no limits", () => {
  const bed = new CliBed();
  const title = { type: "text", max_length: { toString: 1, valueOf: 1 } };
  const components = [{ name: "page", schema: { title } }];
  const stories = [{ uuid: "a", slug: "a", content: { component: "page", title: "A" } }];
  mkdirSync(bed.path("in"));
  writeFileSync(bed.path("in/components.json"), JSON.stringify({ components }));
  writeFileSync(bed.path("in/stories.json"), JSON.stringify({ stories }));
  expect(bed.run("import", "--from", "storyblok", "in").status).toBe(0);
});

it("G4b: a list of 20,000 elements that both sides have shuffled is merged in a time that grows with it", () => {
  const bed = new CliBed();
  const count = 20_000;
  const list = Array.from({ length: count }, (_, at) => ({ id: `i${at}`, at }));
  const sides = { base: 1, ours: 7919, theirs: 104_729 };
  for (const [name, step] of Object.entries(sides)) {
    const data = list.map((_, at) => list[(at * step) % count]);
    writeFileSync(bed.path(name), JSON.stringify({ id: "a", modelId: "m", data: { list: data } }));
  }
  const { status } = bed.run("merge-driver", "run", "base", "ours", "theirs", "entries/a.json");
  expect(status).toBe(1);
  // What needs the square of the length needs more than a minute.
  expect(bed.cpu).toBeLessThan(15_000);
});
