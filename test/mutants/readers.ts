// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are TypeScript
import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of differences, types, the client and the command line: rules D, T and K. */
export const READERS: readonly Mutant[] = [
  ...mutantsOf("src/cli/output/completion-script.ts", "test/cli/completion.test.ts", [
    "cli.md: options are completed that belong to another command",
    'local command=svc list="" i',
    'local command="svc deploy" list="" i',
  ]),
  ...mutantsOf("src/cli/output/problem-groups.ts", "test/cli/results.test.ts", [
    "N5: a list of findings has no number of each code",
    "byCode: Object.fromEntries(codes)",
    "byCode: {}",
  ]),
  ...mutantsOf("src/folder/json-text.ts", "test/folder/json-text.test.ts", [
    "W5: a merge conflict is broken JSON",
    "if (conflicts.length > 0)",
    "if (conflicts.length > 9)",
  ]),
  ...mutantsOf("src/cli/output/report-error.ts", "test/cli/exit-status.test.ts", [
    "cli.md: a failure has the exit status of findings",
    "export const FAILED = 3;",
    "export const FAILED = 1;",
  ]),
  ...mutantsOf(
    "src/diff/align-lists.ts",
    ["test/diff/diff-contents.test.ts", "test/diff/diff-value-laws.test.ts"],
    [
      "D1: lists with more than ten edits are different in all elements",
      "const MOST_EDITS = 1000;",
      "const MOST_EDITS = 10;",
    ],
  ),
  ...mutantsOf(
    "src/diff/schema-change.ts",
    [
      "test/diff/diff-verdict.test.ts",
      "test/diff/diff-verdict-fields.test.ts",
      "test/diff/diff-verdict-types.test.ts",
    ],
    ["D2: a removed field is safe", '"field-removed": ["breaking"', '"field-removed": ["safe"'],
    [
      "D2: a field that may be absent now is safe",
      '"field-optional": [\n    "breaking"',
      '"field-optional": [\n    "safe"',
    ],
    [
      "D2: a new limit is breaking",
      '"constraint-changed": [\n    "safe"',
      '"constraint-changed": [\n    "breaking"',
    ],
  ),
  ...mutantsOf(
    "src/diff/compare-schemas.ts",
    ["test/diff/diff-verdict.test.ts", "test/diff/diff-verdict-projects.test.ts"],
    ["D2: models of steps are not compared", "    ...compareStepModels(before, after),\n", ""],
    ["D2: values of flags are not compared", "    ...compareFeatureValues(before, after),\n", ""],
  ),
  ...mutantsOf("src/diff/compare-configs.ts", "test/diff/diff-configs.test.ts", [
    "D1: another order of steps is not a difference",
    'if (olds.join(" ") === news.join(" ")) return changes;',
    "if (olds.length === news.length) return changes;",
  ]),
  ...mutantsOf("src/diff/diff.ts", "test/diff/diff-laws.test.ts", [
    "D3: a removed document is not reported",
    "      documents.push({ path, change, address });",
    '      if (change === "added") documents.push({ path, change, address });',
  ]),
  ...mutantsOf("src/diff/moved-entries.ts", "test/diff/diff-entries.test.ts", [
    "D1: an entry that moves to another document is not compared",
    "if (was !== undefined) yield { was, is };",
    'if (was === "") yield { was, is };',
  ]),
  ...mutantsOf(
    "src/codegen/name-types.ts",
    "test/codegen/names.test.ts",
    [
      "T3: the first of two keys keeps the name",
      "uses.get(name)?.length === 1 && !RESERVED.has(name)",
      "uses.get(name)?.[0]?.key === key && !RESERVED.has(name)",
    ],
    ["T3: a type may have a name of the generated file", " && !RESERVED.has(name)", ""],
  ),
  ...mutantsOf(
    "src/codegen/read-schema.ts",
    "test/codegen/documents.test.ts",
    [
      "T4: a newer schema document is read",
      "version > SUPPORTED_VERSION) {",
      "version > SUPPORTED_VERSION + 1) {",
    ],
    [
      "T2: models are in the order of the document",
      "    .sort(([a], [b]) => byCodeUnit(a, b))\n    .map(([key, schema]) => {",
      "    .map(([key, schema]) => {",
    ],
  ),
  ...mutantsOf("src/codegen/read-type.ts", "test/codegen/shapes.test.ts", [
    "T1: every field is required",
    "isRequired: isRequired.has(name)",
    "isRequired: true",
  ]),
  ...mutantsOf("src/codegen/print-type.ts", "test/codegen/comments.test.ts", [
    "T1: a name ends its comment",
    '    .replaceAll("*/", "*\\\\/")\n',
    "",
  ]),
  ...mutantsOf("src/client/client.ts", "test/client/size.test.ts", [
    "K3: the client imports a module of Node.js",
    'export type * from "./types.ts";',
    'import "node:path";\nexport type * from "./types.ts";',
  ]),
  ...mutantsOf(
    "src/client/client.ts",
    [
      "test/client/caching.test.ts",
      "test/client/errors.test.ts",
      "test/client/secrets.test.ts",
      "test/client/resolving.test.ts",
    ],
    ["K1: no request is conditional", 'cached ? { "If-None-Match": cached.etag } : {}', "{}"],
    [
      "K1: the results of 304s share one object",
      "return parse(cached.text) as T;",
      "return (cached as { body?: T }).body ??= parse(cached.text) as T;",
    ],
    ["K2: an error contains the token", "withoutToken(detail), url", "detail, url"],
    [
      "K2: an error has the token in its url",
      "withoutToken(detail), url)",
      "withoutToken(detail), url + query)",
    ],
    [
      "K4: references are not resolved",
      "const all = [...content.content, ...content.references];",
      "const all = [...content.content];",
    ],
  ),
  ...mutantsOf(
    "src/client/rich-text.ts",
    "test/client/rich-text.test.ts",
    ["K5: trees of any depth", "depth >= MAXIMUM_DEPTH", "depth < 0"],
    ["K5: lists of any depth", "Math.min(value.level, MAXIMUM_LIST_LEVEL)", "value.level"],
    ["K5: images have no texts", "[description, title].find(", "[title].find("],
    ["K5: any address is a link", "|| !SAFE.test(href)", "|| href === SAFE.source"],
    ["K5: text is not escaped", "text: escapeHtml,", "text: (text) => text,"],
    ["K5: items of lists have no list", "withLists(values).map", "values.map"],
    ["K5: inherited members are handlers", "Object.hasOwn(byName, name)", "byName[name]"],
    [
      "K5: pointers of marks are not found",
      "for (const [value, kind] of pointersOf(node)) {",
      'for (const [value, kind] of pointersOf(is === "mark" ? {} : node)) {',
    ],
  ),
  ...mutantsOf(
    "src/cli/output/problem-groups.ts",
    "test/cli/problem-lists.test.ts",
    ["P5: every place of a warning is listed", "warning: 10 }", "warning: 1_000_000 }"],
    ["P5: warnings come first", "order(a) < order(b) ? -1 : 1", "order(a) < order(b) ? 1 : -1"],
  ),
  ...mutantsOf(
    "src/folder/find-places.ts",
    "test/folder/find-places.test.ts",
    [
      "P13: a file that is named after an id is taken to hold it",
      "const id = isJsonObject(read.value) ? read.value.id : undefined;",
      'const id = read.file.replace(/.*\\/|\\.json$/g, "");',
    ],
    ["P13: paths of entries begin at the record", "`/data${at.path}`", "at.path"],
  ),
  ...mutantsOf(
    "src/cli/list-options.ts",
    "test/cli/problem-places.test.ts",
    ["P13: files are relative to the folder", "relative(root, path)", "relative(folder, path)"],
    [
      "P13: annotations are relative to the working directory",
      'format === "github" && process.env.GITHUB_WORKSPACE',
      "false",
    ],
  ),
  ...mutantsOf("src/cli/output/problem-lines.ts", "test/cli/problem-places.test.ts", [
    "P13: problems of --json have no places",
    ", ...placeOf?.(problem.at) }",
    " }",
  ]),
  ...mutantsOf("src/cli/problem-format.ts", "test/cli/problem-places.test.ts", [
    "P13: problems of a refused publish have no places with --json",
    "placedProblems(problems.list, options)",
    "problems",
  ]),
  ...mutantsOf("src/cli/output/github.ts", "test/cli/problem-formats.test.ts", [
    "P13: a comma of a property is not escaped",
    '.replaceAll(",", "%2C")',
    "",
  ]),
  ...mutantsOf("src/cli/output/markdown.ts", "test/cli/problem-formats.test.ts", [
    "P13: HTML of a message is kept",
    '.replaceAll("<", "&lt;")',
    "",
  ]),
  ...mutantsOf("src/cli/output/problem-lines.ts", "test/cli/problem-lists.test.ts", [
    "P5: a refused publish lists warnings beside its errors",
    "return errors.length > 0 ? errors : problems;",
    "return problems;",
  ]),
  ...mutantsOf("src/cli/replace-file.ts", "test/cli/types-output.test.ts", [
    "types: a file is not replaced atomically",
    "    retryWhileOpen(() => renameSync(temporary, path));",
    "    writeFileSync(path, readFileSync(temporary));\n    rmSync(temporary);",
  ]),
  ...mutantsOf("src/cli/commands/token/list.ts", "test/cli/token.test.ts", [
    "token: an expired token is listed as valid",
    "Date.parse(expiresAt) > now",
    "Date.parse(expiresAt) > 0",
  ]),
];
