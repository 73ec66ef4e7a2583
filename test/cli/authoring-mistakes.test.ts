import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { CliBed, STARTER } from "../support/cli-bed.ts";
import { bytesBelow } from "../support/file-tree.ts";

const HOME = "entries/home-page.json";
const SITE = "projects/site.json";

/** A file of the workspace folder, and what an author makes of it; null: it is removed. */
type Edit = readonly [file: string, change: ((text: string) => string) | string | null];

interface Mistake {
  readonly edits: readonly Edit[];
  /** Where it is reported: the file, and the line where one is known. */
  readonly at: string;
  /** What it says: what is wrong, or what to do. */
  readonly says: string;
  /** How many errors it causes. */
  readonly errors?: number;
}

const replacing = (file: string, from: string, to: string): Edit => [
  file,
  (text) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  },
];
const one = (edit: Edit, at: string, says: string): Mistake => ({ edits: [edit], at, says });

const ABOUT_PAGE = "entries/about-page.json";
const ABOUT = readFileSync(`${STARTER}/${ABOUT_PAGE}`, "utf8");

/** What an author does to a folder, by what it is called: one of each kind, others are in `test/folder`, `test/import` and `test/documents`. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  // JSON.
  "a comma after the last member": one(
    replacing(HOME, '"contentEntryId": "sam-rivers"', '"contentEntryId": "sam-rivers",'),
    `${HOME}:24`,
    "remove this comma",
  ),
  // Files.
  "an entry saved as .json.txt": {
    edits: [
      [`${HOME}.txt`, readFileSync(`${STARTER}/${HOME}`, "utf8")],
      [HOME, null],
    ],
    at: `${HOME}.txt`,
    says: 'rename it to "home-page.json"',
  },
  "a copy of an entry with its id": one(
    ["entries/home-page copy.json", readFileSync(`${STARTER}/${HOME}`, "utf8")],
    `${HOME}:2`,
    'duplicate entry id "home-page"',
  ),
  // Members of records.
  "modelId misspelt": one(
    replacing(HOME, '"modelId"', '"modleId"'),
    `${HOME}:3`,
    'did you mean "modelId"?',
  ),
  "a workspace without a name": one(
    replacing("workspace.json", '"name": "My workspace"', '"nmae": "My workspace"'),
    "workspace.json:3",
    'did you mean "name"?',
  ),
  // Values.
  "a model misspelt": one(
    replacing(HOME, '"modelId": "page"', '"modelId": "pgae"'),
    `${HOME}:3`,
    'did you mean "page"?',
  ),
  "a required text that is blank": one(
    replacing(HOME, "Welcome to your workspace", "  "),
    `${HOME}:5`,
    'the required field "headline" is empty or blank',
  ),
  "a draft in a locale that no project has": one(
    replacing(HOME, '"modelId"', '"draft": { "de": true },\n  "modelId"'),
    `${HOME}:3`,
    "which is the locale of no project",
  ),
  "localized that was removed": {
    edits: [
      replacing(SITE, '"id": "site",', '"id": "site",\n  "locale": "en",'),
      replacing(HOME, '"Welcome to your workspace"', '{ "en": "Welcome" }'),
      [ABOUT_PAGE, ABOUT.replace('"About us"', '{ "en": "About us" }')],
    ],
    at: "models/page.json:6",
    says: 'set "localized": true again',
  },
  "localized without values for each locale": {
    edits: [
      replacing(SITE, '"id": "site",', '"id": "site",\n  "locale": "en",'),
      replacing(
        "models/page.json",
        '"required": true',
        '"required": true,\n      "localized": true',
      ),
    ],
    at: `${HOME}:5`,
    says: "svc migrate <folder> localize-field",
    errors: 2,
  },
  "a text where an entry is pointed at": one(
    replacing(HOME, '{\n      "contentEntryId": "sam-rivers"\n    }', '"sam-rivers"'),
    `${HOME}:23`,
    "contentEntryId",
  ),
};

/** A bed with the published starter workspace, in which these edits were made since. */
function bedAfter(edits: readonly Edit[]): CliBed {
  const bed = new CliBed();
  cpSync(STARTER, bed.path("shop"), { recursive: true });
  bed.ok("publish", "shop");
  for (const [file, change] of edits) {
    const path = bed.path("shop", file);
    if (change === null) rmSync(path);
    else
      writeFileSync(path, typeof change === "string" ? change : change(readFileSync(path, "utf8")));
  }
  return bed;
}

