import { filePath } from "../documents/address.ts";
import { checkDraft } from "../documents/check-draft.ts";
import { UNVERSIONED } from "../documents/document.ts";
import { renderDocuments } from "../documents/documents.ts";
import { serveProjectFields } from "../documents/project-config.ts";
import { Rendering } from "../documents/rendering.ts";
import { schemaDocument } from "../documents/schema-document.ts";
import { type Definition, SchemaProof } from "../documents/schema-proof.ts";
import { DocumentHashes, versionIdOf } from "../documents/version-id.ts";
import { assetFilePath } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import type { OnProgress, PublishedWorkspace, VersionStore } from "./version-store.ts";

/** How many versions stay in the store unless told otherwise. */
export const KEPT = 20;

export interface FreezeOptions {
  /** R4: warnings refuse too. */
  readonly strict: boolean;
  /** How many versions stay in the store, the current one among them; at least 1. */
  readonly keep?: number;
  readonly now: Date;
  readonly onProgress: OnProgress;
}

export interface Frozen {
  readonly versionId: string;
  /** False when this version was the current one already (R2). */
  readonly published: boolean;
  /** The versions that were deleted, newest first. */
  readonly pruned: readonly string[];
  readonly problems: readonly Problem[];
}

/**
 * Renders the whole draft, proves it, makes it the current version (R1 to R4), and prunes the
 * versions before it. Call it in a write transaction, which an error must undo.
 *
 * @throws SvcError `draft-has-problems` with every problem.
 */
export function freezeVersion<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  options: FreezeOptions,
): Frozen {
  const rendering = new Rendering(store.draft(workspace));
  const problems = proveDraft(rendering, options.onProgress);
  refuse(problems, options.strict);
  const { documents, files } = keepDocuments(store, rendering, options.onProgress);
  const hashes = [...documents].map(([path, { hashes }]) => [path, hashes.unversioned] as const);
  const versionId = versionIdOf(Object.fromEntries(hashes));
  const { versions, history } = store;
  const { number } = workspace;
  const published = history.current(number) !== versionId;
  if (published) {
    const isKnown = versions.has(number, versionId);
    if (!isKnown) {
      const contents = { documents: versioned(documents, versionId), files };
      versions.add(number, versionId, contents, options.now);
    }
    history.makeCurrent(number, versionId, isKnown ? "republish" : "publish", options.now);
  }
  const pruned = history.prune(number, options.keep ?? KEPT);
  return { versionId, published, pruned, problems };
}

/**
 * All problems of the draft. A draft without errors is also proven against its own schema (S4),
 * independently of the checks that found no error.
 */
function proveDraft(rendering: Rendering, onProgress: OnProgress): Problem[] {
  const proofs = schemaProofs(rendering);
  const unproven: string[] = [];
  const prove = (proof: SchemaProof, definition: Definition, data: JsonObject, what: string) => {
    const fault = proof.fault(definition, data);
    if (fault !== undefined) unproven.push(`${what}: ${fault}`);
  };
  const [anyProof] = proofs.values();
  const { entryCount } = rendering.draft;
  let done = 0;
  const problems = checkDraft(rendering, ({ rendered: { id, modelKey }, data }) => {
    if (anyProof !== undefined && modelKey !== null) {
      prove(anyProof, `contentModels/${modelKey}`, data, `entry "${id}"`);
    }
    done += 1;
    onProgress(done, entryCount, "entries checked");
  });
  for (const project of rendering.draft.projects) {
    const proof = proofs.get(project.id);
    const { data } = serveProjectFields(rendering, project);
    if (proof !== undefined) prove(proof, "fields", data, `project "${project.id}"`);
  }
  if (unproven.length > 0 && !problems.some(({ level }) => level === "error")) {
    throw new TypeError(`served data does not match the schema beside it: ${unproven.join("; ")}`);
  }
  return problems;
}

/** Of each project. Its definitions of models and blocks are the workspace's. */
function schemaProofs(rendering: Rendering): Map<string, SchemaProof> {
  const { projects } = rendering.draft;
  return new Map(
    projects.map((project) => [
      project.id,
      new SchemaProof(schemaDocument(rendering, project, UNVERSIONED)),
    ]),
  );
}

/** R4. */
function refuse(problems: readonly Problem[], strict: boolean): void {
  const refusing = problems.filter(({ level }) => strict || level === "error");
  if (refusing.length === 0) return;
  const what = strict ? "problem" : "error";
  const count = refusing.length === 1 ? `1 ${what}` : `${refusing.length} ${what}s`;
  throw new SvcError("draft-has-problems", `the draft has ${count}, so nothing was published`, {
    hint: strict
      ? "mend them, or publish without --strict to accept warnings"
      : "mend them; svc check lists them at any time",
    problems,
  });
}

interface KeptDocument {
  readonly hashes: DocumentHashes;
  /** Bytes, with version id null. */
  readonly size: number;
}

function keepDocuments<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  rendering: Rendering,
  onProgress: OnProgress,
) {
  const keep = store.versions.documentKeeper();
  const documents = new Map<string, KeptDocument>();
  const files = new Map<string, string>();
  const total = documentCount(rendering.draft);
  for (const { address, document } of renderDocuments(rendering, UNVERSIONED)) {
    const hashes = new DocumentHashes(document.bytes);
    keep(hashes.unversioned, document.bytes);
    documents.set(filePath(address), { hashes, size: document.bytes.length });
    for (const file of document.files) files.set(assetFilePath(file), file.sha256);
    onProgress(documents.size, total, "documents frozen");
  }
  return { documents, files };
}

/** The documents as files of the version. */
function versioned(documents: ReadonlyMap<string, KeptDocument>, versionId: string) {
  const longer = JSON.stringify(versionId).length - "null".length;
  return new Map(
    [...documents].map(([path, { hashes, size }]) => [
      path,
      {
        frozen: hashes.unversioned,
        sha256: hashes.versioned(versionId),
        size: size + longer,
      },
    ]),
  );
}

/** At most: experiences without content have no document (E6). */
function documentCount({ projects }: Draft): number {
  return projects.reduce((sum, { experiences }) => sum + experiences.length + 2, 0);
}
