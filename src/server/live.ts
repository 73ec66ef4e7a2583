import type { FolderFault } from "../workspace/errors.ts";

/** What is being previewed, as it stands now. */
export interface LiveState {
  /** Grows with each state. */
  readonly revision: number;
  /**
   * Of the last try to import the folder; empty when it imported, or when there is no folder. While
   * the store itself cannot be asked, why it cannot.
   */
  readonly faults: readonly FolderFault[];
  /** Which workspace the folder was at its last import; absent before, or when there is no folder. */
  readonly folderWorkspaceId?: string | undefined;
  /** RFC 3339, UTC: since when this is the state. */
  readonly changedAt: string;
}

/** Tells whoever looks at a preview when there is something new to see. */
export interface Live {
  state(): LiveState;
  /** Calls the listener at each new state, until the function that it returns is called. */
  onChange(listener: (state: LiveState) => void): () => void;
  /** Calls the listener when nothing more will be told, until the function that it returns is called. */
  onClose(listener: () => void): () => void;
  close(): void;
}
