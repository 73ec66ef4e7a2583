import { describe, expect, it } from "vitest";
import { splitText } from "../../src/folder/markdown/front-matter.ts";

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
