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
];
