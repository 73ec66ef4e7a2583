import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isId, isKey, isSchemaKeyword } from "../../src/workspace/ids.ts";
import {
  asset,
  dataOf,
  entry,
  exportFile,
  exportOf,
  type Loose,
  link,
  read,
  readAll,
  readFiles,
  type,
} from "../support/contentful/contentful-export.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { valueFates } from "../support/contentful/contentful-values.ts";
import { importRows } from "../support/import-rows.ts";
import { randomRuns } from "../support/random-runs.ts";
import { TestBed, temporaryFolder } from "../support/test-bed.ts";

/** A field, as rows have it. */
function fieldOf(given: unknown): Loose {
  if (Array.isArray(given)) {
    const [kind, ...validations] = given;
    if (Array.isArray(kind)) return { type: "Array", items: fieldOf(kind), validations };
    return { ...fieldOf(kind), validations };
  }
  if (typeof given !== "string") return given as Loose;
  if (given.endsWith("*")) return { ...fieldOf(given.slice(0, -1)), localized: true };
  if (given.endsWith("[]")) return { type: "Array", items: fieldOf(given.slice(0, -2)) };
  const isLink = given === "Entry" || given === "Asset";
  return isLink ? { type: "Link", linkType: given } : { type: given };
}

/** A value with links for `entry:<id>` and `asset:<id>`. */
function linked(given: unknown): unknown {
  if (typeof given === "string") {
    const [, kind, id = ""] = /^(entry|asset):(.+)$/.exec(given) ?? [];
    return kind === undefined ? given : link(id, kind === "entry" ? "Entry" : "Asset");
  }
  if (typeof given !== "object" || given === null) return given;
  if (Array.isArray(given)) return given.map(linked);
  return Object.fromEntries(Object.entries(given).map(([name, one]) => [name, linked(one)]));
}

const STATES: Loose = {
  draft: { publishedVersion: undefined },
  archived: { archivedVersion: 3 },
};

function stateOf({ _is, _sys = {}, _status }: Loose): Loose {
  const sys = Object.entries(_sys).map(([name, value]) => [name, value ?? undefined]);
  const status = _status && { fieldStatus: { "*": _status } };
  return { ...STATES[_is], ...Object.fromEntries(sys), ...status };
}

function recordOf([id, given]: [string, Loose]) {
  const { _type = "page", _is, _sys, _status, _metadata: metadata, ...values } = given;
  const fields = Object.entries(values).map(([name, value]) =>
    name.endsWith("@") ? [name.slice(0, -1), linked(value)] : [name, { en: linked(value) }],
  );
  const { sys } = entry(id, _type, {}, stateOf({ _is, _sys, _status }));
  return { sys, fields: Object.fromEntries(fields), ...(metadata && { metadata }) };
}

function pictureOf([id, given]: [string, Loose]) {
  const { _is, _status, _fields, _more, _metadata: metadata, ...file } = given;
  const named = file.fileName === "$long" ? { ...file, fileName: "x".repeat(300) } : file;
  const { sys, fields } = asset(id, named, stateOf({ _is, _status }));
  return { sys, fields: _fields ?? { ...fields, ..._more }, ...(metadata && { metadata }) };
}

function localeOf(given: string | Loose) {
  if (typeof given !== "string") return given;
  const [code = "", fallbackCode] = given.replace("*", "").split(">");
  return { code, fallbackCode, ...(given.endsWith("*") && { default: true }) };
}

/** `publish <time> <status> <environment> <kind> <id>`, of which the first two are always there. */
function actionOf(line: string) {
  const [action, datetime, status = "scheduled", named = "~", kind = "Entry", id = "a"] =
    line.split(" ");
  return {
    sys: { type: "ScheduledAction", status },
    entity: link(id, kind),
    ...(named !== "~" && { environment: link(named, "Environment") }),
    scheduledFor: { datetime, timezone: "Europe/Berlin" },
    action,
  };
}

