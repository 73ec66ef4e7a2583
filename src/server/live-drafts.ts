import { type FolderFault, SvcError } from "../workspace/errors.ts";
import { Live, type ShownFault } from "./live.ts";
import type { PreviewedDrafts } from "./previewed-drafts.ts";

/** How often it polls, in milliseconds. A poll of a store takes 4 µs in a loop, 60 µs after a pause. */
const POLL_INTERVAL = 25;
/** How long to wait after a failed poll, in milliseconds. */
const RETRY_DELAY = 1000;

/** Polls for changes of drafts: of a store also the imports, publishes and rollbacks of other processes. */
export class LiveDrafts extends Live {
  readonly #drafts: Pick<PreviewedDrafts, "changeMark" | "checkInPlace">;
  readonly #timer: NodeJS.Timeout;
  readonly #onFailure: (failure: Error) => void;
  #mark: string;
  /** Why the last poll failed; undefined when it did not. */
  #failure: string | undefined;
  #retryAt = 0;
  #folderFaults: readonly ShownFault[] = [];

  /** @param onFailure gets the reason why polls fail, once until the reason changes. */
  constructor(
    drafts: Pick<PreviewedDrafts, "changeMark" | "checkInPlace">,
    onFailure: (failure: Error) => void,
  ) {
    super();
    this.#drafts = drafts;
    this.#onFailure = onFailure;
    this.#mark = drafts.changeMark;
    this.#timer = setInterval(() => {
      if (Date.now() >= this.#retryAt) this.poll();
    }, POLL_INTERVAL);
    this.#timer.unref();
  }

  /**
   * Polls now, for callers that know of a change.
   *
   * @param folderFaults of the last attempt to read the folder.
   * @returns false when the poll failed; the failure is then the only fault until a poll succeeds.
   */
  poll(folderFaults: readonly ShownFault[] = this.#folderFaults): boolean {
    this.#folderFaults = folderFaults;
    let mark = this.#mark;
    let failure: Error | undefined;
    try {
      this.#drafts.checkInPlace();
      mark = this.#drafts.changeMark;
    } catch (error) {
      failure = error instanceof Error ? error : new Error(String(error));
      this.#retryAt = Date.now() + RETRY_DELAY;
      if (failure.message !== this.#failure) this.#onFailure(failure);
    }
    this.#failure = failure?.message;
    this.#update(mark, failure === undefined ? folderFaults : [faultOf(failure)]);
    return failure === undefined;
  }

  /** Makes a new state, for callers that know of a change of what is published. */
  touch(): void {
    this.#renew(this.state().faults);
  }

  #update(mark: string, faults: readonly ShownFault[]): void {
    const isSame = JSON.stringify(faults) === JSON.stringify(this.state().faults);
    if (mark === this.#mark && isSame) return;
    this.#mark = mark;
    this.#renew(faults);
  }

  #renew(faults: readonly ShownFault[]): void {
    const revision = this.state().revision + 1;
    this.show({ revision, faults, changedAt: new Date().toISOString() });
  }

  override close(): void {
    clearInterval(this.#timer);
    super.close();
  }
}

function faultOf(failure: Error): FolderFault {
  const { message } = failure;
  const { code = "defect", hint } = failure instanceof SvcError ? failure : {};
  return { code, file: "", message: hint ? `${message}; ${hint}` : message, subject: "store" };
}
