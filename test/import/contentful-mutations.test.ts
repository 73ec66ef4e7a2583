import { readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  exportFile,
  type Loose,
  link,
  readFiles,
} from "../support/contentful/contentful-export.ts";
import { linkFates } from "../support/contentful/contentful-links.ts";
import { randomRuns } from "../support/random-runs.ts";
import { relaxedSource } from "../support/relaxed-source.ts";
import { MEANT, TestBed } from "../support/test-bed.ts";

const TEXT = readFileSync(join(import.meta.dirname, "../../fixtures/contentful/blog.json"), "utf8");
const LISTS = ["entries", "assets", "contentTypes"] as const;

/** Values that do not fit most fields. */
const ODD = [
  null,
  true,
  0,
  -1.5,
  1e21,
  "",
  "x".repeat(300),
  "2024-02-30",
  "\ud800",
  [],
  [null],
  [[1]],
  ["a", 1],
  {},
  { sys: {} },
  { contentEntryId: 1 },
  { assetId: "pic" },
  link("ann"),
  link("pic", "Asset"),
  [link("d1"), "x", link("nowhere")],
  [link("pic", "Asset")],
  JSON.parse('{"__proto__":{"constructor":1}}'),
];

const places = { list: fc.constantFrom(...LISTS), record: fc.nat(30), field: fc.nat(30) };
const mutation = fc.oneof(
  fc.record({ what: fc.constant("remove record" as const), ...places }),
  fc.record({ what: fc.constant("remove field" as const), ...places }),
  fc.record({ what: fc.constant("odd value" as const), ...places, value: fc.constantFrom(...ODD) }),
  fc.record({ what: fc.constant("add value" as const), ...places, value: fc.constantFrom(...ODD) }),
);

function mutate(given: Loose, how: Loose): void {
  const records: Loose[] = given[how.list];
  // An export without content types is invalid.
  if (records.length < 2) return;
  const index = how.record % records.length;
  const record = records[index] as Loose;
  if (how.what === "remove record") return void records.splice(index, 1);
  if (how.list === "contentTypes") {
    if (how.what === "remove field")
      record.fields.splice(how.field % (record.fields.length + 1), 1);
    return;
  }
  const type = given.contentTypes.find(
    (one: Loose) => one.sys.id === record.sys.contentType?.sys.id,
  );
  const defined: string[] = type?.fields.map(({ id }: Loose) => id) ?? [];
  const names = how.what === "add value" ? defined : Object.keys(record.fields);
  const name = names[how.field % names.length];
  if (name === undefined) return;
  if (how.what === "remove field") delete record.fields[name];
  else record.fields[name] = { en: how.value };
}

describe("contentful: a randomly mutated export", () => {
  it("imports, publishes when it is relaxed, verifies, and gives the same version again", () => {
    fc.assert(
      fc.property(fc.array(mutation, { maxLength: 12 }), (mutations) => {
        const given = JSON.parse(TEXT);
        for (const how of mutations) mutate(given, how);
        const path = exportFile(given);
        const plain = readFiles([path]);
        const again = readFiles([path]);
        expect([[...again.source], again.report]).toEqual([[...plain.source], plain.report]);
        const { source, relaxed } = relaxedSource(plain.source);
        const bed = new TestBed();
        bed.store.import(source, new Date());
        expect(bed.check(undefined, MEANT).filter(({ level }) => level === "error")).toEqual([]);
        bed.publish();
        expect(bed.verify().differs).toEqual([]);
        if (relaxed.every(({ now }) => now !== "json")) linkFates(bed, given);
        // M8: there are errors before if and only if it drops constraints.
        bed.store.import(plain.source, new Date());
        const errors = bed.check(undefined, MEANT).filter(({ level }) => level === "error");
        expect(errors.length > 0).toBe(relaxed.length > 0);
      }),
      {
        numRuns: randomRuns(25),
        // A draft without its required title, which is no reason to relax (A3).
        examples: [[[{ what: "odd value", list: "entries", record: 14, field: 0, value: null }]]],
      },
    );
  });
});
