import { cpSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
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
const one = (edit: Edit, at: string, says: string, errors = 1): Mistake => ({
  edits: [edit],
  at,
  says,
  errors,
});
const moved = (file: string, to: string): readonly Edit[] => [
  [to, readFileSync(`${STARTER}/${file}`, "utf8")],
  [file, null],
];

const ABOUT_PAGE = "entries/about-page.json";
const ABOUT = readFileSync(`${STARTER}/${ABOUT_PAGE}`, "utf8");

/** What an author does to a folder, by what it is called. */
const MISTAKES: Readonly<Record<string, Mistake>> = {
  // JSON.
  "a comma after the last member": one(
    replacing(HOME, '"contentEntryId": "sam-rivers"', '"contentEntryId": "sam-rivers",'),
    `${HOME}:24`,
    "remove this comma",
  ),
  "a comma that is missing": one(
    replacing(HOME, 'workspace",', 'workspace"'),
    `${HOME}:5`,
    "a comma is missing at the end of this line",
  ),
  "typographic quotes around a text": one(
    replacing(HOME, '"Welcome to your workspace"', "“Welcome”"),
    `${HOME}:5`,
    "straight quotes",
  ),
  "a typographic quote at the end of a text": one(
    replacing(HOME, 'your workspace"', "your workspace”"),
    `${HOME}:5`,
    "straight quotes",
  ),
  "typographic quotes around a name": one(
    replacing(HOME, '"headline"', "„headline“"),
    `${HOME}:5`,
    "straight quotes",
  ),
  "single quotes": one(replacing(HOME, '"info"', "'info'"), `${HOME}:17`, "write double quotes"),
  "a text that is not closed": one(
    replacing(HOME, 'your workspace",', "your workspace,"),
    `${HOME}:5`,
    'a " is missing',
  ),
  "quotes in a text": one(
    replacing(HOME, "to your workspace", 'to "your" workspace'),
    `${HOME}:5`,
    'write \\" for a "',
  ),
  "a line break in a text": one(
    replacing(HOME, "to your workspace", "to\nyour workspace"),
    `${HOME}:5`,
    "write a line break as \\n",
  ),
  "a tab in a text": one(
    replacing(HOME, "to your workspace", "to\tyour workspace"),
    `${HOME}:5`,
    "write a tab in a text as \\t",
  ),
  "a path of Windows in a text": one(
    replacing(HOME, "to your workspace", "to C:\\\\Users\\x"),
    `${HOME}:5`,
    "write \\\\ for a \\",
  ),
  "a brace that is not closed": one(
    [HOME, (text) => text.replace(/\}\n {2}\}\n\}\n$/, "}\n}\n")],
    `${HOME}:4`,
    "is never closed",
  ),
  "a bracket that is not closed": one(
    replacing(HOME, "    ],\n", ""),
    `${HOME}:22`,
    'a "]" is missing',
  ),
  "a brace too many": one([HOME, (text) => `${text}}\n`], `${HOME}:28`, "it closes nothing"),
  "a comment": one(
    replacing(HOME, '"modelId"', '// the model\n  "modelId"'),
    `${HOME}:3`,
    "rename the file",
  ),
  "True as Python writes it": one(
    replacing(HOME, '"modelId"', '"draft": True,\n  "modelId"'),
    `${HOME}:3`,
    "write true, not True",
  ),
  "None as Python writes it": one(
    replacing(HOME, '"info"', "None"),
    `${HOME}:17`,
    "write null, not None",
  ),
  "a text without quotes": one(
    replacing(HOME, '"info"', "info"),
    `${HOME}:17`,
    'in double quotes: "info"',
  ),
  "a name without quotes": one(
    replacing(HOME, '"tone"', "tone"),
    `${HOME}:17`,
    'in double quotes is expected: "tone"',
  ),
  "a byte order mark in the middle": one(
    replacing(HOME, '"tone"', '\ufeff"tone"'),
    `${HOME}:17`,
    "invisible character",
  ),
  "an empty file": one(["entries/new.json", ""], "entries/new.json:1", "the text is empty"),
  "two entries in one file": one(
    [HOME, (text) => text + ABOUT],
    `${HOME}:28`,
    "one file has one record",
  ),
  "a conflict that Git left": one(
    [HOME, (text) => `<<<<<<< ours\n${text}=======\n>>>>>>> theirs\n`],
    `${HOME}:1`,
    "merge conflict",
  ),
  "a name twice in one object": one(
    replacing(HOME, '"intro"', '"headline"'),
    `${HOME}:6`,
    'duplicate member "headline"',
  ),
  // Files.
  "an entry saved as .json.txt": {
    edits: moved(HOME, `${HOME}.txt`),
    at: `${HOME}.txt`,
    says: 'rename it to "home-page.json"',
  },
  "an entry saved as .jsn": {
    edits: moved(HOME, "entries/home-page.jsn"),
    at: "entries/home-page.jsn",
    says: 'rename it to "home-page.json"',
  },
  "an entry without an ending": {
    edits: moved(HOME, "entries/home-page"),
    at: "entries/home-page",
    says: 'rename it to "home-page.json"',
  },
  "an entry saved as .JSON": {
    edits: moved(HOME, "entries/home-page.JSON"),
    at: "entries/home-page.JSON",
    says: 'rename it to "home-page.json"',
  },
  "an entry as Markdown": one(
    ["entries/news.md", "# News"],
    "entries/news.md",
    'move it out of "entries"',
  ),
  "an entry as YAML": one(
    ["entries/news.yaml", "id: news"],
    "entries/news.yaml",
    "records are *.json",
  ),
  "an entry in a folder of another name": {
    edits: moved(HOME, "articles/home-page.json"),
    at: "articles/home-page.json",
    says: 'entries belong in "entries/"',
  },
  "an entry at the top": {
    edits: moved(HOME, "home-page.json"),
    at: "home-page.json",
    says: 'entries belong in "entries/"',
  },
  "a folder in the singular": {
    edits: moved(HOME, "entry/home-page.json"),
    at: "entry",
    says: 'did you mean "entries"?',
  },
  "a copy of an entry with its id": one(
    ["entries/home-page copy.json", readFileSync(`${STARTER}/${HOME}`, "utf8")],
    `${HOME}:2`,
    'duplicate entry id "home-page"',
  ),
  "a file in UTF-16": { edits: [[HOME, "utf16"]], at: HOME, says: "UTF-16; save it as UTF-8" },
  "workspace.json saved as .json.txt": {
    edits: moved("workspace.json", "workspace.json.txt"),
    at: "workspace.json.txt",
    says: 'did you mean "workspace.json"?',
    errors: 2,
  },
  // Members of records.
  "modelId misspelt": one(
    replacing(HOME, '"modelId"', '"modleId"'),
    `${HOME}:3`,
    'did you mean "modelId"?',
  ),
  "modelId in another letter case": one(
    replacing(HOME, '"modelId"', '"modelid"'),
    `${HOME}:3`,
    'did you mean "modelId"?',
  ),
  "data called fields": one(
    replacing(HOME, '"data": {\n    "headline"', '"fields": {\n    "headline"'),
    `${HOME}:4`,
    'did you mean "data"?',
  ),
  "a value beside data": one(
    replacing(HOME, '"modelId"', '"headline": "Welcome",\n  "modelId"'),
    `${HOME}:3`,
    'values of fields are in "data"',
  ),
  "min of a text": one(
    replacing("models/page.json", '"maxLength": 80', '"max": 80'),
    "models/page.json:11",
    'did you mean "maxLength"?',
  ),
  "alt of an asset": one(
    replacing("assets.json", '"fileName": "leaf.svg"', '"alt": "A leaf", "fileName": "leaf.svg"'),
    "assets.json:4",
    'did you mean "description"?',
  ),
  "a type of field that is none": one(
    replacing("models/page.json", '"type": "html-asset"', '"type": "html"'),
    "models/page.json:36",
    "unknown field type",
  ),
  "the layout of a step": one(
    replacing(
      SITE,
      '"layoutName": "page",\n      "layoutContentId": "home-page"',
      '"layout": "page",\n      "layoutContentId": "home-page"',
    ),
    `${SITE}:16`,
    'did you mean "layoutName"?',
  ),
  "steps of an experience": one(
    replacing(SITE, '"stepIds"', '"steps"'),
    `${SITE}:32`,
    'did you mean "stepIds"?',
  ),
  "an id with a space": one(
    replacing(HOME, '"id": "home-page"', '"id": "home page"'),
    `${HOME}:2`,
    "an id is 1 to 128 letters",
  ),
  "a number in quotes": one(
    replacing("models/page.json", '"maxLength": 80', '"maxLength": "80"'),
    "models/page.json:11",
    "must be a number",
  ),
  "true in quotes": one(
    replacing("models/page.json", '"required": true', '"required": "true"'),
    "models/page.json:10",
    "must be true or false",
  ),
  "a workspace without a name": one(
    replacing("workspace.json", '"name": "My workspace"', '"nmae": "My workspace"'),
    "workspace.json:3",
    'did you mean "name"?',
  ),
  "a faulty workspace.json and texts of assets": {
    edits: [
      replacing("workspace.json", '"id": "starter",', '"id": "starter",\n  "assetTexts": True,'),
      replacing(
        "assets.json",
        '"fileName": "leaf.svg"',
        '"title": "A leaf", "fileName": "leaf.svg"',
      ),
    ],
    at: "workspace.json:3",
    says: "write true, not True",
  },
  "a file of an asset that is gone": one(
    ["files/leaf.svg", null],
    "assets.json:5",
    'there is no file "files/leaf.svg"',
  ),
  "a file of an asset in other letter case": one(
    replacing("assets.json", "files/leaf.svg", "files/Leaf.svg"),
    "assets.json:5",
    "files/Leaf.svg",
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
  "a headline that is too long": one(
    replacing(HOME, "Welcome to", "Welcome ".repeat(20)),
    `${HOME}:5`,
    "80",
  ),
  "an option that the field has not": one(
    replacing(HOME, '"info"', '"information"'),
    `${HOME}:17`,
    "info",
  ),
  "a date as people write it": one(
    replacing("entries/sam-rivers.json", "2025-01-15", "15.1.2025"),
    "entries/sam-rivers.json:7",
    "date",
  ),
  "a required value that is missing": one(
    replacing(HOME, '"headline": "Welcome to your workspace",', ""),
    `${HOME}:4`,
    "headline",
  ),
  "the key of a model in place of its id": one(
    replacing("models/author.json", '"id": "author"', '"id": "mdl_author"'),
    "entries/sam-rivers.json:3",
    'did you mean "mdl_author"?',
  ),
  "the id of a model in place of its key": {
    edits: [
      replacing("models/author.json", '"id": "author"', '"id": "mdl_author"'),
      replacing("entries/sam-rivers.json", '"author"', '"mdl_author"'),
      replacing("models/page.json", '"author"\n', '"mdl_author"\n'),
    ],
    at: "models/page.json:30",
    says: 'did you mean "author"?',
  },
  "the name of a block in place of its id": one(
    replacing(HOME, '"contentBlockId": "callout"', '"contentBlockId": "Callout"'),
    `${HOME}:14`,
    'did you mean "callout"?',
  ),
  "a draft in a locale that no project has": one(
    replacing(HOME, '"modelId"', '"draft": { "de": true },\n  "modelId"'),
    `${HOME}:3`,
    "which is the locale of no project",
  ),
  "a time without a zone": one(
    replacing(HOME, '"modelId"', '"publishAt": "2026-12-01T09:00",\n  "modelId"'),
    `${HOME}:3`,
    "with zone, as 2026-11-21T09:30:00Z",
  ),
  "a page without its model": one(
    ["models/author.json", null],
    "entries/sam-rivers.json:3",
    'there is no model "author"',
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
    else if (change === "utf16") {
      writeFileSync(path, `\ufeff${readFileSync(path, "utf8")}`, "utf16le");
    } else {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, typeof change === "string" ? change : change(readFileSync(path, "utf8")));
    }
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
  "an entry in another letter case": {
    edits: [
      replacing("entries/sam-rivers.json", '"id": "sam-rivers"', '"id": "Sam-Rivers"'),
      [ABOUT_PAGE, ABOUT.replace("sam-rivers", "Sam-Rivers")],
    ],
    at: `${HOME}:23`,
    says: 'did you mean "Sam-Rivers"?',
  },
  "an asset misspelt": one(
    replacing("entries/sam-rivers.json", '"leaf"', '"laef"'),
    "entries/sam-rivers.json:8",
    'did you mean "leaf"?',
  ),
  "a value under another name": one(
    replacing(HOME, '"intro"', '"into"'),
    `${HOME}:6`,
    'did you mean "intro"?',
  ),
  "a step that shows no entry": one(
    replacing(SITE, '"layoutContentId": "home-page"', '"layoutContentId": "home-pge"'),
    `${SITE}:17`,
    'did you mean "home-page"?',
  ),
  "a step that there is not": one(
    replacing(SITE, '"home",\n        "about"', '"hom",\n        "about"'),
    `${SITE}:33`,
    'did you mean "home"?',
  ),
  "a language where a locale is meant": {
    edits: [
      replacing(SITE, '"id": "site",', '"id": "site",\n  "locale": "de-DE",'),
      replacing(
        "models/page.json",
        '"required": true',
        '"required": true,\n      "localized": true',
      ),
      replacing(HOME, '"Welcome to your workspace"', '{ "de-DE": "Hallo",\n"de": "Hi" }'),
      [ABOUT_PAGE, ABOUT.replace('"About us"', '{ "de-DE": "Über uns" }')],
    ],
    at: `${HOME}:6`,
    says: 'did you mean "de-DE"?',
  },
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