const RICH_TEXT = '{ "key": "story", "type": "rich-text" },';

/** The same, of what deletion and models that grow leave too: warnings, which `--strict` refuses. */
const WARNED: Readonly<Record<string, Mistake>> = {
  "an entry misspelt": one(
    replacing(HOME, '"contentEntryId": "sam-rivers"', '"contentEntryId": "sam-river"'),
    `${HOME}:23`,
    'did you mean "sam-rivers"?',
  ),
  "a step that shows no entry": one(
    replacing(SITE, '"layoutContentId": "home-page"', '"layoutContentId": "home-pge"'),
    `${SITE}:17`,
    'did you mean "home-page"?',
  ),
  "a member of a node of rich text misspelt": {
    edits: [
      replacing("models/page.json", '"fields": [', `"fields": [${RICH_TEXT}`),
      replacing(
        HOME,
        '"headline"',
        '"story": { "type": "doc", "contnet": [\n{ "type": "text", "text": "Lost" }] },\n"headline"',
      ),
    ],
    at: `${HOME}:5`,
    says: 'did you mean "content"?',
  },
};

interface Listed {
  readonly level?: string;
  readonly file?: string;
  readonly line?: number;
  readonly message: string;
}

const placeOf = ({ file, line }: Listed) =>
  [file, line].filter((part) => part !== undefined).join(":");

describe("W4: what authors do by mistake is reported at once, where it is, and not published", () => {
  it.each(Object.entries(MISTAKES))("W4: %s", (_, { edits, at, says, errors = 1 }) => {
    const bed = bedAfter(edits);
    const before = bytesBelow(bed.folder);
    const { error, problems = error.problems } = bed.json(1, "check", "shop");
    const found = (problems as readonly Listed[]).filter(
      ({ level = "error" }) => level === "error",
    );
    const listed = found.map((one) => `${placeOf(one)} ${one.message}`);
    expect(listed).toHaveLength(errors);
    expect(
      found.some((one) => placeOf(one) === `shop/${at}` && one.message.includes(says)),
      listed.join("\n"),
    ).toBe(true);
    // The place is one that a terminal opens.
    const { stdout, stderr } = bed.run("check", "shop");
    expect(stdout + stderr).toContain(`shop/${at}`);
    expect(bed.run("publish", "shop").status).toBe(1);
    // Nothing is lost, of what is published and of what was written.
    expect(bytesBelow(bed.folder)).toEqual(before);
  });

  it.each(Object.entries(WARNED))("W4: %s, as a warning", (_, { edits, at, says }) => {
    const bed = bedAfter(edits);
    const before = bytesBelow(bed.folder);
    const found = bed.json(0, "check", "shop").problems as readonly Listed[];
    const listed = found.map((one) => `${one.level} ${placeOf(one)} ${one.message}`);
    expect(listed).toEqual([expect.stringContaining(`warning shop/${at} `)]);
    expect(listed[0]).toContain(says);
    expect(bed.run("publish", "shop", "--strict").status).toBe(1);
    expect(bytesBelow(bed.folder)).toEqual(before);
    expect(bed.run("publish", "shop").stderr).toContain(`shop/${at}`);
  });
});

describe("W7: a folder that is not the one meant is named, with the one that is", () => {
  it.each([
    ["the folder around it", ".", '"." is no workspace folder', 'did you mean "shop"?'],
    [
      "a folder in it",
      "shop/entries",
      '"shop/entries" is no workspace folder',
      'inside the workspace folder "shop"',
    ],
    [
      "a file of it",
      `shop/${HOME}`,
      `"shop/${HOME}" is a file`,
      'inside the workspace folder "shop"',
    ],
    ["one that is not there", "shpo", 'there is no folder "shpo"', 'did you mean "shop"?'],
    [
      "a folder of it that is not there",
      "shop/pages",
      'there is no folder "shop/pages"',
      'inside the workspace folder "shop"',
    ],
    ["the published files", "out", '"out" is no workspace folder', "it holds published files"],
  ])("W7: %s", (_, folder, says, hint) => {
    const bed = bedAfter([]);
    for (const command of ["check", "publish", "stats", "import"]) {
      const [error, hinted] = bed.failure(2, command, folder);
      expect(error).toContain(says);
      expect(hinted).toContain(hint);
    }
  });

  it("W7: without an argument the workspace folder is meant in which svc is started", () => {
    const inside = new CliBed();
    cpSync(STARTER, inside.folder, { recursive: true });
    expect(inside.ok("check").stdout).toBe("no problems\n");
    expect(inside.ok("publish").stdout).toContain('published "starter"');
    expect(inside.json(0, "stats").workspaceId).toBe("starter");
    expect(inside.ok("types").stdout).toContain("export ");
    expect(inside.json(0, "diff").summary).toMatchObject({ breaking: 0 });
    renameSync(inside.path(HOME), inside.path("entries/home.jsn"));
    expect(inside.failure(1, "check")[0]).toContain("entries/home.jsn ");
    renameSync(inside.path("entries/home.jsn"), inside.path(HOME));
    inside.ok("import", ".");
    // The store is there now.
    expect(inside.ok("check").stdout).toBe("no problems\n");
    writeFileSync(inside.path(HOME), "{");
    inside.ok("check");
    inside.failure(1, "check", ".");
  });
});

