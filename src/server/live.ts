import type { FolderFault } from "../workspace/errors.ts";

/** The current state of what is previewed. */
export interface LiveState {
  /** Increases with each state. */
  readonly revision: number;
  /**
   * Of the last attempt to import or read the folder; empty when it succeeded or there is no folder.
   * While the store cannot be read: the reason, as the only fault.
   */
  readonly faults: readonly FolderFault[];
  /** The workspace of the folder when it was last imported or read without faults, if any. */
  readonly folderWorkspaceId?: string | undefined;
  /** RFC 3339, UTC. */
  readonly changedAt: string;
}

/** Notifies listeners when what a preview shows has changed. */
export interface Live {
  state(): LiveState;
  /** Calls the listener for each new state; returns a function that removes it. */
  onChange(listener: (state: LiveState) => void): () => void;
  /** Calls the listener when this is closed; returns a function that removes it. */
  onClose(listener: () => void): () => void;
  close(): void;
}
