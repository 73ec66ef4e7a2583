import { type FolderFault, SvcError } from "../workspace/errors.ts";
import { byCodeUnit } from "../workspace/json.ts";

/** Collects the faults of one import. */
export class Faults {
  readonly #faults: FolderFault[] = [];

  add(fault: FolderFault): void {
    this.#faults.push(fault);
  }

  get any(): boolean {
    return this.#faults.length > 0;
  }

  /** In order of file and line. */
  get list(): FolderFault[] {
    return [...this.#faults].sort(byPlace);
  }

  /** @throws SvcError with every fault, in order of file and line, if there is any. */
  throwIfAny(folder: string): void {
    if (!this.any) return;
    const count = this.#faults.length === 1 ? "1 fault" : `${this.#faults.length} faults`;
    throw new SvcError("folder-invalid", `the workspace folder "${folder}" has ${count}`, {
      hint: "fix them, then try again; nothing was changed",
      problems: { kind: "folder", list: this.list },
    });
  }
}

function byPlace(a: FolderFault, b: FolderFault): number {
  return (
    byCodeUnit(a.file, b.file) ||
    (a.line ?? 0) - (b.line ?? 0) ||
    (a.column ?? 0) - (b.column ?? 0) ||
    byCodeUnit(a.message, b.message)
  );
}
