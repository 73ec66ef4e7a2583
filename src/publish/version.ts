import type { Snapshot } from "../diff/snapshot.ts";
import { type Address, addressOfFilePath, filePath } from "../documents/address.ts";
import { checkDraft } from "../documents/check-draft.ts";
import { type Document, VERSION_ID_GROWTH } from "../documents/document.ts";
import { heldText } from "../documents/held-bytes.ts";
import { renderProjectFields } from "../documents/project-config.ts";
import type { OnProgress, Rendering } from "../documents/rendering.ts";
import { sha256, type VersionFile, versionIdOf, withVersionId } from "../documents/version-id.ts";
import type { Store } from "../store/store.ts";
import { assetFilePath } from "../workspace/asset.ts";
import type { WorkspaceRow } from "../workspace/draft.ts";
import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";
import { sizeText } from "../workspace/listed.ts";
import type { Problem } from "../workspace/problem.ts";

/** What `out/` has of a workspace: its documents and asset files. */
export interface Version {
  readonly versionId: string;
  /** As they are with version id null, in the order in which files are written (F3). */
  readonly documents: readonly VersionFile[];
  readonly files: readonly VersionFile[];
  /** The bytes of a document with version id null. */
  frozenBytes(path: string): Buffer;
  /** The documents of these paths as they are published, one after the other. */
  published(paths: ReadonlySet<string>): Iterable<PublishedDocument>;
  fileBytes(sha256: string): Uint8Array;
  /** Of a version that is rendered from a draft. */
  readonly draft?: Snapshot["draft"];
  readonly definitions?: Snapshot["definitions"];
}

interface PublishedDocument {
  readonly path: string;
  readonly bytes: Buffer;
}

/** R12b: of all its files, in bytes. */
export function sizeOf({ documents, files }: Pick<Version, "documents" | "files">): number {
  const growth = documents.length * VERSION_ID_GROWTH;
  return [...documents, ...files].reduce((sum, { size }) => sum + size, growth);
}

/** A version as it is rendered, and what a check of it finds. */
export interface RenderedVersion extends Version {
  readonly problems: readonly Problem[];
  readonly draft: NonNullable<Snapshot["draft"]>;
}

/**
 * Renders and checks all documents of a draft.
 *
 * @param save gets the bytes of each document with version id null, and their hash.
 * @param maxSize R12b: no bytes are made of the documents beyond it.
 * @throws SvcError `publish-too-large`, unless there are errors.
 * @throws TypeError when served data does not fit the schema beside it (S4): a defect of svc.
 */
export function renderVersion(
  rendering: Rendering,
  onProgress: OnProgress | undefined,
  save: (sha256: string, bytes: Buffer) => void = () => {},
  maxSize = Number.POSITIVE_INFINITY,
): RenderedVersion {
  let size = 0;
  const documents = new Map<string, Document>();
  const frozen: VersionFile[] = [];
  const files = new Map<string, VersionFile>();
  const { draft } = rendering;
  const problems = checkDraft(rendering, {
    onProgress,
    onDocument(document) {
      size += document.size + VERSION_ID_GROWTH;
      for (const file of document.files) {
        const path = assetFilePath(file);
        if (!files.has(path)) size += file.sizeBytes ?? 0;
        files.set(path, { path, sha256: file.sha256, size: file.sizeBytes ?? 0 });
      }
      if (size > maxSize) return;
      const path = filePath(document.address);
      const bytes = document.bytes(null);
      const hash = sha256(bytes);
      save(hash, bytes);
      documents.set(path, document);
      frozen.push({ path, sha256: hash, size: bytes.length });
    },
  });
  if (problems.every(({ level }) => level !== "error")) {
    assertProven(rendering);
    if (size > maxSize) throw tooLarge(size, maxSize);
  }
  const versionId = versionIdOf(frozen.map(({ path, sha256: hash }) => [path, hash]));
  return {
    versionId,
    documents: frozen,
    files: [...files.values()].sort((a, b) => byCodeUnit(a.path, b.path)),
    problems,
    frozenBytes: (path) => (documents.get(path) as Document).bytes(null),
    *published(paths) {
      for (const [path, document] of documents) {
        if (paths.has(path)) yield { path, bytes: document.bytes(versionId) };
      }
    },
    fileBytes(hash) {
      const bytes = draft.fileBytes(hash);
      if (bytes === undefined) throw new TypeError(`the draft has lost the file ${hash}`);
      return bytes;
    },
    draft: {
      has: (id) => draft.entries.has(id),
      *entries() {
        for (const id of draft.entries.keys()) {
          const entry = rendering.isHidden(id, 0) ? undefined : rendering.entry(id, 0);
          if (entry !== undefined) yield JSON.parse(heldText(entry));
        }
      },
    },
    definitions: draft,
  };
}

