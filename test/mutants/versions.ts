// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are TypeScript
import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of versions and the store: rules R. */
export const VERSIONS: readonly Mutant[] = [
  ...mutantsOf(
    "src/documents/version-id.ts",
    "test/publish/versions.test.ts",
    ["R1: paths do not count in a version id", "${JSON.stringify(path)}:", '"":'],
    [
      "R1: a version id depends on the order of the documents",
      "of pairs.sort(([a], [b]) => byCodeUnit(a, b))",
      "of pairs",
    ],
  ),
  ...mutantsOf(
    "src/publish/freeze.ts",
    [
      "test/publish/versions.test.ts",
      "test/publish/history.test.ts",
      "test/publish/frozen-versions.test.ts",
      "test/publish/pruning.test.ts",
    ],
    [
      "R2: an unchanged workspace is published again",
      "  if (from !== versionId) {\n    history.makeCurrent",
      "  {\n    history.makeCurrent",
    ],
    ["R4: errors do not refuse", 'strict || level === "error"', "strict"],
    ["R4: warnings refuse", 'strict || level === "error"', "true"],
    [
      "R7: publishing again is a publish in the journal",
      'exists ? "republish" : "publish"',
      '"publish"',
    ],
  ),
  ...mutantsOf(
    "src/publish/version.ts",
    "test/publish/schema-proof.test.ts",
    [
      "S4: data that violates its schema is published",
      "if (faults.length === 0) return;",
      "if (faults.length >= 0) return;",
    ],
    [
      "S4: violations of entries are not collected",
      "!rendering.hidden.has(head.id)) faults.push(fault);",
      "!rendering.hidden.has(head.id)) fault.trim();",
    ],
    [
      "S4: violations of project fields are not collected",
      "if (fault) faults.push(`project",
      "if (fault) fault.concat(`project",
    ],
  ),
  ...mutantsOf(
    "src/publish/freeze.ts",
    "test/publish/schema-proof.test.ts",
    [
      "S4: the draft of a store is not held against its schema",
      "store.draft(workspace), options, true)",
      "store.draft(workspace), options, false)",
    ],
    [
      "S4: a folder is not held against its schema",
      "publishedRendering(source.draft, { at }, true)",
      "publishedRendering(source.draft, { at }, false)",
    ],
  ),
  ...mutantsOf(
    "src/publish/publish.ts",
    [
      "test/publish/crash-safety.test.ts",
      "test/publish/verify-interrupted.test.ts",
      "test/publish/files-closed.test.ts",
      "test/publish/pruning.test.ts",
    ],
    [
      "R5: the journal of a commit that failed stays",
      "      undoJournal();\n      throw error;",
      "      throw error;",
    ],
    [
      "R5: a failure after the commit does not name the version",
      "`${message}; version ${version.versionId} is ${state}`",
      "message",
    ],
  ),
  ...mutantsOf(
    "src/publish/removal-limit.ts",
    "test/publish/removal-limit.test.ts",
    ["R12: small sites have no allowance", "Math.max(MIN_LIMIT, ", "Math.max(0, "],
    [
      "R12: only what out/ has is compared",
      '"folder" || from === undefined',
      '"folder" || from !== null',
    ],
    [
      "R12: added documents make up for removed ones",
      "= documents.filter((path) => !after.has(path)).length",
      "= documents.length - after.size",
    ],
  ),
  ...mutantsOf("src/publish/publish.ts", "test/publish/removal-limit.test.ts", [
    "R12: removals are not refused",
    "assertRemovals(countRemovals(",
    "void (countRemovals(",
  ]),
  ...mutantsOf(
    "src/publish/find-version.ts",
    "test/publish/rollback-prefix.test.ts",
    [
      "R6: an ambiguous beginning names the newest version",
      "if (found !== undefined && others.length === 0) return found;",
      "if (found !== undefined) return found;",
    ],
    ["R6: a pruned version is unknown", "if (pruned !== undefined) {", "if (pruned === prefix) {"],
  ),
  ...mutantsOf(
    "src/store/history.ts",
    ["test/publish/history.test.ts", "test/publish/pruning.test.ts"],
    [
      "R7: the journal begins anew with each version",
      "const from = this.current(workspace) ?? null;",
      "const from = null;",
    ],
    [
      "R8: the versions published last are kept",
      "WHERE journal.workspace = :workspace AND id IN (from_version, to_version)) DESC",
      "WHERE journal.workspace = :workspace AND id IN (from_version, to_version)) * 0 DESC",
    ],
    [
      "R8: documents of pruned versions stay",
      "if (isUsed.get(number) === undefined) remove.run(number)",
      "if (isUsed.get(number) === 0) remove.run(number)",
    ],
    [
      "R8: files of pruned versions stay",
      "    deleteUnusedFiles(this.#database);\n    return",
      "    return",
    ],
  ),
  ...mutantsOf(
    "src/store/versions.ts",
    ["test/publish/history.test.ts", "test/publish/publish-distrust.test.ts"],
    ["R5: equal documents are stored twice", "if (this.#find.get(hash) !== undefined) return;", ""],
    [
      "R3: missing documents of a version are not noticed",
      "versionIdOf(documents.map(({ path, sha256: hash }) => [path, hash])) === versionId &&",
      "documents.length >= 0 &&",
    ],
    [
      "R3: other bytes of a document are served",
      "if (bytes !== undefined && sha256(bytes) === hash) return bytes;\n    } catch",
      "if (bytes !== undefined) return bytes;\n    } catch",
    ],
  ),
  ...mutantsOf(
    "src/store/open-database.ts",
    "test/store/open-store.test.ts",
    [
      "R9: a store of a newer release is opened",
      "if (version === SCHEMA_VERSION || version === 0) return;",
      "if (version >= SCHEMA_VERSION || version === 0) return;",
    ],
    [
      "R9: a store of an older schema is opened",
      "if (version === SCHEMA_VERSION || version === 0) return;",
      "if (version <= SCHEMA_VERSION) return;",
    ],
    [
      "R5: commits are not flushed to the disk",
      'database.pragma("synchronous = FULL");',
      'database.pragma("synchronous = NORMAL");',
    ],
    [
      "R5: foreign keys are not checked",
      'database.pragma("foreign_keys = ON");',
      'database.pragma("foreign_keys = OFF");',
    ],
    ["R9: a file of another program is opened", "!== APPLICATION_ID) {", "=== undefined) {"],
  ),
  ...mutantsOf(
    "src/store/tokens.ts",
    ["test/store/tokens.test.ts", "test/deploy/releases/plan-tokens.test.ts"],
    [
      "L8: expired tokens are sent to the edge",
      "expiresAt === undefined || expiresAt > now)",
      "expiresAt === undefined || expiresAt.getTime() > 0)",
    ],
    [
      "H3: expired tokens are valid",
      "const isActive = until > now.getTime();",
      "const isActive = until > 0;",
    ],
    [
      "H3: tokens are stored as they are",
      'return digest(token).toString("hex");',
      'return Buffer.from(token).toString("hex");',
    ],
  ),
  ...mutantsOf(
    "src/documents/rendering.ts",
    "test/documents/taken-over.test.ts",
    [
      "R10, B1: entries stay in the languages of before",
      "if (JSON.stringify(earlier.lookup.languages) !== JSON.stringify(now.lookup.languages)) return;",
      "",
    ],
    [
      "R10: changed entries are taken over",
      "after.entries.get(head.id) === head &&",
      "after.entries.has(head.id) &&",
    ],
    ["R10: entries keep the rules of their model", "!changedModels.has(head.modelId) &&", ""],
    [
      "R10: entries keep the fields of their model",
      "(was, is) => JSON.stringify(was) === JSON.stringify(is),",
      "() => true,",
    ],
    [
      "R10: entries keep the address of assets",
      "[assetBaseUrl, assetTexts, blocks, models.map",
      "[assetTexts, blocks, models.map",
    ],
    [
      "R10: entries keep the texts of assets",
      "[assetBaseUrl, assetTexts, blocks, models.map",
      "[assetBaseUrl, blocks, models.map",
    ],
    [
      "R10: entries keep a block that changed",
      "[assetBaseUrl, assetTexts, blocks, models.map",
      "[assetBaseUrl, assetTexts, models.map",
    ],
    [
      "R10: entries keep the key of a model",
      "models.map(({ id, key }) => [id, key])]",
      "models.map(({ id }) => id)]",
    ],
    [
      "R10: entries keep a target that changed",
      "!(targets.size > 0 && pointers.some(({ target }) => targets.has(target))) &&",
      "",
    ],
    [
      "R10: entries keep the model of a target",
      "(was, is) => was.modelId === is.modelId,",
      "() => true,",
    ],
    [
      "R10: entries keep an asset that changed",
      "!(assets.size > 0 && entry.assets.some((id) => assets.has(id))) &&",
      "",
    ],
    [
      "R10, A1: entries keep a target that is hidden since",
      "if (earlier.lookup.hiddenBy(id) !== now.lookup.hiddenBy(id)) targets.add(id);",
      "",
    ],
    [
      "R10: entries keep a target that another workspace has since",
      "!problems.some(({ code }) => MISSING.has(code))",
      "true",
    ],
    [
      "R10: an earlier rendering is changed",
      "if (isSame(entry)) kept.set(id, entry);\n    return kept;",
      "if (!isSame(entry)) (entries as typeof kept).delete(id);\n    return entries as typeof kept;",
    ],
  ),
  ...mutantsOf(
    "src/publish/publish.ts",
    [
      "test/publish/crash-safety.test.ts",
      "test/publish/verify-interrupted.test.ts",
      "test/publish/files-closed.test.ts",
      "test/publish/pruning.test.ts",
    ],
    [
      "R5: a dry run is committed",
      "      result = { value: work() };\n      throw rollback;",
      "      result = { value: work() };",
    ],
  ),
  ...mutantsOf(
    "src/publish/publish.ts",
    "test/publish/folder-source.test.ts",
    [
      "R11: a publish of a folder never finds out/ unchanged",
      'source.kind === "folder" ? replaced : from',
      "from",
    ],
    [
      "R11, F5: a publish of a folder is not noted in out/",
      "undoJournal = journalPlan(plan, out);",
      "if (kept) undoJournal = journalPlan(plan, out);",
    ],
  ),
  ...mutantsOf(
    "src/cli/with-draft.ts",
    "test/cli/folder-commands.test.ts",
    [
      "R11: a folder is imported into workspace.db",
      "if (!options.namesStore) return",
      "if (false as boolean) return",
    ],
    [
      "R11: a store that is named is not used",
      "if (!options.namesStore) return",
      "if (true as boolean) return",
    ],
  ),
  ...mutantsOf(
    "src/diff/published-documents.ts",
    ["test/publish/read-url.test.ts", "test/deploy/read-live.test.ts"],
    [
      "D4: other bytes with the right version id are compared",
      "return isOne && versionIdOf(this.#hashes) === versionId;",
      "return isOne;",
    ],
  ),
  ...mutantsOf(
    "src/publish/read-url.ts",
    "test/publish/read-url.test.ts",
    [
      "D4: documents of several versions are not read again",
      "const ROUNDS = 3;",
      "const ROUNDS = 1;",
    ],
    ["D4: a request that fails is not repeated", "const ATTEMPTS = 3;", "const ATTEMPTS = 1;"],
    [
      "D4: any address without the projects counts as unpublished",
      'parsed(body).code === "project-not-found"',
      "true",
    ],
  ),
  ...mutantsOf("src/deploy/read-live.ts", "test/deploy/read-live.test.ts", [
    "D4: one of several live releases is compared",
    "if (another !== undefined) throw",
    "if (another === name) throw",
  ]),
  ...mutantsOf("src/cli/diff/published-side.ts", "test/cli/diff-sides.test.ts", [
    "D4: a side with nothing of the workspace passes in silence",
    "if (found?.versionId === undefined) output",
    "if (false) output",
  ]),
  ...mutantsOf("src/http/server-url.ts", "test/cli/diff-sides.test.ts", [
    "D4: a refused address is printed with its secrets",
    '`"${withoutSecrets(baseUrl)}" is',
    '`"${baseUrl}" is',
  ]),
  ...mutantsOf("src/cli/diff/side-names.ts", "test/cli/diff-sides.test.ts", [
    "D4: a folder alone is compared with workspace.db",
    "[namesStore ? PUBLISHED :",
    "[!namesStore ? PUBLISHED :",
  ]),
];
