import type { Draft } from "../workspace/draft.ts";

/** The workspace that is published. */
export interface PublishedWorkspace {
  readonly number: number;
  readonly id: string;
}

/** What publishing needs of a store. */
export interface VersionStore<W extends PublishedWorkspace = PublishedWorkspace> {
  read<T>(work: () => T): T;
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
        readonly documents: ReadonlyMap<string, string>;
        readonly files: ReadonlyMap<string, string>;
      },
      publishedAt: string,
    ): void;
    makeCurrent(workspace: number, versionId: string): void;
    paths(workspace: number, versionId: string): { documents: string[]; files: string[] };
    documentReader(workspace: number, versionId: string): (path: string) => Uint8Array;
    fileReader(workspace: number, versionId: string): (path: string) => Uint8Array;
  };
}

/** Hears how far a long piece of work is. */
export type OnProgress = (done: number, total: number, what: string) => void;
