import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { readFolder } from "../../src/folder/read-folder.ts";
import { write } from "../../src/publish/publish.ts";
import { verify } from "../../src/publish/verify.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { withStore } from "../../src/store/with-store.ts";
import { SvcError } from "../../src/workspace/errors.ts";
import { pathsBelow } from "../support/file-tree.ts";
import { temporaryFolder } from "../support/test-bed.ts";
import type { Random } from "../support/workspaces/random.ts";
import { differingFromAll, isTransient, leftovers, type OutState, outState } from "./out-state.ts";
import { KEEP } from "./planned-command.ts";
import { publishTo, type References, type Variant } from "./references.ts";
import { type StoreState, storeState } from "./store-state.ts";

/** A store, and an `out/` in which a neighbour workspace is published. */
export class KillBed {
  readonly folder = temporaryFolder();
  readonly store = join(this.folder, "workspace.db");
  readonly out = join(this.folder, "out");
  readonly references: References;
  hasNeighbour = true;
  /** The result of the last `verify`. */
  wasInterrupted = false;

  constructor(references: References) {
    this.references = references;
    cpSync(references.neighbourOut, this.out, { recursive: true });
  }

  state(): StoreState {
    return storeState(this.store);
  }

  /** Imports without a kill. */
  async import(variant: Variant, file = this.store): Promise<void> {
    await withStore(file, (store) => store.import(readFolder(variant.folder), new Date()), {
      create: true,
    });
    const left = readdirSync(this.folder).filter((name) => /\.new|-wal$|-shm$/.test(name));
    expect(left, "files left beside the store").toEqual([]);
  }

  empty(): void {
    rmSync(this.out, { recursive: true, force: true });
    mkdirSync(this.out);
    this.hasNeighbour = false;
    this.wasInterrupted = false;
  }

  /** Deletes, cuts and overwrites some of the shop's files, as no `svc` does. */
  damage(random: Random): void {
    const others = this.references.out(undefined, true);
    const own = [...outState(this.out).keys()].filter(
      (path) => path !== "manifest.json" && !others.has(path),
    );
    for (const path of own.filter(() => random.chance(0.2))) {
      const file = join(this.out, path);
      if (random.chance(0.3)) rmSync(file);
      else if (random.chance(0.5)) writeFileSync(file, readFileSync(file).subarray(0, 100));
      else writeFileSync(file, "damaged");
    }
  }

  /**
   * Either `out/` is the current version, or `verify` reports an interrupted write. If no write was
   * started, it may report neither.
   */
  checkVerify({ current }: StoreState, wasStarted: boolean): void {
    try {
      const { ok, interrupted } = verify(this.out, () => {});
      if (ok) {
        // A folder that was emptied may have the neighbour's files only.
        const isEmptied = !wasStarted && !this.wasInterrupted && !this.#namesShop();
        const right = this.references.out(isEmptied ? undefined : current, this.hasNeighbour);
        expect(differingFromAll(outState(this.out), right), "verify reports no difference").toEqual(
          [],
        );
      } else if (wasStarted || this.wasInterrupted) {
        expect(interrupted, "reported as interrupted").toBeDefined();
        for (const one of interrupted ?? []) expect(one.workspaceId).toBe("shop");
      }
      this.wasInterrupted = interrupted !== undefined;
    } catch (error) {
      expect(error).toBeInstanceOf(SvcError);
      const { code, message } = error as SvcError;
      expect(code, message).toBe("manifest-missing");
      const isReported = message.includes("interrupted");
      if (wasStarted || this.wasInterrupted) expect(isReported, message).toBe(true);
      if (!isReported)
        expect(pathsBelow(this.out).filter((path) => !isTransient(path))).toEqual([]);
      this.wasInterrupted = isReported;
    }
  }

  #namesShop(): boolean {
    const manifest = JSON.parse(readFileSync(join(this.out, "manifest.json"), "utf8"));
    return Object.hasOwn(manifest.workspaces, "shop");
  }

  /** The files of `out/` for this version. */
  right(version: string): OutState {
    return this.references.out(version, this.hasNeighbour);
  }

  removeStore(file: string): void {
    for (const end of ["", "-wal", "-shm"]) rmSync(file + end, { force: true });
  }

  /** The neighbour writes to the same folder, and must not change the files of the shop. */
  writeNeighbour(): void {
    const before = outState(this.out);
    const isReported = this.wasInterrupted && existsSync(join(this.out, ".svc-writing.json"));
    writeTo(this.references.neighbourStore, this.out);
    const after = outState(this.out);
    const shops = (state: OutState) =>
      [...state].filter(([path]) => path !== "manifest.json" && !path.includes("/other/"));
    const others = this.references.out(undefined, true);
    expect(new Map(shops(after))).toEqual(new Map([...shops(before), ...shops(others)]));
    this.hasNeighbour = true;
    if (isReported) expect(verify(this.out, () => {}).interrupted).toBeDefined();
  }

  /** The next command completes `out/` and leaves no other files. */
  complete(by: "write" | "publish"): void {
    if (by === "write") writeTo(this.store, this.out);
    else {
      const store = openStore(this.store);
      publishTo(store, this.out, KEEP);
      store.close();
    }
    const right = this.references.out(this.state().current, this.hasNeighbour);
    expect(differingFromAll(outState(this.out), right), `not right after ${by}`).toEqual([]);
    expect(leftovers(this.out), `left behind after ${by}`).toEqual([]);
    expect(verify(this.out, () => {})).toMatchObject({ ok: true, differs: [] });
    this.wasInterrupted = false;
  }
}

function writeTo(file: string, out: string): void {
  const store: Store = openStore(file);
  write(store, store.workspace(undefined), out, { onProgress: () => {} });
  store.close();
}