function tooLarge(size: number, most: number): SvcError {
  const message = `the published files would have ${sizeText(size)}, and ${sizeText(most)} is the most`;
  return new SvcError("publish-too-large", message, {
    hint: `svc stats shows what is large; --max-size ${Math.ceil(size / 1e6)}MB allows it; nothing was changed`,
  });
}

/** S4: data that passes the checks but not its schema is a defect of svc. */
function assertProven(rendering: Rendering): void {
  const faults: string[] = [];
  for (const { entry, language } of rendering.all()) {
    const { head, fault } = entry;
    if (fault !== undefined && !rendering.isHidden(head.id, language)) faults.push(fault);
  }
  const { draft, validator } = rendering;
  for (const project of draft.projects) {
    const { data } = renderProjectFields(rendering, project);
    const fault = Object.keys(data).length > 0 && validator?.fault("fields", data);
    if (fault) faults.push(`project "${project.id}": ${fault}`);
  }
  if (faults.length === 0) return;
  throw new TypeError(`rendered data does not match its published schema: ${faults.join("; ")}`);
}

/** A version that a store holds. Use it within one transaction. */
export function storedVersion(
  { versions }: Store,
  { number }: WorkspaceRow,
  versionId: string,
): Version {
  const { documents: stored, files } = versions.contents(number, versionId);
  const frozen = stored
    .map((document) => ({ document, rank: rank(document.path) }))
    .sort((a, b) => a.rank - b.rank || byCodeUnit(a.document.path, b.document.path))
    .map(({ document }) => document);
  const byPath = new Map(frozen.map((document) => [document.path, document]));
  const frozenBytes = (path: string) => {
    const document = byPath.get(path);
    if (document === undefined) throw new TypeError(`the version has no document "${path}"`);
    return versions.documentBytes(versionId, document);
  };
  return {
    versionId,
    documents: frozen,
    files,
    frozenBytes,
    *published(paths) {
      for (const { path } of frozen) {
        if (paths.has(path)) yield { path, bytes: withVersionId(frozenBytes(path), versionId) };
      }
    },
    fileBytes: (hash) => versions.fileBytes(hash),
  };
}

const ORDER: Readonly<Record<Address["kind"], number>> = { content: 0, schema: 1, project: 2 };

function rank(path: string): number {
  const address = addressOfFilePath(path);
  return address === undefined ? 0 : ORDER[address.kind];
}

/** The documents of a version, to be compared with those of others. */
export function snapshotOf(version: Version): Snapshot {
  const { documents: frozen, frozenBytes, draft, definitions } = version;
  return {
    ...(draft && { draft }),
    ...(definitions && { definitions }),
    documents: new Map(frozen.map(({ path, sha256: hash }) => [path, hash])),
    document: (path) => JSON.parse(frozenBytes(path).toString()),
  };
}

/** @throws SvcError `not-published` when the workspace has no version yet. */
export function currentVersion(store: Store, { number, id }: WorkspaceRow): string {
  const versionId = store.history.current(number);
  if (versionId !== undefined) return versionId;
  throw new SvcError("not-published", `the workspace "${id}" was never published`, {
    hint: "publish it with svc publish",
  });
}

/** The version with this id or unique prefix of an id. */
export function findVersion(
  { history }: Store,
  { number, id }: WorkspaceRow,
  prefix: string,
): string {
  const matches = (versionId: string) =>
    prefix !== "" && versionId.startsWith(prefix.toLowerCase());
  const stored = history.list(number).map(({ versionId }) => versionId);
  const [found, ...others] = stored.filter(matches);
  if (found !== undefined && others.length === 0) return found;
  if (found !== undefined) {
    const message = `"${prefix}" matches ${others.length + 1} versions of "${id}"`;
    throw new SvcError("version-ambiguous", message, {
      hint: `give a longer prefix: ${[found, ...others].join(", ")}`,
    });
  }
  const pruned = history.journal(number).find(({ to }) => matches(to))?.to;
  if (pruned !== undefined) {
    throw new SvcError("version-pruned", `the version ${pruned} of "${id}" was pruned`, {
      hint: "svc versions lists the stored versions; publish --keep sets how many are kept",
    });
  }
  throw new SvcError("version-not-found", `the workspace "${id}" has no version "${prefix}"`, {
    hint: "svc versions lists its versions",
  });
}
