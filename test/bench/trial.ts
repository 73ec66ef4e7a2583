import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Edit } from "./edit-site.ts";
import { type Measured, measure } from "./measure.ts";

export const SVC = join(import.meta.dirname, "../../dist/bin/svc.js");

/** A series of commands of the built program, starting with an empty store, in its own folder. */
export class Trial {
  readonly folder: string;
  readonly store: string;
  readonly out: string;
  /** The imported folder; a copy of it after the first edit. */
  #workspace: string;
  #isEdited = false;

  constructor(workspace: string, folder: string) {
    this.folder = folder;
    this.store = join(folder, "svc.db");
    this.out = join(folder, "out");
    this.#workspace = workspace;
    mkdirSync(folder, { recursive: true });
  }

  import(): Measured {
    return this.#svc(this.store, "import", this.#workspace);
  }

  publish(): Measured {
    return this.#svc(this.store, "publish", "--out", this.out);
  }

  /** Runs a command on the folder, without a store and with nothing published. */
  ofFolder(command: "publish" | "check"): Measured {
    const out = join(this.folder, "out-of-folder");
    const args = command === "publish" ? ["--out", out] : [];
    const measured = measure([SVC, command, this.#workspace, ...args, "--quiet"]);
    rmSync(out, { recursive: true, force: true });
    return measured;
  }

  /** Runs commands in order on a copy of the store, so that the store caches nothing from them. */
  onCopy<T extends readonly string[]>(...commands: T): { [K in keyof T]: Measured } {
    const copy = join(this.folder, "copy.db");
    for (const end of ENDS) {
      if (existsSync(this.store + end)) copyFileSync(this.store + end, copy + end);
    }
    const measured = commands.map((command) => this.#svc(copy, command));
    for (const end of ENDS) rmSync(copy + end, { force: true });
    return measured as { [K in keyof T]: Measured };
  }

  /** Changes the workspace and imports it. */
  edit(edit: Edit): Measured {
    if (!this.#isEdited) {
      const copy = join(this.folder, "edited");
      cpSync(this.#workspace, copy, { recursive: true });
      this.#workspace = copy;
      this.#isEdited = true;
    }
    this.script("edit-site.ts", this.#workspace, edit);
    return this.import();
  }

  /** Runs a script of this folder, with a compile cache as the built program has. */
  script(name: string, ...args: readonly string[]): Measured {
    const env = { NODE_COMPILE_CACHE: join(this.folder, "../compiled") };
    return measure([join(import.meta.dirname, name), ...args], { env });
  }

  /** The size of the store in bytes, while no process has it open. */
  get size(): number {
    return ENDS.filter((end) => existsSync(this.store + end))
      .map((end) => statSync(this.store + end).size)
      .reduce((a, b) => a + b);
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #svc(store: string, ...args: readonly string[]): Measured {
    return measure([SVC, ...args, "--store", store, "--quiet"]);
  }
}

/** The files of a store. */
const ENDS = ["", "-wal"];