describe("D6: an entry with another id is asked about, with the migration that changes what points at it", () => {
  const AUTHOR = "entries/sam-rivers.json";
  const SAYS = "svc migrate shop rename-entry sam-rivers sam changes what points at it";
  const rename = (...more: readonly Edit[]) =>
    bedAfter([replacing(AUTHOR, '"id": "sam-rivers"', '"id": "sam"'), ...more]);
  const pointing = replacing(HOME, "sam-rivers", "sam");

  it("D6: in svc diff, in --dry-run, and when it is published", () => {
    // Nothing points at the new id, so no document shows it.
    const bed = rename();
    const renamed = [{ from: "sam-rivers", to: "sam" }];
    expect(bed.json(0, "diff", "shop").renamed).toEqual(renamed);
    expect(bed.ok("diff", "shop").stdout).toContain("sam-rivers → sam  svc migrate <folder>");
    expect(bed.json(0, "publish", "shop", "--dry-run").diff.renamed).toEqual(renamed);
    expect(bed.ok("publish", "shop").stderr).toContain(SAYS);
    expect(bed.json(0, "diff", "shop").renamed).toEqual([]);
    bed.ok("migrate", "shop", "rename-entry", "sam-rivers", "sam", "--write");
    expect(bed.ok("check", "shop").stdout).toBe("no problems\n");
  });

  it("D6: by its title when other values changed too, and when the publish is refused", () => {
    const bed = rename(pointing, [AUTHOR, (text) => text.replace("2025-01-15", "2025-01-16")]);
    expect(bed.failure(1, "publish", "shop", "--strict").join("\n")).toContain(SAYS);
    expect(bed.json(0, "diff", "shop").renamed).toHaveLength(1);
  });

  it("D6a: by the title field of its model, where it has one", () => {
    const titled = replacing(
      "models/author.json",
      '"type": "email"',
      '"type": "email",\n      "title": true',
    );
    const other = (to: string): Edit => [AUTHOR, (text) => text.replace("Sam Rivers", to)];
    const renamed = (...more: readonly Edit[]) =>
      rename(titled, pointing, ...more).json(0, "diff", "shop").renamed;
    expect(renamed(other("Samuel Rivers"))).toHaveLength(1);
    expect(renamed([AUTHOR, (text) => text.replace("sam@", "ann@")])).toEqual([]);
  });

  it("D6: of the draft of a store, and not for another entry, or one that stays", () => {
    const bed = rename(pointing, [
      AUTHOR,
      (text) => text.replace("Sam Rivers", "Ann Brook").replace("sam@", "ann@"),
    ]);
    expect(bed.json(0, "diff", "shop").renamed).toEqual([]);
    expect(bed.ok("publish", "shop").stderr).not.toContain("renamed?");
    const stored = bedAfter([]);
    stored.ok("import", "shop");
    stored.ok("publish");
    cpSync(rename(pointing).path("shop", AUTHOR), stored.path("shop", AUTHOR));
    writeFileSync(
      stored.path("shop", HOME),
      readFileSync(stored.path("shop", HOME), "utf8").replace("sam-rivers", "sam"),
    );
    stored.ok("import", "shop");
    expect(stored.json(0, "diff").renamed).toHaveLength(1);
    expect(stored.ok("publish").stderr).toContain("rename-entry sam-rivers sam");
  });
});
