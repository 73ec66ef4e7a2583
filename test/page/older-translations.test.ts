import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { FolderDrafts } from "../../src/cli/preview/folder-drafts.ts";
import { OlderTranslations } from "../../src/cli/preview/older-translations.ts";
import { folderDraft, readRecords } from "../../src/folder/folder-draft.ts";
import { readFolder } from "../../src/folder/read-folder.ts";
import type { Entry } from "../../src/workspace/records.ts";
import { CliBed } from "../support/cli-bed.ts";
import { GitFolder } from "../support/git-folder.ts";
import { randomRuns } from "../support/random-runs.ts";
import { ownerOf } from "../support/server/owner-of.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import { projectOf } from "../support/workspaces/small-workspace.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";

interface Row {
  readonly id: string;
  readonly translations: readonly (string | null)[];
}
type Values = Readonly<Record<string, string | null>>;

const TEXT = { type: "text", localized: true } as const;
const MODEL = {
  id: "m",
  key: "page",
  name: "Page",
  fields: [
    { ...TEXT, key: "title" },
    { key: "parts", type: "content-block", repeatable: true },
    { key: "note", type: "text" },
  ],
};
const HERO = { id: "b", key: "hero", name: "Hero", fields: [{ ...TEXT, key: "text" }] };
const DEFINITIONS = {
  "models.json": [MODEL],
  "blocks.json": [HERO],
  "projects.json": [
    { ...projectOf("en", "a"), locale: "en" },
    { ...projectOf("de", "a"), locale: "de", fallbackLocales: ["en"] },
    { ...projectOf("fr", "a"), locale: "fr", fallbackLocales: ["en"] },
  ],
};
const hero = (text: Values) => ({ contentBlockId: "b", data: { text } });
const entry = (id: string, title: Values, parts: readonly Values[] = [], note = "") =>
  ({ id, modelId: "m", data: { title, parts: parts.map(hero), note } }) satisfies Entry;
const file = (one: Entry) => ({ [`entries/${one.id}.json`]: one });

/** Of each entry "path locale: what the source was". */
async function olderIn(folder: string, older = new OlderTranslations(folder), ids?: string[]) {
  const draft = folderDraft(readRecords(readFolder(folder)));
  await older.fetch(draft, ids);
  const all = Array.from(draft.entries.values(), (head) => older.of(head));
  return all.flat().map(({ path, locale, before }) => `${path} ${locale}: ${before}`);
}

