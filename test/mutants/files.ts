// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are TypeScript
import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of workspace folders, of files below out/ and of the store's file: rules W and F; of the package: N. */
export const FILES: readonly Mutant[] = [
  ...mutantsOf(
    "action.yml",
    "test/docs/action.test.ts",
    [
      "N4: every event of the main branch publishes",
      '"push refs/heads/$MAIN" |',
      "*refs/heads/$MAIN |",
    ],
    [
      "N4: an input is pasted into a script",
      '--out "$OUT" ${KVS:+',
      '--out "$OUT" ${{ inputs.kvs }} ${KVS:+',
    ],
    ["N4: any svc is run", "npx --no-install svc deploy", "npx svc deploy"],
    [
      "N4: a branch is compared with the target",
      "jobs=$ON_PULL_REQUEST live=url",
      "jobs=$ON_PULL_REQUEST live=target",
    ],
  ),
  ...mutantsOf(
    "src/cli/program/config-file.ts",
    "test/cli/config-file.test.ts",
    [
      "N2: the file precedes the environment",
      '(source === undefined || source === "default")',
      'source !== "cli"',
    ],
    ["N2: paths are from the working directory", ": join(dirname(file), path)", ": path"],
    [
      "N2: an unknown member is ignored",
      "if (!CONFIG_MEMBERS.includes(name)) return",
      'if (name === "") return',
    ],
    ["N2: the argument of the file precedes the given one", "at >= 0 && !isGiven", "at >= 0"],
    ["N3: errors can be left out", 'if (level === "error") return', "if (level === code) return"],
  ),
  ...mutantsOf("src/cli/main.ts", "test/cli/config-file.test.ts", [
    "N2: an empty variable is set",
    'value === "") delete',
    'value === "-") delete',
  ]),
  ...mutantsOf("src/workspace/severity.ts", "test/cli/config-file.test.ts", [
    "N3: off leaves nothing out",
    'if (severity === "off") return [];',
    "",
  ]),
  ...mutantsOf("src/publish/freeze.ts", "test/cli/config-file.test.ts", [
    "N3: a publish that changes nothing is not refused",
    "const problems = publishable(last.problems, options);",
    "const { problems } = last;",
  ]),
  ...mutantsOf(
    "src/folder/unread-files.ts",
    "test/folder/unread-files.test.ts",
    [
      "W1: a folder that is nearly a kind's is ignored",
      "if (isMisspelt(name, KINDS)) return",
      'if (name === "") return',
    ],
    [
      "W1: data in folders that are no kind is ignored",
      "return file === undefined ? undefined :",
      "return file !== undefined ? undefined :",
    ],
    ["W1: extensions are compared with their letter case", "|ya?ml)$/i", "|ya?ml)$/"],
    [
      "W1: files that assets name are faults",
      "this.#named.add(segments",
      "segments.concat(segments",
    ],
  ),
  ...mutantsOf(
    "src/folder/null-members.ts",
    "test/folder/null-members.test.ts",
    [
      "W2: null for an optional member is a fault",
      "before === null && !required.includes(name)",
      "before === null && required.length === 0",
    ],
    [
      "W2: null for a required member is as absent",
      "!required.includes(name)",
      "required !== null",
    ],
    ["W2: null for an option of a field is a fault", "shape === FIELD ?", "shape === null ?"],
  ),
  ...mutantsOf(
    "src/folder/comments.ts",
    "test/folder/comments.test.ts",
    [
      "W3: what follows a comment has another place",
      '.replace(/[^\\r\\n]/g, " ")',
      '.replace(/./gs, "")',
    ],
    ["W3: a comma without a value is accepted", "&& !NO_VALUE.has(beforeLast)", ""],
  ),
  ...mutantsOf("src/folder/record-texts.ts", "test/folder/comments.test.ts", [
    "W3: *.json files may have comments",
    'const isJsonc = file.endsWith(".jsonc");',
    "const isJsonc = file !== undefined;",
  ]),
  ...mutantsOf("src/folder/read-folder.ts", "test/folder/null-members.test.ts", [
    "W4: faults do not name their records",
    "...(record && { record }), ",
    "",
  ]),
  ...mutantsOf("src/folder/listed-names.ts", "test/folder/letter-case.test.ts", [
    "W1: names are compared without their letter case",
    "names.has(segment.normalize())",
    "[...names].some((name) => name.toLowerCase() === segment.toLowerCase())",
  ]),
  ...mutantsOf(
    "src/folder/measure-file.ts",
    ["test/folder/letter-case.test.ts"],
    ["W1: an asset's file is what its name opens", "!names.has(...segments)", "!names.has()"],
  ),
  ...mutantsOf(
    "src/documents/canonical-json.ts",
    "test/documents/files-canonical.test.ts",
    [
      "F2: members keep their order",
      "return isInOrder(value) ? JSON.stringify(value) : stringify(value);",
      "return JSON.stringify(value);",
    ],
    [
      "F2: a schema is indented by one space",
      "const inner = `${margin}  `;",
      "const inner = `${margin} `;",
    ],
  ),
  ...mutantsOf(
    "src/publish/stat-cache.ts",
    "test/publish/stat-cache.test.ts",
    [
      "F3: a file that changed within the clock's step counts as unchanged",
      "if (stats.ctimeMs >= state.seenAt - timestampStep(stats.ctimeMs)) return undefined;",
      "if (stats.ctimeMs > state.seenAt + timestampStep(stats.ctimeMs)) return undefined;",
    ],
    [
      "F3: clocks of full seconds are taken for exact ones",
      "ctimeMs % 1000 === 0 ? 2100 : 20",
      "20",
    ],
    [
      "F3: the time of the last change is not compared",
      "return [ino, size, mtimeMs, ctimeMs];",
      "return [ino, size, mtimeMs, ctimeMs * 0];",
    ],
  ),
  ...mutantsOf(
    "src/publish/plan-out.ts",
    [
      "test/publish/files-of-others.test.ts",
      "test/publish/files-replaced.test.ts",
      "test/publish/files.test.ts",
    ],
    [
      "F3: a path of another workspace is taken over",
      "if (path === undefined) continue;",
      "if (path !== undefined) continue;",
    ],
    ["F1: the manifest forgets other workspaces", "        ...before.workspaces,\n", ""],
  ),
  ...mutantsOf("src/publish/version.ts", "test/publish/files-replaced.test.ts", [
    "F3: configs are written first",
    "{ content: 0, schema: 1, project: 2 }",
    "{ content: 2, schema: 1, project: 0 }",
  ]),
  ...mutantsOf("src/documents/documents.ts", "test/publish/files-replaced.test.ts", [
    "F3: configs are rendered before contents",
    "for (const project of projects) yield* projectContents(rendering, project);",
    "for (const project of projects) yield projectConfig(rendering, project);\n  for (const project of projects) yield* projectContents(rendering, project);",
  ]),
  ...mutantsOf(
    "src/publish/plan-removals.ts",
    ["test/publish/files-of-others.test.ts", "test/publish/crash-left-behind.test.ts"],
    [
      "F3: files of other workspaces are removed",
      "id === workspaceId ? [] : Object.keys(other.files),",
      "id === workspaceId ? [] : Object.keys(other.files).slice(0, 0),",
    ],
    [
      "F5: files of an interrupted write stay",
      "...unlisted.filter((path) => existsSync(join(folder.path, path))),",
      "",
    ],
    [
      "F5: temporary files stay",
      '...(wasInterrupted ? folder.filesBelow("").filter(isTemporary) : []),',
      "",
    ],
  ),
  ...mutantsOf(
    "src/publish/apply-plan.ts",
    [
      "test/publish/crash-safety.test.ts",
      "test/publish/files-replaced.test.ts",
      "test/publish/files-obstructed.test.ts",
    ],
    [
      "F5: a completed write stays in the journal",
      "  removePendingWrite(folder, workspaceId);\n",
      "",
    ],
    [
      "F3: the manifest is written before the files",
      "  for (const { path, sha256: hash } of version.files) {",
      '  if (plan.manifest === "changed") folder.replace(MANIFEST, Buffer.from("{}"));\n  for (const { path, sha256: hash } of version.files) {',
    ],
  ),
  ...mutantsOf(
    "src/publish/out-lock.ts",
    "test/publish/files-locked.test.ts",
    ["F4: out/ is not locked", "BEGIN EXCLUSIVE", "BEGIN"],
    [
      "F4: the lock of another process is not waited for",
      "const LOCK_TIMEOUT = 5000;",
      "const LOCK_TIMEOUT = 0;",
    ],
  ),
  ...mutantsOf(
    "src/publish/verify.ts",
    ["test/publish/verify-differences.test.ts", "test/publish/verify-interrupted.test.ts"],
    [
      "F6: files that are not in the manifest are accepted",
      'comparison.addDifference(path, "unexpected", detail);',
      "detail.trim();",
    ],
    [
      "F6: an interrupted write is not reported",
      "existsSync(join(out, WRITE_JOURNAL)) || differs",
      "differs",
    ],
  ),
  ...mutantsOf("src/http/in-parallel.ts", "test/publish/verify-url-requests.test.ts", [
    "F7: more than 16 requests at once",
    "const CONCURRENCY = 16;",
    "const CONCURRENCY = 17;",
  ]),
  ...mutantsOf(
    "src/publish/verify-url.ts",
    ["test/publish/verify-url-requests.test.ts", "test/publish/verify-url-misbehaving.test.ts"],
    [
      "F7: any answer counts as the document",
      "if (answer.status === 200) comparison.compare(path, answer.body);",
      "if (answer.status === 200) comparison.compare(path, answer.body);\n    else if (answer.status === 500) consecutiveFailures = 0;",
    ],
  ),
  ...mutantsOf("src/publish/manifest.ts", "test/publish/files-verify.test.ts", [
    "F6: a path of the manifest leaves out/ by backslashes",
    ' && !segment.includes("\\\\")',
    "",
  ]),
  ...mutantsOf("src/publish/out-lock.ts", "test/publish/limited-files.test.ts", [
    "F8: a lock file that cannot be removed while it is open stays",
    "if (!isRemoved) remove(path);",
    "",
  ]),
  ...mutantsOf("src/workspace/retry-while-open.ts", "test/publish/limited-files.test.ts", [
    "F8: an open file is an error at once",
    "if (pause > LAST_PAUSE || ",
    "if (pause > 0 || ",
  ]),
  ...mutantsOf(
    "src/store/with-store.ts",
    "test/store/with-store.test.ts",
    [
      "F8: a store needs hard links",
      'if ((error as NodeJS.ErrnoException).code === "EEXIST") throw error;\n  }\n  //',
      "throw error;\n  }\n  //",
    ],
    [
      "F8: without hard links the store of another process is replaced",
      'closeSync(openSync(name, "wx"));',
      'closeSync(openSync(name, "a"));',
    ],
    [
      "F8: a reserved name counts as a broken store",
      "turn < 100 && isEmpty()",
      "turn < 0 && isEmpty()",
    ],
  ),
  ...mutantsOf(
    "package.json",
    "test/docs/package-name.test.ts",
    ["N1: the package has the name of another one", '"name": "@svc-publish/svc"', '"name": "svc"'],
    ["N1: the package can be published", '"private": true', '"private": false'],
  ),
  ...mutantsOf("docs/ci.md", "test/docs/package-name.test.ts", [
    "N1: a recipe may fetch another program",
    "npx --no-install svc publish content",
    "npx svc publish content",
  ]),
];
