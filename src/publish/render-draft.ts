import { filePath } from "../documents/address.ts";
import { checkDraft } from "../documents/check-draft.ts";
import { UNVERSIONED } from "../documents/document.ts";
import { renderDocuments } from "../documents/documents.ts";
import { serveProjectFields } from "../documents/project-config.ts";
import { type EntryNumber, Rendering } from "../documents/rendering.ts";
import { schemaDocument } from "../documents/schema-document.ts";
import { SchemaProof } from "../documents/schema-proof.ts";
import { sha256, versionIdOf } from "../documents/version-id.ts";
import { assetFilePath } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { JsonObject } from "../workspace/json.ts";
import type { Problem } from "../workspace/problem.ts";
import type { RenderedVersion } from "./freeze-version.ts";
import { withOverflowFile } from "./overflow-file.ts";
import type { OnProgress, PublishedWorkspace, VersionStore } from "./version-store.ts";

/**
 * Renders and proves the whole draft, and keeps its documents in the store.
 *
 * @param refuse hears of all problems before the first document is made.
 */
export function renderDraft<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  refuse: (problems: readonly Problem[]) => void,
  onProgress: OnProgress,
): RenderedVersion {
  store.checkWhole();
  return withOverflowFile((overflow) => {
    const rendering = new Rendering(store.draft(workspace), overflow);
    const problems = proveDraft(rendering, onProgress);
    refuse(problems);
    const { hashes, contents } = keepDocuments(store, rendering, onProgress);
    const versionId = versionIdOf(hashes);
    const add = (at: Date) => store.versions.add(workspace.number, versionId, contents, at);
    return { versionId, problems, add, files: contents.files };
  });
}

/**
 * All problems of the draft. A draft without errors is also proven against its own schema (S4),
 * independently of the checks that found no error.
 */
function proveDraft(rendering: Rendering, onProgress: OnProgress): Problem[] {
  const proofs = schemaProofs(rendering);
  const [anyProof] = proofs.values();
  const unproven: string[] = [];
  let done = 0;
  const onEntry = (entry: EntryNumber, data: JsonObject) => {
    const modelKey = rendering.modelKeyOf(entry);
    if (anyProof !== undefined && modelKey !== undefined) {
      const fault = anyProof.fault(`contentModels/${modelKey}`, data);
      if (fault !== undefined) unproven.push(`entry "${rendering.idOf(entry)}": ${fault}`);
    }
    done += 1;
    onProgress(done, rendering.draft.entryCount, "entries checked");
  };
  const problems = checkDraft(rendering, onEntry, true);
  for (const project of rendering.draft.projects) {
    const proof = proofs.get(project.id);
    const { data } = serveProjectFields(rendering, project);
    const fault = proof?.fault("fields", data);
    if (fault !== undefined) unproven.push(`project "${project.id}": ${fault}`);
  }
  refuseUnproven(unproven, problems);
  return problems;
}

/** What our own checks let pass although the schema does not is a defect of svc. */
export function refuseUnproven(unproven: readonly string[], problems: readonly Problem[]): void {
  if (unproven.length === 0 || problems.some(({ level }) => level === "error")) return;
  throw new TypeError(`served data does not match the schema beside it: ${unproven.join("; ")}`);
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

function keepDocuments<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  rendering: Rendering,
  onProgress: OnProgress,
) {
  const keep = store.versions.documentKeeper();
  const hashes: (readonly [path: string, sha256: string])[] = [];
  const documents = new Map<string, number>();
  const files = new Map<string, string>();
  const total = documentCount(rendering.draft);
  for (const { address, document } of renderDocuments(rendering, UNVERSIONED)) {
    const path = filePath(address);
    const frozen = sha256(document.bytes);
    hashes.push([path, frozen]);
    documents.set(path, keep(frozen, document.bytes, document.entryIds));
    for (const file of document.files) files.set(assetFilePath(file), file.sha256);
    onProgress(documents.size, total, "documents frozen");
  }
  return { hashes, contents: { documents, files } };
}

/** At most: experiences without content have no document (E6). */
function documentCount({ projects }: Draft): number {
  return projects.reduce((sum, { experiences }) => sum + experiences.length + 2, 0);
}
