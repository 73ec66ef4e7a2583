import type { FolderFault } from "../workspace/errors.ts";

/** With the address that opens its file in the author's editor (H40). */
export type ShownFault = FolderFault & { readonly href?: string };

/** The current state of what is previewed. */
export interface LiveState {
  /** Increases with each state. */
  readonly revision: number;
  /**
   * Of the last attempt to read the folder; empty when it succeeded or there is no folder.
   * While the store cannot be read: the reason, as the only fault.
   */
  readonly faults: readonly ShownFault[];
  /** RFC 3339, UTC. */
  readonly changedAt: string;
}

/** Tells listeners of each state, wherever it is made. */
export class Live {
  readonly #listeners = new Set<(state: LiveState) => void>();
  readonly #closeListeners = new Set<() => void>();
  #state: LiveState = { revision: 1, faults: [], changedAt: new Date().toISOString() };

  state(): LiveState {
    return this.#state;
  }

  show(state: LiveState): void {
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }

  /** Calls the listener for each new state; returns a function that removes it. */
  onChange(listener: (state: LiveState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls the listener when this is closed; returns a function that removes it. */
  onClose(listener: () => void): () => void {
    this.#closeListeners.add(listener);
    return () => void this.#closeListeners.delete(listener);
  }

  close(): void {
    this.#listeners.clear();
    for (const listener of [...this.#closeListeners]) listener();
    this.#closeListeners.clear();
  }
}
