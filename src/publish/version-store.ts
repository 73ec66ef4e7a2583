import type { Draft } from "../workspace/draft.ts";
import type { FileFact } from "./manifest.ts";

/** A file of a version, without its bytes. */
export interface VersionFile extends FileFact {
  /** Below `out/`. */
  readonly path: string;
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
  checkWhole(): void;
  draft(workspace: W): Draft;
  readonly versions: {
    has(workspace: number, versionId: string): boolean;
    documentKeeper(): (sha256: string, bytes: Uint8Array) => void;
    add(
      workspace: number,
      versionId: string,
      contents: {
        readonly documents: ReadonlyMap<string, FileFact & { readonly frozen: string }>;
        readonly files: ReadonlyMap<string, string>;
      },
      publishedAt: Date,
    ): void;
    contents(
      workspace: number,
      versionId: string,
    ): { documents: (VersionFile & { readonly frozen: string })[]; files: VersionFile[] };
    documentReader(workspace: number, versionId: string): (path: string) => Uint8Array;
    fileReader(workspace: number, versionId: string): (path: string) => Uint8Array;
  };
  readonly history: {
    current(workspace: number): string | undefined;
    makeCurrent(workspace: number, versionId: string, action: Action, at: Date): void;
    list(workspace: number): readonly { readonly versionId: string }[];
    journal(workspace: number): readonly { readonly to: string }[];
    prune(workspace: number, keep: number): string[];
  };
}

/** Why a version becomes current. */
type Action = "publish" | "republish" | "rollback";

/** Hears how far a long piece of work is. */
export type OnProgress = (done: number, total: number, what: string) => void;
