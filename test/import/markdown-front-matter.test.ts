import { describe, expect, it } from "vitest";
import { type FaultyText, splitText } from "../../src/import/markdown/front-matter.ts";

const split = (text: string) => splitText(Buffer.from(text));

describe("X22: front matter in the forms that generators read", () => {
  const forms: readonly (readonly [string, string])[] = [
    ["YAML", "---\ntitle: A\ndraft: true\n---\n"],
    [
      "a byte order mark, blank lines and blanks before",
      "\uFEFF\n \n  ---  \ntitle: A\ndraft: true\n---\t\n",
    ],
    ["Windows' line ends", "\r\n---\r\ntitle: A\r\ndraft: true\r\n---\r\n"],
    ["a comment in the line of the mark", "--- # as Hugo\ntitle: A\ndraft: true\n---\n"],
    ["TOML", '\n+++\ntitle = "A"\ndraft = true\n+++\n'],
    ["JSON", '{\n  "title": "A",\n  "draft": true\n}\n'],
    ["JSON as Hexo has it", ';;;\n"title": "A",\n"draft": true\n;;;\n'],
    ["a language after the mark", '---json\n{ "title": "A", "draft": true }\n---\n'],
    ["TOML by its language", '---toml\ntitle = "A"\ndraft = true\n---\n'],
    ["more dashes", "----\ntitle: A\ndraft: true\n----\n"],
    ["no first mark, as Hexo has it", "title: A\ndraft: true\n---\n"],
    ["no marks, as Pelican has it", "title: A\ndraft: true\n\n"],
  ];
  it.each(forms)("%s", (_, source) => {
    const { matter, body, inexact } = split(`${source}Text\n---\n`);
    expect([matter, body, inexact]).toEqual([{ title: "A", draft: true }, "Text\n---\n", []]);
  });
});

describe("X22: a text that begins with a rule is text, unless a generator may read front matter", () => {
  const rules = [
    "---\njust a text\n---\nbody",
    "---\n\nOnce upon a time,\n\n---\n\nmore: of it",
    "---\nA lone rule, and prose. Note: this\n\ntitle: no\n",
    "---\n- one\n- two\n---\n",
    "---\n**Note:** a `code`: here\n---\n",
    "-----\ntext\n",
    "***\ntext\n",
    "# Title\n\n---\nVersion: 1\n---\n",
    "Note: a heading\n---\n",
    "{{< figure >}}\n",
    "{/* a comment */}\n\n{ props.title }\n",
  ];
  it.each(rules)("%j", (text) => {
    expect(split(text)).toMatchObject({ matter: {}, body: text });
  });

  it("what may stand before it and is shown stays", () => {
    expect(split("<!-- a -->\n---\ntitle: A\n---\nText").body).toBe("<!-- a -->\nText");
    expect(split("# a comment\n---\ntitle: A\n---\nText")).toMatchObject({
      body: "Text",
      remark: "lines with # before their front matter, taken as its comments",
    });
  });

  const faults: readonly (readonly [string, string])[] = [
    [
      "---\ntitle: x\ndraft: true\n",
      "1:1: front matter is not closed: there is no second line ---",
    ],
    ["\n---\n\ndraft: true\n\nText", "2:1: front matter is not closed"],
    ["---\ntitle: x\n----\nText", "1:1: front matter is not closed"],
    ["+++\r\na = 1", "1:1: front matter is not closed"],
    [';;;\n"a": 1\n', "1:1: front matter is not closed"],
    ['{ "a": 1,\n', "1:1: front matter is not closed: a } is missing"],
    ["---\na = 1\n---\n", "2:1: front matter is no map of values"],
    ["---js\n{ a: 1 }\n---\n", '1:1: front matter in "js" is not read: write it in YAML'],
    [
      "---\ntitle: Kelp: a story\n---\n",
      '2:12: bad indentation of a mapping entry: put the text of "title" in quotes',
    ],
    [
      "---\na: 1\ntitle: @kelp\n---\n",
      '3:8: bad indentation of a mapping entry: put the text of "title" in quotes',
    ],
    ['---\ntitle: "Kelp" a\n---\n', "2:15: bad indentation"],
    ["\n---\na: 1\n  a: 2\nb: 1\n---\n", "4:4: bad indentation of a mapping entry"],
    ["\n---\na: 1\nb: 1\na: 2\n---\n", '5:1: "a" stands twice'],
    ["\n+++\na = 1\na = 2\n+++\n", '4:1: "a" stands twice'],
    ["+++\ntitle: x\n+++\n", "2:6: a member of TOML is written name = value"],
    ["+++\na = 1\r\nb = x\n+++\n", "3:5: invalid value: put a text in quotes"],
    [
      '+++\na = "b" c\n+++\n',
      "2:9: each key-value declaration must be followed by an end-of-line: put a text in quotes",
    ],
  ];
  it.each(faults)("X19d: %j is refused, with its place", (text, fault) => {
    const read = () => {
      try {
        split(text);
      } catch (error) {
        const { message, at } = error as FaultyText;
        return `${at.line}:${at.column}: ${message}`;
      }
      return "";
    };
    expect(read()).toContain(fault);
  });
});

it("X22a: numbers that would be written in another way stay texts, in each language", () => {
  const numbers =
    "1.10 01234 0x1F 0o7 1e10 +41790000000 1_000 12345678901234567890 .5 5. -0 .inf 9007199254740993".split(
      " ",
    );
  const yaml = split(
    `---\nquoted: "1.10"\nexact: [1, -2.5, 1e-7]\nall:\n${numbers.map((one) => `- ${one}\n`).join("")}---\n`,
  );
  expect(yaml.matter).toEqual({ quoted: "1.10", exact: [1, -2.5, 1e-7], all: numbers });
  expect(yaml.inexact).toEqual(numbers.map((_, at) => at + 5));
  const toml = split(
    '+++\na = [1, 1_000, { b = 1.10, "2" = 0x1F }]\n1.10 = 5\nd = 2024-01-01 10:00:00\nt = """\nx = 1.10""" # = 1.10\n[x.1_0]\ninf = inf\n+++\n',
  );
  expect(toml.matter).toEqual({
    a: [1, "1_000", { b: "1.10", 2: "0x1F" }],
    1: { 10: 5 },
    d: "2024-01-01 10:00:00",
    t: "x = 1.10",
    x: { "1_0": { inf: "inf" } },
  });
  expect(toml.inexact).toEqual([2, 2, 2, 8]);
  expect(split('{ "a": "1.10",\n"b": 1.10 }\n')).toMatchObject({
    matter: { a: "1.10", b: "1.10" },
    inexact: [2],
  });
});

it("X22: the line of a member is known, whatever the form and what is nested before it", () => {
  const forms = [
    "\n---\nseo:\n  rank: 1\nrank: 2\n---\n",
    "\n+++\ndate = 2024-01-01 # =\n\nrank = 2\n[seo]\nrank = 1\n+++\n",
    '\n{\n  "seo":\n    { "rank": 1 },\n  "rank": 2\n}\n',
  ];
  expect(forms.map((text) => split(text).lineOf("rank"))).toEqual([5, 5, 5]);
});
