import { SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";

/** A fault in a workspace folder, with its position. */
export interface Fault {
  /** Relative to the folder, with `/`. */
  readonly file: string;
  /** From 1; present where known. */
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
}

/** Collects the faults of one import. */
export class Faults {
  readonly #faults: Fault[] = [];

  add(fault: Fault): void {
    this.#faults.push(fault);
  }

  get any(): boolean {
    return this.#faults.length > 0;
  }

  /** @throws SvcError with every fault, in order of file and line, if there is any. */
  throwIfAny(folder: string): void {
    if (!this.any) return;
    const count = this.#faults.length === 1 ? "1 fault" : `${this.#faults.length} faults`;
    throw new SvcError("folder-invalid", `the workspace folder "${folder}" has ${count}`, {
      hint: "fix them and import again; the store was not changed",
      problems: [...this.#faults].sort(
        (a, b) =>
          byCodeUnit(a.file, b.file) ||
          (a.line ?? 0) - (b.line ?? 0) ||
          (a.column ?? 0) - (b.column ?? 0) ||
          byCodeUnit(a.message, b.message),
      ),
    });
  }
}
