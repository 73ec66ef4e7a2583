import type { Draft } from "../workspace/draft.ts";
import type { Problem } from "../workspace/problem.ts";
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
}

/** The workspace that is published. */
export interface PublishedWorkspace {
  readonly number: number;
  readonly id: string;
}

/** What publishing needs of a store. */
export interface VersionStore<W extends PublishedWorkspace = PublishedWorkspace> {
  read<T>(work: () => T): T;
  write<T>(work: () => T): T;
  /** As `write`, but does nothing while another process writes. */
  tryWrite(work: () => void): void;
  checkWhole(): void;
  draft(workspace: W): Draft;
  readonly versions: {
    has(workspace: number, versionId: string): boolean;
    documentKeeper(): (sha256: string, bytes: Uint8Array, entryIds: readonly string[]) => number;
    add(
      workspace: number,
      versionId: string,
      contents: {
        readonly documents: ReadonlyMap<string, number>;
        readonly files: ReadonlyMap<string, string>;
      },
      publishedAt: Date,
    ): void;
    addLike(
      workspace: number,
      versions: { readonly like: string; readonly versionId: string },
      changed: ReadonlyMap<string, number>,
      publishedAt: Date,
    ): void;
    addFiles(workspace: number, versionId: string, files: ReadonlyMap<string, string>): void;
    entriesOfDocuments(
      workspace: number,
      versionId: string,
    ): ReadonlyMap<string, string> | undefined;
    contents(
      workspace: number,
      versionId: string,
    ): { documents: FrozenDocument[]; files: VersionFile[] };
    documentReader(): (document: FrozenDocument) => Uint8Array;
    uncheckedReader(): (number: number) => Uint8Array | undefined;
    fileReader(): (sha256: string) => Uint8Array;
  };
  readonly history: {
    current(workspace: number): string | undefined;
    makeCurrent(workspace: number, versionId: string, action: Action, at: Date): void;
    list(workspace: number): readonly { readonly versionId: string }[];
    journal(workspace: number): readonly { readonly to: string }[];
    prune(workspace: number, keep: number): string[];
  };
  readonly lastRenderings: {
    find(
      workspace: number,
      program: string,
    ):
      | {
          readonly versionId: string;
          readonly problems: readonly Problem[];
          readonly changed: readonly string[];
        }
      | undefined;
    keep(
      workspace: number,
      rendering: {
        readonly program: string;
        readonly versionId: string;
        readonly problems: readonly Problem[];
      },
    ): void;
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
