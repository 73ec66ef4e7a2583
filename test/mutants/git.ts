// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are TypeScript
import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of a workspace folder that is kept in Git: rules G. */
export const GIT: readonly Mutant[] = [
  ...mutantsOf(
    "src/folder/export/file-names.ts",
    "test/folder/export-again.test.ts",
    ["G1: ids that differ in letter case share a file", "isAlone ? id :", "true ? id :"],
    ["G1: a reserved name is written", "RESERVED.test(name) ?", "false ?"],
  ),
  ...mutantsOf(
    "src/folder/export/record-order.ts",
    "test/folder/export-again.test.ts",
    ["G2: other members stay in their order", "\n    .sort(byCodeUnit)", ""],
    ["G2: data is not in the order of the fields", "fields.map(({ key }) => key),", "[],"],
    ["G2, B2: locales stay in their order", "? inOrder(value, []) : value", "? value : value"],
    [
      "G2, B2: blocks of locales stay as they are",
      "return mapLocales(field, inLocales, (blocks) => orderedBlocks(blocks, order));",
      "return field.localized ? inLocales : orderedBlocks(inLocales, order);",
    ],
  ),
  ...mutantsOf(
    "src/folder/export/export-plan.ts",
    "test/folder/export-again.test.ts",
    [
      "G3: a file that somebody changed is replaced",
      "bytes === undefined || (isOwn && found !== hash)",
      "bytes === undefined || found !== hash",
    ],
    ["G3: a file that somebody changed is removed", " && this.isOwn(path))", ")"],
    ["G3: all files are written", "(isOwn && found !== hash)", "isOwn"],
  ),
  ...mutantsOf(
    "src/folder/export/plan-kind.ts",
    "test/folder/export-again.test.ts",
    ["G3: a file that was moved is not found", "paths.set(id, path);", "paths.get(id);"],
    ["G3: a second form stays unnoticed", "|| plan.isOwn(path)) return;", "|| path) return;"],
  ),
  ...mutantsOf(
    "src/folder/merge/merge-values.ts",
    "test/folder/merge.test.ts",
    [
      "A1: removing draft: false is a change",
      "ownMember(one, name) ?? false);",
      "ownMember(one, name) ?? null);",
    ],
    [
      "G4: a value that both changed is that of ours",
      "isEqual(ours, theirs) || isEqual(base, theirs)",
      "isEqual(ours, theirs) || ours !== undefined",
    ],
    [
      "G4, B2: the Indonesian locale names a value",
      '=== "string" ? sortOfMember : sortOf',
      '=== "string" ? sortOf : sortOf',
    ],
    [
      "G4: another target is merged by member",
      "return new Set(all.map(sort)).size === 1;",
      "return true;",
    ],
  ),
  ...mutantsOf(
    "src/folder/merge/align-sides.ts",
    "test/folder/merge.test.ts",
    [
      "G4: what both inserted has the order of ours",
      "if (!isSameOrder(ours.filter(isInsertedInBoth), theirs.filter(isInsertedInBoth)))",
      "if (false)",
    ],
    [
      "G4: an element that was moved is another one",
      "moved < 0 ? undefined :",
      "true ? undefined :",
    ],
    [
      "G4: what both order anew has the order of theirs",
      "{\n    if (!isSameOrder(oursCommon, theirsCommon)) return undefined;\n  }",
      "{}",
    ],
    [
      "G4: theirs comes before ours",
      "withInsertions(ours, theirs, isInsertedInOurs)",
      "withInsertions(ours, theirs, () => false)",
    ],
  ),
  ...mutantsOf(
    "src/folder/merge/print-merged.ts",
    "test/folder/merge.test.ts",
    ["G5: blank lines are lost", "(own ?? rest)", "rest"],
    ["G5: space at the end is not kept", ": tail}${close}", ': ""}${close}'],
  ),
  ...mutantsOf("src/folder/merge/json-source.ts", "test/folder/merge.test.ts", [
    "G5: line ends are those of theirs",
    "[first, ...moved].join(eol)",
    '[first, ...moved].join("\\n")',
  ]),
  ...mutantsOf("src/cli/commands/merge-driver/run.ts", "test/cli/merge-driver.test.ts", [
    "G6: a conflict ends with status 0",
    "all.conflicts > 0 ? 1 : 0",
    "0",
  ]),
  ...mutantsOf("src/cli/add-lines.ts", "test/cli/merge-driver.test.ts", [
    "G6: the lines are added each time",
    ".filter((line) => !known.has(line))",
    ".filter((line) => known !== undefined || line)",
  ]),
  ...mutantsOf(
    "src/folder/schemas/folder-schemas.ts",
    "test/folder/folder-schemas.test.ts",
    ["G7: data of every entry is open", "...(cases.length > 0 && { allOf: cases }),", ""],
    ["G7: any number of ids is proposed", "entryCount > MAX_IDS", "entryCount > MAX_IDS * 100"],
    ["G7: only known assets are valid", '?? ""), { type: "string" }]', '?? "")]'],
  ),
  ...mutantsOf("src/fields/content-block.ts", "test/folder/folder-schemas.test.ts", [
    "G7: every block is proposed",
    "storedBlocks(blocks.filter((block) => isAccepted(field, block)))",
    "storedBlocks(blocks)",
  ]),
  ...mutantsOf(
    "src/folder/record-rules.ts",
    "test/folder/record-faults.test.ts",
    [
      "B1: a project falls back to its own locale",
      "if (own < 0) return [];",
      "if (own > -2) return [];",
    ],
    [
      "B1: fallbacks without a locale are accepted",
      "if (locale === undefined) {",
      "if (locale === fallbackLocales) {",
    ],
    [
      "B2: fields of projects may be localized",
      'localized === true && kind === "workspace"',
      "localized === true && kind === undefined",
    ],
  ),
  ...mutantsOf(
    "src/fields/stored-data-schema.ts",
    "test/folder/folder-schemas.test.ts",
    [
      "G7: a localized field has only the locales of projects",
      "additionalProperties: storedValueSchema(",
      "$comment: storedValueSchema(",
    ],
    [
      "G7, B3: a localized required field may lack a language",
      "field.required === true &&",
      "field.required === false &&",
    ],
  ),
  ...mutantsOf("src/folder/schemas/vocabulary.ts", "test/folder/folder-schemas.test.ts", [
    "G7: models with unique or localized fields are left out",
    "fieldListFaults(value.fields, kind)",
    'fieldListFaults(value.fields, "workspace")',
  ]),
  ...mutantsOf("src/folder/workspace-file.ts", "test/cli/merge-driver.test.ts", [
    "W3: workspace.jsonc makes no workspace folder",
    '"workspace.json", "workspace.jsonc"',
    '"workspace.json"',
  ]),
  ...mutantsOf("src/folder/schemas/editor-settings.ts", "test/folder/folder-schemas.test.ts", [
    "G8: the schemas are added each time",
    "one?.url === url",
    "one?.url === folder",
  ]),
];
