import type { Asset, AssetFile, HeldFile } from "../workspace/asset.ts";
import type { Draft } from "../workspace/draft.ts";
import type { FieldDefinition } from "../workspace/field.ts";
import { type JsonObject, jsonPointer } from "../workspace/json.ts";
import type { Finding, Problem, ProblemPlace } from "../workspace/problem.ts";
import { problem } from "../workspace/problem.ts";
import type { Block } from "../workspace/records.ts";
import type { StoredAsset } from "./asset.ts";
import { serveData } from "./data.ts";

/** What values are resolved against: a draft, its blocks at hand by id, its entries by number. */
export interface Lookup {
  readonly draft: Draft;
  readonly blocks: ReadonlyMap<string, Block>;
  /** The number of the entry with this id; undefined when the workspace has none. */
  find(entryId: string): number | undefined;
  asset(id: string): Asset | undefined;
  /** The key of an entry's model; undefined when there is no such model. */
  modelKeyOf(entry: number): string | undefined;
}

const NONE: readonly never[] = [];

/** A reference as it stands in an entry: where, and to which entry. */
export interface Pointer {
  /** JSON Pointer into the entry's stored data. */
  readonly path: string;
  readonly target: string;
  /** The number of the target; undefined when the workspace has no such entry. */
  readonly entry: number | undefined;
}

/**
 * One walk through the stored data of one record: it resolves values by `lookup` and gathers what
 * the walk finds beside them.
 */
export class Serving {
  readonly lookup: Lookup;
  readonly #kind: ProblemPlace["kind"];
  readonly #id: string;
  readonly #path: (string | number)[];
  // Most walks find nothing of a kind, so that a list is made when something is found.
  #pointers: Pointer[] | undefined;
  #assets: string[] | undefined;
  #files: HeldFile[] | undefined;
  #problems: Problem[] | undefined;

  /**
   * `base` is the path of the data in its record: `[]` for an entry, `["fields"]` for a project.
   */
  constructor(
    lookup: Lookup,
    { kind, id }: Omit<ProblemPlace, "path">,
    base: readonly string[] = [],
  ) {
    this.lookup = lookup;
    this.#kind = kind;
    this.#id = id;
    this.#path = [...base];
  }

  /** E3: everything that it points at, inside blocks too. */
  get pointers(): readonly Pointer[] {
    return this.#pointers ?? NONE;
  }

  /** The ids of the assets that it names, whether or not they exist. */
  get assets(): readonly string[] {
    return this.#assets ?? NONE;
  }

  /** The held files whose urls are served. */
  get files(): readonly HeldFile[] {
    return this.#files ?? NONE;
  }

  get problems(): readonly Problem[] {
    return this.#problems ?? NONE;
  }

  /** The served data of stored data with these fields, here. */
  data(fields: readonly FieldDefinition[], stored: JsonObject): JsonObject {
    return serveData(fields, stored, this);
  }

  /** What is found until `leave` stands one step further down the stored data. */
  enter(segment: string | number): void {
    this.#path.push(segment);
  }

  leave(): void {
    this.#path.pop();
  }

  report(finding: Finding): void {
    const place = { kind: this.#kind, id: this.#id, path: jsonPointer(this.#path) };
    this.#problems ??= [];
    this.#problems.push(problem(place, finding));
  }

  /** Returns the number of the entry; undefined when the workspace has none with this id. */
  pointTo(target: string): number | undefined {
    const entry = this.lookup.find(target);
    this.#pointers ??= [];
    this.#pointers.push({ path: jsonPointer(this.#path), target, entry });
    return entry;
  }

  publishFile(file: HeldFile): void {
    this.#files ??= [];
    this.#files.push({ sha256: file.sha256, fileName: file.fileName });
  }

  /** The asset, or the version of it, that a stored value names; undefined when it is missing. */
  asset({ assetId, versionId }: StoredAsset): AssetFile | undefined {
    this.#assets ??= [];
    this.#assets.push(assetId);
    const asset = this.lookup.asset(assetId);
    if (versionId === undefined) return asset;
    return asset?.versions?.find(({ id }) => id === versionId);
  }
}
