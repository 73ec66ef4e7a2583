export class Notes {
  readonly leftOut = new Map<string, number>();
  /** The number of validations without an equivalent constraint, by name. */
  readonly notCarriedOver = new Map<string, number>();
  readonly warnings: string[] = [];

  leaveOut(reason: string, times = 1): void {
    if (times > 0) count(this.leftOut, reason, times);
  }

  /** Adds the notes of another reading. */
  add({ leftOut, notCarriedOver, warnings }: Notes): void {
    for (const [reason, times] of leftOut) this.leaveOut(reason, times);
    for (const [name, times] of notCarriedOver) count(this.notCarriedOver, name, times);
    for (const text of warnings) this.warn(text);
  }

  notCarried(validation: string): void {
    count(this.notCarriedOver, validation);
  }

  warn(text: string): void {
    this.warnings.push(text);
  }

  /** X4: that publishing shows nothing of an export of drafts. */
  drafts(drafts: number, entries: number): void {
    if (drafts === 0 || drafts < entries) return;
    this.warn(
      `all entries are drafts (${drafts}): nothing of them is published; --drafts imports them as published`,
    );
  }

  /** Returns a listener for renames that adds warnings; `what` says what is renamed. */
  renamed(what: string): (from: string, to: string) => void {
    return (from, to) => this.warn(`${what} "${from}" was changed to "${to}"`);
  }
}

function count(counts: Map<string, number>, name: string, times = 1): void {
  counts.set(name, (counts.get(name) ?? 0) + times);
}