/** The export of a row. */
function rawOf({
  types,
  ofTypes = {},
  shows = {},
  has = {},
  pictures = {},
  ...more
}: Loose): Loose {
  const { locales, scheduled, asList, parts = {} } = more;
  const contentTypes = Object.entries<Loose>(types).map(([id, fields]) => {
    const whole = Object.entries(fields).map(([name, field]) => [name, fieldOf(field)]);
    const display = id in shows ? { displayField: shows[id] } : {};
    return { ...type(id, Object.fromEntries(whole), display), ...ofTypes };
  });
  const actions = scheduled?.map(actionOf);
  return exportOf({
    contentTypes,
    entries: Object.entries<Loose>(has).map(recordOf),
    assets: Object.entries<Loose>(pictures).map(pictureOf),
    ...(locales && { locales: locales.map(localeOf) }),
    // As they are in a list, and as the management API answers.
    ...(scheduled && {
      [typeof asList === "string" ? asList : "scheduledActions"]:
        asList === true ? { sys: {}, items: actions } : actions,
    }),
    ...parts,
  });
}

/** What became of the values and links of an export that is published. */
function walkOf(raw: Loose) {
  const bed = new TestBed();
  const { source, report } = readFiles([exportFile(raw)]);
  bed.store.import(source, new Date());
  bed.publish();
  return { values: valueFates(bed, raw, report), links: linkFates(bed, raw) };
}

importRows("contentful", {
  source: [
    "types",
    "ofTypes",
    "shows",
    "has",
    "pictures",
    "locales",
    "scheduled",
    "asList",
    "parts",
  ],
  read: (row, options) => read(rawOf(row), options),
  views: { walk: (_, row) => walkOf(rawOf(row)) },
});

const PAGE = type("page", { title: "Symbol", next: { type: "Link", linkType: "Entry" } });
const LOCALES = [
  { code: "de-AT", fallbackCode: "de" },
  { code: "en", default: true, fallbackCode: null },
  { code: "de", fallbackCode: "en" },
  { code: "fr", fallbackCode: "fr-CA" },
  { code: "fr-CA", fallbackCode: "fr" },
];
const TITLE = { title: { type: "Symbol", localized: true } };