describe("H72: which translations are older than their source", () => {
  it("H72: those whose source was another one in the commit that gave them their present value", async () => {
    const bed = new GitFolder({
      ...DEFINITIONS,
      ...file(entry("a", { en: "One", de: "Eins", fr: "Un" }, [{ en: "Text", de: "Text" }])),
    });
    expect(await olderIn(bed.folder)).toEqual([]);
    bed.commit(
      file(entry("a", { en: "Two", de: "Eins", fr: "Deux" }, [{ en: "Text", de: "Text" }])),
    );
    expect(await olderIn(bed.folder)).toEqual(["/title de: One"]);
    // A line that changes is not a value that does.
    bed.commit({
      "entries/a.json": JSON.stringify(
        entry("a", { fr: "Deux", de: "Eins", en: "Two" }, [{ en: "More", de: "Text" }], "note"),
      ),
    });
    expect(await olderIn(bed.folder)).toEqual(["/title de: One", "/parts/0/data/text de: Text"]);
    bed.write(
      file(entry("a", { en: "Two", de: "Zwei", fr: "Deux" }, [{ en: "Text", de: "Text" }])),
    );
    expect(await olderIn(bed.folder), "not committed yet").toEqual([]);
  });

  it("H72: what had no source, or has none, is not older", async () => {
    const bed = new GitFolder({ ...DEFINITIONS, ...file(entry("a", { de: "Eins" })) });
    bed.commit(file(entry("a", { en: "One", de: "Eins" })));
    expect(await olderIn(bed.folder)).toEqual([]);
    bed.commit(file(entry("a", { en: null, de: "Eins" })));
    expect(await olderIn(bed.folder)).toEqual([]);
  });

  it("H72a: it is the same whoever merges", async () => {
    const start = file(entry("a", { en: "One", de: "Eins" }, [{ en: "Text", de: "Text" }]));
    for (const [ours, theirs] of [
      ["english", "german"],
      ["german", "english"],
    ] as const) {
      const bed = new GitFolder({ ...DEFINITIONS, ...start });
      bed.git("branch", "german");
      bed.git("checkout", "--quiet", "-b", "english");
      bed.commit(file(entry("a", { en: "Two", de: "Eins" }, [{ en: "Text", de: "Text" }])));
      bed.git("checkout", "--quiet", "german");
      bed.commit(file(entry("a", { en: "One", de: "Einzeln" }, [{ en: "Text", de: "Text" }])));
      bed.git("checkout", "--quiet", ours);
      bed.git("merge", "--quiet", "--no-commit", "-s", "ours", theirs);
      bed.commit(file(entry("a", { en: "Two", de: "Einzeln" }, [{ en: "Text", de: "Text" }])));
      expect(await olderIn(bed.folder)).toEqual(["/title de: One"]);
    }
  });

  it("H72a: a file that was moved as it is keeps its history", async () => {
    const bed = new GitFolder({ ...DEFINITIONS, ...file(entry("a", { en: "One", de: "Eins" })) });
    bed.commit(file(entry("a", { en: "Two", de: "Eins" })));
    mkdirSync(join(bed.folder, "entries/pages"));
    renameSync(join(bed.folder, "entries/a.json"), join(bed.folder, "entries/pages/first.json"));
    bed.commit();
    expect(await olderIn(bed.folder)).toEqual(["/title de: One"]);
    expect(await olderIn(bed.folder, undefined, ["a"])).toEqual(["/title de: One"]);
  });

  it("H72a: a block that was moved keeps its history, also where another has the same translation", async () => {
    const title = { en: "One", de: "Eins" };
    const [more, other] = [
      { en: "More", de: "Mehr" },
      { en: "Read on", de: "Mehr" },
    ];
    const bed = new GitFolder({ ...DEFINITIONS, ...file(entry("a", title, [other, more])) });
    const changed = { ...more, en: "See more" };
    bed.commit(file(entry("a", title, [other, changed])));
    bed.commit(file(entry("a", title, [changed, other])));
    expect(await olderIn(bed.folder)).toEqual(["/parts/0/data/text de: More"]);
    bed.write(file(entry("a", title, [{ en: "New", de: "Neu" }, other, changed])));
    expect(await olderIn(bed.folder)).toEqual(["/parts/2/data/text de: More"]);
  });

  it("H72b: without Git, a repository or a commit nothing is said", async () => {
    const files = { ...DEFINITIONS, ...file(entry("a", { en: "One", de: "Eins" })) };
    const plain = workspaceFolder(files);
    const older = new OlderTranslations(plain);
    expect(await olderIn(plain, older)).toEqual([]);
    expect(older.state).toBe("no-history");
    const { PATH } = process.env;
    const bed = new GitFolder(files);
    try {
      process.env.PATH = temporaryFolder();
      const without = new OlderTranslations(bed.folder);
      expect(await olderIn(bed.folder, without)).toEqual([]);
      expect(without.state).toBe("no-history");
    } finally {
      process.env.PATH = PATH;
    }
  });

  it("H72b: what takes too long is not worked out", async () => {
    const bed = new GitFolder({ ...DEFINITIONS, ...file(entry("a", { en: "One", de: "Eins" })) });
    const older = new OlderTranslations(bed.folder, -1);
    expect(await olderIn(bed.folder, older)).toEqual([]);
    expect(older.state).toBe("too-long");
  });

  it("H72, H75: nothing that a repository names is run, and nothing fetched", async () => {
    const bed = new GitFolder({ ...DEFINITIONS, ...file(entry("a", { en: "One", de: "Eins" })) });
    bed.commit(file(entry("a", { en: "Two", de: "Eins" })));
    const ran = join(temporaryFolder(), "ran");
    const program = join(temporaryFolder(), "program");
    writeFileSync(program, `#!/bin/sh\ntouch '${ran}'\n`);
    chmodSync(program, 0o755);
    const names = [
      ...["core.fsmonitor", "core.pager", "pager.rev-list", "diff.external", "diff.x.textconv"],
      ...["core.sshCommand", "gpg.program", "filter.x.smudge", "filter.x.process", "core.editor"],
    ];
    for (const name of names) bed.git("config", name, program);
    bed.git("config", "log.showSignature", "true");
    bed.git("config", "alias.rev-list", `!${program}`);
    bed.write({ ".gitattributes": "* diff=x filter=x\n" });
    expect(await olderIn(bed.folder)).toEqual(["/title de: One"]);
    // A blob that is not there would be asked of a remote, by what that names.
    const blob = bed.git("rev-parse", "HEAD~:entries/a.json").trim();
    rmSync(join(bed.folder, ".git/objects", blob.slice(0, 2), blob.slice(2)));
    bed.git("config", "core.repositoryFormatVersion", "1");
    bed.git("config", "extensions.partialClone", "origin");
    bed.git("config", "remote.origin.promisor", "true");
    bed.git("config", "remote.origin.url", `ext::${program}`);
    bed.git("config", "protocol.ext.allow", "always");
    expect(await olderIn(bed.folder)).toEqual([]);
    expect(existsSync(ran)).toBe(false);
  });
});

