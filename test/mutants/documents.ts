// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are TypeScript
import { type Mutant, mutantsOf } from "./mutant.ts";

const LANGUAGES = "test/documents/languages.test.ts";

/** Of documents and problems: rules B, C, E, S and P. */
export const DOCUMENTS: readonly Mutant[] = [
  ...mutantsOf(
    "src/fields/localized.ts",
    LANGUAGES,
    [
      "B1: null is a value of a locale",
      "value !== undefined && value !== null",
      "value !== undefined",
    ],
    ["B1: fallbacks are not tried", "of language) {", "of language.slice(0, 1)) {"],
    ["B1: blocks do not differ by language", "(ofBlocks && ", "(false && "],
  ),
  ...mutantsOf(
    "src/fields/record-serving.ts",
    LANGUAGES,
    [
      "B2: places do not name the locale",
      "this.enter(locale);\n    const served",
      "this.enter(field.key);\n    const served",
    ],
    [
      "B2: a value of all locales is served",
      'this.report("value-type", { expected: "localized" });',
      "return this.#plain(field, stored);",
    ],
    [
      "B3: the locale of a missing value is not named",
      "...(locale !== undefined && { locale })",
      "...(locale === undefined && { locale })",
    ],
    ["B5: a value of a locale in use is reported", "locales.has(locale) || ", ""],
  ),
  ...mutantsOf("src/documents/references.ts", LANGUAGES, [
    "B1, E2: references are in the first language",
    "const target = forms.in(language, entry);",
    "const target = entry;",
  ]),
  ...mutantsOf("src/documents/experience-content.ts", LANGUAGES, [
    "B1: entries of steps are in the first language",
    "forms.in(language, entry));",
    "forms.in(0, entry));",
  ]),
  ...mutantsOf(
    "src/documents/unique-hashes.ts",
    LANGUAGES,
    ["B4: values of other languages are compared", "...(localized ? [language] : [])", ""],
    [
      "B4: fallbacks are not compared",
      "languages[language] ?? [])?.value",
      "(languages[language] ?? []).slice(0, 1))?.value",
    ],
  ),
  ...mutantsOf(
    "src/documents/locale-problems.ts",
    LANGUAGES,
    ["B5: a project needs a locale anywhere", "return hasLocalized(draft) ? ", "return draft ? "],
    [
      "B5: fallbacks may be anything",
      "...fallbackLocales.map(",
      "...fallbackLocales.slice(1).map(",
    ],
  ),
  ...mutantsOf(
    "src/documents/mark-stale.ts",
    "test/publish/publish-incremental.test.ts",
    [
      "B1, R10: forms keep the model of their entry",
      "for (const form of table.forms.of(entry)) table.move(form, row, model);",
      "",
    ],
    [
      "B1, R10: forms of a removed entry stay",
      "const known = table.forms.entryOf(entry);\n    if (rows.has(row)",
      "const known = table.forms.entryOf(entry);\n    if (known !== entry || rows.has(row)",
    ],
  ),
  ...mutantsOf(
    "src/documents/table-languages.ts",
    ["test/publish/publish-incremental.test.ts", LANGUAGES],
    [
      "B1, R10: entries get no form in a language that comes",
      "if (isSame && !hasChanged) return;",
      "if (table.languages.length > 0) return;",
    ],
    [
      "B1, R10: a project that is removed keeps its language in use",
      "if (!ids.has(id)) projectLanguages.delete(id);",
      "if (ids.size < 0) projectLanguages.delete(id);",
    ],
    [
      "B1, R10: another language of a project is not noticed",
      "projectLanguages.set(id, language);",
      "if (!projectLanguages.has(id)) projectLanguages.set(id, language);",
    ],
  ),
  ...mutantsOf("src/documents/rendering-rules.ts", "test/publish/publish-incremental.test.ts", [
    "B1, R10: entries do not notice another language",
    'localized.has(model.id) ? json(languages) : ""',
    '""',
  ]),
  ...mutantsOf(
    "src/documents/due-entries.ts",
    "test/cli/draft-entries.test.ts",
    ["A6: a draft falls due", "if (says.draft) continue;", ""],
    ["A6: what came before the version is due", "&& time > since", ""],
  ),
  ...mutantsOf(
    "src/publish/freeze-version.ts",
    "test/cli/draft-entries.test.ts",
    [
      "A5: the clock of a version is never set again",
      "if (!wasWithin) history.setClock",
      "if (!wasWithin && before === versionId) history.setClock",
    ],
    ["A5: each publish sets the clock of its version", "if (!wasWithin) history", "history"],
  ),
  ...mutantsOf("src/publish/open-rendering.ts", "test/publish/hidden-entries.test.ts", [
    "A5, R2: that something fell due is not noticed when the draft is unchanged",
    " || !isWithin(span, at)",
    "",
  ]),
  ...mutantsOf(
    "src/documents/hidden-entries.ts",
    "test/publish/hidden-entries.test.ts",
    ["A1: drafts are published", 'if (draft) return "draft";', ""],
    [
      "A4: an entry is due after its time only",
      "Date.parse(publishAt) > at",
      "Date.parse(publishAt) >= at",
    ],
    [
      "A4: an entry is over after its time only",
      "Date.parse(unpublishAt) <= at",
      "Date.parse(unpublishAt) < at",
    ],
    ["A5: what falls due is not noticed", "else until = Math.min(until, time);", ""],
    ["A5: that the clock goes back is not noticed", "from = Math.max(from, time);", ";"],
  ),
  ...mutantsOf(
    "src/documents/mark-stale.ts",
    ["test/publish/publish-incremental.test.ts", "test/publish/hidden-entries.test.ts"],
    [
      "A1, R10: entries that point at one that comes or goes are not stale",
      "if (!isSame || table.showsHidden !== showsHidden) changed.addTarget(entry);",
      "",
    ],
    [
      "A2: a preview keeps what the published view served",
      "if (!isSame || table.showsHidden !== showsHidden) changed",
      "if (!isSame) changed",
    ],
    [
      "A1, R10: that a hidden entry is shown again reaches no pointer",
      "if (missing !== undefined) this.missing.add(missing);\n  }\n\n  /** Drops",
      "if (missing === -1) this.missing.add(missing);\n  }\n\n  /** Drops",
    ],
  ),
  ...mutantsOf(
    "src/documents/own-problems.ts",
    "test/publish/hidden-entries.test.ts",
    ["A3: errors of drafts prevent publishing", ".map(asWarning)", ""],
    [
      "A3: references between drafts are problems",
      '.filter(({ code }) => code !== "reference-draft")',
      "",
    ],
  ),
  ...mutantsOf(
    "src/documents/duplicate-values.ts",
    "test/publish/hidden-entries.test.ts",
    [
      "A3, V10: a draft makes the value of a published entry a duplicate",
      "late(a) - late(b) || ",
      "",
    ],
    [
      "A3, V10: a duplicate of a draft prevents publishing",
      "table.isHidden(value.entry) ? asWarning(found) : found",
      "found",
    ],
  ),
  ...mutantsOf("src/documents/entry-lookup.ts", "test/publish/hidden-entries.test.ts", [
    "A1: pointers find hidden entries",
    "hidden.size > 0 && hidden.has(entry) ? undefined : entry",
    "entry",
  ]),
  ...mutantsOf(
    "src/documents/draft-stats.ts",
    "test/documents/draft-stats.test.ts",
    [
      "P8: pointers are counted, not entries",
      "last[target] === entry + 1",
      "last[target] === 0 - 1",
    ],
    [
      "P8: referenced entries are unused",
      "for (const list of [content, references])",
      "for (const list of [content])",
    ],
    [
      "P8: blocks inside blocks are unused",
      "for (const member of Object.values(value)) deleteBlocksIn(member, unused);",
      "",
    ],
    [
      "P8: assets of project fields are unused",
      "new Set(outlines.flatMap(({ assets }) => assets))",
      "new Set<string>()",
    ],
  ),
  ...mutantsOf(
    "src/documents/document-size.ts",
    "test/documents/large-documents.test.ts",
    ["P6: a document of exactly 1 MB is reported", "bytes > LARGE", "bytes >= LARGE"],
    [
      "P6: the commas between entries are not counted",
      "part.length - 1)",
      "part.length - part.length)",
    ],
  ),
  ...mutantsOf("src/documents/heaviest-entry.ts", "test/documents/large-documents.test.ts", [
    "P6: the entry of the step is named always",
    "> total / 2",
    "> total",
  ]),
  ...mutantsOf("src/documents/rendering-parts.ts", "test/documents/large-documents.test.ts", [
    "P6: sizes are not stored",
    'yield ["sizes", bytes(pick(table.sizes, which,',
    'yield ["sizes", bytes(pick([], which,',
  ]),
  ...mutantsOf(
    "src/documents/most-cut.ts",
    "test/documents/large-documents.test.ts",
    ["P7: references are counted, not entries", "if (size <= this.#count) return;", ""],
    ["P7: fewer than ten entries are reported", "const MANY = 10;", "const MANY = 9;"],
  ),
  ...mutantsOf(
    "src/documents/project-config.ts",
    "test/documents/project-config.test.ts",
    [
      "C1: project fields are served as stored",
      "return { data, serving };",
      "return { data: project.fields ?? data, serving };",
    ],
    [
      "C2: steps that do not exist are listed",
      "stepIds: named.filter((stepId) => known.has(stepId)),",
      "stepIds: named,",
    ],
    [
      "C2: the id of a missing entry is served",
      "exists(rendering, layoutContentId) ? layoutContentId : null",
      "layoutContentId ?? null",
    ],
  ),
  ...mutantsOf(
    "src/documents/experience-content.ts",
    "test/documents/experience-content.test.ts",
    [
      "E1: entries are in another order than the steps",
      "return [...content];",
      "return [...content].reverse();",
    ],
    [
      "E6: an experience without entries has a document",
      "if (shown.content.length === 0) return undefined;",
      "if (shown.content.length < 0) return undefined;",
    ],
  ),
  ...mutantsOf(
    "src/documents/references.ts",
    ["test/documents/references.test.ts", "test/documents/problems-warnings.test.ts"],
    ["E2: references end at depth 4", "MAXIMUM_DEPTH = 5;", "MAXIMUM_DEPTH = 4;"],
    ["E2: references end at depth 6", "MAXIMUM_DEPTH = 5;", "MAXIMUM_DEPTH = 6;"],
    [
      "E4: entries of content are in references too",
      "for (const entry of content) marks[entry] = walk;",
      "for (const entry of content) marks[entry] = 0;",
    ],
    [
      "E5: references are in the order of the walk",
      "rendering.table.inOrderOfIds(listed.slice(content.length))",
      "listed.slice(content.length)",
    ],
    [
      "P3: pointers that are too deep are not reported",
      "tooDeep.push({ entry,",
      "if (target === entry) tooDeep.push({ entry,",
    ],
  ),
  ...mutantsOf(
    "src/documents/check-draft.ts",
    ["test/documents/problems-warnings.test.ts", "test/documents/problems.test.ts"],
    [
      "P3: of two pointers of an entry that are too deep, one is reported",
      "const place = `${found.entry} ${found.path}`;",
      "const place = `${found.entry}`;",
    ],
    [
      "P3: further experiences in which a pointer is too deep are not counted",
      "const place = `${found.entry} ${found.path}`;",
      "const place = `${found.entry} ${found.path} ${experience}`;",
    ],
    [
      "P1: problems are in the order of the entries",
      "return inProblemOrder(withSuggestedIds(problems, rendering));",
      "return [...withSuggestedIds(problems, rendering)];",
    ],
  ),
  ...mutantsOf(
    "src/documents/suggested-ids.ts",
    "test/documents/problems-misspelt.test.ts",
    ["P10: two swapped characters are not found", "at + 1 < id.length", "at + 1 < 0"],
    ["P10: 101 missing entries get suggestions", "MISSING_AT_MOST = 100", "MISSING_AT_MOST = 101"],
    [
      "P10: an asset is suggested in place of its missing version",
      "if (!exists(id)) missing.set",
      "missing.set",
    ],
  ),
  ...mutantsOf("src/documents/definition-problems.ts", "test/documents/problems-misspelt.test.ts", [
    "P11: an option that refuses a value is a warning too",
    "unused.filter(({ at }) => !refusing.has(JSON.stringify(at)))",
    "unused",
  ]),
  ...mutantsOf(
    "src/documents/asset-problems.ts",
    "test/documents/problems-misspelt.test.ts",
    [
      "P12: an SVG image without a size is reported",
      'if (mimeType !== "image/svg+xml") return true;',
      "if (mimeType.length > 0) return true;",
    ],
    [
      "P12: versions of assets are not reported",
      "path: string, file: AssetFile][] {\n  return [",
      "path: string, file: AssetFile][] {\n  if (versions.length > 0) return [];\n  return [",
    ],
  ),
  ...mutantsOf(
    "src/workspace/problem.ts",
    ["test/documents/problems-errors.test.ts", "test/documents/problems-warnings.test.ts"],
    ["P2: a missing value is a warning", '"value-missing": "error"', '"value-missing": "warning"'],
    ["P3: a deleted block is an error", '"block-deleted": "warning"', '"block-deleted": "error"'],
  ),
  ...mutantsOf(
    "src/documents/entry-lookup.ts",
    ["test/documents/experience-content.test.ts", "test/fields/values.test.ts"],
    [
      "V9: an entry has the key of a model that was removed",
      "return modelId === undefined ? undefined : this.models.get(modelId)?.key;",
      "return modelId === undefined ? undefined : (this.models.get(modelId)?.key ?? modelId);",
    ],
  ),
  ...mutantsOf(
    "src/documents/schema-document.ts",
    "test/documents/schema-document.test.ts",
    [
      "S1: a schema has another $id",
      "svc:project/${projectId}/schema",
      "svc:projects/${projectId}/schema",
    ],
    [
      "S6: keys are in authored order",
      "enum: records.map(({ key }) => key).sort() }",
      "enum: records.map(({ key }) => key) }",
    ],
    [
      "S6: without keys, the enum is empty",
      'return { type: "string", not: {} };',
      'return { type: "string", enum: [] };',
    ],
    [
      "S7: a step without a model is listed",
      "return model === undefined ? [] : [[key, model]];",
      'return [[key, model ?? ""]];',
    ],
  ),
  ...mutantsOf("src/documents/schema-definitions.ts", "test/documents/schema-definitions.test.ts", [
    "S5: blocks are not distinguished by their keys",
    "contentBlockKey: { const: key },",
    'contentBlockKey: { type: "string" },',
  ]),
  ...mutantsOf(
    "src/documents/feature-values.ts",
    "test/documents/feature-values.test.ts",
    [
      "S8: values are in the order of the variants' rows",
      "const sorted = [...variants].sort((a, b) => byCodeUnit(a.key, b.key));",
      "const sorted = [...variants];",
    ],
    [
      "S8: a value may be listed twice",
      "return [key, [...new Set(values)]];",
      "return [key, values];",
    ],
    [
      "S8: a variant that serves false has its key",
      "variant.value === false ? false : variant.key",
      "variant.key",
    ],
    [
      "S8: without Text flags there is an empty map",
      "if (flags.length === 0) return undefined;",
      "if (features.length === 0) return undefined;",
    ],
  ),
  ...mutantsOf(
    "src/documents/unique-hashes.ts",
    "test/documents/problems-unique.test.ts",
    ["V10: entries of other models count", "[modelId, key, value,", "[key, value,"],
    [
      "V10: values of the wrong shape count",
      " || !fieldType(type).hasShape(value)) return NO_VALUE;",
      ") return NO_VALUE;",
    ],
  ),
  ...mutantsOf(
    "src/documents/duplicate-values.ts",
    "test/documents/problems-unique.test.ts",
    [
      "V10: the entry before is named instead of the first",
      "    const found = problem(place,",
      "    first = value;\n    const found = problem(place,",
    ],
    [
      "V10: only the first value that is twice is found",
      "prefix === sorted[at - 1]",
      "at === 1 && prefix === sorted[at - 1]",
    ],
    [
      "V10: which entry is the first depends on the order of the rows",
      "late(a) - late(b) || rank(a) - rank(b)",
      "late(a) - late(b) || a.entry - b.entry",
    ],
  ),
  ...mutantsOf("src/documents/rendering-parts.ts", "test/documents/problems-unique.test.ts", [
    "V10, R10: hashes of unique values are not kept",
    'table.uniques = lists("unique");',
    'lists("unique");',
  ]),
  ...mutantsOf("src/documents/entry-table.ts", "test/documents/problems-unique.test.ts", [
    "V10, R10: another unique value is not stored",
    "this.uniques.set(entry, uniques.numbers, unique, uniques.counts[at] as number),",
    "this.uniques.get(entry).length > 0 ||\n          this.uniques.set(entry, uniques.numbers, unique, uniques.counts[at] as number),",
  ]),
];
