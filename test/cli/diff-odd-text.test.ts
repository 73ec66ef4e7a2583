import { describe, expect, it } from "vitest";
import type { Parts } from "../support/test-bed.ts";
import { page, projectOf, smallWorkspace } from "../support/workspaces/small-workspace.ts";
import { draftBed } from "./published-bed.ts";

/** What terminals interpret or hide: control characters, line separators, bidi overrides, lone surrogates. */
const CONTROLS = [
  ...Array.from({ length: 0x20 }, (_, code) => String.fromCharCode(code)),
  ...Array.from({ length: 0x21 }, (_, code) => String.fromCharCode(0x7f + code)),
  "\u2028",
  "\u2029",
  "\u202e",
  "\u2066",
  "\ufeff",
  "\ud800",
  "\u001b[31m",
  "\u001b]0;title\u0007",
  "\u009b31m",
  "\u009d0;t\u009c",
];

/** Each part of the text as a member of its own, which is short enough not to be truncated. */
function each(text: string, side: string): Record<string, string> {
  return Object.fromEntries(text.split("·").map((part, n) => [`n${n}${part}`, side + part]));
}

/** A workspace with the text in every place that takes text. */
function workspace(text: string, side: string): Parts {
  const odd = `${side}${text}|`;
  const project = projectOf("site", "home");
  const choice = { key: "choice", type: "select", options: [odd] };
  const match = { key: "match", type: "text", pattern: odd.replaceAll(/[^\p{C}]/gu, ".?") };
  return smallWorkspace({
    fields: [{ key: "slogan", type: "text", name: odd }],
    models: [
      {
        id: "m-page",
        key: "page",
        name: odd,
        fields: [
          { key: "title", type: "text", name: odd },
          { key: "more", type: "json" },
          choice,
          match,
        ],
      },
    ],
    blocks: [{ id: "b-box", key: "box", name: odd, fields: [] }],
    projects: [
      {
        ...project,
        id: "site",
        name: odd,
        fields: { slogan: odd },
        steps: project.steps.map((step) => ({ ...step, name: odd, layoutName: odd })),
        experiences: project.experiences.map((experience) => ({ ...experience, name: odd })),
      },
    ],
    entries: [
      page("home", odd, {
        more: { [odd]: odd, list: [odd, { [odd]: 1 }], ...each(text, side), [side]: text },
      }),
    ],
  });
}

const bedWith = (text: string) => draftBed(workspace(text, "a"), workspace(text, "b")).bed;

/** The characters of the text, except line breaks, that should have been escaped. */
const raw = (text: string) =>
  [...text].filter((one) => one !== "\n" && /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u.test(one));

describe("text of a workspace never controls the terminal", () => {
  const bed = () => bedWith(CONTROLS.join("·"));

  it("svc diff and svc publish --dry-run escape it, each change on its own line", () => {
    const odd = bed();
    const harmless = bedWith(CONTROLS.map(() => "").join("·")).ok("diff").stdout;
    for (const args of [["diff"], ["publish", "--dry-run"]]) {
      const { stdout, stderr } = odd.ok(...args);
      expect(raw(stdout + stderr)).toEqual([]);
      expect(stdout).not.toContain("\ufffd");
      if (args[0] !== "diff") continue;
      const places = (text: string) => text.split("\n").map((line) => /^ *\S* */.exec(line)?.[0]);
      expect(places(stdout)).toEqual(places(harmless));
    }
  });

  it("on a terminal, the only escape sequences are colours", () => {
    const shown = bed().runOnTerminal("diff").replaceAll("\r\n", "\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are written with
    expect(raw(shown.replaceAll(/\u001b\[\d{1,2}m/g, ""))).toEqual([]);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: what colours are written with
    for (const [colour] of shown.matchAll(/\u001b\[\d{1,2}m/g)) {
      expect(["1", "22", "2", "31", "32", "33", "39"]).toContain(colour.slice(2, -1));
    }
  });

  it("--json prints it unescaped", () => {
    const { entries } = bed().json(0, "diff");
    const text = CONTROLS.join("·");
    expect(entries[0].fields).toContainEqual({
      path: "/title",
      change: "changed",
      before: `a${text}|`,
      after: `b${text}|`,
    });
  });

  it("long texts are shortened around their first difference, never within a character", () => {
    const smileys = "😀".repeat(500);
    const texts = (side: string) =>
      Object.fromEntries(
        Array.from({ length: 8 }, (_, n) => {
          const [before, after] = [smileys.slice(0, 200 * (n % 3)), "x".repeat(n)];
          return [`m${n}`, `${before}${after}${side}${smileys}`];
        }),
      );
    const [one = {}, two = {}] = ["a", "b"].map((side) =>
      smallWorkspace({
        models: [{ id: "m-page", key: "page", name: "", fields: [{ key: "more", type: "json" }] }],
        entries: [page("home", "", { more: texts(side) })],
      }),
    );
    const { stdout } = draftBed(one, two).bed.ok("diff");
    const lines = stdout.split("\n").filter((line) => line.includes("/more/m"));
    expect(lines).toHaveLength(8);
    for (const line of lines) {
      expect(line.length).toBeLessThan(160);
      expect(line).toMatch(/"(…[^"]*)?x*a.*→ "(…[^"]*)?x*b/);
      expect(line).not.toMatch(/\ufffd|\\ud[89a-f]/);
    }
  });
});