describe("H73: how far entries are translated", () => {
  /** `a` is older in German, `b` missing in French, `c` both. */
  const translated = () => {
    const bed = new GitFolder({
      ...DEFINITIONS,
      ...file(entry("a", { en: "One", de: "Eins", fr: "Un" })),
      ...file(entry("b", { en: "One", de: "Eins" })),
      ...file(entry("c", { en: "One", de: "Eins" })),
    });
    bed.commit({
      ...file(entry("a", { en: "Two", de: "Eins", fr: "Deux" })),
      ...file(entry("c", { en: "Two", de: "Eins" })),
    });
    return bed;
  };

  it("H73, P14a: entries are filtered by what is missing and what is older, with columns for it and their numbers", async () => {
    const { folder } = translated();
    const drafts = new FolderDrafts();
    drafts.change(readRecords(readFolder(folder)));
    const owner = ownerOf(drafts, { older: new OlderTranslations(folder) });
    const asked = async (name: string, query: object) => {
      const all = { workspace: "w", ...query } as Record<string, string>;
      const answer = await owner.answer(name, `${new URLSearchParams(all)}`);
      return JSON.parse((answer ?? "null").toString());
    };
    const ids = async (query: object) =>
      (await asked("entries", { sort: "title", ...query })).rows.map(({ id }: Entry) => id);
    expect(await ids({ older: "de" })).toEqual(["a", "c"]);
    expect(await ids({ older: "fr" })).toEqual([]);
    expect(await ids({ missing: "fr" })).toEqual(["b", "c"]);
    expect(await ids({ missing: "fr", older: "de" })).toEqual(["c"]);
    const { rows, locales } = await asked("entries", { translations: "yes" });
    expect(locales).toEqual(["de", "en", "fr"]);
    expect(rows.map(({ id, translations }: Row) => [id, ...translations])).toEqual([
      ["b", null, null, "Missing"],
      ["a", "Older", null, null],
      ["c", "Older", null, "Missing"],
    ]);
    const counts = [
      { locale: "de", untranslated: 0, older: 2 },
      { locale: "en", untranslated: 0, older: 0 },
      { locale: "fr", untranslated: 2, older: 0 },
    ];
    expect(await asked("languages", { older: "yes" })).toEqual({
      mainLocale: "en",
      state: "known",
      languages: counts,
    });
    const bed = new CliBed();
    expect(bed.json(0, "stats", folder)).toMatchObject({ mainLocale: "en", languages: counts });
    expect(bed.ok("stats", folder).stdout).toMatch(/fr, else en.* 2 untranslated +0 older than en/);
  });

  it("H73: without history the numbers of what is missing are there", async () => {
    const drafts = new FolderDrafts();
    const files = { ...DEFINITIONS, ...file(entry("a", { en: "One" })) };
    drafts.change(readRecords(readFolder(workspaceFolder(files))));
    const answer = await ownerOf(drafts).answer("languages", "workspace=w&older=yes");
    expect(JSON.parse((answer ?? "").toString())).toMatchObject({
      state: "no-history",
      languages: [{ untranslated: 1, older: null }, { untranslated: 0 }, { untranslated: 1 }],
    });
  });
});

