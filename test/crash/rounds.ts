import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import type { Random } from "../support/workspaces/random.ts";
import { KillBed } from "./kill-bed.ts";
import { type ProcessExit, runUntil } from "./killed-process.ts";
import { momentOf } from "./moments.ts";
import { differingFromAll, outState } from "./out-state.ts";
import { type Command, chooseCommand, planOf } from "./planned-command.ts";
import type { References, Variant } from "./references.ts";
import { type StoreState, storeState } from "./store-state.ts";

export type Phase = "before" | "writing" | "after" | "ended";

/** Rounds with one bed: each kills a command and checks the result. */
export class Rounds {
  readonly #references: References;
  readonly #random: Random;
  /** Probability that the next command starts without a repair. */
  readonly #inARow: number;
  /** The times of the last run of each command that was not killed. */
  readonly #seen = new Map<Command, ProcessExit["seen"]>();
  #bed: KillBed;
  #isInterrupted = false;
  /** The commands that ran in the bed, for error messages. */
  #log: string[] = [];

  constructor(references: References, random: Random, inARow: number) {
    this.#references = references;
    this.#random = random;
    this.#inARow = inARow;
    this.#bed = new KillBed(references);
  }

  get log(): string {
    return this.#log.join("\n");
  }

  /** The first command of each kind is only run and measured. */
  async round(): Promise<Phase> {
    if (!existsSync(this.#bed.store)) await this.#bed.import(this.#anyVariant());
    const before = this.#bed.state();
    const command = chooseCommand(this.#random, before);
    const phase =
      command === "first import" ? await this.#firstImport() : await this.#change(command, before);
    if (this.#random.chance(0.03)) this.#renew();
    return phase;
  }

  #renew(): void {
    this.#bed = new KillBed(this.#references);
    this.#isInterrupted = false;
    this.#log = [];
  }

  #anyVariant(but?: string): Variant {
    return this.#random.pick(this.#references.variants.filter(({ draft }) => draft !== but));
  }

  /** Makes a store of its own. */
  async #firstImport(): Promise<Phase> {
    const file = join(this.#bed.folder, "first.db");
    const variant = this.#anyVariant();
    const ended = await this.#kill("first import", file, ["import", variant.folder]);
    const isThere = existsSync(file);
    if (ended.status === 0) expect(isThere).toBe(true);
    const expectImported = () => {
      const imported = { draft: variant.draft, current: undefined, versions: [], journal: [] };
      expect(storeState(file)).toEqual(imported);
    };
    if (isThere) expectImported();
    await this.#bed.import(variant, file);
    expectImported();
    this.#bed.removeStore(file);
    return this.#phase(ended, isThere ? "after" : "before");
  }

  async #change(command: Command, first: StoreState): Promise<Phase> {
    const bed = this.#bed;
    let before = first;
    if (command === "publish" && this.#random.chance(0.9)) {
      await bed.import(this.#anyVariant(before.draft));
      before = bed.state();
    }
    if (command === "write, empty") bed.empty();
    if (command === "write, damaged") bed.damage(this.#random);
    const { args, after, target } = planOf(command, before, this.#references, this.#random);
    const outBefore = outState(bed.out);
    const ended = await this.#kill(command, bed.store, args);

    const state = bed.state();
    expect([before, after], "the store is old or new").toContainEqual(state);
    if (ended.status === 0) expect(state).toEqual(after);
    const outAfter = outState(bed.out);
    const outNew = target === undefined ? outBefore : bed.right(target);
    expect(differingFromAll(outAfter, outBefore, outNew), "neither old nor new").toEqual([]);
    const isOld = isSame(state, before);
    const isCommitted = target !== undefined && !isOld;
    const isTouched = differingFromAll(outAfter, outBefore).length > 0;
    bed.checkVerify(state, isCommitted || isTouched);

    const isPending = target !== undefined && this.#isPending(target);
    const isComplete =
      isSame(state, after) && !isPending && differingFromAll(outAfter, outNew).length === 0;
    const isBefore = !isSame(before, after) ? isOld : !isPending && !isComplete;
    this.#complete(state);
    return this.#phase(ended, isBefore ? "before" : isComplete ? "after" : "writing");
  }

  #complete({ current }: StoreState): void {
    const bed = this.#bed;
    this.#isInterrupted = this.#random.chance(this.#inARow);
    if (this.#random.chance(0.15)) bed.writeNeighbour();
    if (this.#isInterrupted) return;
    bed.complete(current === undefined || this.#random.chance(0.15) ? "publish" : "write");
    if (!bed.hasNeighbour) bed.writeNeighbour();
  }

  async #kill(command: Command, store: string, args: readonly string[]): Promise<ProcessExit> {
    const moment = momentOf(this.#random, command, this.#seen.get(command));
    const when = moment ? `${moment.delay.toFixed(1)} ms after "${moment.stage}"` : "not killed";
    this.#log.push(`svc ${args.join(" ")}: ${when}${this.#isInterrupted ? " (after a kill)" : ""}`);
    const ended = await runUntil(moment, store, this.#bed.out, [...args, "--store", store]);
    if (ended.status !== null) expect(ended.status, ended.stderr).toBe(0);
    const isMeasured = ended.seen.written !== undefined || command.includes("import");
    if (ended.status !== null && isMeasured) this.#seen.set(command, ended.seen);
    return ended;
  }

  #phase({ status }: ProcessExit, phase: Phase): Phase {
    const { length } = this.#log;
    this.#log[length - 1] += ` → ${status === null ? phase : "ended"}`;
    return status === null ? phase : "ended";
  }

  #isPending(target: string): boolean {
    const file = join(this.#bed.out, ".svc-writing.json");
    return existsSync(file) && readFileSync(file, "utf8").includes(target);
  }
}

function isSame(one: StoreState, other: StoreState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
