import { type Mutant, mutantsOf } from "./mutant.ts";

/** Of deploys and the edge: rules L1 to L9. */
export const DEPLOY: readonly Mutant[] = [
  ...mutantsOf(
    "src/deploy/releases/pointers.ts",
    "test/deploy/releases/pointers.test.ts",
    [
      "L3: the newest release is not logged",
      "const log = [name, ...logged",
      "const log = [...logged",
    ],
    [
      "L3: the log keeps only the newest release",
      "const LOG_LENGTH = 12;",
      "const LOG_LENGTH = 1;",
    ],
    [
      "L2: a project that is live from another workspace is taken over",
      "if (owner !== undefined && !workspaces.includes(owner)) {",
      "if (owner === undefined && !workspaces.includes(projectId)) {",
    ],
    [
      "L2: pointers of deleted projects stay",
      "!wanted.has(projectId) && workspaces.includes(owner)",
      "!wanted.has(projectId) && !workspaces.includes(owner)",
    ],
    [
      "L2: the log is written last",
      "[...releases.flatMap((release) => logChange(state, release)), ...pointers]",
      "[...pointers, ...releases.flatMap((release) => logChange(state, release))]",
    ],
  ),
  ...mutantsOf(
    "src/deploy/releases/apply-pointer-update.ts",
    "test/deploy/releases/deploy-release.test.ts",
    [
      "L2: a changed pointer is overwritten",
      "assertExpectedValues(now, changes, rest);",
      "assertExpectedValues(now, [], rest);",
    ],
  ),
  ...mutantsOf(
    "src/deploy/releases/compare-release.ts",
    "test/deploy/releases/deploy-release.test.ts",
    [
      "L1: only the size of an object is compared",
      "return etag === file.md5 || (await store.head(key))?.sha256 === file.sha256;",
      "return etag !== undefined || (await store.head(key))?.sha256 === file.sha256;",
    ],
    [
      "L1: unexpected objects of a release are accepted",
      "const [key] = [...state.different, ...state.unexpected];",
      "const [key] = [...state.different];",
    ],
  ),
  ...mutantsOf(
    "src/deploy/releases/deploy-release.ts",
    "test/deploy/releases/deploy-release.test.ts",
    [
      "L1: the manifest is uploaded first too",
      "  await forEach(uploads, work,",
      "  await objects.put(manifestKey(release.name), textBody(release.manifestText), UNCACHED_JSON);\n  await forEach(uploads, work,",
    ],
    [
      "L1: an object of a release is overwritten",
      "await objects.put(key, body, headers, { ifAbsent: true })",
      "await objects.put(key, body, headers)",
    ],
    [
      "L2: the pointers are not read back",
      "assertNotOvertaken(now, pointerUpdate);",
      "assertNotOvertaken(now, []);",
    ],
    [
      "L2: pointers outside of the plan are not read back",
      "assertNotOvertaken(now, missing);",
      "assertNotOvertaken(now, missing.slice(missing.length));",
    ],
    [
      "L4: a release is not checked after the switch",
      "for (const release of releases) await assertComplete(stores.objects, release, work);",
      "for (const _release of releases) work.signal.throwIfAborted();",
    ],
  ),
  ...mutantsOf(
    "src/deploy/releases/plan-prune.ts",
    ["test/deploy/releases/prune.test.ts", "test/deploy/releases/prune-verdicts.test.ts"],
    [
      "L4: assets of removed releases are not planned",
      "unusedAssets(stores, work, new Set(releases.keys()), now)",
      "unusedAssets(stores, work, new Set(), now)",
    ],
    [
      "L4: assets are removed beside an incomplete release",
      "if (remaining.some(({ deployedAt }) => deployedAt === null)) return [];",
      "if (remaining.length === 0) return [];",
    ],
    [
      "L4: a bucket by which nothing is live is pruned",
      "  assertLiveReleases(found, stores.pointers.arn);",
      "  assertLiveReleases([], stores.pointers.arn);",
    ],
    ["L4: four releases are kept", "const KEPT = 5;", "const KEPT = 4;"],
    ["L4: 23 hours are old enough", "24 * 3_600_000", "23 * 3_600_000"],
    ["L4: pinned releases are pruned", "if (isPinned)", "if (isPinned && !release)"],
    [
      "L4: documents are removed before the manifest",
      "[manifest, ...keys] : keys",
      "[...keys, manifest] : keys",
    ],
    [
      "L4: assets of other programs are removed",
      "(await objects.head(key))?.sha256 !== undefined",
      "(await objects.head(key)) !== undefined",
    ],
  ),
  ...mutantsOf("src/deploy/releases/prune.ts", "test/deploy/releases/prune.test.ts", [
    "L4: a release that was pinned since the plan is removed",
    "live.has(release) || pinned.has(release)",
    "live.has(release)",
  ]),
  ...mutantsOf("src/deploy/releases/find-release.ts", "test/deploy/releases/rollback.test.ts", [
    "L3: a rollback goes to the live release",
    "one !== undefined && one.live.length === 0",
    "one !== undefined && one.live.length > 0",
  ]),
  ...mutantsOf("src/deploy/releases/release.ts", "test/deploy/releases/rollback.test.ts", [
    "L1: the hash in a release's name is not checked",
    "return release.name === name ? release : undefined;",
    "return { ...release, name };",
  ]),
  ...mutantsOf(
    "src/deploy/releases/plan-tokens.ts",
    "test/deploy/releases/plan-tokens.test.ts",
    [
      "L8: revoked tokens stay at the edge",
      "if (projectIds.includes(projectId)) changes",
      "if (projectId === undefined) changes",
    ],
    ["L8: tokens never expire at the edge", 'expiresAt ? String(+expiresAt) : "never"', '"never"'],
  ),
  ...mutantsOf("src/deploy/await-version.ts", "test/deploy/await-version.test.ts", [
    "L1: any version counts as the deployed one",
    "if (served.versionId === versionId) return;",
    "if (served.versionId !== undefined) return;",
  ]),
  ...mutantsOf("src/workspace/assert-removal-limit.ts", "test/deploy/assert-delete-limit.test.ts", [
    "L5: as many removals as the limit are refused",
    "if (count <= limit) return;",
    "if (count < limit) return;",
  ]),
  ...mutantsOf("src/deploy/aws/sdk-retry.ts", "test/deploy/aws/sdk-retry.test.ts", [
    "deploy: Retry-After is ignored",
    "Math.max(drawn, Math.min(requested, MAX_DELAY))",
    "Math.min(drawn, Math.max(requested, MAX_DELAY))",
  ]),
  ...mutantsOf(
    "src/deploy/in-place/invalidate.ts",
    "test/deploy/in-place/invalidate.test.ts",
    ["L7: a star in a path is not escaped", '.replaceAll("*", "%2A")', ""],
    ["L7: 1,000 paths become one", "keys.length > MAX_PATHS", "keys.length >= MAX_PATHS"],
    [
      "L7: the first refused invalidation ends the others",
      "failures.push(error as Error);",
      "throw error;",
    ],
  ),
  ...mutantsOf(
    "src/deploy/in-place/plan-in-place.ts",
    "test/deploy/in-place/plan-in-place.test.ts",
    [
      "L5: configs are uploaded first",
      '["file", "content", "schema", "project"]',
      '["project", "file", "content", "schema"]',
    ],
    [
      "L5: assets of other workspaces are removed",
      "object.owners.length > 0 && owners.length === 0",
      "object.owners.length > 0",
    ],
    [
      "L6: objects of a deploy that ended early are not uploaded again",
      "unsure.delete(key) ? UNSURE : reasonFor",
      "unsure.delete(key) && false ? UNSURE : reasonFor",
    ],
  ),
  ...mutantsOf(
    "src/deploy/in-place/deploy-in-place.ts",
    ["test/deploy/in-place/deploy-in-place.test.ts", "test/deploy/in-place/lease.test.ts"],
    [
      "L5: removals come before uploads",
      "    const etags = await uploadObjects(",
      "    await removeObjects(plan, writing, leased);\n    const etags = await uploadObjects(",
    ],
    [
      "L7: a refused invalidation is forgotten",
      "await lease.write({ ...manifest, invalidations: rest })",
      "await lease.write({ ...manifest, invalidations: [] })",
    ],
  ),
  ...mutantsOf(
    "src/deploy/in-place/write-objects.ts",
    ["test/deploy/in-place/deploy-in-place.test.ts", "test/deploy/in-place/superseded.test.ts"],
    ["L5: objects of others are overwritten", "if (overwrite) return;", "if (seen) return;"],
    [
      "L10: objects are put without conditions",
      "const put = { ...condition, beforeAttempt };",
      "const put = { beforeAttempt };",
    ],
    [
      "L10: a retry does not confirm the lease",
      "const beforeAttempt = () => lease.renewIfStale();",
      "const beforeAttempt = async () => {};",
    ],
  ),
  ...mutantsOf(
    "src/deploy/in-place/lease.ts",
    ["test/deploy/in-place/lease.test.ts", "test/deploy/in-place/superseded.test.ts"],
    [
      "L6: the manifest is updated without If-Match",
      "({ ifAbsent: true } as const) : { ifMatch: this.#etag }",
      "({ ifAbsent: true } as const) : undefined",
    ],
    [
      "L6: the manifest is updated with a condition that never holds",
      "({ ifAbsent: true } as const) : { ifMatch: this.#etag }",
      "({ ifAbsent: true } as const) : {}",
    ],
    ["L6: updates of the manifest are tried for ever", "attempt === ATTEMPTS", "attempt === 500"],
    ["L6: a lease expires after two heartbeats", "3 * HEARTBEAT", "2 * HEARTBEAT"],
  ),
  ...mutantsOf("src/deploy/conditions.ts", "test/deploy/in-place/superseded.test.ts", [
    "L10: a store that ignores conditions is written to",
    "!== undefined) return false;",
    "!== undefined) return true;",
  ]),
  ...mutantsOf("src/deploy/edge/doctor/check.ts", "test/deploy/edge/doctor/doctor.test.ts", [
    "L9: a check without its source is ok",
    'return { status: "skipped", detail };',
    'return { status: "ok", detail };',
  ]),
  ...mutantsOf("src/cli/deploy/deploy-releases.ts", "test/cli/deploy-releases.test.ts", [
    "deploy: a dry run counts no unchanged objects",
    "reduce((sum, { present }) => sum + present, 0)",
    "reduce((sum, { present }) => sum + present * 0, 0)",
  ]),
];
