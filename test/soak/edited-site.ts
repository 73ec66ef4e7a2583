import { execFile } from "node:child_process";
import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { CONTENT, TOKEN, writeEntries, writeExperience } from "../bench/experience-workspace.ts";

/** How long the preview may take to show a change, in milliseconds. */
const PATIENCE = 15_000;

/** Edits, imports, publishes and rolls back a workspace folder, in turns. */
export class EditedSite {
  readonly folder: string;
  readonly store: string;
  readonly out: string;
  /** From saving a file to the response that shows it, in milliseconds. */
  readonly delays: number[] = [];
  /** How often each operation was done. */
  readonly done: Record<string, number> = {};
  /** The number of the last state, which is in every title; states count from 0. */
  state = 0;
  readonly #svc: string;
  readonly #entries: number;
  readonly #second: string;

  constructor(root: string, svc: string, entries: number) {
    this.#svc = svc;
    this.#entries = entries;
    this.folder = join(root, "workspace");
    this.#second = join(root, "second");
    this.store = join(root, "soak.db");
    this.out = join(root, "out");
    for (const folder of [this.folder, this.#second]) {
      writeExperience(folder, entries);
      writeEntries(folder, entries, "0");
    }
  }

  /** Runs a command on the site's store. */
  async run(...args: readonly string[]): Promise<string> {
    const given = [this.#svc, ...args, "--store", this.store, "--quiet"];
    return (await promisify(execFile)(process.execPath, given)).stdout.trim();
  }

  /** Changes the site repeatedly until this time, in milliseconds since 1970. */
  async change(url: string, until: number): Promise<void> {
    const steps = [
      () => this.edit(url),
      () => this.edit(url),
      () => this.breakAndMend(url),
      () => this.publish(),
      () => this.importElsewhere(url),
      () => this.edit(url),
      () => this.publish(),
      () => this.rollBack(),
    ];
    for (let turn = 0; Date.now() < until; turn += 1) {
      await steps[turn % steps.length]?.();
      await pause(100);
    }
  }

  async edit(url: string): Promise<void> {
    this.state += 1;
    writeEntries(this.folder, this.#entries, `${this.state}`);
    const saved = performance.now();
    await this.#shown(url);
    this.delays.push(performance.now() - saved);
    this.#count("edits");
  }

  /** Breaks a file for a moment; the last good draft must stay. */
  async breakAndMend(url: string): Promise<void> {
    const file = join(this.folder, "entries.json");
    writeFileSync(`${file}.broken`, "[{");
    renameSync(`${file}.broken`, file);
    await pause(150);
    await this.#shown(url);
    this.#count("broken edits");
    await this.edit(url);
  }

  async importElsewhere(url: string): Promise<void> {
    this.state += 1;
    writeEntries(this.#second, this.#entries, `${this.state}`);
    await this.run("import", this.#second);
    await this.#shown(url);
    this.#count("imports");
  }

  async publish(): Promise<void> {
    await this.run("publish", "--out", this.out);
    this.#count("publishes");
  }

  async rollBack(): Promise<void> {
    const { versions } = JSON.parse(await this.run("versions", "--json"));
    await this.run("rollback", versions.at(-1).versionId, "--out", this.out);
    this.#count("rollbacks");
  }

  async #shown(url: string): Promise<void> {
    const end = Date.now() + PATIENCE;
    const wanted = `"title":"${this.state}"`;
    for (;;) {
      const answer = await fetch(`${url}${CONTENT}?preview_token=${TOKEN}`);
      const text = await answer.text();
      if (text.includes(wanted)) return;
      if (Date.now() > end) throw new Error(`${wanted} is not shown: ${text.slice(0, 200)}`);
      await pause(2);
    }
  }

  #count(what: string): void {
    this.done[what] = (this.done[what] ?? 0) + 1;
  }
}
