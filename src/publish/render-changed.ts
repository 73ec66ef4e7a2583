import { addressOfFilePath } from "../documents/address.ts";
import { UNVERSIONED } from "../documents/document.ts";
import { renderDocument } from "../documents/documents.ts";
import { linksOf } from "../documents/links.ts";
import { Rendering } from "../documents/rendering.ts";
import { SchemaProof } from "../documents/schema-proof.ts";
import { sha256, versionIdOf } from "../documents/version-id.ts";
import type { JsonObject } from "../workspace/json.ts";
import { inProblemOrder, type Problem } from "../workspace/problem.ts";
import type { RenderedVersion } from "./freeze-version.ts";
import { refuseUnproven } from "./render-draft.ts";
import type { FrozenDocument, PublishedWorkspace, VersionStore } from "./version-store.ts";

/** More changed entries than this are not looked for one by one. */
const FEW = 50;
/** Rendering a larger part of all documents by themselves takes longer than rendering all. */
const PART = 0.05;

/**
 * The draft as a version when it differs from the last one rendered only in data of a few entries:
 * the documents that show them are rendered, the others are those of that version. With 10,000
 * experiences a publish of nothing takes a twelfth of one that renders all, of one entry a third.
 *
 * It is so only while each changed entry leads to what it led to before: then every experience
 * still shows the same entries and files. Else, and where anything is not known, undefined.
 */
export function renderChanged<W extends PublishedWorkspace>(
  store: VersionStore<W>,
  workspace: W,
  program: string,
  refuse: (problems: readonly Problem[]) => void,
): RenderedVersion | undefined {
  const { versions } = store;
  const { number } = workspace;
  const last = store.lastRenderings.find(number, program);
  if (last === undefined || !versions.has(number, last.versionId)) return undefined;
  const like = last.versionId;
  const changed = new Map<string, number>();
  const add = (versionId: string) => (at: Date) =>
    versions.addLike(number, { like, versionId }, changed, at);
  if (last.changed.length === 0) {
    refuse(last.problems);
    return { versionId: like, problems: last.problems, add: add(like) };
  }

  if (last.changed.length > FEW) return undefined;
  store.checkWhole();
  const { documents } = versions.contents(number, like);
  const shown = documentsShowing(store, number, like, last.changed);
  if (shown === undefined || shown.size > Math.max(FEW, documents.length * PART)) return undefined;
  const rendering = new Rendering(store.draft(workspace));
  const before = entriesBefore(store, documents, shown, last.changed);
  const isDeep = ({ code, at }: Problem) =>
    code === "reference-too-deep" && last.changed.includes(at.id);
  if (last.problems.some(isDeep) || !keepsLinks(rendering, last.changed, before, shown))
    return undefined;

  const isOld = ({ at }: Problem) => at.kind !== "entry" || !last.changed.includes(at.id);
  const problems = inProblemOrder([
    ...last.problems.filter(isOld),
    ...proveEntries(rendering, last.changed, schemaProof(store, documents)),
  ]);
  refuse(problems);
  const keep = versions.documentKeeper();
  const hashes = new Map(documents.map(({ path, frozen }) => [path, frozen]));
  for (const [path, entryIds] of shown) {
    const address = addressOfFilePath(path);
    const document = address && renderDocument(rendering, address, UNVERSIONED);
    if (document === undefined || ` ${document.entryIds.join(" ")} ` !== entryIds) return undefined;
    const frozen = sha256(document.bytes);
    hashes.set(path, frozen);
    changed.set(path, keep(frozen, document.bytes, document.entryIds));
  }
  const versionId = versionIdOf(hashes);
  return { versionId, problems, add: add(versionId) };
}

/** The documents that show any of these entries, by path, with all entries that each shows. */
function documentsShowing<W extends PublishedWorkspace>(
  { versions }: VersionStore<W>,
  workspace: number,
  versionId: string,
  entryIds: readonly string[],
): Map<string, string> | undefined {
  const all = versions.entriesOfDocuments(workspace, versionId);
  const isShown = (ids: string) => entryIds.some((id) => ids.includes(` ${id} `));
  return all && new Map([...all].filter(([, ids]) => isShown(ids)));
}

interface ServedEntry {
  readonly id: string;
  readonly data: JsonObject;
}

/** The changed entries as the documents of the version show them, by id. */
function entriesBefore<W extends PublishedWorkspace>(
  { versions }: VersionStore<W>,
  documents: readonly FrozenDocument[],
  shown: ReadonlyMap<string, string>,
  entryIds: readonly string[],
): Map<string, JsonObject> {
  const read = versions.documentReader();
  const wanted = new Set(entryIds);
  const found = new Map<string, JsonObject>();
  for (const document of documents) {
    if (!shown.has(document.path) || found.size === wanted.size) continue;
    const { content, references } = JSON.parse(Buffer.from(read(document)).toString());
    for (const { id, data } of [...content, ...references] as ServedEntry[]) {
      if (wanted.has(id)) found.set(id, data);
    }
  }
  return found;
}

/** Whether the entries lead to what they led to; what no document shows leads nowhere. */
function keepsLinks(
  rendering: Rendering,
  entryIds: readonly string[],
  before: ReadonlyMap<string, JsonObject>,
  shown: ReadonlyMap<string, string>,
): boolean {
  const isShown = (id: string) => [...shown.values()].some((ids) => ids.includes(` ${id} `));
  return entryIds.every((id) => {
    const entry = rendering.draft.entry(id);
    if (entry === undefined) return false;
    const was = before.get(id);
    if (was === undefined) return !isShown(id);
    const fields = rendering.modelOf(entry)?.fields ?? [];
    const links = (data: JsonObject) => linksOf(fields, data, rendering.blocks).join("\n");
    return links(was) === links(rendering.serve(entry).data);
  });
}

/** The problems of the entries, which are proven against the schema of the version (S4). */
function proveEntries(
  rendering: Rendering,
  entryIds: readonly string[],
  proof: SchemaProof | undefined,
): Problem[] {
  const unproven: string[] = [];
  const problems = entryIds.flatMap((id) => {
    const entry = rendering.draft.entry(id);
    if (entry === undefined) throw new TypeError(`the draft has lost the entry "${id}"`);
    const { data, serving } = rendering.serve(entry);
    const model = rendering.modelOf(entry);
    const fault = model && proof?.fault(`contentModels/${model.key}`, data);
    if (fault !== undefined) unproven.push(`entry "${id}": ${fault}`);
    return serving.problems;
  });
  refuseUnproven(unproven, problems);
  return problems;
}

/** Any schema document of the version: its definitions of models are the workspace's. */
function schemaProof<W extends PublishedWorkspace>(
  { versions }: VersionStore<W>,
  documents: readonly FrozenDocument[],
): SchemaProof | undefined {
  const schema = documents.find(({ path }) => addressOfFilePath(path)?.kind === "schema");
  if (schema === undefined) return undefined;
  return new SchemaProof(JSON.parse(Buffer.from(versions.documentReader()(schema)).toString()));
}
