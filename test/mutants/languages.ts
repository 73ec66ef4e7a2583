import { type Mutant, mutantsOf } from "./mutant.ts";

const PAGE = "test/server/page-languages.test.ts";

/** Of languages where people see content: the preview page, diffs and statistics. */
export const LANGUAGES: readonly Mutant[] = [
  ...mutantsOf(
    "src/server/page/entry-title.ts",
    "test/server/entry-title.test.ts",
    [
      "W6: the languages of titles have no order",
      "for (const language of languages) yield valueIn(stored, language)?.value;",
      "",
    ],
    ["W6: a title is never of another locale", "yield* Object.values(stored);", ""],
  ),
  ...mutantsOf(
    "src/server/page/entry-summary.ts",
    PAGE,
    [
      "H20: problems are those of the first language",
      "[renderer, ...others.map((other) => other.renderer)]",
      "[renderer]",
    ],
    [
      "H20: problems are repeated for each language",
      "others.length === 0 ? all : inProblemOrder(all)",
      "all",
    ],
    [
      "H20: a project has the values of the first language",
      "only ? [only] : languages",
      "only && false ? [only] : languages",
    ],
  ),
  ...mutantsOf(
    "src/server/page/locale-views.ts",
    PAGE,
    [
      "H20: languages without a value are not named",
      "one.own === locale && one.from === undefined",
      "false",
    ],
    [
      "H20: only the own languages of a locale have its value",
      "chosen.filter(({ from }) => from === locale)",
      "chosen.filter(({ from, own }) => from === locale && own === locale)",
    ],
  ),
  ...mutantsOf(
    "src/server/page/field-views.ts",
    PAGE,
    [
      "H20: blocks are served in every language",
      "[...languages].filter(([index]) => servedIn.includes(index))",
      "[...languages]",
    ],
    ["H20: a project's view has all locales", "isOneLanguage ? uses.filter(isIn) : uses", "uses"],
  ),
  ...mutantsOf("src/server/page/experience-view.ts", PAGE, [
    "H20: an experience has the titles of the first language",
    "summaryOf(state, served.entry, only.language)",
    "summaryOf(state, served.entry)",
  ]),
  ...mutantsOf("src/server/page/text-place.ts", PAGE, [
    "H20: what a search finds has no locale",
    "if (field?.localized) locale = path[at + 1];",
    "",
  ]),
  ...mutantsOf("src/server/page/changes.ts", "test/server/page.test.ts", [
    "D1, H20: Changes names projects of every entry",
    "const isOnlyChange = items.get(one.id)?.length === 1;",
    "const isOnlyChange = items.size === 0;",
  ]),
  ...mutantsOf("src/cli/output/diff-lines.ts", "test/cli/languages.test.ts", [
    "D1: the changes of an entry do not name their projects",
    "if (items.get(id)?.length === 1) return places;",
    "if (items.has(id)) return places;",
  ]),
  ...mutantsOf("src/documents/duplicate-values.ts", "test/documents/languages.test.ts", [
    "B4: a duplicate does not name the language",
    "localized && locale !== undefined && { locale }",
    "localized && locale === undefined && { locale }",
  ]),
  ...mutantsOf(
    "src/stats/language-stats.ts",
    "test/stats/language-stats.test.ts",
    [
      "P14: fallbacks are complete",
      "found.locale === context.language[0] ? COMPLETE : FALLBACK",
      "COMPLETE",
    ],
    ["P14: missing values are not counted", "return MISSING;", "continue;"],
    [
      "P14: a value that no locale has is missing",
      " || Object.values(value).every((one) => one === null)",
      "",
    ],
    [
      "P14: values of blocks are not counted",
      "if (fieldType(type).holdsBlocks) state",
      "if (type === key) state",
    ],
    ["P14: the last value decides", "return a > b ? a : b;", "return b || a;"],
  ),
  ...mutantsOf("src/stats/draft-stats.ts", "test/stats/language-stats.test.ts", [
    "P8, B3: hubs count an entry for each language",
    "else known.add(head.id);",
    "else known.add(String(known.size));",
  ]),
];