describe("contentful: what rows do not have", () => {
  it("X5: the files of one command are one import, in which a later record counts", () => {
    const part = (from: number, to: number, title: string) =>
      exportFile(
        exportOf({
          contentTypes: [PAGE],
          assets: [asset("a", { fileName: `${title}.png` })],
          entries: Array.from({ length: to - from }, (_, at) =>
            entry(`e${from + at}`, "page", { title, next: link(`e${(from + at + 20) % 40}`) }),
          ),
        }),
      );
    const [first, second] = [part(0, 21, "first"), part(20, 40, "second")];
    const { entries, assets, report } = readAll([first, second]);
    expect(entries.map(({ id }) => id).sort()).toEqual(
      Array.from({ length: 40 }, (_, at) => `e${at}`).sort(),
    );
    expect(entries.find(({ id }) => id === "e20")?.data.title).toBe("second");
    expect(assets.map(({ fileName }) => fileName)).toEqual(["second.png"]);
    expect(report.warnings).toEqual([
      '2 records are in the export more than once, of which the last one is used: entry "e20", asset "a"',
    ]);
    for (const alone of [first, second]) {
      expect(() => readAll([alone])).toThrow(expect.objectContaining({ code: "export-partial" }));
      expect(readAll([alone], { part: true }).entries.length).toBeGreaterThan(19);
    }
  });

  it("X5: a few missing targets are no part: they are drafts, or were deleted", () => {
    const entries = Array.from({ length: 9 }, (_, at) =>
      entry(`e${at}`, "page", { next: link(`gone${at}`) }),
    );
    expect(read({ contentTypes: [PAGE], entries }).entries).toHaveLength(9);
    const more = Array.from({ length: 40 }, (_, at) =>
      entry(`m${at}`, "page", { next: link(at < 13 ? `lost${at}` : `m${at - 13}`) }),
    );
    expect(read({ contentTypes: [PAGE], entries: more }).entries).toHaveLength(40);
  });

  it("I1, I2, I3: an invalid id or key is converted, with one warning of all", () => {
    const odd = [
      "title",
      "$ref",
      "not",
      "2wKn",
      "a b",
      "ünï",
      ".dot.",
      "\ud800",
      "x".repeat(200),
      "__proto__",
      "constructor",
    ];
    const contentTypes = odd.map((id) => type(id, { [id]: "Symbol" }));
    const { models, report } = read({ contentTypes, entries: odd.map((id) => entry(id, id)) });
    expect(models).toHaveLength(odd.length);
    expect(models.filter(({ id }) => !isId(id))).toEqual([]);
    expect(models.filter(({ key }) => !isKey(key) || isSchemaKeyword(key))).toEqual([]);
    expect(models.flatMap(({ fields }) => fields).filter(({ key }) => !isKey(key))).toEqual([]);
    expect(report.warnings).toEqual([
      expect.stringMatching(
        /^10 names cannot be the key of a content type: "title" became "title_", "\$ref" became "ref_x\w{8}", /,
      ),
      expect.stringMatching(
        /^\d names cannot be the key of a field: "\$ref\.\$ref" became "ref_x\w{8}", /,
      ),
      expect.stringMatching(
        /^\d names cannot be the id of an entry: "\$ref" became "ref-x\w{8}", /,
      ),
    ]);
  });

  it("X7: with the folder of downloaded files, assets have their bytes", () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "images.example/a b"), { recursive: true });
    writeFileSync(join(folder, "images.example/a b/one.txt"), "bytes");
    writeFileSync(join(folder, "secret"), "secret");
    const urls = [
      "//images.example/a%20b/one.txt",
      "//images.example/gone.txt",
      "//x.example/..%2f..%2fsecret",
    ];
    const assets = urls.map((url, at) =>
      asset(`a${at}`, { url, fileName: "one.txt", details: { size: 99 } }),
    );
    const {
      items,
      report,
      assets: read1,
    } = read({ contentTypes: [PAGE], assets }, { assets: folder });
    expect(items.filter(({ kind }) => kind === "file")).toHaveLength(1);
    expect(read1[0]).toMatchObject({
      sizeBytes: 5,
      sha256: expect.any(String),
      fileName: "one.txt",
    });
    expect(read1[0]).not.toHaveProperty("url");
    expect(read1.slice(1).map(({ url }) => url)).toEqual(
      urls.slice(1).map((url) => `https:${url}`),
    );
    expect(report.warnings).toEqual([
      expect.stringMatching(
        /^asset "a1" stays at its url: there is no file "images.example\/gone.txt"/,
      ),
      expect.stringMatching(/^asset "a2" stays at its url: .*leaves the folder/),
    ]);
    expect(() => read({ contentTypes: [PAGE] }, { assets: join(folder, "gone") })).toThrow(
      expect.objectContaining({ code: "assets-not-found" }),
    );
  });

  it("X3: __proto__, constructor and toString are ordinary names of locales and fields", () => {
    const given = JSON.parse(
      '{"title":{"__proto__":"x"},"__proto__":{"__proto__":"y"},"constructor":{"__proto__":"z"}}',
    );
    const fields = JSON.parse(
      '{"title":"Symbol","__proto__":"Symbol","constructor":"Symbol","toString":"Symbol"}',
    );
    const locales = [{ code: "__proto__", default: true }];
    expect(dataOf(fields, given, { locales })).toEqual({
      title: "x",
      field___proto__: "y",
      constructor: "z",
    });
    const inherited = { locales: [{ code: "toString", default: true }] };
    expect(dataOf(TITLE, { title: {} }, inherited)).toEqual({});
    const other = { locales: LOCALES };
    expect(dataOf({ constructor: "Symbol" }, { title: {} }, other, { locale: "fr" })).toEqual({});
  });

  it("X1, X1c: whatever the references, an experience leads to every entry within 5 of them", () => {
    const NAMES = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"];
    const links = fc.array(fc.subarray(NAMES, { maxLength: 2 }), {
      minLength: NAMES.length,
      maxLength: NAMES.length,
    });
    fc.assert(
      fc.property(links, fc.subarray(NAMES), (to, posts) => {
        const entries = NAMES.map((id, at) =>
          entry(id, posts.includes(id) ? "post" : "page", {
            next: to[at]?.map((one) => link(one)),
          }),
        );
        const next = { type: "Array", items: { type: "Link", linkType: "Entry" } };
        const contentTypes = [type("page", { next }), type("post", { next })];
        const options = posts.length > 0 ? { roots: ["post"] } : {};
        const { project, report } = read({ contentTypes, entries }, options);
        const ids = project.experiences.map(({ id }) => id);
        const reached = (from: readonly string[]) => {
          let level = new Set(from);
          for (let depth = 1; depth <= 5; depth += 1) {
            const targets = [...level].flatMap((id) => to[NAMES.indexOf(id)] ?? []);
            level = new Set([...level, ...targets]);
          }
          return level;
        };
        expect([...reached(ids)].sort()).toEqual(NAMES);
        if (posts.length > 0) {
          const found = reached(posts);
          expect(report.unreachable).toEqual(NAMES.filter((id) => !found.has(id)));
        }
      }),
      { numRuns: randomRuns(200) },
    );
  });
});
