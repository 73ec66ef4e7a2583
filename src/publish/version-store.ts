import type { PackStore, Texts } from "../documents/texts.ts";
import type { Draft } from "../workspace/draft.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";
import type { FileFact } from "./manifest.ts";

/** A file of a version, without its bytes. */
export interface VersionFile extends FileFact {
  /** Below `out/`. */
  readonly path: string;
}

/** A document of a version. */
export interface FrozenDocument {
  readonly path: string;
  readonly number: number;
  /** SHA-256 of its frozen bytes, which have version id null. */
  readonly frozen: string;
  /** Of the frozen bytes, in bytes. */
  readonly size: number;
  /** JSON: the texts that it is put together from; read when it is asked for. */
  readonly recipe: string;
}

/** What publishing needs of a store. */
export interface VersionStore {
  read<T>(work: () => T): T;
  write<T>(work: () => T): T;
  /** As `write` where the store can be written now, else as `read`. */
  writeOrRead<T>(work: (isKept: boolean) => T): T;
  checkWhole(): void;
  draft(workspace: WorkspaceRow): Draft;
  readonly packs: PackStore;
  openTexts(): Texts;
  deleteUnusedTexts(): void;
  readonly renderings: {
    read<T>(workspace: number, work: (read: (part: string) => Uint8Array) => T): T | undefined;
    keep(workspace: number, parts: Iterable<readonly [part: string, bytes: Uint8Array]>): void;
  };
  readonly versions: {
    has(workspace: number, versionId: string): boolean;
    keepDocument(document: Omit<FrozenDocument, "number">): number;
    add(
      workspace: number,
      versionId: string,
      documents: Iterable<number>,
      files: ReadonlyMap<string, string>,
      publishedAt: Date,
    ): void;
    addFiles(workspace: number, versionId: string, files: ReadonlyMap<string, string>): void;
    contents(
      workspace: number,
      versionId: string,
    ): { documents: FrozenDocument[]; files: VersionFile[] };
    fileReader(): (sha256: string) => Uint8Array;
  };
  readonly history: {
    current(workspace: number): string | undefined;
    makeCurrent(workspace: number, versionId: string, action: Action, at: Date): void;
    list(workspace: number): readonly { readonly versionId: string }[];
    journal(workspace: number): readonly { readonly to: string }[];
    prune(workspace: number, keep: number): string[];
  };
  readonly outStates: {
    find(workspace: number, folder: string): OutState | undefined;
    keep(workspace: number, folder: string, state: OutState): void;
  };
}

/** The state in which the files of a workspace were left in an `out/`. */
export interface OutState {
  /** SHA-256 of the manifest. */
  readonly manifest: string;
  /** When the files were looked at, in milliseconds since 1970. */
  readonly seenAt: number;
  /** Four numbers for each file of the workspace, in the manifest's order: inode, size, mtime, ctime. */
  readonly files: Float64Array;
}

/** Why a version becomes current. */
type Action = "publish" | "republish" | "rollback";

/** Hears how far a long piece of work is. */
export type OnProgress = (done: number, total: number, what: string) => void;
