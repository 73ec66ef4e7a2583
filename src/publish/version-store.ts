import type { FrozenDocument, JournalAction, VersionFile } from "../documents/frozen-version.ts";
import type { PackStore, Texts } from "../documents/texts.ts";
import type { Draft } from "../workspace/draft.ts";
import type { OutState } from "../workspace/out-state.ts";
import type { WorkspaceRow } from "../workspace/workspace-row.ts";

/** The parts of a store that publishing uses. */
export interface VersionStore {
  /** Whether it ends with the process: earlier versions are then in `out/` only. */
  readonly isTemporary: boolean;
  read<T>(work: () => T): T;
  write<T>(work: () => T): T;
  /** As `write` if the store can be written now, else as `read`. */
  writeOrRead<T>(work: (canWrite: boolean) => T): T;
  checkIntegrity(): void;
  draft(workspace: WorkspaceRow): Draft;
  readonly packs: PackStore;
  openTexts(): Texts;
  deleteUnusedTexts(): void;
  readonly renderings: {
    read<T>(workspace: number, work: (read: (part: string) => Uint8Array) => T): T | undefined;
    save(workspace: number, parts: Iterable<readonly [part: string, bytes: Uint8Array]>): void;
  };
  readonly versions: {
    has(workspace: number, versionId: string): boolean;
    saveDocument(document: Omit<FrozenDocument, "number">): number;
    add(
      workspace: number,
      versionId: string,
      documents: Iterable<number>,
      files: ReadonlyMap<string, string>,
      publishedAt: Date,
      clock?: string,
    ): void;
    addFiles(workspace: number, versionId: string, files: ReadonlyMap<string, string>): void;
    contents(
      workspace: number,
      versionId: string,
    ): { documents: FrozenDocument[]; files: VersionFile[] };
    fileReader(): (sha256: string) => Uint8Array;
    paths(workspace: number, versionId: string): string[];
  };
  readonly history: {
    current(workspace: number): string | undefined;
    makeCurrent(workspace: number, versionId: string, action: JournalAction, at: Date): void;
    list(workspace: number): readonly { readonly versionId: string }[];
    clock(workspace: number, versionId: string): string | null;
    setClock(workspace: number, versionId: string, clock: string): void;
    journal(workspace: number): readonly { readonly to: string }[];
    prune(workspace: number, keep: number): string[];
  };
  readonly outStates: {
    find(workspace: number, folder: string): OutState | undefined;
    save(workspace: number, folder: string, state: OutState): void;
  };
}

/** Called with the progress of a long operation. */
export type OnProgress = (done: number, total: number, what: string) => void;
