import { cpSync } from "node:fs";
import { join } from "node:path";
import { readFolder } from "../../src/folder/read-folder.ts";
import { publish, write } from "../../src/publish/publish.ts";
import { openStore, type Store } from "../../src/store/store.ts";
import { inStore } from "../support/publish/draft-source.ts";
import { source, temporaryFolder } from "../support/test-bed.ts";
import { workspaceFolder } from "../support/workspaces/workspace-folder.ts";
import { type OutState, outState } from "./out-state.ts";
import { neighbour, shop, VARIANTS } from "./shop.ts";
import { storeState } from "./store-state.ts";

/** A state of the shop, made without a kill. */
export interface Variant {
  readonly folder: string;
  readonly draft: string;
  readonly version: string;
}

/** The expected results of commands. */
export class References {
  readonly folder = temporaryFolder();
  readonly variants: readonly Variant[];
  readonly #outs = new Map<string, OutState>();

  constructor() {
    const neighbours = openStore(this.neighbourStore, { create: true });
    neighbours.import(source(neighbour()), new Date());
    publishTo(neighbours, this.neighbourOut);
    neighbours.close();
    const store = openStore(join(this.folder, "shop.db"), { create: true });
    this.variants = Array.from({ length: VARIANTS }, (_, at) => this.#variant(store, at));
    store.close();
  }

  get neighbourStore(): string {
    return join(this.folder, "neighbour.db");
  }

  /** A folder in which only the neighbour is published. */
  get neighbourOut(): string {
    return join(this.folder, "neighbour");
  }

  /** The expected files of `out/`; no version: only the neighbour's. */
  out(version: string | undefined, withNeighbour: boolean): OutState {
    const found = this.#outs.get(`${version} ${withNeighbour}`);
    if (found !== undefined) return found;
    return version === undefined && withNeighbour ? outState(this.neighbourOut) : new Map();
  }

  variantOf(draft: string): Variant {
    return this.variants.find((one) => one.draft === draft) as Variant;
  }

  #variant(store: Store, at: number): Variant {
    const folder = workspaceFolder(shop(at));
    store.import(readFolder(folder), new Date());
    const alone = join(this.folder, `alone-${at}`);
    const beside = join(this.folder, `beside-${at}`);
    cpSync(this.neighbourOut, beside, { recursive: true });
    const { versionId } = publishTo(store, alone);
    write(store, store.workspace(undefined), beside, { onProgress: () => {} });
    this.#outs.set(`${versionId} false`, outState(alone));
    this.#outs.set(`${versionId} true`, outState(beside));
    return { folder, draft: storeState(store.file).draft, version: versionId };
  }
}

export function publishTo(store: Store, out: string, keep = 20) {
  const how = { strict: false, keep, now: new Date(), onProgress: () => {} };
  return publish(inStore(store), out, how);
}
