import { describe, expect, it } from "vitest";
import { faultsIn } from "../support/workspaces/workspace-folder.ts";

const NESTING = 200;
const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
/** An entry on the first line whose data has the member `a`. */
const entry = (a: string) => `{"id":"a","modelId":"m","data":{"a":${a}}}`;
const inEntry = (a: string) => faultsIn({ "entries/a.json": entry(a) });

describe("broken JSON", () => {
  it.each([
    ["", "1:1", "the text is empty"],
    ["{", "1:1", 'this "{" is never closed: a "}" is missing'],
    ['{\n "x": {\n  "a": 1\n}', "2:7", 'this "{" is never closed: a "}" is missing'],
    ['{\n "x":\n [1, 2', "3:2", 'this "[" is never closed: a "]" is missing'],
    ['{\n "a": [1,\n 2\n}', "4:1", 'a "]" is missing before this "}", for the "[" 2 lines above'],
    ['{"a": [1\n, "b": 2}', "2:3", 'a "]" is missing before this name'],
    ['{"a": [1\n "b": 2}', "2:2", 'a "]" is missing before this name'],
    ['{"a": 1}}', "1:9", 'remove this "}": it closes nothing'],
    ['{"id": "a"} {}', "1:13", "this is after the end of the record; one file has one record"],
    [
      '{"a": {}}, "b": 1}',
      "1:10",
      "this is after the end of the record; is a bracket before it too many?",
    ],
    ['{\n  "id": "a",\n}', "2:12", "remove this comma: nothing follows it"],
    ['{"a": [1,]}', "1:9", "remove this comma: nothing follows it"],
    ['{\r\n\t"id": "a",,\r\n"data": {}}', "2:12", "remove this comma: there is no value before it"],
    ['{\n "a": "x"\n "b": 1\n}', "2:10", "a comma is missing at the end of this line"],
    ['{"id": "a" "modelId": "m"}', "1:12", "a comma is missing here"],
    ['{"a": 1; "b": 2}', "1:8", "write , instead of ;"],
    ['{"a" 1}', "1:5", "a : is missing after this name"],
    ['{"a" = 1}', "1:6", "write : instead of ="],
    ['{"a"}', "1:2", "this name has no value: a : is missing"],
    ['{"a":}', "1:5", "a value is missing after this colon"],
    ["{\n “a”: 1}", "2:2", 'write straight quotes: " instead of “'],
    ['{"a“: "x"}', "1:4", 'write straight quotes: " instead of “'],
    ['{"a": “x”}', "1:7", 'write straight quotes: " instead of “'],
    ['{"a": "x”,\n "b": 1}', "1:9", 'write straight quotes: " instead of ”'],
    ["{'id': 1}", "1:2", "write double quotes: \" instead of '"],
    [
      '{"a": "x\n}',
      "1:7",
      'the text is not closed: a " is missing at its end; write a line break as \\n',
    ],
    ['{"a": "say "hi" now"}', "1:12", 'write \\" for a " in a text'],
    ['{"id": "a\tb"}', "1:10", "write a tab in a text as \\t"],
    ['{"id": "a\u0007b"}', "1:10", "remove this control character"],
    ['{"id": "a\\x"}', "1:10", "write \\\\ for a \\ in a text"],
    ['{"id": "\\u12"}', "1:9", "\\u needs four digits after it: \\u00e9"],
    [
      '{"id": "a"} // comment',
      "1:13",
      "comments are allowed in *.jsonc files only; remove it, or rename the file",
    ],
    [
      '{"a": 1, # b\n"c": 2}',
      "1:10",
      "comments are allowed in *.jsonc files only; remove it, or rename the file",
    ],
    ['{"a": True}', "1:7", "write true, not True"],
    ['{"a": None}', "1:7", "write null, not None"],
    ['{"id": NaN}', "1:8", "write a number, or null, not NaN"],
    ['{"a": news}', "1:7", 'a text is in double quotes: "news"'],
    ["{a: 1}", "1:2", 'a name in double quotes is expected: "a"'],
    ['{"a": 1,5}', "1:8", "write a decimal point instead of this comma"],
    ['{"a": .5}', "1:7", "a number begins with a digit: 0.5"],
    ['{"a": 1.}', "1:7", "digits are missing in this number"],
    ['{"id": 01}', "1:8", "this is no number; a text is in double quotes"],
    ['{"a":\u00a01}', "1:6", "remove this invisible character (U+00A0)"],
    ['\ufeff\ufeff{"a": 1}', "1:1", "remove this invisible character (U+FEFF)"],
  ])("W4c: %j is reported where it is to be changed, and how", (text, place, says) => {
    expect(faultsIn({ "entries/a.json": text })).toEqual([
      `entries/a.json:${place} broken JSON: ${says}`,
    ]);
  });

  it("W4c: a text that is UTF-16 is named as such", () => {
    const text = Buffer.from("\ufeff{}", "utf16le");
    expect(faultsIn({ "entries/a.json": text })).toEqual([
      "entries/a.json is not UTF-8, but UTF-16; save it as UTF-8",
    ]);
  });

  it("W5: merge conflicts that Git left are named as such, each at its first line", () => {
    const conflict = '<<<<<<< ours\n"a": 1\n=======\n"a": 2\n>>>>>>> theirs\n';
    const says =
      "an unresolved merge conflict: keep what is right, and remove the lines of <<<<<<<";
    for (const eol of ["\n", "\r\n"]) {
      const text = `{\n${conflict}, "b":\n${conflict}}`.replaceAll("\n", eol);
      expect(faultsIn({ "entries/a.json": text })).toEqual([
        expect.stringContaining(`entries/a.json:2:1 ${says}`),
        expect.stringContaining(`entries/a.json:8:1 ${says}`),
      ]);
    }
    const lines = ["<<<<<<< ours", entry("1"), "=======", entry("1").replace('"a"', '"c"')];
    expect(faultsIn({ "entries.ndjson": `${lines.join("\n")}\n>>>>>>> theirs\n` })).toEqual([
      expect.stringContaining(`entries.ndjson:1:1 ${says}`),
      expect.stringContaining(`entries.ndjson:3:1 ${says}`),
      expect.stringContaining(`entries.ndjson:5:1 ${says}`),
    ]);
    // Such a line in a text of JSON is a mistake of its own.
    expect(faultsIn({ "entries/a.json": '{"a": "<<<<<<< ours\n"}' })[0]).toContain("broken JSON");
  });

  it("folder: broken lines of NDJSON are reported with their numbers", () => {
    const lines = [entry("1"), "", '{"id" "b"}', entry("2").replace('"a"', '"c"'), "[1", "nope"];
    expect(faultsIn({ "entries.ndjson": lines.join("\n") })).toEqual([
      expect.stringMatching(/^entries\.ndjson:3:6 broken JSON/),
      expect.stringMatching(/^entries\.ndjson:5:1 broken JSON/),
      expect.stringMatching(/^entries\.ndjson:6:1 broken JSON/),
    ]);
  });

  it("folder: a JSON file of a kind must be an array", () => {
    expect(faultsIn({ "entries.json": "{}", "models.json": "null" })).toEqual([
      "entries.json:1:1 must be an array of records",
      "models.json:1:1 must be an array of records",
    ]);
  });

  it("folder: text that is not UTF-8 is reported with its file, in NDJSON with its line", () => {
    const bad = Uint8Array.of(0x22, 0xff, 0x22);
    const line = Buffer.concat([Buffer.from(`${entry("1")}\n`), bad, Buffer.from("\n{")]);
    expect(
      faultsIn({
        "workspace.json": bad,
        "entries.ndjson": line,
        "models.json": Uint8Array.of(0xff, 0xfe, 0x5b, 0, 0x5d, 0),
      }),
    ).toEqual([
      expect.stringMatching(/^entries\.ndjson:2 .*not UTF-8/),
      expect.stringMatching(/^entries\.ndjson:3:1 broken JSON/),
      expect.stringMatching(/^models\.json .*not UTF-8/),
      expect.stringMatching(/^workspace\.json .*not UTF-8/),
    ]);
  });
});

