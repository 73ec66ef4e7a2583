import type { AssetFile, HeldFile } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonObject, jsonPointer } from "../workspace/json.ts";
import type { Finding, Problem, ProblemPlace } from "../workspace/problem.ts";
import { problem } from "../workspace/problem.ts";
import type { Block, Model } from "../workspace/records.ts";
import type { StoredAsset } from "./asset.ts";
import { serveData } from "./data.ts";

/** What values are resolved against: a draft with its models and blocks at hand by id. */
export interface Lookup {
  readonly draft: Draft;
  readonly models: ReadonlyMap<string, Model>;
  readonly blocks: ReadonlyMap<string, Block>;
}

/** A reference as it stands in an entry: where, and to which entry. */
export interface Pointer {
  /** JSON Pointer into the entry's stored data. */
  readonly path: string;
  readonly target: string;
}

/**
 * One walk through the stored data of one record: it resolves values by `lookup` and gathers what
 * the walk finds beside them.
 */
export class Serving {
  readonly lookup: Lookup;
  readonly #at: Omit<ProblemPlace, "path">;
  readonly #path: (string | number)[];
  /** E3: every reference met, inside blocks too. */
  readonly pointers: Pointer[] = [];
  /** The held files whose urls are served. */
  readonly files: HeldFile[] = [];
  readonly problems: Problem[] = [];

  /** `base` is the path of the data in its record: `[]` for an entry, `["fields"]` for a project. */
  constructor(lookup: Lookup, at: Omit<ProblemPlace, "path">, base: readonly string[] = []) {
    this.lookup = lookup;
    this.#at = at;
    this.#path = [...base];
  }

  /** The served data of stored data with these fields, here. */
  data(fields: readonly FieldDefinition[], stored: JsonObject): JsonObject {
    return serveData(fields, stored, this);
  }

  /** Runs `walk` one step further down the stored data. */
  within<T>(segment: string | number, walk: () => T): T {
    this.#path.push(segment);
    try {
      return walk();
    } finally {
      this.#path.pop();
    }
  }

  report(finding: Finding): void {
    this.problems.push(problem({ ...this.#at, path: jsonPointer(this.#path) }, finding));
  }

  pointTo(target: string): void {
    this.pointers.push({ path: jsonPointer(this.#path), target });
  }

  publishFile(file: HeldFile): void {
    this.files.push({ sha256: file.sha256, fileName: file.fileName });
  }

  /** The asset, or the version of it, that a stored value names; undefined when it is missing. */
  asset({ assetId, versionId }: StoredAsset): AssetFile | undefined {
    const asset = this.lookup.draft.asset(assetId);
    if (versionId === undefined) return asset;
    return asset?.versions?.find(({ id }) => id === versionId);
  }
}
