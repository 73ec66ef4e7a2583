import { publishedDocument } from "../documents/version-id.ts";
import { damagedDocument, LONGER } from "./file-content.ts";
import type { Look } from "./known-files.ts";
import type { FileFact } from "./manifest.ts";
import { OutFolder } from "./out-folder.ts";
import { piecesLeft, type SharedMemory, shareBlocks, workOnBlocks } from "./shared-blocks.ts";
import type { FrozenDocument } from "./version-store.ts";

/** A document that is to be written. */
export interface DocumentToWrite extends FrozenDocument {
  /** Its folder may be missing. */
  readonly isNew: boolean;
}

/** Documents that several threads write together: none depends on another. */
export interface WriteTask {
  readonly out: string;
  readonly versionId: string;
  readonly documents: readonly DocumentToWrite[];
  readonly memory: SharedMemory;
  /** SHA-256 of each file that was written, 32 bytes each. */
  readonly hashes: Uint8Array<SharedArrayBuffer>;
  /** How each looked then. */
  readonly looks: Float64Array<SharedArrayBuffer>;
}

/** What is known of a file that was written. */
export interface WrittenFile {
  readonly fact: FileFact;
  readonly look: Look;
}

/** Starts a second thread that works on a task by `workOn`, and does not wait for it. */
export type SecondThread = (task: WriteTask) => void;

type ReadDocument = (number: number) => Uint8Array | undefined;

/** For fewer, a thread takes longer to start than it saves. */
const ENOUGH = 2000;

const HASH = 32;
/** Numbers of a `Look`. */
const LOOK = 3;

/**
 * Writes documents of a version and returns the facts of their files. When they are many, a second
 * thread writes some of them: on two cores `svc write` takes nine tenths of the time. What it could not do
 * is done here, so that its failure is none.
 */
export function writeDocuments(
  target: { readonly out: string; readonly versionId: string },
  documents: readonly DocumentToWrite[],
  read: ReadDocument,
  onWritten: () => void,
  secondThread: SecondThread | undefined,
): ReadonlyMap<string, WrittenFile> {
  const memory = shareBlocks(documents.length);
  const hashes = new Uint8Array(new SharedArrayBuffer(documents.length * HASH));
  const doubles = documents.length * LOOK * Float64Array.BYTES_PER_ELEMENT;
  const looks = new Float64Array(new SharedArrayBuffer(doubles));
  const task: WriteTask = { ...target, documents, memory, hashes, looks };
  if (documents.length >= ENOUGH) start(secondThread, task);
  const write = writer(task, read);
  workOnBlocks(memory, documents.length, (index) => {
    write(index);
    onWritten();
  });
  for (const index of piecesLeft(memory, documents.length)) write(index);
  return new Map(
    documents.map(({ path, size }, index) => {
      const hash = Buffer.from(hashes.subarray(index * HASH, (index + 1) * HASH)).toString("hex");
      const look = looks.subarray(index * LOOK, (index + 1) * LOOK) as unknown as Look;
      return [path, { fact: { sha256: hash, size: size + LONGER }, look }];
    }),
  );
}

function start(secondThread: SecondThread | undefined, task: WriteTask): void {
  try {
    secondThread?.(task);
  } catch {
    // The system gives no thread, or forbids them: the first does all.
  }
}

/** What a second thread does. */
export function workOn(task: WriteTask, read: ReadDocument): void {
  workOnBlocks(task.memory, task.documents.length, writer(task, read));
}

function writer({ out, versionId, documents, hashes, looks }: WriteTask, read: ReadDocument) {
  const folder = new OutFolder(out);
  return (index: number) => {
    const { path, number, frozen, isNew } = documents[index] as DocumentToWrite;
    const bytes = read(number);
    const document = bytes && publishedDocument(bytes, frozen, versionId);
    if (document === undefined) throw damagedDocument(path);
    looks.set(folder.replace(path, document.pieces, isNew), index * LOOK);
    hashes.set(Buffer.from(document.sha256, "hex"), index * HASH);
  };
}
