import { type FolderFault, SvcError } from "../workspace/errors.ts";
import type { Live, LiveState } from "./live.ts";

/** What can be told of a store without reading it. */
export interface ChangingStore {
  /** Another text after each change of the store, whoever made it. */
  readonly changeMark: string;
  /** @throws when the store's file was replaced by another, or removed. */
  checkInPlace(): void;
}

/** How often the store is asked whether it was changed, in milliseconds; asking takes some 10 µs. */
const INTERVAL = 25;
/** What is wrong with the store now will be so for a while: how long it is left alone, in milliseconds. */
const REST = 1000;

/** Notices every change of a store, whichever process makes it: imports, publishes, rollbacks. */
export class LiveStore implements Live {
  readonly #store: ChangingStore;
  readonly #listeners = new Set<(state: LiveState) => void>();
  readonly #closeListeners = new Set<() => void>();
  readonly #timer: NodeJS.Timeout;
  readonly #onFailure: (failure: Error) => void;
  #mark: string;
  /** Why the store could not be asked at the last look. */
  #failure: string | undefined;
  #restUntil = 0;
  #folderWorkspaceId: string | undefined;
  #folderFaults: readonly FolderFault[] = [];
  #state: LiveState = { revision: 1, faults: [], changedAt: new Date().toISOString() };

  /** @param onFailure is told why the store cannot be asked, once until that changes. */
  constructor(store: ChangingStore, onFailure: (failure: Error) => void) {
    this.#store = store;
    this.#onFailure = onFailure;
    this.#mark = store.changeMark;
    this.#timer = setInterval(() => {
      if (Date.now() >= this.#restUntil) this.look();
    }, INTERVAL);
    this.#timer.unref();
  }

  state(): LiveState {
    return this.#state;
  }

  /**
   * Looks at the store now, so that whoever knows of a change need not wait for the next look.
   *
   * @param folderFaults of the last try to import the folder.
   * @param folderWorkspaceId which workspace the folder was at its last import.
   * @returns whether the store could be asked. If not, that is the one fault until it can.
   */
  look(folderFaults = this.#folderFaults, folderWorkspaceId = this.#folderWorkspaceId): boolean {
    this.#folderFaults = folderFaults;
    this.#folderWorkspaceId = folderWorkspaceId;
    let mark = this.#mark;
    let failure: Error | undefined;
    try {
      this.#store.checkInPlace();
      mark = this.#store.changeMark;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      this.#restUntil = Date.now() + REST;
      if (failure.message !== this.#failure) this.#onFailure(failure);
    }
    this.#failure = failure?.message;
    this.#renew(mark, failure === undefined ? folderFaults : [faultOf(failure)]);
    return failure === undefined;
  }

  #renew(mark: string, faults: readonly FolderFault[]): void {
    const folderWorkspaceId = this.#folderWorkspaceId;
    const isSameFolder =
      folderWorkspaceId === this.#state.folderWorkspaceId && sameFaults(faults, this.#state.faults);
    if (mark === this.#mark && isSameFolder) return;
    this.#mark = mark;
    const revision = this.#state.revision + 1;
    this.#state = { revision, faults, folderWorkspaceId, changedAt: new Date().toISOString() };
    for (const listener of [...this.#listeners]) listener(this.#state);
  }

  onChange(listener: (state: LiveState) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  onClose(listener: () => void): () => void {
    this.#closeListeners.add(listener);
    return () => void this.#closeListeners.delete(listener);
  }

  close(): void {
    clearInterval(this.#timer);
    this.#listeners.clear();
    for (const listener of [...this.#closeListeners]) listener();
    this.#closeListeners.clear();
  }
}

function faultOf(failure: Error): FolderFault {
  const { message } = failure;
  const hint = failure instanceof SvcError && failure.hint;
  return { file: "", message: hint ? `${message}; ${hint}` : message };
}

function sameFaults(some: readonly FolderFault[], others: readonly FolderFault[]): boolean {
  return some === others || JSON.stringify(some) === JSON.stringify(others);
}