describe("H72: over drawn histories", () => {
  const LOCALES = ["en", "de", "fr"] as const;
  const edit = fc.record({
    entry: fc.nat(2),
    field: fc.nat(2),
    locale: fc.constantFrom(...LOCALES),
    text: fc.option(fc.nat(2), { freq: 4 }),
    moves: fc.boolean(),
  });
  const FORMS = {
    "entries/": (all: readonly Entry[]) => Object.assign({}, ...all.map(file)),
    "entries.json": (all: readonly Entry[]) => ({ "entries.json": all }),
    "entries.ndjson": (all: readonly Entry[]) => ({
      "entries.ndjson": all.map((one) => `${JSON.stringify(one)}\n`).join(""),
    }),
  };

  it("H72, H72a: it is what each value says of itself, commit by commit", async () => {
    const property = fc.asyncProperty(
      fc.constantFrom(...(Object.keys(FORMS) as (keyof typeof FORMS)[])),
      fc.array(fc.array(edit, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
      async (form, commits) => {
        /** By entry and field the texts, and what the source was when each got its present one. */
        const texts = [0, 1, 2].map(() => [0, 1, 2].map(() => new Map<string, string>()));
        const sources = new Map<string, string | undefined>();
        const orders = [0, 1, 2].map(() => [1, 2]);
        const made = () =>
          texts.map((fields, at) => {
            const [title, ...parts] = fields.map((one) => Object.fromEntries(one));
            const ordered = orders[at]?.map((one) => parts[one - 1] as Values) ?? [];
            return entry(`e${at}`, title as Values, ordered);
          });
        const bed = new GitFolder({ ...DEFINITIONS, ...FORMS[form](made()) });
        const expected = () =>
          texts.flatMap((fields, at) =>
            [0, ...(orders[at] ?? [])].flatMap((field, place) => {
              const all = fields[field] as Map<string, string>;
              const path = field === 0 ? "/title" : `/parts/${place - 1}/data/text`;
              return ["de", "fr"].flatMap((locale) => {
                const before = sources.get(`${at} ${field} ${locale}`);
                const [now, text] = [all.get("en"), all.get(locale)];
                const isOlder = text !== undefined && now !== undefined && before !== undefined;
                return isOlder && before !== now ? `e${at}${path} ${locale}: ${before}` : [];
              });
            }),
          );
        const older = new OlderTranslations(bed.folder);
        for (const edits of commits) {
          const was = texts.map((fields) => fields.map((one) => new Map(one)));
          for (const { entry: at, field, locale, text, moves } of edits) {
            const all = texts[at]?.[field] as Map<string, string>;
            if (text === null) all.delete(locale);
            else all.set(locale, `${field} ${text}`);
            if (moves) orders[at]?.reverse();
          }
          for (const [at, fields] of texts.entries()) {
            for (const [field, all] of fields.entries()) {
              for (const locale of ["de", "fr"]) {
                if (all.get(locale) === was[at]?.[field]?.get(locale)) continue;
                sources.set(`${at} ${field} ${locale}`, all.get("en"));
              }
            }
          }
          const found = async (one: OlderTranslations, ids?: string[]) => {
            const draft = folderDraft(readRecords(readFolder(bed.folder)));
            await one.fetch(draft, ids);
            expect(one.state).toBe("known");
            return [...draft.entries.values()].flatMap((head) =>
              one
                .of(head)
                .map(({ path, locale, before }) => `${head.id}${path} ${locale}: ${before}`),
            );
          };
          bed.write(FORMS[form](made()));
          // Before and after it is committed, by what is known and anew, of all and of one.
          const all = expected().sort();
          expect((await found(older)).sort()).toEqual(all);
          bed.commit();
          expect((await found(older)).sort()).toEqual(all);
          const own = all.filter((one) => one.startsWith("e1"));
          expect((await found(new OlderTranslations(bed.folder), ["e1"])).sort()).toEqual(own);
        }
      },
    );
    await fc.assert(property, { numRuns: randomRuns(80) });
  });
});
