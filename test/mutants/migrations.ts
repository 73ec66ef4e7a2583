import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of migrations of workspace folders: rules M, and D5. */
export const MIGRATIONS: readonly Mutant[] = [
  ...mutantsOf("src/diff/made-migrations.ts", "test/diff/diff-migrations.test.ts", [
    "D5: a migration of which one value is made is left out",
    "if (!isDeepStrictEqual(now?.after, before)) return false;",
    "if (!isDeepStrictEqual(now?.after, before)) continue;",
  ]),
  ...mutantsOf("src/folder/migrate/rewrite-json.ts", "test/folder/localized-migrations.test.ts", [
    "M2: an object in place of a text is not written as its neighbours are",
    "exec(texts.at(-1) ?? own)",
    'exec(texts.at(-1) ?? "")',
  ]),
  ...mutantsOf("src/folder/migrate/rewrite-json.ts", "test/folder/rewrite-json.test.ts", [
    "M2: a new object in a list on one line has lines",
    "(texts.length > 0 ? texts : [own]).some(",
    "[text].some(",
  ]),
  ...mutantsOf("src/diff/compare-schemas.ts", "test/diff/diff-migrations.test.ts", [
    "D5: a field that was there before is named",
    "!Object.hasOwn(olds, key) && isSame(key)",
    "key !== field && isSame(key)",
  ]),
  ...mutantsOf(
    "src/folder/migrate/field-migrations.ts",
    "test/folder/migrations.test.ts",
    [
      "M1: data under the new key is overwritten",
      "if (Object.hasOwn(data, to)) {",
      "if (to === from) {",
    ],
    [
      "M5: options in lists are not renamed",
      "Array.isArray(one) ? one.map(rename) : rename(one)",
      "rename(one)",
    ],
  ),
  ...mutantsOf(
    "src/folder/migrate/stored-data.ts",
    "test/folder/migrations.test.ts",
    [
      "M5: blocks in blocks are not found",
      "const data = inBlocks(block.fields, value.data);",
      "const data = value.data;",
    ],
    [
      "V11: blocks in rich text are not found",
      "return [key, mapLocales(field, value, inTree)];",
      "return [key, value];",
    ],
    [
      "M5: data of any field is searched for blocks",
      'if (field?.type !== "content-block") return [key, value];\n      return [key, mapLocales(field, value, inOneOrMany)];',
      "return [key, mapLocales(field ?? {}, value, inOneOrMany)];",
    ],
    [
      "M5: project fields are not searched",
      "inBlocks(workspace.fields ?? [], record.fields)",
      "inBlocks([], record.fields)",
    ],
  ),
  ...mutantsOf("src/fields/localized.ts", "test/folder/localized-migrations.test.ts", [
    "M5, B2: blocks in the locales of a value are not found",
    "if (localized !== true) return change(stored);",
    "if (localized === localized) return change(stored);",
  ]),
  ...mutantsOf(
    "src/folder/migrate/field-migrations.ts",
    "test/folder/localized-migrations.test.ts",
    [
      "M5, B2: options are not renamed in each locale",
      "mapLocales(field, value, inOneOrMany)",
      "inOneOrMany(value)",
    ],
  ),
  ...mutantsOf(
    "src/folder/migrate/localize-field.ts",
    "test/folder/localized-migrations.test.ts",
    [
      "M1: delocalize-field loses other locales",
      "if (lost !== undefined) {",
      "if (lost === chosen) {",
    ],
    [
      "M1: values get a locale that no project has",
      "if (locales.includes(named)) return named;",
      "if (locales.length > 0) return named;",
    ],
    [
      "M5: null becomes a value of a locale",
      "if (value === undefined || value === null) return data;",
      "if (value === undefined) return data;",
    ],
  ),
  ...mutantsOf(
    "src/folder/migrate/move-field-into-block.ts",
    "test/folder/localized-migrations.test.ts",
    [
      "M1: a value replaces the blocks of all locales",
      "if (into.localized) {",
      "if (into === field) {",
    ],
  ),
  ...mutantsOf("src/folder/migrate/rename-model.ts", "test/folder/migrations.test.ts", [
    "M5: reference fields keep the old key",
    "key === from ? to : key",
    "key === to ? from : key",
  ]),
  ...mutantsOf("src/folder/migrate/move-field-into-block.ts", "test/folder/migrations.test.ts", [
    "M5: the blocks that are there are lost",
    "[...((known as readonly JsonValue[] | null) ?? []), block]",
    "[block]",
  ]),
  ...mutantsOf(
    "src/folder/migrate/rewrite-json.ts",
    "test/folder/rewrite-json.test.ts",
    [
      "M2: a renamed member is written as a new one",
      "newNames.set(gone, name);",
      "newNames.set(name, gone);",
    ],
    [
      "M2: what stays is written again",
      "if (JSON.stringify(before) === JSON.stringify(after)) return own;",
      "if (own === JSON.stringify(after)) return own;",
    ],
  ),
  ...mutantsOf(
    "src/folder/migrate/replace-files.ts",
    "test/cli/migrate-safety.test.ts",
    [
      "M3: a file that was changed since is replaced",
      "    assertText(folder, file, [before, after]);\n",
      "",
    ],
    [
      "M3: a file that was changed after it was read is replaced",
      "      assertText(folder, file, [sha256(before)]);\n",
      "",
    ],
  ),
  ...mutantsOf("src/folder/read-folder.ts", "test/cli/migrate-safety.test.ts", [
    "M3: a folder with an interrupted migration is read",
    "  assertNotMigrating(folder, path);\n",
    "",
  ]),
  ...mutantsOf("src/cli/commands/migrate.ts", "test/cli/migrate-safety.test.ts", [
    "M4: files that are not added are no changes",
    "--untracked-files=all",
    "--untracked-files=no",
  ]),
  ...mutantsOf("src/folder/migrate/script-migration.ts", "test/cli/migrate-safety.test.ts", [
    "M6: a script may change the id",
    'if (entry.id !== id) return "another id";',
    "",
  ]),
  ...mutantsOf(
    "src/folder/migrate/plain-json.ts",
    "test/cli/migrate-safety.test.ts",
    [
      "M7: NaN is written as null",
      'typeof value === "number" && Number.isFinite(value)',
      'typeof value === "number"',
    ],
    [
      "M7: objects of a class are written as their members",
      "!Array.isArray(value) && !isPlain(value)",
      "!Array.isArray(value) && isPlain([])",
    ],
    ["M7: holes are written as null", "Array.from(value, (one, at) =>", "value.map((one, at) =>"],
    ["M7: one object twice is a cycle", "    around.pop();\n", ""],
  ),
  ...mutantsOf("src/cli/commands/migrate.ts", "test/cli/migrate-safety.test.ts", [
    "M7: a script ends the program with success",
    'process.once("exit", ended);',
    "void ended;",
  ]),
  ...mutantsOf("src/folder/migrate/unified-diff.ts", "test/folder/migrations.test.ts", [
    "M1: the lines of later hunks are counted from the old file",
    "shift += more;",
    "shift += 0;",
  ]),
];