describe("JSON of which JSON.parse would lose something", () => {
  it("folder: duplicate members are rejected at any depth, each with its position", () => {
    const text = '{"id":"a","modelId":"m",\n"id":"b","data":{"x":[{"y":1,"z":2,\n "y":3}]}}';
    expect(faultsIn({ "entries/a.json": text })).toEqual([
      'entries/a.json:2:1 duplicate member "id"',
      'entries/a.json:3:2 duplicate member "y"',
    ]);
  });
});

describe("large and deep JSON", () => {
  it("folder: values may be nested up to 200 levels deep", () => {
    // The record and its data are two levels of their own.
    expect(inEntry(nested(NESTING - 2))).toEqual([]);
    for (const text of [nested(NESTING - 1), nested(100_000), "[".repeat(100_000)]) {
      expect(inEntry(text)).toEqual([expect.stringMatching(/^entries\/a\.json .*nested/)]);
    }
  });

  it("folder: brackets in strings do not count as nesting", () => {
    expect(inEntry(`"${"[{".repeat(1000)}\\"${"[".repeat(1000)}"`)).toEqual([]);
    const broken = inEntry(`"${"[".repeat(1000)}" 1`);
    expect(broken).toEqual([expect.stringContaining("broken JSON")]);
  });

  it("folder: a fault after a long text is reported like any other", () => {
    const long = `"${"x".repeat(4_000_000)}"`;
    expect(faultsIn({ "entries/a.json": `${entry(long)}\n]` })).toEqual([
      expect.stringMatching(/^entries\/a\.json:2:1 broken JSON/),
    ]);
    const unknown = entry(long).replace('"data"', '"more":1,\n"data"');
    expect(faultsIn({ "entries/a.json": unknown })).toEqual([
      expect.stringContaining('entries/a.json:1:25 unknown member "more"'),
    ]);
  });
});
