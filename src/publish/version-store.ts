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
  write<T>(work: () => T): T;
  draft(workspace: W): Draft;
  readonly versions: {
    current(workspace: number): string | undefined;
    has(workspace: number, versionId: string): boolean;
    documentKeeper(): (sha256: string, bytes: Uint8Array) => void;
    add(
      workspace: number,
      versionId: string,
      contents: {
        readonly documents: ReadonlyMap<string, FileFact & { readonly frozen: string }>;
        readonly files: ReadonlyMap<string, string>;
      },
      publishedAt: string,
    ): void;
    makeCurrent(workspace: number, versionId: string): void;
    contents(
      workspace: number,
      versionId: string,
    ): { documents: VersionFile[]; files: VersionFile[] };
    documentReader(workspace: number, versionId: string): (path: string) => Uint8Array;
    fileReader(workspace: number, versionId: string): (path: string) => Uint8Array;
  };
}

/** Hears how far a long piece of work is. */
export type OnProgress = (done: number, total: number, what: string) => void;
