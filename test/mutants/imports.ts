import { type Mutant, mutantsOf } from "./mutant.ts";

const PROJECT = "test/folder/contentful-project.test.ts";
const RECORDS = "test/folder/contentful-records.test.ts";
const FIELDS = "test/folder/contentful-fields.test.ts";
const LOCALES = "test/folder/contentful-locales.test.ts";
const COMMAND = "test/cli/import-contentful.test.ts";

/** Of imports from other systems: rules X, and what they made of assets and fields. */
export const IMPORTS: readonly Mutant[] = [
  ...mutantsOf(
    "src/folder/broken-constraints.ts",
    "test/folder/relax.test.ts",
    [
      "B6: values of locales that no language has are relaxed for",
      "if (languages.length > 0) {",
      "if (languages.length < 0) {",
    ],
    [
      "B6: a localized field without any value has its required one",
      'found.length > 0 ? found : [{ language: "", value: undefined }]',
      "found",
    ],
  ),
  ...mutantsOf(
    "src/folder/relax.ts",
    "test/folder/relax.test.ts",
    [
      "B6: a field with another type is no longer localized",
      "...(hasLocales && { localized }),",
      "",
    ],
    [
      "B6: values are compared across languages",
      "known.values.get(language)",
      'known.values.get("")',
    ],
  ),
  ...mutantsOf("src/folder/formats/project.ts", "test/cli/import-drafts.test.ts", [
    "X1, A1: names of drafts are published",
    "&& !root.isDraft)",
    ")",
  ]),
  ...mutantsOf(
    "src/folder/formats/roots.ts",
    PROJECT,
    ["X1: the next import has other root types", "named ?? kept ?? found", "named ?? found"],
    [
      "X1: what no root leads to has no experience",
      "[...pages, ...added].map((number)",
      "[...pages].map((number)",
    ],
    [
      "X2: other projects are removed",
      "removes ? projects : [...projects, ...others]",
      "[project]",
    ],
  ),
  ...mutantsOf(
    "src/folder/formats/page-types.ts",
    PROJECT,
    [
      "X1: a type whose addresses repeat is of pages",
      "distinct.size >= 0.9 * count",
      "distinct.size > 0",
    ],
    ["X1: links to other sites are addresses", "foreign < 0.5 * count", "foreign <= count"],
    ["X1: the page / has no address", '|| "index"', '|| "-"'],
  ),
  ...mutantsOf(
    "src/folder/formats/link-graph.ts",
    PROJECT,
    [
      "X1: an entry that is too far away is in no experience",
      "addAll([...tooFar, ...add(unreferenced)]",
      "addAll([...add(unreferenced)]",
    ],
    [
      "X1: an entry of a cycle is in no experience",
      "    for (const number of unreached) if (isUnreached(number)) addAll([number]);\n",
      "",
    ],
  ),
  ...mutantsOf(
    "src/folder/formats/project.ts",
    PROJECT,
    [
      "X2: an experience without a root is removed",
      "isRoot(one) || !removesExperiences",
      "isRoot(one)",
    ],
    ["X2: none is ever removed", "isRoot(one) || !removesExperiences", "isRoot(one) || true"],
    [
      "X2: a page with another address gets another experience",
      "!shown.has(root.id)",
      "root.id !== undefined",
    ],
  ),
  ...mutantsOf(
    "src/folder/contentful/values.ts",
    LOCALES,
    [
      "X3: a field that is not localized has leftover translations",
      "return valueIn(fields[name], [main])?.value;",
      "return valueIn(fields[name], [main, ...chain]);",
    ],
    ["X3: a draft in a locale gives values", "isWhole ? codes : publishedIn(sys, codes)", "codes"],
    [
      "X3: a draft has no values of its locales",
      "draftReason(sys, this.codes) !== undefined;",
      "false;",
    ],
    [
      "X3: entries whose values are left out are not named",
      "!published.includes(code) && valueIn",
      "published.length === 0 && valueIn",
    ],
    [
      "X3: a value is stored without its locale",
      "if (first[0] === undefined) return",
      'if (first[0] !== "") return',
    ],
  ),
  ...mutantsOf("src/folder/contentful/filter-records.ts", LOCALES, [
    "X3: a draft in all imported locales is published by fall-back",
    "if (publishedIn(sys, codes).length > 0) return undefined;",
    "if (codes.length > 0) return undefined;",
  ]),
  ...mutantsOf(
    "src/folder/contentful/locales.ts",
    LOCALES,
    [
      "X3: a locale without a value has a project",
      "code === main || used.includes(code)",
      "code === main || used !== undefined",
    ],
    [
      "X3: null is a value of a locale",
      "if (fields[name]?.[code] !== null) found.add(code);",
      "found.add(code);",
    ],
    ["X3: a project has no fallbacks", ".filter((one) => codes.has(one))", ".slice(0, 1)"],
  ),
  ...mutantsOf(
    "src/folder/formats/languages.ts",
    LOCALES,
    [
      "X3: the address of a project gets another language",
      "([locale]) => locale === wanted",
      "([locale]) => locale === undefined",
    ],
    ["X3: --locale is forgotten", "(named ?? before?.locale)", "(named ?? undefined)"],
    ["X3: * is the name of a locale", "named === ALL_LOCALES ?", 'named === "" ?'],
  ),
  ...mutantsOf(
    "src/folder/formats/roots.ts",
    LOCALES,
    [
      "X2: a new language has other ids of experiences",
      "known ?? { ...main.project, name: id }",
      "known",
    ],
    [
      "X2: experiences of another language end in silence",
      'ofLanguages("kept")',
      'ofLanguages("kept").slice(9)',
    ],
  ),
  ...mutantsOf("src/folder/contentful.ts", LOCALES, [
    "B6: --relax does not know the languages",
    "new Relaxer(models, targets, languages)",
    "new Relaxer(models, targets)",
  ]),
  ...mutantsOf("src/cli/import-export.ts", "test/cli/import-drafts.test.ts", [
    "X3: --strict takes drafts in a locale",
    "...draftLocales.map(",
    "...draftLocales.slice(9).map(",
  ]),
  ...mutantsOf(
    "src/folder/contentful/assert-importable.ts",
    RECORDS,
    [
      "X4: an export of archived entries becomes an empty workspace",
      "entries.count > 0 && entries.importedCount === 0",
      "entries.count < 0",
    ],
    ["X5: a part is imported", "missing * 3 < targets", "missing * 3 < targets * 9"],
    ["X5: a few missing targets are a part", "missing < MINIMUM_MISSING ||", ""],
  ),
  ...mutantsOf(
    "src/folder/contentful/record-index.ts",
    RECORDS,
    [
      "X3: an unpublished asset is imported",
      "reason !== undefined && !options.mayBeDraft(number)",
      'reason === "" && !options.mayBeDraft(number)',
    ],
    [
      "X21: edits that were never published are not named",
      "else if (isChanged(sys)) this.changed.add(number);",
      "",
    ],
  ),
  ...mutantsOf("src/folder/contentful/survey.ts", RECORDS, [
    "X3: an unpublished asset of a published entry is published",
    "&& !this.#shown.has(number)",
    "",
  ]),
  ...mutantsOf("src/folder/contentful/records.ts", RECORDS, [
    "X3: an entry that was never published is published",
    "...(isDraft && { draft: true })",
    "...(isDraft && {})",
  ]),
  ...mutantsOf("src/cli/import-export.ts", "test/cli/import-drafts.test.ts", [
    "X21: --strict imports edits that were never published",
    "if (strict) assertNoEdits(read.report);",
    "if (strict && dryRun) assertNoEdits(read.report);",
  ]),
  ...mutantsOf("src/folder/formats/roots.ts", "test/cli/import-drafts.test.ts", [
    "X1: what only a draft leads to has no experience",
    "if (!all.some(isDraft)) return whole;",
    "if (all.length > 0) return whole;",
  ]),
  ...mutantsOf("src/folder/contentful/records.ts", RECORDS, [
    "X5: each of two records with one id is imported",
    "survey.entries.places[number] === place &&",
    "survey.entries.places[number] !== 0 &&",
  ]),
  ...mutantsOf(
    "src/folder/formats/byte-reader.ts",
    "test/folder/contentful-stream.test.ts",
    [
      "X6: an escaped quote ends a text",
      'if (chunk[at] === BYTE["\\\\"]) at += 1;',
      'if (chunk[at] === BYTE["{"]) at += 0;',
    ],
    ["X6: an escape at the end of a chunk is lost", "this.at = at - end;", "this.at = 0;"],
    [
      "X6: nesting is counted without what is around a value",
      "if (depth > MAXIMUM_NESTING)",
      "if (depth - outside > MAXIMUM_NESTING)",
    ],
    [
      "X6: what a chunk has of a value is lost",
      "if (this.#before !== undefined && rest.length > 0) this.#before.push(Buffer.from(rest));",
      "if (this.#before !== undefined && rest.length > 1) this.#before.push(Buffer.from(rest));",
    ],
  ),
  ...mutantsOf(
    "src/folder/contentful/asset-item.ts",
    RECORDS,
    [
      "X7: assets have no description",
      '...text("description", values.of(asset, DESCRIPTION)),',
      '...text("description", values.of(asset, TITLE)),',
    ],
    [
      "X7: an empty text is one",
      'typeof value === "string" && value !== ""',
      'typeof value === "string"',
    ],
  ),
  ...mutantsOf("src/folder/contentful/asset-files.ts", RECORDS, [
    "X7: names of files are not decoded",
    "decodeURIComponent(pathname)",
    "pathname",
  ]),
  ...mutantsOf(
    "src/folder/contentful/rich-text.ts",
    FIELDS,
    [
      "X8: links of rich text stay links",
      "if (pointer !== undefined) return pointer;",
      "if (pointer === undefined) return value;",
    ],
    ["X8: plain nodes are not accepted", "new Set([...PLAIN_NODES, ...value])", "new Set(value)"],
    [
      "X8: several lists of types are lost in silence",
      "all.length > 0 && !isSame",
      "all.length < 0",
    ],
  ),
  ...mutantsOf(
    "src/folder/contentful/value-counts.ts",
    FIELDS,
    [
      "X9: values of other locales are lost in silence",
      'this.#notes.leaveOut("values in other locales", others);',
      'this.#notes.leaveOut("values in other locales", 0);',
    ],
    [
      "X9: tags are lost in silence",
      "Array.isArray(tags) ? tags.length : 0",
      "Array.isArray(tags) ? 0 : 0",
    ],
  ),
  ...mutantsOf("src/folder/contentful/fates.ts", COMMAND, [
    "X9: omitted fields are not in the report",
    "if (omitted) yield",
    "if (omitted === 1) yield",
  ]),
  ...mutantsOf(
    "src/cli/import-export.ts",
    COMMAND,
    ["X10: a dry run imports", "if (dryRun) return run(before, counted);", ""],
    [
      "X10: a folder does not say what the import follows on",
      "hasWorkspaceFile(folder) ? readDraft(folder) : undefined",
      "!hasWorkspaceFile(folder) ? readDraft(folder) : undefined",
    ],
  ),
  ...mutantsOf(
    "src/fields/asset.ts",
    "test/fields/values-of-assets.test.ts",
    ["V4c: texts are served without the setting", "= assetTexts ? file : {};", "= file;"],
    [
      "V4c: a description is not served",
      "...(description !== undefined && { description }),",
      "...(description === null && { description }),",
    ],
  ),
  ...mutantsOf("src/folder/asset-records.ts", "test/folder/record-faults.test.ts", [
    "V4c: texts that are not served are no fault",
    "...(assetTexts ? [] : textFaults(file)),",
    "...(assetTexts ? textFaults(file).slice(9) : []),",
  ]),
  ...mutantsOf(
    "src/folder/record-rules.ts",
    "test/folder/record-faults.test.ts",
    [
      "W6: a model has two titles",
      'if (titles[0]?.[0] !== at) return ["another',
      'if (titles[0]?.[0] === -1) return ["another',
    ],
    ["W6: a title is no text", '?? "string") === "string") return', '?? "string") !== "") return'],
  ),
  ...mutantsOf("src/server/page/entry-title.ts", "test/server/entry-title.test.ts", [
    "W6: the title field is not the title",
    "fields.filter(({ title }) => title)",
    "fields.filter(({ title }) => title === null)",
  ]),
];
