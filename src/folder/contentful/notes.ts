/** What is told of an export beside its records. */
export class Notes {
  /** Records that were left out, by reason. */
  readonly leftOut = new Map<string, number>();
  /** Validations that no constraint stands for. */
  readonly notCarriedOver = new Map<string, number>();
  readonly warnings: string[] = [];

  leaveOut(why: string): void {
    count(this.leftOut, why);
  }

  notCarried(validation: string): void {
    count(this.notCarriedOver, validation);
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  /** Hears of names that `what` cannot keep. */
  renamed(what: string): (from: string, to: string) => void {
    return (from, to) => this.warn(`${what} "${from}" is "${to}" here`);
  }
}

function count(counts: Map<string, number>, name: string): void {
  counts.set(name, (counts.get(name) ?? 0) + 1);
}
