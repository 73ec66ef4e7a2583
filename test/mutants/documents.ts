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
    "src/fields/record-renderer.ts",
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
    "const entry = rendering.shown(target, language);",
    "const entry = rendering.shown(target, 0);",
  ]),
  ...mutantsOf("src/documents/experience-content.ts", LANGUAGES, [
    "B1: entries of steps are in the first language",
    "id === undefined ? undefined : rendering.shown(id, language)",
    "id === undefined ? undefined : rendering.shown(id, 0)",
  ]),
  ...mutantsOf("src/documents/duplicate-values.ts", LANGUAGES, [
    "B4: values of other languages are compared",
    "${value.language} ${value.text}",
    "${value.text}",
  ]),
  ...mutantsOf("src/documents/entry.ts", LANGUAGES, [
    "B4: fallbacks are not compared",
    "valueIn(own, languages[language] ?? NO_LANGUAGE)?.value",
    "valueIn(own, (languages[language] ?? NO_LANGUAGE).slice(0, 1))?.value",
  ]),
  ...mutantsOf(
    "src/documents/definition-problems.ts",
    LANGUAGES,
    ["B5: a project needs a locale anywhere", "return hasLocalized(draft) ? ", "return draft ? "],
    [
      "B5: fallbacks may be anything",
      "...fallbackLocales.map(",
      "...fallbackLocales.slice(1).map(",
    ],
  ),
  ...mutantsOf(
    "src/documents/hidden-entries.ts",
    "test/cli/draft-entries.test.ts",
    [
      "A6: a draft falls due",
      "publishing === undefined || publishing.draft",
      "publishing === undefined",
    ],
    ["A6: what came before the version is due", "&& time > since", ""],
  ),
  ...mutantsOf(
    "src/publish/freeze.ts",
    "test/cli/draft-entries.test.ts",
    [
      "A5: the clock of a version is never set again",
      "if (!wasWithin) history.setClock",
      "if (!wasWithin && before === versionId) history.setClock",
    ],
    ["A5: each publish sets the clock of its version", "if (!wasWithin) history", "history"],
  ),
  ...mutantsOf("src/publish/outcome.ts", "test/publish/hidden-entries.test.ts", [
    "A5, R2: that something fell due is not noticed when the draft is unchanged",
    "return isWithin(span, at) ? { ...found, span } : undefined;",
    "return { ...found, span };",
  ]),
  ...mutantsOf(
    "src/publish/outcome.ts",
    "test/publish/publish-distrust.test.ts",
    [
      "R10: what another program found is taken",
      "found?.program !== program || ",
      "found === undefined || ",
    ],
    [
      "R10: what was found of an earlier draft is taken",
      " || found?.revision !== revision) return",
      ") return",
    ],
  ),
  ...mutantsOf("src/store/outcomes.ts", "test/publish/publish-distrust.test.ts", [
    "R10: a damaged outcome is taken",
    " || crc32(row.outcome, workspace) !== row.row_check",
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
    "src/documents/rendering.ts",
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
      "return hidden.has(id) ? asWarning(found) : found;",
      "return found;",
    ],
  ),
  ...mutantsOf("src/documents/entry.ts", "test/publish/hidden-entries.test.ts", [
    "A1: pointers find hidden entries",
    "this.#unshown.has(id) ? undefined : this.draft",
    "this.draft",
  ]),
  ...mutantsOf("src/documents/rendering.ts", "test/publish/hidden-entries.test.ts", [
    "A2: a preview hides entries",
    "view.showsHidden ? undefined : byId",
    "byId",
  ]),
  ...mutantsOf(
    "src/stats/draft-stats.ts",
    "test/stats/draft-stats.test.ts",
    [
      "P8: pointers are counted, not entries",
      "else known.add(head.id);",
      "else known.add(String(known.size));",
    ],
    [
      "P8: referenced entries are unused",
      "document.entries() : undefined",
      "document.shown.content : undefined",
    ],
    [
      "P8: blocks inside blocks are unused",
      "for (const member of Object.values(value)) deleteBlocksIn(member, unused);",
      "",
    ],
    [
      "P8: assets of project fields are unused",
      "projects.flatMap((project) => renderProjectFields",
      "projects.slice(0, 0).flatMap((project) => renderProjectFields",
    ],
  ),
  ...mutantsOf("src/documents/document.ts", "test/documents/large-documents.test.ts", [
    "P6: a document of exactly 1 MB is reported",
    "bytes > LARGE",
    "bytes >= LARGE",
  ]),
  ...mutantsOf("src/documents/experience-content.ts", "test/documents/large-documents.test.ts", [
    "P6: the version id is not counted",
    "const bytes = this.size + VERSION_ID_GROWTH;\n    if (!isLarge",
    "const bytes = this.size;\n    if (!isLarge",
  ]),
  ...mutantsOf("src/documents/references.ts", "test/documents/large-documents.test.ts", [
    "P6: the entry of the step is named always",
    "> total / 2",
    "> total",
  ]),
  ...mutantsOf(
    "src/documents/check-draft.ts",
    "test/documents/large-documents.test.ts",
    [
      "P7: references are counted, not entries",
      "new Set(tooDeep.map(({ target }) => target))",
      "new Set(tooDeep)",
    ],
    ["P7: fewer than ten entries are reported", "const MANY = 10;", "const MANY = 9;"],
  ),
  ...mutantsOf(
    "src/documents/project-config.ts",
    "test/documents/project-config.test.ts",
    [
      "C1: project fields are served as stored",
      "return { data, renderer };",
      "return { data: project.fields ?? data, renderer };",
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
      "if (content.length > 0) yield new ContentDocument",
      "yield new ContentDocument",
    ],
  ),
  ...mutantsOf(
    "src/documents/references.ts",
    ["test/documents/references.test.ts", "test/documents/problems-warnings.test.ts"],
    ["E2: references end at depth 4", "MAXIMUM_DEPTH = 5;", "MAXIMUM_DEPTH = 4;"],
    ["E2: references end at depth 6", "MAXIMUM_DEPTH = 5;", "MAXIMUM_DEPTH = 6;"],
    [
      "E4: entries of content are in references too",
      "const known = new Set(content);",
      "const known = new Set<RenderedEntry>();",
    ],
    [
      "E5: references are in the order of the walk",
      "  references.sort((a, b) => (a.head.id < b.head.id ? -1 : 1));\n",
      "",
    ],
    [
      "P3: pointers that are too deep are not reported",
      "tooDeep.push({ entry,",
      "if (target === path) tooDeep.push({ entry,",
    ],
  ),
  ...mutantsOf(
    "src/documents/check-draft.ts",
    ["test/documents/problems-warnings.test.ts", "test/documents/problems.test.ts"],
    [
      "P3: of two pointers of an entry that are too deep, one is reported",
      "const place = `${found.entry.head.id} ${found.path}`;",
      "const place = `${found.entry.head.id}`;",
    ],
    [
      "P3: further experiences in which a pointer is too deep are not counted",
      "const place = `${found.entry.head.id} ${found.path}`;",
      "const place = `${found.entry.head.id} ${found.path} ${experience}`;",
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
    "src/documents/definition-problems.ts",
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
    "src/documents/entry.ts",
    ["test/documents/experience-content.test.ts", "test/fields/values.test.ts"],
    [
      "V9: an entry has the key of a model that was removed",
      "contentModelKey: model?.key ?? null",
      "contentModelKey: model?.key ?? head.modelId",
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
    "src/documents/schema-document.ts",
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
  ...mutantsOf("src/documents/entry.ts", "test/documents/problems-unique.test.ts", [
    "V10: values of the wrong shape count",
    " || !fieldType(type).hasShape(value))",
    ")",
  ]),
  ...mutantsOf(
    "src/documents/duplicate-values.ts",
    "test/documents/problems-unique.test.ts",
    [
      "V10: the entry before is named instead of the first",
      "other: first.id",
      "other: (others.at(others.findIndex((one) => one.id === id) - 1) ?? first).id",
    ],
    [
      "V10: entries of other models count",
      "${head.modelId} ${value.field.key}",
      "${value.field.key}",
    ],
    [
      "V10: which entry is the first depends on the order of the rows",
      "late(a) - late(b) || byCodeUnit(a.id, b.id)",
      "late(a) - late(b)",
    ],
  ),
];
